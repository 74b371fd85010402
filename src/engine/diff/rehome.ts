import type { Registry } from "../../kinds/registry.ts";
import type { MappingTable } from "../../model/mapping-table.ts";
import { urnType } from "../../model/urn.ts";
import type { SnapshotReader } from "../../store/index.ts";
import { isGiven } from "../facets/standing.ts";

/**
 * A URN does not always tell of which kind its object is (an SQL item is a catalog item, and any type may be an entity),
 * and so a person's pair may stand under another kind than the one that moves it. The snapshot tells: without this the
 * pair would count for nothing, and a second object would be made beside its target.
 */
export function rehome(mapping: MappingTable, registry: Registry, source: SnapshotReader): void {
  const kinds = source.kinds();
  for (const kind of mapping.kinds()) {
    const known = registry.get(kind);
    if (known !== undefined && !isGiven(known)) continue;
    for (const [urn, entry] of Array.from(mapping.entries(kind))) {
      const moved = registry
        .movedAs(urnType(urn) ?? "")
        .find(({ name }) => kinds.includes(name) && source.has(name, urn));
      if (moved !== undefined) mapping.set(moved.name, urn, entry);
    }
  }
}
