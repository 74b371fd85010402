import type { MappingEntry } from "../../model/mapping.ts";
import { display } from "../../model/display.ts";
import type { PackedRows } from "../../model/packed/rows.ts";
import { TextSet } from "../../model/packed/text-set.ts";
import { StoreError } from "../store-error.ts";

/** Two source objects that share a target would overwrite each other for ever. */
export function refuseSharedTargets(path: string, kind: string, entries: PackedRows): void {
  const targets = new TextSet();
  for (const target of entries.targets()) {
    if (targets.add(target)) continue;
    const both = [...entries.keys()].filter((source) => entries.get(source)?.target === target);
    throw shared(path, kind, target, both.slice(0, 2), entries);
  }
}

function shared(
  path: string,
  kind: string,
  target: string,
  sources: readonly string[],
  entries: ReadonlyMap<string, MappingEntry>,
): StoreError {
  const named = sources.map((source) => `"${display(entries.get(source)?.name ?? "")}" (${display(source)})`);
  return new StoreError(
    "mapping-not-bijective",
    path,
    `${path} gives two ${kind} the same target ${display(target)}: ${named.join(" and ")}`,
    "Remove the entry that is wrong, by hand or with `ferry mappings PLAN remove`.",
  );
}
