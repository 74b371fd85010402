import { hash } from "node:crypto";
import { isGiven, standsAlone } from "../engine/facets/standing.ts";
import type { Pairs } from "../engine/pair/pairing.ts";
import type { Registry } from "../kinds/registry.ts";
import type { Change } from "../model/change.ts";
import type { MappingTable } from "../model/mapping-table.ts";
import type { SnapshotReader } from "../store/index.ts";

/**
 * A print of what is whose twin, whatever the order: there may be a million. An approved diff that goes on is held against
 * it, where what was to be written cannot be compared with what was approved any more. Of what the diff changes, and of what
 * stands in that, it tells nothing: who brings it about has its twin from then on.
 */
export function printOfPairs(
  { twins, inside }: Pick<Pairs, "twins" | "inside">,
  changes: readonly Pick<Change, "action" | "kind" | "source">[],
  { mapping, source, registry }: Mapped,
): string {
  const all = Buffer.alloc(16);
  const add = (text: string): void => {
    const one = hash("sha256", text, "buffer");
    for (let at = 0; at < all.length; at += 1) all[at] = (all[at] ?? 0) ^ (one[at] ?? 0);
  };
  for (const [urn, twin] of twins) add(`${urn} ${twin}`);
  // What only lies over an object is another thing than the object.
  const changing = new Set(
    changes.flatMap((change) =>
      change.action === "unchanged" || !standsAlone(registry.movedKind(change.kind))
        ? []
        : [change.source?.urn],
    ),
  );
  for (const [urn, { holder, twin }] of inside)
    if (twin !== undefined && !changing.has(holder)) add(`${urn} ${twin}`);
  // A person may pair an object otherwise, and where its twin is just like the former one no change tells of it.
  for (const kind of mapping.kinds()) {
    const known = registry.get(kind);
    const isMoved = standsAlone(known);
    // What lies over something has its place by that; whose object is gone at the source is nobody's reference.
    if (!isMoved && known !== undefined && !isGiven(known)) continue;
    for (const urn of mapping.entries(kind).keys())
      if (!isMoved || (source.has(kind, urn) && !changing.has(urn)))
        add(`mapped ${urn} ${mapping.targetOf(kind, urn) ?? ""}`);
  }
  return all.toString("hex");
}

interface Mapped {
  readonly mapping: MappingTable;
  readonly source: SnapshotReader;
  readonly registry: Registry;
}
