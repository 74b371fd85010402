import type { ModelTypes, TypeOf } from "../../kinds/kind.ts";
import type { Registry } from "../../kinds/registry.ts";
import type { MappingTable } from "../../model/mapping-table.ts";
import { markedUrn } from "../../model/translate.ts";
import { urnType } from "../../model/urn.ts";
import type { SnapshotReader } from "../../store/index.ts";

interface Both {
  readonly registry: Registry;
  readonly source: SnapshotReader;
  readonly target: { readonly snapshot: SnapshotReader };
  readonly mapping: MappingTable;
}

/** Where nothing was read that could tell. */
export const noTypes: ModelTypes = { general: () => undefined, exact: () => undefined };

/** What things are in the words of the metadata model: by the types of their URNs, and by what either side shows of them. */
export function modelTypes({ registry, source, target, mapping }: Both): ModelTypes {
  const [atSource, atTarget] = [typesIn(registry, source), typesIn(registry, target.snapshot)];
  return {
    general: (value) => registry.modelType(urnType(markedUrn(value) ?? value) ?? ""),
    exact(value) {
      const urn = markedUrn(value) ?? value;
      // What was created since the target was read is what it is at the source.
      return atSource(urn) ?? atTarget(urn) ?? atSource(mapping.claimedBy(urn)?.source ?? "");
    },
  };
}

/** The same of what one side shows. */
export function typesIn(registry: Pick<Registry, "moved">, snapshot: SnapshotReader): TypeOf {
  const typed = registry.moved().filter((kind) => kind.typeOf !== undefined);
  return (urn) => {
    const kind = typed.find(({ name }) => snapshot.kinds().includes(name) && snapshot.has(name, urn));
    return kind?.typeOf?.(snapshot.body(kind.name, urn));
  };
}
