import type { MovedKind } from "../../kinds/kind.ts";
import type { Registry } from "../../kinds/registry.ts";
import { fingerprint, printOf } from "../../model/canonical.ts";
import type { Json, JsonObject, MutableJson } from "../../model/json.ts";
import { isArray, isObject, setOwn } from "../../model/json.ts";
import type { MappingTable } from "../../model/mapping-table.ts";
import { mergePatch } from "../../model/merge-patch.ts";
import { withKeys } from "../../model/pair-keys.ts";
import { isKeyedOtherwise } from "../../model/part-places.ts";
import { strip } from "../../model/shape.ts";
import { isTemporaryKey } from "../../model/sub-entity.ts";
import { wasKnownAs } from "../facets/known-before.ts";
import { typesIn } from "../facets/model-types.ts";
import { namesItsParts } from "../facets/standing.ts";
import type { AppliedTrees } from "../../store/index.ts";
import { isTakenOut } from "../diff/taken-out.ts";
import type { ListedTypes } from "../read/listed-types.ts";
import type { TargetState } from "../read/target.ts";
import type { Deed } from "./deed.ts";
import { undoAll } from "./deeds.ts";

/** What tells whether something stands as it was left. */
export interface LeftContext {
  readonly registry: Registry;
  readonly standing: TargetState;
  readonly mapping: MappingTable;
  /** Of what stands; it remembers what it has looked through. */
  readonly listed: ListedTypes;
  /** Objects as they were last applied, where that is kept. */
  readonly applied?: AppliedTrees | undefined;
}

/** Whether it stands there as the run has left it; of runs that went on with each other, as each has left it. */
export function isAsLeft(deed: Deed, kind: MovedKind, body: JsonObject, context: LeftContext): boolean {
  return (
    (isPrintOf(deed.left, kind, body, context) || hasLostReferences(deed, kind, body, context)) &&
    standsUnderItsKeys(deed, kind, body) &&
    stoodBetween(deed, kind, body)
  );
}

/**
 * Whether it is as it was before the run, but for references that it has lost as well: to take the run back changes nothing, and to do it
 * once more would make it just as the run has left it.
 */
export function isBackButLess(deed: Deed, kind: MovedKind, body: JsonObject, context: LeftContext): boolean {
  const now = strip(body, kind.shape);
  const undo = undoAll(deed.undos, now);
  if (undo === undefined) return false;
  const back = mergePatch(now, undo) as JsonObject;
  if (fingerprint(back, kind.shape) !== fingerprint(now, kind.shape)) return false;
  return hasLostReferences(deed, kind, sentAgain(deed, now), context);
}

/** A part that one request brings another one may take away, by a null. */
function sentAgain({ sent }: Deed, now: JsonObject): JsonObject {
  const again = sent.reduce((whole: Json, { body, keys }) => {
    return isObject(body) ? mergePatch(whole, assigned(withKeys(body, keys))) : whole;
  }, now);
  return again as JsonObject;
}

/** Nobody has changed what the service has taken a reference out of, to what was brought as well and is gone. */
function hasLostReferences(
  { left: print, source }: Deed,
  kind: MovedKind,
  body: JsonObject,
  context: LeftContext,
): boolean {
  const there = { print, now: printOf(body, kind.shape) };
  return isTakenOut(kind, source, there, { ...context, target: context.standing }, context);
}

/**
 * Whether the next run had found there what each one had sent, where somebody had changed the object between the two: to take that
 * back would put what was before it in the place of their words.
 */
function stoodBetween({ undos }: Deed, { shape }: MovedKind, body: JsonObject): boolean {
  const now = strip(body, shape);
  return undos.every(({ touched, keys }, index) => {
    if (touched === undefined) return true;
    const patch = undoAll(undos.slice(0, index), now);
    if (patch === undefined || !isObject(touched)) return false;
    const found = mergePatch(now, patch) as JsonObject;
    const again = mergePatch(found, assigned(withKeys(touched, keys))) as JsonObject;
    return fingerprint(again, shape) === fingerprint(found, shape);
  });
}

/** Whether a print of the run, of after or before it, is of what stands there now. */
export function isPrintOf(
  print: string | undefined,
  kind: MovedKind,
  body: JsonObject,
  { registry, standing: { snapshot } }: Pick<LeftContext, "registry" | "standing">,
): boolean {
  return (
    printOf(body, kind.shape) === print ||
    wasKnownAs(kind, strip(body, kind.shape), print, typesIn(registry, snapshot))
  );
}

/**
 * Whether what the run has sent of parts still stands under the keys of these. The print does not hold keys: where somebody has swapped
 * the names of two inputs since, it is that of what the run had left, and to take back the name of the one would take it from the other.
 */
function standsUnderItsKeys(deed: Deed, kind: MovedKind, body: JsonObject): boolean {
  if (!namesItsParts(kind)) return true;
  const now = strip(body, kind.shape);
  return !isKeyedOtherwise(strip(sentAgain(deed, now), kind.shape), now, kind.shape);
}

/** Without parts of which nobody knows what key they have got. */
function assigned(tree: JsonObject): JsonObject {
  const kept = (value: Json): Json => {
    if (isArray(value)) return value.map(kept);
    return isObject(value) ? assigned(value) : value;
  };
  const result: MutableJson = {};
  for (const [name, value] of Object.entries(tree))
    if (!isTemporaryKey(name)) setOwn(result, name, kept(value));
  return result;
}
