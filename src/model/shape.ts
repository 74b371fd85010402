import type { Json, JsonObject, MutableJson } from "./json.ts";
import { firstFields, fromEntries, isArray, isObject, setOwn, tokensOf } from "./json.ts";
import { isUrnOf } from "./urn.ts";
import { isAssignedKey } from "./sub-entity.ts";

/**
 * What the tool must know of a kind's bodies, as data. Patterns are JSON pointers in which `*` stands for any one
 * token, such as `/schedule/nextRun` or a `*` for a key. Fields that no pattern names travel along.
 */
export interface Shape {
  /** Top-level fields that the documents name; others travel along and are reported once. */
  readonly known: readonly string[];
  /** Fields that the service fills or that do not belong to the object: left out of bodies, fingerprints, diffs. */
  readonly serverOwned: readonly string[];
  /** Top-level fields that cannot change after creation. */
  readonly fixed?: readonly string[];
  /** Top-level maps of which a request changes only the members that it lists: they are cleared one by one. */
  readonly memberwise?: readonly string[];
  /** Arrays of objects whose order means nothing. Arrays of scalars never have a meaningful order here. */
  readonly sets?: readonly string[];
  /** Where an instant stands that each side may write in its own way: a field, and what of it. */
  readonly instants?: readonly (readonly [field: string, member: string])[];
  /** Fields inside a sub-entity that cannot be changed: another value means delete and create of the sub-entity. */
  readonly fixedInSubEntity?: readonly string[];
  /** Fields that say which sub-entity is which when its key is not known, best first. */
  readonly labels?: readonly string[];
  /** Top-level fields that may be left out at creation and patched later: they may hold cycles. */
  readonly deferrable?: readonly string[];
  /** Top-level fields that a creation does not take: they are always patched after it. */
  readonly later?: readonly string[];
}

/** Patterns as a tree, so that one walk over a body tests them all. */
export interface PatternNode {
  readonly next: ReadonlyMap<string, PatternNode>;
  readonly ends: boolean;
}

export function compilePatterns(patterns: readonly string[]): PatternNode {
  const root: MutablePattern = { next: new Map(), ends: false };
  for (const pattern of patterns) {
    let node = root;
    for (const token of tokensOf(pattern)) {
      let next = node.next.get(token);
      if (next === undefined) {
        next = { next: new Map(), ends: false };
        node.next.set(token, next);
      }
      node = next;
    }
    node.ends = true;
  }
  return root;
}
interface MutablePattern {
  next: Map<string, MutablePattern>;
  ends: boolean;
}

/** The pattern nodes that a step to `token` leads to. */
export function advance(nodes: readonly PatternNode[], token: string): readonly PatternNode[] {
  let result: PatternNode[] | undefined;
  for (const node of nodes) {
    const literal = node.next.get(token);
    if (literal !== undefined) (result ??= []).push(literal);
    const any = node.next.get("*");
    if (any !== undefined) (result ??= []).push(any);
  }
  return result ?? nowhere;
}

/** Most steps lead there. */
const nowhere: readonly PatternNode[] = [];

const compiled = new WeakMap<readonly string[], PatternNode>();
export function patternsOf(patterns: readonly string[]): PatternNode {
  let node = compiled.get(patterns);
  if (node === undefined) {
    node = compilePatterns(patterns);
    compiled.set(patterns, node);
  }
  return node;
}

/**
 * The part of a body that configuration consists of: without server-owned fields, correlationIds, the sub-entities'
 * own URNs, and without null, {} and [] (which all mean "not set" under merge patch; a sub-entity stays, and so does what is in a list).
 *
 * A sub-entity's own URN is recognised by document 2, "Sub-entity identifiers" 1: the UUID part of the URN equals
 * the key under which the sub-entity stands.
 */
export function strip(body: JsonObject, shape: Shape): JsonObject {
  return (stripValue(body, [patternsOf(shape.serverOwned)], undefined) ?? {}) as JsonObject;
}

/** What is not changed is not copied: most of a body stays as it was read. */
function stripValue(value: Json, nodes: readonly PatternNode[], key: string | undefined): Json | undefined {
  if (isArray(value)) {
    if (value.length === 0) return undefined;
    const items = value.map((item) => stripValue(item, advance(nodes, "*"), undefined) ?? bare(item));
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  if (!isObject(value)) return value === null ? undefined : value;
  let copy: MutableJson | undefined;
  let count = 0;
  const names = Object.keys(value);
  let index = -1;
  for (const name of names) {
    index += 1;
    const field = value[name] ?? null;
    const next = advance(nodes, name);
    const stripped = isOwn(name, field, next, key)
      ? undefined
      : stripValue(field, next, isAssignedKey(name) ? name : undefined);
    if (copy === undefined && stripped !== field) copy = firstFields(value, names, index);
    if (stripped === undefined) continue;
    count += 1;
    if (copy !== undefined) setOwn(copy, name, stripped);
  }
  // A sub-entity is there even when nothing in it is set.
  return count === 0 && key === undefined ? undefined : (copy ?? value);
}

/** What says nothing keeps its place in a list, and stays what it is: null in the place of an object may be refused. */
export function bare(item: Json): Json {
  if (isArray(item)) return [];
  return isObject(item) ? {} : null;
}

/**
 * Fields of the service's own: named by a pattern, or the correlationId or the URN of a sub-entity itself. Elsewhere these
 * are words like any other: people may call a property so.
 */
function isOwn(name: string, field: Json, here: readonly PatternNode[], key: string | undefined): boolean {
  if (here.some((node) => node.ends)) return true;
  return (
    key !== undefined && (name === "correlationId" || (typeof field === "string" && isUrnOf(field, key)))
  );
}

/** What of a body cannot change after creation: where it stands, say. */
export function fixedIn(body: JsonObject, shape: Pick<Shape, "fixed"> | undefined): JsonObject {
  return fromEntries(Object.entries(body).filter(([field]) => shape?.fixed?.includes(field) === true));
}
