import type { MappingTable } from "../../model/mapping-table.ts";
import type { Doubt } from "./subtraction.ts";

/**
 * What an interrupted run has made, where a run elsewhere has gone on with another twin since, without its journal: there are two, and
 * others may know either of them by now. Undefined where it is no second one.
 */
export function asSecond(
  { kind, item: { source }, isOvertaken }: Doubt,
  made: string | undefined,
  mapping: Pick<MappingTable, "row">,
): string | undefined {
  const twin = mapping.row(kind, source)?.target;
  if (isOvertaken !== true || made === undefined || twin === undefined || twin === made) return undefined;
  return `it was made (${made}), and by a later run elsewhere its twin is another one (${twin}): delete the first one by hand, and run again, or take it in the other's place`;
}
