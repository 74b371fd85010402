import type { MovedKind } from "../../kinds/kind.ts";
import type { Registry } from "../../kinds/registry.ts";
import type { MappingEntry } from "../../model/mapping.ts";
import type { MappingTable } from "../../model/mapping-table.ts";
import { urnType } from "../../model/urn.ts";
import type { SnapshotReader } from "../../store/index.ts";
import { isGiven } from "../facets/standing.ts";
import { ListedTypes } from "../read/listed-types.ts";

/**
 * A URN does not always tell of which kind its object is (an SQL item is a catalog item, any type may be an entity, and a
 * monitor may be a primary one), and so a person's pair may stand under another kind than the one that moves it. The snapshot
 * tells: without this the pair would count for nothing, and a second object would be made beside its target.
 */
export function rehome(
  mapping: MappingTable,
  registry: Registry,
  source: SnapshotReader,
  target: SnapshotReader,
): void {
  const kinds = source.kinds();
  const listed = new ListedTypes(source);
  for (const kind of mapping.kinds()) {
    const isSure = isSureOf(registry, kind);
    if (isSure === undefined) continue;
    for (const [urn, entry] of Array.from(mapping.entries(kind))) {
      if (isSure(entry)) continue;
      const mayBe = registry.movedAs(urnType(urn) ?? "").filter(({ name }) => name !== kind);
      const shown = mayBe.find(({ name }) => kinds.includes(name) && source.has(name, urn));
      // Of one that no kind has, and that a list should show, it is to be told that the source does not have it; so it is of one that stands
      // under the wrong kind, where its twin tells the right one.
      const isNobodys = registry.get(kind) === undefined;
      const isMeant = ({ name }: MovedKind): boolean =>
        isNobodys || (target.has(name, entry.target) && !source.has(kind, urn));
      const moved = shown ?? mayBe.find((one) => isMeant(one) && listed.has(one, urn));
      if (moved !== undefined) mapping.set(moved.name, urn, entry);
    }
  }
}

/**
 * Which rows under a kind are surely of it; undefined where all of them are. Of a moved kind whose URNs are another's as well that is
 * what a run has brought there: it was told from the other then, which the source may not show for a while.
 */
function isSureOf(registry: Registry, kind: string): ((entry: MappingEntry) => boolean) | undefined {
  const known = registry.get(kind);
  if (known === undefined || isGiven(known)) return () => false;
  const isAnothersToo =
    registry.owns(kind) &&
    !known.urnTypes.some((type) => registry.movedAs(type).some(({ name }) => name === kind));
  return isAnothersToo ? (entry) => entry.sourceFingerprint !== undefined : undefined;
}
