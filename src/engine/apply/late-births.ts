import type { MappingTable } from "../../model/mapping-table.ts";
import { standsAlone } from "../facets/standing.ts";
import type { BirthOptions } from "./births.ts";
import { Births } from "./births.ts";

/**
 * A run that was stopped right after a creation has not waited for what comes with it, and whoever goes on with its work
 * does: without that the rest would be blocked now, and follow with the run after. True when some of it is there, so that
 * what was read of the target is old.
 */
export async function awaitLateBirths(
  options: BirthOptions & {
    readonly mapping: MappingTable;
    /** Those that did not come to their end, and this one: it may have found out that a creation had happened. */
    readonly runs: ReadonlySet<string>;
  },
): Promise<boolean> {
  const { pairs, mapping, registry, runs } = options;
  const births = new Births(options);
  const late = new Set<string>();
  for (const { holder, twin } of pairs.inside.values()) if (twin === undefined) late.add(holder);
  const looks: Promise<boolean>[] = [];
  for (const kind of registry.moved()) {
    if (!standsAlone(kind) || kind.births === undefined) continue;
    for (const holder of late) {
      const row = mapping.get(kind.name, holder);
      if (row?.origin !== "created" || row.run === undefined || !runs.has(row.run)) continue;
      looks.push(births.findLate(kind, holder, row.target));
    }
  }
  return (await Promise.all(looks)).some(Boolean);
}
