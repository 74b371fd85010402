import { cancelFlow, listFlows, startFlow, watchFlow } from "../../operations/flow.ts";
import type { Migration } from "../../operations/migration.ts";
import type { Result } from "../../model/result.ts";
import { didYouMean } from "../../plan/nearest.ts";
import type { CommonFlags } from "../flags.ts";
import type { Heeded } from "../idle-words.ts";
import { refuseIdle } from "../idle-words.ts";
import type { Io } from "../io.ts";
import { runOnPlan } from "../session.ts";
import { UsageError } from "../usage-error.ts";

export interface FlowFlags extends CommonFlags {
  readonly connection?: string | undefined;
  readonly path?: string[] | undefined;
  readonly wait: boolean;
  readonly cancel?: true | undefined;
}

const actions = ["list", "start", "watch", "cancel"] as const;

const heeded: Readonly<Record<(typeof actions)[number], Heeded>> = {
  list: { words: 0, flags: [] },
  start: { words: 1, flags: ["connection", "path", "noWait", "cancel"] },
  watch: { words: 1, flags: ["cancel"] },
  cancel: { words: 1, flags: [] },
};

export async function runFlow(
  io: Io,
  plan: string,
  action: string,
  named: string | undefined,
  flags: FlowFlags,
): Promise<number> {
  return runOnPlan({ io, command: "flow", plan, flags }, async ({ migration }) => {
    // A flag of the form `--no-wait` is true where it was not said.
    const { connection, path, cancel, wait } = flags;
    const said = { connection, path, cancel, noWait: wait ? undefined : true };
    refuseIdle("flow", action, { words: named === undefined ? [] : [named], flags: said }, heeded);
    return actOn(migration, action, named, flags);
  });
}

async function actOn(
  migration: Migration,
  action: string,
  named: string | undefined,
  { connection, path, wait, cancel }: FlowFlags,
): Promise<Result> {
  switch (action) {
    case "list":
      return listFlows(migration);
    case "start": {
      const configuration = wanted(named, "start needs the name or URN of a documentation flow");
      const on = wanted(connection, "start needs --connection, by name or URN");
      return startFlow(migration, { configuration, connection: on, paths: path, wait, cancelFlows: cancel });
    }
    case "watch":
      return watchFlow(migration, named, { cancelFlows: cancel });
    case "cancel":
      return cancelFlow(
        migration,
        wanted(
          named,
          "cancel needs the URN of a workflow",
          "`ferry flow PLAN watch` names what is under way.",
        ),
      );
    default:
      throw new UsageError(
        `there is no "flow ${action}"`,
        didYouMean(action, actions) ?? `Actions: ${actions.join(", ")}.`,
      );
  }
}

function wanted(
  value: string | undefined,
  message: string,
  where = "`ferry flow PLAN list` shows what there is.",
): string {
  if (value === undefined) throw new UsageError(message, where);
  return value;
}
