import type { Registry } from "../../kinds/registry.ts";
import type { MappingTable } from "../../model/mapping-table.ts";
import { urnType } from "../../model/urn.ts";
import type { SnapshotReader } from "../../store/index.ts";
import { isGiven } from "../facets/standing.ts";

/**
 * A URN does not always tell of which kind its object is (an SQL item is a catalog item, any type may be an entity, and a
 * monitor may be a primary one), and so a person's pair may stand under another kind than the one that moves it. The snapshot
 * tells: without this the pair would count for nothing, and a second object would be made beside its target.
 */
export function rehome(mapping: MappingTable, registry: Registry, source: SnapshotReader): void {
  const kinds = source.kinds();
  for (const kind of mapping.kinds()) {
    if (!mayBeAnother(registry, kind)) continue;
    const moves = Array.from(mapping.entries(kind).keys()).flatMap((urn) => {
      const moved = registry
        .movedAs(urnType(urn) ?? "")
        .find(({ name }) => name !== kind && kinds.includes(name) && source.has(name, urn));
      return moved === undefined ? [] : [{ name: moved.name, urn }];
    });
    for (const { name, urn } of moves) mapping.set(name, urn, mapping.get(kind, urn) ?? null);
  }
}

/** Whether a thing that has a row under this kind may be moved as one of another kind; what only lies over it is another thing. */
function mayBeAnother(registry: Registry, kind: string): boolean {
  const known = registry.get(kind);
  if (known === undefined || isGiven(known)) return true;
  return (
    registry.owns(kind) &&
    !known.urnTypes.some((type) => registry.movedAs(type).some(({ name }) => name === kind))
  );
}
