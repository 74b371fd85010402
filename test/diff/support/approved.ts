import type { Surroundings, WorldOptions } from "../../support/world.ts";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { applyPlan } from "../../../src/operations/apply.ts";
import type { Result } from "../../../src/model/result.ts";
import type { Urn } from "../../../src/model/urn.ts";
import type { PlanChanges } from "../../support/world.ts";
import { seedMonitor, seedRule, seedTerm } from "./content.ts";
import { apply, diff, type Stage, stage } from "./run.ts";
import { editMonitor, editTerm, removeTerm } from "./web.ts";

export const plan: PlanChanges = { select: { kinds: ["terms", "rules", "monitors"] } };

/** Something of every sort to do: a term and a rule with its monitor to create, two updates, one delete. */
export interface Approved {
  readonly at: Stage;
  /** The approved diff. */
  readonly out: string;
  readonly changed: { readonly term: Urn; readonly monitor: Urn };
  readonly created: { readonly term: Urn; readonly rule: Urn; readonly monitor: Urn };
  readonly gone: Urn;
}

export async function approved(
  changes: PlanChanges = plan,
  surroundings: Surroundings = {},
): Promise<Approved> {
  const at = await stage(surroundings);
  const old = seedRule(at.source, "Old");
  const changed = { term: seedTerm(at.source, "Customer"), monitor: seedMonitor(at.source, old, "Old") };
  const gone = seedTerm(at.source, "Gone");
  await apply(at, changes);
  editTerm(at.source, changed.term, { description: "New" });
  editMonitor(at.source, changed.monitor, { name: "Old, renamed" });
  removeTerm(at.source, gone);
  const rule = seedRule(at.source, "Email");
  const created = {
    term: seedTerm(at.source, "Order"),
    rule,
    monitor: seedMonitor(at.source, rule, "Customers"),
  };
  const out = join(at.world.folder, "approved.json");
  await diff(at, changes, out);
  return { at, out, changed, created, gone };
}

/** Applies what was approved; `stop` ends the run early. */
export async function applyApproved(
  { at, out }: Approved,
  options: WorldOptions = {},
  changes: PlanChanges = plan,
): Promise<Result> {
  at.world.emulator.log.clear();
  return applyPlan(at.world.migration(changes, options), {
    diff: out,
    allowDelete: true,
    confirm: async () => true,
  });
}

/** Stops the run as soon as the target has answered its nth write of this method and route. */
export function stopAfter({ world }: Stage, nth: number, method?: string, end = ""): AbortSignal {
  const controller = new AbortController();
  let seen = 0;
  const off = world.emulator.on(({ phase, entry }) => {
    if (phase !== "after-commit" || entry.tenant !== "prod" || !entry.route.endsWith(end)) return;
    if (method !== undefined && entry.method !== method) return;
    seen += 1;
    if (seen < nth) return;
    off();
    controller.abort();
  });
  return controller.signal;
}

/** Changes the text of a file. */
export async function tamper(path: string, change: (text: string) => string): Promise<void> {
  await writeFile(path, change(await readFile(path, "utf8")));
}
