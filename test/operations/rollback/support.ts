import { expect } from "vitest";
import type { WorldOptions } from "../../support/world.ts";
import { resolveDoubts } from "../../../src/operations/resolve.ts";
import { rollbackRun } from "../../../src/operations/rollback.ts";
import type { Result } from "../../../src/model/result.ts";
import { seedTerm } from "../../diff/support/content.ts";
import { apply, stage, type Stage } from "../../diff/support/run.ts";
import { removeTerm } from "../../diff/support/web.ts";
import { loseBesideOthers } from "../../doubts/support.ts";
import type { PlanChanges } from "../../support/world.ts";

export const terms: PlanChanges = { select: { kinds: ["terms"] } };

/** Takes a run back, with a clear log before it. */
export async function rollback(
  { world }: Stage,
  plan: PlanChanges,
  options: {
    readonly run?: string;
    readonly allowDelete?: boolean;
    readonly migration?: WorldOptions;
    readonly confirm?: () => Promise<boolean>;
  } = {},
): Promise<Result> {
  world.emulator.log.clear();
  const { migration, ...rest } = options;
  return rollbackRun(world.migration(plan, migration), { confirm: async () => true, ...rest });
}

/** Ends the process, as far as a test in this one can, when a point is reached for the nth time. */
export function killedAt(point: string, nth = 1): WorldOptions {
  let count = 0;
  return {
    hooks: {
      reached: (reached) => {
        if (reached !== point) return;
        count += 1;
        if (count === nth) throw new Error("killed");
      },
    },
  };
}

/** What was planned and what became of it: `create terms done`. */
export function ended({ changes }: Result): readonly string[] {
  return changes.map(({ action, kind, outcome }) => `${action} ${kind} ${outcome ?? ""}`.trim());
}

export function termNames({ target }: Stage): readonly string[] {
  return [...target.tenant.terms.values()]
    .map(({ published }) => published?.name ?? "")
    .sort((left, right) => left.localeCompare(right));
}

/** A rollback that makes it again at the target, and does not know which of two it has made; a person has said so. */
export async function decidedRollback(): Promise<{ readonly at: Stage; readonly decided: Result }> {
  const at = await stage({ kept: "files" });
  const gone = seedTerm(at.source, "Gone");
  await apply(at, terms);
  removeTerm(at.source, gone);
  await apply(at, terms, { allowDelete: true });
  loseBesideOthers(at, ["Gone"]);
  expect((await rollback(at, terms)).exitCode).toBe(6);
  const [target = ""] = [...at.target.tenant.terms.values()].map(({ urn }) => urn as string);
  const decisions = [{ decision: "take", source: gone, target }] as const;
  return { at, decided: await resolveDoubts(at.world.migration(terms), { decisions }) };
}
