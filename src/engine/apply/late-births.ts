import type { Change } from "../../model/change.ts";
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

/**
 * What stands in an object that is moved was looked for in what that seemed to be the twin of, or nowhere where that could
 * not be told. Where another one is adopted, whatever needs something in it waits for that as in one that is created, and
 * there it stands already.
 */
export async function lookIntoAdopted(
  births: Births,
  {
    changes,
    registry,
    pairs,
  }: Pick<BirthOptions, "registry" | "pairs"> & { readonly changes: Iterable<Change> },
): Promise<void> {
  const lookedIn = new Map<string, string | undefined>();
  for (const { holder, holderTwin } of pairs.inside.values()) lookedIn.set(holder, holderTwin);
  if (lookedIn.size === 0) return;
  const looks: Promise<boolean>[] = [];
  for (const { action, kind: name, source, target, work } of changes) {
    if (action !== "adopt" || work?.patch !== undefined || source === undefined || target === undefined)
      continue;
    const kind = registry.movedKind(name);
    if (!standsAlone(kind) || !lookedIn.has(source.urn) || lookedIn.get(source.urn) === target.urn) continue;
    looks.push(births.findLate(kind, source.urn, target.urn));
  }
  await Promise.all(looks);
}
