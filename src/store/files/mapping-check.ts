import type { MappingEntry } from "../../model/mapping.ts";
import { display } from "../../model/display.ts";
import { TextSet } from "../../model/packed/text-set.ts";
import { StoreError } from "../store-error.ts";

/** Rows whose targets can be told without reading all that they say. */
interface TargetRows extends Iterable<readonly [string, MappingEntry]> {
  targets(): Iterable<string>;
}

/** Two source objects that share a target would overwrite each other for ever. */
export function refuseSharedTargets(path: string, kind: string, entries: TargetRows): void {
  const targets = new TextSet();
  for (const target of entries.targets()) {
    if (targets.add(target)) continue;
    const both = [...entries].filter(([, entry]) => entry.target === target);
    throw shared(path, kind, target, both.slice(0, 2));
  }
}

function shared(
  path: string,
  kind: string,
  target: string,
  entries: readonly (readonly [string, MappingEntry])[],
): StoreError {
  const named = entries.map(([source, { name }]) => `"${display(name)}" (${display(source)})`);
  return new StoreError(
    "mapping-not-bijective",
    path,
    `${path} gives two ${kind} the same target ${display(target)}: ${named.join(" and ")}`,
    // Whatever would remove it reads the file first.
    "Take the line of the one that is wrong out of the file, by hand: no command goes on with it before. Then run `ferry diff`: it tells what becomes of that one.",
  );
}
