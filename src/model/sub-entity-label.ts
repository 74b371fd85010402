import { shorten } from "./display.ts";
import type { Json, JsonObject } from "./json.ts";
import { isArray, isObject, own, text } from "./json.ts";
import { isSubEntityMap, sourceKeyOf } from "./sub-entity.ts";
import { markedUrn } from "./translate.ts";
import { isUrn } from "./urn.ts";

/** What a URN, or the marker of one, is called; undefined when nothing is known of it. */
export type NameOf = (value: string) => string | undefined;

/** Longer than this a label is no name any more. */
const longest = 48;

/** How a person recognises a sub-entity: by its name, or by the name of what it is about. */
export function contentLabel(item: Json, fields: readonly string[], nameOf: NameOf): string | undefined {
  if (!isObject(item)) return undefined;
  for (const field of ["name", "ruleInstanceName", ...fields]) {
    const value = text(item, field);
    if (value === undefined || value === "") continue;
    const isReference = isUrn(value) || markedUrn(value) !== undefined;
    const label = isReference ? nameOf(value) : value;
    if (label !== undefined && label !== "") return shorten(label, longest);
  }
  return undefined;
}

/**
 * Labels for all of a map, by key: no two alike, and `#2` for the second one that nothing tells from the others.
 * `target` has more keys when both sides are labelled together.
 */
export function labelsOf(
  source: JsonObject,
  target: JsonObject,
  fields: readonly string[],
  nameOf: NameOf,
): ReadonlyMap<string, string> {
  const onlyThere = Object.keys(target).filter((key) => own(source, key) === undefined);
  // The service promises no order, and a diff that was approved must read the same again.
  const keys = [...Object.keys(source), ...onlyThere.sort()];
  const found = keys.map((key) => contentLabel(own(source, key) ?? own(target, key) ?? null, fields, nameOf));
  const times = new Map<string, number>();
  return new Map(
    keys.map((key, index) => {
      const label = found[index];
      if (label === undefined) return [key, `#${index + 1}`];
      const count = (times.get(label) ?? 0) + 1;
      times.set(label, count);
      return [key, count === 1 ? label : `${label} #${count}`];
    }),
  );
}

export interface Part {
  readonly label: string;
  /** The field that holds the map it stands in. */
  readonly field: string;
}

/** Every sub-entity of a body by its source key. */
export function describeParts(
  body: JsonObject,
  fields: readonly string[],
  nameOf: NameOf,
): ReadonlyMap<string, Part> {
  const parts = new Map<string, Part>();
  const visit = (value: Json, field: string): void => {
    if (isArray(value)) {
      for (const item of value) visit(item, field);
      return;
    }
    if (!isObject(value)) return;
    const labels = isSubEntityMap(value) ? labelsOf(value, {}, fields, nameOf) : undefined;
    for (const [key, item] of Object.entries(value)) {
      const label = labels?.get(key);
      if (label !== undefined) parts.set(sourceKeyOf(key), { label, field });
      visit(item, label === undefined ? key : field);
    }
  };
  visit(body, "");
  return parts;
}
