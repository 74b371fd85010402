import type { LogEntry } from "../../../src/emulator/index.ts";
import type { ApplyPlanOptions } from "../../../src/operations/apply.ts";
import type { Result } from "../../../src/model/result.ts";
import type { Lease, SharedState } from "../../../src/store/store.ts";
import { seedMonitor, seedRule, seedTerm } from "../../diff/support/content.ts";
import { apply, stage, type Stage } from "../../diff/support/run.ts";
import type { PlanChanges, Surroundings } from "../../support/world.ts";
import { isToken } from "../support.ts";

export const plan: PlanChanges = { select: { kinds: ["terms", "rules", "monitors"] } };

/** Two pages of terms, a rule, a monitor; moved, and run once more, which found nothing to do. */
export async function atRest(
  options: Surroundings = {},
  asked: Partial<ApplyPlanOptions> = {},
): Promise<Stage> {
  const at = await stage(options);
  for (let number = 1; number <= 120; number += 1) seedTerm(at.source, `Term ${number}`);
  const rule = seedRule(at.source, "Email is set");
  seedMonitor(at.source, rule, "Customer e-mail");
  await apply(at, plan, asked);
  await apply(at, plan, asked);
  return at;
}

/** It was known without a comparison that nothing is to be done. */
export function isAsBefore({ diagnostics }: Result): boolean {
  return diagnostics.some(({ code }) => code === "as-before");
}

/** What was asked of both sides, sign-ins aside, sorted. */
export function asked({ world }: Stage): readonly string[] {
  return world.emulator.log.entries
    .filter((entry) => !isToken(entry))
    .map(line)
    .sort();
}

function line({ tenant, method, path, query, body }: LogEntry): string {
  return [tenant, method, path, JSON.stringify(query), JSON.stringify(body ?? null)].join(" ");
}

/** Of some requests, those that came more than once. */
export function repeated(lines: readonly string[]): readonly string[] {
  return lines.filter((one, index) => lines.indexOf(one) !== index);
}

/** The right to change the shared state, as somebody beside the runs has it for a moment. */
export async function held(state: SharedState): Promise<Lease> {
  const since = "2026-01-01T00:00:00Z";
  const lock = await state.lock({ owner: "o", host: "h", pid: 1, run: "r", since });
  if (!lock.ok) throw new Error("locked");
  return lock.lease;
}
