import type { MappingEntry } from "../../model/mapping.ts";
import { display } from "../../model/display.ts";
import type { PackedRows } from "../../model/packed/rows.ts";
import { TextSet } from "../../model/packed/text-set.ts";
import { isUrn } from "../../model/urn.ts";
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
    "Take the line of the one that is wrong out of the file, by hand: no command goes on with it before. Then run `ferry diff PLAN`: it tells what becomes of that one.",
  );
}

/**
 * A URN that lost a piece would be asked for, and refused without a word of this file; or what stands at the target would count as
 * removed there. What has no URN has none on either side.
 */
export function refuseCutUrns(path: string, rows: PackedRows): void {
  for (const [source, target] of rows.twins()) {
    const isWhole = isUrn(source) ? isUrn(target) : !source.startsWith("urn:") && !target.startsWith("urn:");
    if (!isWhole) throw cutUrn(path, source, target, rows.name(source));
  }
}

function cutUrn(path: string, source: string, target: string, name = ""): StoreError {
  const wrong = isUrn(source)
    ? `target "${display(target)}" of ${display(source)}`
    : `source "${display(source)}"`;
  return new StoreError(
    "mapping-damaged",
    path,
    `${path} is damaged: in the line of "${display(name)}" the ${wrong} is no URN`,
    // Whatever would set it right reads the file first.
    "Restore the file from version control or a backup. Or put that URN right by hand, then run `ferry diff PLAN`: without its line, what stands at the target may be made once more.",
  );
}
