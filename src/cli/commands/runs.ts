import { join } from "node:path";
import { keptRunNamed, runsOf } from "../../operations/kept-runs.ts";
import type { Migration } from "../../operations/migration.ts";
import { resultOf } from "../../operations/result.ts";
import { parseJson } from "../../model/json-text.ts";
import type { Result } from "../../model/result.ts";
import { exitCodes } from "../../model/result.ts";
import { didYouMean } from "../../plan/nearest.ts";
import type { Places, RunBy } from "../../store/index.ts";
import { briefRuns, isForMachines, runLine } from "../brief.ts";
import type { CommonFlags } from "../flags.ts";
import type { Heeded } from "../idle-words.ts";
import { refuseIdle } from "../idle-words.ts";
import type { Io } from "../io.ts";
import { runOnPlan } from "../session.ts";
import { UsageError } from "../usage-error.ts";
import { toMinute } from "../../model/moment.ts";
import { plural } from "../../model/plural.ts";

const runActions = ["list", "show", "open"] as const;

const heeded: Readonly<Record<(typeof runActions)[number], Heeded>> = {
  list: { words: 0, flags: ["all"] },
  show: { words: 1, flags: [] },
  open: { words: 1, flags: [] },
};

export interface RunsFlags extends CommonFlags {
  readonly all?: true | undefined;
}

/** What was done, when, by whom; and the reports of it. */
export async function runRuns(
  io: Io,
  plan: string,
  action: string,
  named: string | undefined,
  flags: RunsFlags,
): Promise<number> {
  let shown: string | undefined;
  const code = await runOnPlan(
    { io, command: "runs", plan, flags, offline: true, present: () => shown },
    async ({ migration, places }) => {
      refuseIdle("runs", action, { words: named === undefined ? [] : [named], flags: { ...flags } }, heeded);
      switch (action) {
        case "list":
          return list(migration, flags);
        case "show": {
          const { result, text } = await show(migration, named, flags);
          shown = text;
          return result;
        }
        case "open":
          return open(io, migration, places, named);
        default:
          throw new UsageError(
            `runs: there is no "${action}"`,
            didYouMean(action, runActions) ?? `It is one of ${runActions.join(", ")}.`,
          );
      }
    },
  );
  return code;
}

async function list(migration: Migration, flags: RunsFlags): Promise<Result> {
  const runs = await runsOf(migration);
  const { name } = migration.plan;
  return resultOf(migration, {
    command: "runs",
    exitCode: exitCodes.done,
    headline:
      runs.length === 0
        ? "No run is kept yet."
        : `${plural(runs.length, "run")} kept, the last one at the end; times are in UTC.`,
    next: runs.length === 0 ? [`ferry diff ${name}`] : [`ferry runs ${name} show`, `ferry runs ${name} open`],
    details: isForMachines(flags) ? { runs } : { runs: briefRuns(runs, flags.all === true) },
  });
}

/** The report as it was told then; machines get it inside of this command's own result. */
async function show(
  migration: Migration,
  named: string | undefined,
  flags: CommonFlags,
): Promise<{ readonly result: Result; readonly text: string | undefined }> {
  const { work } = migration.store;
  const run = await keptRunNamed(migration, named);
  const headline = `${run.command}, ${toMinute(run.at)}${byLine(run.by)}`;
  // A killed run has no report: what the journal knows of it is all there is.
  if (run.ending !== undefined) {
    const told = resultOf(migration, {
      command: "runs",
      exitCode: exitCodes.done,
      headline: `${headline}. ${run.headline}`,
      next: [`ferry status ${migration.plan.name}`],
      details: { run: isForMachines(flags) ? run : runLine({ ...run, canBeTakenBack: false }) },
    });
    return { result: told, text: undefined };
  }
  const result = resultOf(migration, { command: "runs", exitCode: exitCodes.done, headline });
  if (isForMachines(flags)) {
    const report = parseJson(await work.keptReport(run.run, "report.json"));
    return { result: { ...result, details: { run, report } }, text: undefined };
  }
  const file = {
    text: "report.txt",
    markdown: "report.md",
    html: "report.html",
    json: "report.json",
  } as const;
  const text = await work.keptReport(run.run, file[flags.format ?? "text"]);
  const isText = (flags.format ?? "text") === "text";
  return { result, text: isText ? `${headline}\n\n${text}` : text };
}

async function open(
  io: Io,
  migration: Migration,
  places: Places,
  named: string | undefined,
): Promise<Result> {
  const run = await keptRunNamed(migration, named);
  if (run.ending !== undefined)
    throw new UsageError(
      `runs: ${run.run} has no report: ${run.headline}`,
      `What is known of it: ferry runs ${migration.plan.name} show ${run.run}`,
    );
  const path = join(places.runs, run.run, "report.html");
  const isOpened = (await io.open?.(path)) === true;
  return resultOf(migration, {
    command: "runs",
    exitCode: exitCodes.done,
    headline: isOpened ? "Opened." : "Nothing here opens it by itself: give the file to a browser.",
    details: { report: path },
  });
}

function byLine(by: RunBy | undefined): string {
  if (by === undefined) return "";
  const { user, host, job } = by;
  return job === undefined ? `, by ${user} on ${host}` : `, by ${user}, ${job}`;
}
