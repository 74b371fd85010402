import type { MovedKind } from "../../kinds/kind.ts";
import { fingerprint } from "../../model/canonical.ts";
import type { JsonObject } from "../../model/json.ts";
import { fromEntries, isObject, pointerToken } from "../../model/json.ts";
import type { MappingEntry } from "../../model/mapping.ts";
import type { Shape } from "../../model/shape.ts";
import type { AppliedTree } from "../../store/index.ts";
import { notAskedAt, withLeft } from "./first-contact.ts";
import type { DiffInput } from "./input.ts";

interface Named {
  readonly kind: MovedKind;
  readonly urn: string;
}

interface There {
  readonly row: MappingEntry | undefined;
  readonly target: JsonObject;
}

/** The print of the target if what it cannot be asked for stood there as it was last applied; undefined where that is not known. */
export function unaskedAtTarget(named: Named, there: There, input: DiffInput): string | undefined {
  const last = lastOf(named, there, input);
  if (last === undefined) return undefined;
  const { kind } = named;
  const unasked = notAskedAt(there.target, kind, input.asked?.target.get(kind.name), last.tree);
  return fingerprint(withLeft(there.target, unasked, last.tree, kind.shape), kind.shape);
}

/**
 * What was brought there, and the target cannot be asked for by now, as a part of the body: what is written meanwhile leaves it as it
 * stands, and what the source says of it by then is not brought. Undefined where that is nothing, or not known.
 */
export function hiddenThere(named: Named, there: There, input: DiffInput): JsonObject | undefined {
  const { kind } = named;
  const asked = input.asked?.target.get(kind.name);
  const last = asked === undefined ? undefined : lastOf(named, there, input);
  if (last === undefined || notAskedAt(there.target, kind, asked, last.tree).length === 0) return undefined;
  const hidden = Object.entries(last.tree).flatMap(([field, members]): [string, JsonObject][] => {
    if (kind.shape.memberwise?.includes(field) !== true || !isObject(members)) return [];
    const unasked = Object.entries(members).filter(([name]) => asked?.has(name) === false);
    return unasked.length === 0 ? [] : [[field, fromEntries(unasked)]];
  });
  return fromEntries(hidden);
}

/** A body with that as it was brought, whatever else the source says of it by now. */
export function withHidden(
  tree: JsonObject,
  hidden: JsonObject | undefined,
  shape: Pick<Shape, "memberwise">,
): JsonObject {
  if (hidden === undefined) return tree;
  const pointers = Object.entries(hidden).flatMap(([field, members]) =>
    isObject(members)
      ? Object.keys(members).map((name) => `/${pointerToken(field)}/${pointerToken(name)}`)
      : [],
  );
  return withLeft(tree, pointers, hidden, shape);
}

/** Whether the target is as it was last applied to the letter, also in what it could not be asked for then: the row says nothing of that. */
export function isAsApplied(
  named: Named,
  { row, now }: Pick<There, "row"> & { readonly now: string },
  input: DiffInput,
): boolean {
  const last = lastOf(named, { row }, input);
  return last !== undefined && fingerprint(last.tree, named.kind.shape) === now;
}

function lastOf(
  { kind, urn }: Named,
  { row }: Pick<There, "row">,
  { applied }: DiffInput,
): AppliedTree | undefined {
  const last = row === undefined ? undefined : applied?.get(kind.name, urn);
  return last?.print === row?.targetFingerprint ? last : undefined;
}
