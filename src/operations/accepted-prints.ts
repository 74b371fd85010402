import { standsAlone } from "../engine/facets/standing.ts";
import { printOf } from "../model/canonical.ts";
import { keyText } from "../model/key.ts";
import type { MappingEntry } from "../model/mapping.ts";
import type { Migration } from "./migration.ts";
import { readStanding } from "./standing.ts";

/**
 * What the objects that a person may name as twins are now, by kind and URN, so that whatever changes them before the
 * next apply shows as a conflict. They are listed, as every run lists them: read alone, a kind may show less of itself.
 */
export async function acceptedPrints(
  migration: Migration,
  wanted: ReadonlySet<string>,
): Promise<ReadonlyMap<string, Pick<MappingEntry, "targetFingerprint">>> {
  const kinds = (await migration.kinds("target"))
    .moved()
    .filter((kind) => standsAlone(kind) && wanted.has(kind.name));
  const prints = new Map<string, Pick<MappingEntry, "targetFingerprint">>();
  if (kinds.length === 0) return prints;
  const names = new Set(kinds.map(({ name }) => name));
  // Nothing is written at the target here, whichever environment that is.
  const { snapshot } = await readStanding(migration, names, migration.targetReads(), []);
  for (const { name, shape } of kinds)
    for (const { urn, body } of snapshot.stream(name))
      prints.set(keyText(name, urn), { targetFingerprint: printOf(body, shape) });
  snapshot.close();
  return prints;
}
