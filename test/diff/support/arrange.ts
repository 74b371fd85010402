import type { Urn } from "../../../src/model/urn.ts";
import type { PlanChanges } from "../../support/world.ts";
import type { SourceState, TargetState } from "./cells.ts";
import { apply, entryOf, type Stage } from "./run.ts";
import type { Subject } from "./subjects.ts";

/** Brings both sides into the states of the row; answers the source URN of the object and its twin at the target. */
export async function arrange(
  at: Stage,
  subject: Subject,
  { source, target }: { readonly source: SourceState; readonly target: TargetState },
  plan: PlanChanges,
): Promise<{ readonly urn: Urn; readonly twin?: string }> {
  const { source: from, target: to } = at;
  const primary = subject.kind === "primary-monitors";
  // The primary monitors of all items are moved at once: a first apply would be the first contact of this one too.
  const first = primary && source === "new";
  subject.prepare(from, to);
  if (!first) subject.seed(from, "Neighbour");
  const before = source === "new" ? undefined : subject.seed(from, "Subject");
  if (!first) await apply(at, plan);
  const urn = before ?? subject.seed(from, "Subject");
  // What lies over something is there on both sides before anything is moved.
  if (source === "new" && subject.twin !== undefined) subject.seed(to, "Subject");
  const twin = subject.twin?.(to) ?? (await entryOf(at, urn))?.target;

  if (source === "changed") subject.edit(from, urn, "changed at the source");
  if (source === "gone") subject.drop(from, urn);
  if (target === "changed") subject.edit(to, twin as Urn, "changed at the target");
  if (target === "gone" && twin !== undefined) subject.drop(to, twin as Urn);
  if (target === "twin" || target === "two-twins") subject.seed(to, "Subject");
  if (target === "two-twins") subject.seed(to, "Subject");
  if (target === "other-twin") subject.edit(to, subject.seed(to, "Subject"), "other");
  return twin === undefined ? { urn } : { urn, twin };
}
