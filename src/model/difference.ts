import type { FieldChange } from "./change.ts";
import { inFormOf } from "./instant.ts";
import type { Json, JsonObject, MutableJson } from "./json.ts";
import { isArray, isObject, isScalar, own, pointerToken, setOwn } from "./json.ts";
import { stableText } from "./canonical.ts";
import type { PatternNode, Shape } from "./shape.ts";
import { advance, patternsOf } from "./shape.ts";
import type { NameOf } from "./sub-entity-label.ts";
import { labelsOf } from "./sub-entity-label.ts";
import { isAssignedKey, isSubEntityMap, isTemporaryKey, sourceKeyOf, temporaryKey } from "./sub-entity.ts";

export interface DifferenceOptions {
  readonly shape: Shape;
  /** Sub-entities that only the target has. Those whose source twin is gone are removed in any case. */
  readonly targetOnly: "keep" | "remove";
  /** Source key to target key, as remembered from the last apply. */
  readonly keys: Readonly<Record<string, string>>;
  /** Names for what sub-entities without a name of their own are about. */
  readonly nameOf?: NameOf;
}

export interface Difference {
  /** The smallest merge patch that brings the target to the source; empty when nothing differs. */
  readonly patch: JsonObject;
  /** The merge patch that takes it back. */
  readonly undo: JsonObject;
  readonly fields: readonly FieldChange[];
  /** Of paths that end in the label of a sub-entity: its key. Which label it has depends on what it is compared with. */
  readonly labelled?: ReadonlyMap<string, string>;
}

/** The path of a field with keys in place of labels: the same in each comparison of one object. */
export function unlabelled(path: string, { labelled }: Pick<Difference, "labelled">): string {
  if (labelled === undefined || labelled.size === 0) return path;
  let [here, result] = ["", ""];
  for (const token of path.split("/").slice(1)) {
    here += `/${token}`;
    result += `/${labelled.get(here) ?? token}`;
  }
  return result;
}

/** Compares a translated source tree with a target body; both stripped. */
export function difference(source: JsonObject, target: JsonObject, options: DifferenceOptions): Difference {
  return new Comparison(options).compare(inFormOf(target, source, options.shape), target);
}

interface Patches {
  readonly patch: MutableJson;
  readonly undo: MutableJson;
}

class Comparison {
  readonly #options: DifferenceOptions;
  readonly #sourceKeys: ReadonlyMap<string, string>;
  readonly #fields: FieldChange[] = [];
  readonly #labelled = new Map<string, string>();

  constructor(options: DifferenceOptions) {
    this.#options = options;
    this.#sourceKeys = new Map(Object.entries(options.keys).map(([source, target]) => [target, source]));
  }

  compare(source: JsonObject, target: JsonObject): Difference {
    const { shape } = this.#options;
    const { patch, undo } = this.#objects(source, target, "", {
      sets: [patternsOf(shape.sets ?? [])],
      fixed: [patternsOf(shape.fixedInSubEntity ?? [])],
    });
    return { patch, undo, fields: this.#fields, labelled: this.#labelled };
  }

  #objects(source: JsonObject, target: JsonObject, path: string, at: Patterns): Patches {
    const patches: Patches = { patch: {}, undo: {} };
    for (const name of new Set([...Object.keys(source), ...Object.keys(target)])) {
      this.#field(
        name,
        own(source, name),
        own(target, name),
        `${path}/${pointerToken(name)}`,
        step(at, name),
        patches,
      );
    }
    return patches;
  }

  #field(
    name: string,
    source: Json | undefined,
    target: Json | undefined,
    path: string,
    at: Patterns,
    patches: Patches,
  ): void {
    if (path === `/${name}` && this.#options.shape.memberwise?.includes(name) === true) {
      source ??= {};
      target ??= {};
    }
    if (isObject(source) && isObject(target)) {
      const nested =
        isSubEntityMap(source) || isSubEntityMap(target)
          ? this.#maps(source, target, path, at)
          : this.#objects(source, target, path, at);
      if (Object.keys(nested.patch).length > 0) {
        setOwn(patches.patch, name, nested.patch);
        setOwn(patches.undo, name, nested.undo);
      }
      return;
    }
    if (source === undefined && isSubEntityMap(target)) {
      const nested = this.#maps({}, target as JsonObject, path, at);
      if (Object.keys(nested.patch).length > 0) {
        setOwn(patches.patch, name, nested.patch);
        setOwn(patches.undo, name, nested.undo);
      }
      return;
    }
    if (sameValue(source, target, at.sets)) return;
    this.#change(path, target, source);
    setOwn(patches.patch, name, source ?? cleared(target));
    setOwn(patches.undo, name, target ?? cleared(source));
  }

  #maps(source: JsonObject, target: JsonObject, path: string, at: Patterns): Patches {
    const patches: Patches = { patch: {}, undo: {} };
    const label = this.#labels(source, target);
    for (const [key, item] of Object.entries(source)) {
      const inner = step(at, key);
      const twin = own(target, key);
      const place = `${path}/${label(key)}`;
      if (isTemporaryKey(key) || twin === undefined) {
        this.#labelled.set(place, key);
        this.#change(place, undefined, item);
        setOwn(patches.patch, isTemporaryKey(key) ? key : this.#fresh(key), this.#withFreshKeys(item));
        // The key that the service will assign is not known yet: taking it back needs the journal's key.
        setOwn(patches.undo, isTemporaryKey(key) ? key : this.#fresh(key), null);
      } else if (this.#mustReplace(item, twin, inner)) {
        this.#labelled.set(place, key);
        this.#change(place, twin, item);
        setOwn(patches.patch, key, null);
        setOwn(patches.patch, this.#fresh(key), this.#withFreshKeys(item));
        setOwn(patches.undo, temporaryKey(key), twin);
        setOwn(patches.undo, this.#fresh(key), null);
      } else if (isObject(item) && isObject(twin)) {
        const nested = this.#objects(item, twin, place, inner);
        if (Object.keys(nested.patch).length === 0) continue;
        this.#labelled.set(place, key);
        setOwn(patches.patch, key, nested.patch);
        setOwn(patches.undo, key, nested.undo);
      } else if (!sameValue(item, twin, inner.sets)) {
        this.#labelled.set(place, key);
        this.#change(place, twin, item);
        setOwn(patches.patch, key, item);
        setOwn(patches.undo, key, twin);
      }
    }
    for (const [key, item] of Object.entries(target)) {
      if (own(source, key) !== undefined) continue;
      if (!this.#sourceKeys.has(key) && this.#options.targetOnly === "keep") continue;
      const place = `${path}/${label(key)}`;
      this.#labelled.set(place, key);
      this.#change(place, item, undefined);
      setOwn(patches.patch, key, null);
      setOwn(patches.undo, temporaryKey(key), item);
    }
    return patches;
  }

  /** How a person recognises each of a map of sub-entities, as part of a path. */
  #labels(source: JsonObject, target: JsonObject): (key: string) => string {
    let labels: ReadonlyMap<string, string> | undefined;
    const { shape, nameOf = () => undefined } = this.#options;
    return (key) => {
      // An ordinary object has no use for them.
      labels ??= labelsOf(source, target, shape.labels ?? [], nameOf);
      return pointerToken(labels.get(key) ?? key);
    };
  }

  #fresh(targetKey: string): string {
    return temporaryKey(this.#sourceKeys.get(targetKey) ?? sourceKeyOf(targetKey));
  }

  /** A sub-entity that is created again needs new keys at every level below it, too. */
  #withFreshKeys(item: Json): Json {
    if (!isObject(item)) return item;
    const isMap = isSubEntityMap(item);
    const result: MutableJson = {};
    for (const [key, value] of Object.entries(item)) {
      setOwn(result, isMap && !isTemporaryKey(key) ? this.#fresh(key) : key, this.#withFreshKeys(value));
    }
    return result;
  }

  #mustReplace(source: Json, target: Json, at: Patterns): boolean {
    if (!isObject(source) || !isObject(target)) return false;
    return [...new Set([...Object.keys(source), ...Object.keys(target)])].some(
      (name) =>
        advance(at.fixed, name).some((node) => node.ends) &&
        !sameValue(own(source, name), own(target, name), []),
    );
  }

  #change(path: string, from: Json | undefined, to: Json | undefined): void {
    if (from !== undefined && sameValue(from, to, [])) return;
    const [before, after] = [isObject(from) ? from : {}, isObject(to) ? to : {}];
    const names = new Set([...Object.keys(before), ...Object.keys(after)]);
    if (names.size > 0) {
      const label = this.#labels(after, before);
      // Leaf by leaf, so that a reviewer reads values and sees references by name.
      for (const name of names) {
        const [was, will] = [own(before, name), own(after, name)];
        const place = `${path}/${isAssignedKey(name) ? label(name) : pointerToken(name)}`;
        if (isAssignedKey(name)) this.#labelled.set(place, name);
        this.#change(place, was, will);
      }
      if (!isObject(from) && from !== undefined) this.#fields.push({ path, from });
      if (!isObject(to) && to !== undefined) this.#fields.push({ path, to });
      return;
    }
    this.#fields.push({ path, ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) });
  }
}

interface Patterns {
  readonly sets: readonly PatternNode[];
  readonly fixed: readonly PatternNode[];
}

function step(at: Patterns, token: string): Patterns {
  return { sets: advance(at.sets, token), fixed: advance(at.fixed, token) };
}

/** What clears a field: an array is cleared with [], anything else with null (document 1, "Extra properties"). */
function cleared(value: Json | undefined): Json {
  return isArray(value) ? [] : null;
}

function sameValue(left: Json | undefined, right: Json | undefined, sets: readonly PatternNode[]): boolean {
  if (left === undefined || right === undefined) return left === right;
  return stableText(comparable(left, sets)) === stableText(comparable(right, sets));
}

/** Sorted wherever order means nothing, as in the canonical form. */
function comparable(value: Json, sets: readonly PatternNode[]): Json {
  if (isArray(value)) {
    const items = value.map((item) => comparable(item, advance(sets, "*")));
    const isSet = sets.some((node) => node.ends) || items.every(isScalar);
    return isSet ? items.map(stableText).sort() : items;
  }
  if (!isObject(value)) return value;
  const result: MutableJson = {};
  for (const [name, field] of Object.entries(value))
    setOwn(result, name, comparable(field, advance(sets, name)));
  return result;
}
