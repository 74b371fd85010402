import type { Acknowledging } from "../engine/diff/acknowledge.ts";
import type { Selection } from "../model/plan.ts";
import type { Migration } from "./migration.ts";

/** What the plan says of findings that a person knows of; of objects, or of tables, whose rows are compared after them. */
export function acknowledging(
  { plan, registry, whole, now }: Migration,
  about: "objects" | "tables",
): Omit<Acknowledging, "source" | "target"> {
  const ofTables = new Set(registry.records().map(({ selectedAs }) => selectedAs));
  const isAbout = (kind: string): boolean => ofTables.has(kind) === (about === "tables");
  return {
    registry,
    entries: (plan.acknowledged ?? []).filter(({ kind }) => isAbout(kind)),
    kinds: plan.select.kinds.filter(isAbout),
    isNarrowed: isNarrowed(plan.select, whole?.select),
    plan: plan.name,
    today: new Date(now()).toISOString().slice(0, 10),
  };
}

/** By flags that leave out some of a kind. */
function isNarrowed({ include, exclude }: Selection, whole: Selection | undefined): boolean {
  if (whole === undefined) return false;
  return include.length !== whole.include.length || exclude.length !== whole.exclude.length;
}
