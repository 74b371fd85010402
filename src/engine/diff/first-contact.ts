import type { MovedKind } from "../../kinds/kind.ts";
import type { FieldChange } from "../../model/change.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Json, JsonObject } from "../../model/json.ts";
import { fromEntries, isArray, isObject, own, pointerToken, tokensOf } from "../../model/json.ts";
import type { MappingEntry } from "../../model/mapping.ts";
import type { Policy } from "../../model/plan.ts";
import type { Shape } from "../../model/shape.ts";
import { isSubEntityMap } from "../../model/sub-entity.ts";
import { clashes, liesOver, onlyAdds } from "../facets/standing.ts";
import type { Node } from "./node.ts";

/**
 * What was there before anything was brought to it, people may have configured. A source that says nothing of a field
 * changes nothing there: the field is left to the target until the source says something of it. `said` is the source's
 * body as it was translated, before policies. The fields go by JSON pointer.
 */
export function fieldsLeft(
  kind: MovedKind,
  row: MappingEntry | undefined,
  policy: Pick<Policy, "targetOnly">,
  said: JsonObject,
  target: JsonObject,
): readonly string[] {
  if (onlyAdds(kind) || policy.targetOnly === "remove") return [];
  const memberwise = new Set(kind.shape.memberwise);
  // Switched off is how something given stands that nobody has touched; of what people made it is a word like others,
  // and so it is of a property that somebody has given a value.
  const isSilent: IsSilent = (value, name) =>
    value === undefined ||
    (name !== undefined && liesOver(kind) && (memberwise.has(name) ? isEmpty(value) : saysNothing(value)));
  if (row?.sourceFingerprint === undefined) return [...silent(said, target, isSilent)].sort();
  // What the source cleared since is not left: the target has it from there.
  return (row.left ?? []).flatMap((pointer) => {
    const tokens = tokensOf(pointer);
    const [name = "", ...rest] = tokens;
    const value = valueAt(said, tokens);
    if (isSilent(value, rest.length === 0 ? name : undefined)) return [pointer];
    // Of a map whose members are each for themselves the source says something of some by now, and of the others nothing.
    const there = own(target, name);
    const isOfMembers = rest.length === 0 && memberwise.has(name) && isObject(value) && isObject(there);
    return isOfMembers ? [...silent(value, there, isSilent, pointer)].sort() : [];
  });
}

/** Whether the source says nothing by a value; `name` is that of a field of the body itself. */
type IsSilent = (value: Json | undefined, name?: string) => boolean;

/**
 * Members that only the target has and that the source cannot be asked for: its model does not name them, or not any more. That
 * is no word that they are empty (an error is never emptiness), so they stay the target's.
 */
export function notAskedAt(
  tree: JsonObject,
  { shape }: Pick<MovedKind, "shape">,
  asked: ReadonlySet<string> | undefined,
  target: JsonObject,
): readonly string[] {
  if (asked === undefined) return [];
  return (shape.memberwise ?? []).flatMap((field) => {
    const [value, theirs] = [own(tree, field), own(target, field)];
    if (!isObject(theirs)) return [];
    const ours = isObject(value) ? value : {};
    const more = Object.keys(theirs).filter((name) => !asked.has(name) && !Object.hasOwn(ours, name));
    return more.map((name) => `/${pointerToken(field)}/${pointerToken(name)}`);
  });
}

/** Whether a pointer leads to, or into, a member that one cannot be asked for. */
export function isNotAsked(
  pointer: string,
  { shape }: Pick<MovedKind, "shape">,
  asked: ReadonlySet<string> | undefined,
): boolean {
  const [field = "", name] = tokensOf(pointer);
  if (asked === undefined || name === undefined || shape.memberwise?.includes(field) !== true) return false;
  return !asked.has(name);
}

function* silent(said: JsonObject, target: JsonObject, isSilent: IsSilent, path = ""): Generator<string> {
  // Whole parts that only the target has are the policy's business.
  const isMap = isSubEntityMap(target);
  for (const [name, there] of Object.entries(target)) {
    const value = own(said, name);
    const pointer = `${path}/${pointerToken(name)}`;
    if (isSilent(value, path === "" ? name : undefined)) {
      if (!isMap) yield pointer;
    } else if (isObject(value) && isObject(there)) yield* silent(value, there, isSilent, pointer);
  }
}

/** The body that is wanted at the target: the source's, but for what is left. */
export function withLeft(
  tree: JsonObject,
  left: readonly string[],
  target: JsonObject,
  { memberwise = [] }: Pick<Shape, "memberwise"> = {},
): JsonObject {
  return left.map(tokensOf).reduce((body, tokens) => {
    const [name = "", ...rest] = tokens;
    // Members that are each for themselves stay, also where the source has none.
    const isAlone = rest.length === 1 && memberwise.includes(name) && !isObject(own(body, name));
    const around = isAlone ? fromEntries([...without(body, name), [name, {}]]) : body;
    return put(around, tokens, valueAt(target, tokens));
  }, tree);
}

/**
 * With what the target has at these pointers, also where the source says nothing of what is around it; and where the target has
 * nothing, not even around it, nothing stays of that either.
 */
export function withKept(tree: JsonObject, kept: readonly string[], target: JsonObject): JsonObject {
  return kept.map(tokensOf).reduce((body, tokens) => asAt(target, tokens, body), tree);
}

function asAt(there: JsonObject, [name = "", ...rest]: readonly string[], body: JsonObject): JsonObject {
  const [inner, innerThere] = [own(body, name), own(there, name)];
  if (rest.length === 0) return put(body, [name], innerThere);
  // It has another form by now, and is told as what it is.
  if (innerThere !== undefined && !isObject(innerThere)) return body;
  const [around, aroundThere] = [isObject(inner) ? inner : {}, isObject(innerThere) ? innerThere : {}];
  const next = asAt(aroundThere, rest, around);
  const isNothing = Object.keys(next).length === 0 && innerThere === undefined;
  return put(body, [name], isNothing ? undefined : next);
}

/** Less what stands at these pointers. */
export function withoutAt(body: JsonObject, pointers: readonly string[]): JsonObject {
  return pointers.map(tokensOf).reduce((rest, tokens) => put(rest, tokens, undefined), body);
}

/** Where the source has cleared all that is around it, nothing is left of it either. */
function put(body: JsonObject, [name = "", ...rest]: readonly string[], value: Json | undefined): JsonObject {
  const inner = own(body, name);
  if (rest.length > 0 && !isObject(inner)) return body;
  const next = rest.length > 0 && isObject(inner) ? put(inner, rest, value) : value;
  const others = without(body, name);
  return fromEntries(next === undefined ? others : [...others, [name, next]]);
}

function without(body: JsonObject, name: string): [string, Json][] {
  return Object.entries(body).filter(([field]) => field !== name);
}

export function valueAt(body: JsonObject, tokens: readonly string[]): Json | undefined {
  let value: Json | undefined = body;
  for (const token of tokens) value = isObject(value) ? own(value, token) : undefined;
  return value;
}

/** Without a member that has a value; switched off is one. */
export function isEmpty(value: Json): boolean {
  if (value === null || value === "") return true;
  if (isArray(value)) return value.length === 0;
  return isObject(value) && Object.values(value).every(isEmpty);
}

/** Without the fields, and members of maps, in which nothing stands, but for those that the source has so as well. */
export function lessUnfilled(target: JsonObject, said: JsonObject, shape: Shape): JsonObject {
  const memberwise = new Set(shape.memberwise);
  const filled = (there: JsonObject, here: JsonObject, of?: ReadonlySet<string>): JsonObject =>
    fromEntries(
      Object.entries(there).flatMap(([name, value]): [string, Json][] => {
        const says = own(here, name);
        if (isObject(value) && of?.has(name) === true)
          return [[name, filled(value, isObject(says) ? says : {})]];
        return isEmpty(value) && (says === undefined || !isEmpty(says)) ? [] : [[name, value]];
      }),
    );
  return filled(target, said, memberwise);
}

/** Absent, switched off or empty, whatever it is made of. */
export function saysNothing(value: Json | undefined): boolean {
  if (value === undefined || value === null || value === false || value === "") return true;
  if (isArray(value)) return value.every(saysNothing);
  if (!isObject(value)) return false;
  // A part is there even when nothing in it is set.
  return !isSubEntityMap(value) && Object.values(value).every(saysNothing);
}

/** What is known of two that are compared: their row, and what of the target is left to it. */
interface Met {
  readonly row: MappingEntry | undefined;
  readonly left: readonly string[];
}

/** What is about to be written over what was never brought there: all at first contact, later what had been left. */
export function firstMet(
  { standing }: Pick<Node, "standing">,
  { row, left }: Met,
  fields: readonly FieldChange[],
): readonly FieldChange[] {
  if (standing === "candidate" || row?.sourceFingerprint === undefined) return fields;
  const wasLeft = (row.left ?? []).filter((pointer) => !left.includes(pointer));
  return fields.filter(({ path }) => wasLeft.some((pointer) => `${path}/`.startsWith(`${pointer}/`)));
}

/**
 * Both sides say something of it, and were never brought together. What the source says nothing of is taken away only
 * where the plan asks for it, and that is no surprise.
 */
export function isClash(
  node: Pick<Node, "kind" | "standing">,
  now: Met,
  fields: readonly FieldChange[],
  policy: Pick<Policy, "targetOnly">,
): boolean {
  const isWanted = ({ to }: FieldChange): boolean => to === undefined && policy.targetOnly === "remove";
  return (
    clashes(node.kind) &&
    firstMet(node, now, fields).some((field) => !isEmpty(field.from ?? null) && !isWanted(field))
  );
}

/** So many fields are told with both values; a reviewer finds the rest among the fields of the change. */
const mostTold = 8;
const longestValue = 80;

/** What people configured at the target, and what the source makes of it: said loudly, since it was never ours. */
export function takenOver(fields: readonly FieldChange[]): Omit<Diagnostic, "coordinate"> | undefined {
  const lost = fields.filter(({ from }) => !isEmpty(from ?? null));
  if (lost.length === 0) return undefined;
  const told = lost.slice(0, mostTold).map((field) => {
    const to = field.to === undefined ? "nothing" : valueText(field.to, field.toName);
    return `${field.path}: ${valueText(field.from, field.fromName)} becomes ${to}`;
  });
  const more = lost.length > told.length ? `; and ${lost.length - told.length} more` : "";
  return {
    severity: "warning",
    code: "taken-over",
    summary: `the target has it configured otherwise, and the source's values take the place of its own: ${told.join("; ")}${more}`,
    suggestion:
      "If the target's are to stay, bring the source to them, or leave the object out with select.exclude.",
  };
}

function valueText(value: Json | undefined, name: string | undefined): string {
  const text = name ?? JSON.stringify(value ?? null);
  return text.length > longestValue ? `${text.slice(0, longestValue)}...` : text;
}

/** Whether they differ in members that the target cannot be asked for: what it has there nobody knows. */
export function differsInUnasked(
  { shape }: Pick<MovedKind, "shape">,
  patch: JsonObject,
  asked: ReadonlySet<string> | undefined,
): boolean {
  if (asked === undefined) return false;
  return (shape.memberwise ?? []).some((field) => {
    const members = own(patch, field);
    return isObject(members) && Object.keys(members).some((name) => !asked.has(name));
  });
}
