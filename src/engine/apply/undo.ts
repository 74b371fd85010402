import type { IntentItem, JournalRecord } from "../../model/journal.ts";
import type { MappingEntry } from "../../model/mapping.ts";
import type { Json, JsonObject, MutableJson } from "../../model/json.ts";
import { isArray, isObject, setOwn } from "../../model/json.ts";
import {
  isAssignedKey,
  isSubEntityMap,
  isTemporaryKey,
  sourceKeyOf,
  temporaryKey,
} from "../../model/sub-entity.ts";
import { isUuid } from "../../model/urn.ts";

/** One thing that a run did to one object. */
export interface Deed {
  readonly kind: string;
  readonly source: string;
  readonly name: string;
  readonly what: "created" | "changed" | "deleted" | "assigned";
  readonly target: string;
  /** Fingerprint that the run left at the target. */
  readonly left: string | undefined;
  readonly intent: IntentItem;
  /** Keys that the service assigned to new sub-entities: source key to target key. */
  readonly keys: Readonly<Record<string, string>>;
}

/** What a run did, newest first; several steps on one object are one deed. */
export class Deeds {
  readonly #intents = new Map<
    string,
    { readonly kind: string; readonly step: string; readonly items: readonly IntentItem[] }
  >();
  readonly #deeds = new Map<string, Deed>();

  readonly feed = (record: JournalRecord): void => {
    if (record.type === "intent") {
      this.#intents.set(record.op, record);
      return;
    }
    if (record.type !== "outcome") return;
    const intent = this.#intents.get(record.op);
    if (intent === undefined) return;
    for (const item of record.items) {
      const sent = intent.items.find(({ source }) => source === item.source);
      if (item.result === "done" && sent !== undefined)
        this.#done(intent.kind, intent.step, sent, item.entry);
    }
  };

  newestFirst(): readonly Deed[] {
    return [...this.#deeds.values()].reverse();
  }

  #done(kind: string, step: string, intent: IntentItem, entry: MappingEntry | null): void {
    const id = `${kind} ${intent.source}`;
    const before = this.#deeds.get(id);
    const target = entry?.target ?? intent.target ?? before?.target ?? "";
    const base = {
      kind,
      source: intent.source,
      name: intent.name,
      target,
      keys: entry?.keys ?? before?.keys ?? {},
    };
    if (step === "delete") {
      this.#deeds.set(id, { ...base, what: "deleted", left: undefined, intent });
    } else if (step === "create") {
      this.#deeds.set(id, { ...base, what: "created", left: intent.fingerprint, intent });
    } else if (step === "assign") {
      this.#deeds.set(id, { ...base, what: "assigned", left: intent.fingerprint, intent });
    } else if (step === "patch") {
      // The second pass of a create belongs to the create.
      this.#deeds.set(id, {
        ...base,
        what: before?.what ?? "changed",
        left: intent.fingerprint,
        intent: before?.intent ?? intent,
      });
    } else if (before !== undefined) {
      this.#deeds.set(id, { ...before, ...base });
    }
  }
}

/**
 * A reverse patch as it can be sent: what was added goes by its assigned key, what was removed comes as new, also where
 * a field names it.
 */
export function undoPatch(undo: JsonObject, keys: Readonly<Record<string, string>>): JsonObject {
  const again = new Map<string, string>();
  collectReturning(undo, again);
  return reversed(undo, keys, again);
}

function reversed(
  undo: JsonObject,
  keys: Readonly<Record<string, string>>,
  again: ReadonlyMap<string, string>,
): JsonObject {
  const result: MutableJson = {};
  for (const [key, value] of Object.entries(undo)) {
    const sourceKey = sourceKeyOf(key);
    const wasAdded = value === null && isNew(key) && Object.hasOwn(keys, sourceKey);
    setOwn(
      result,
      wasAdded ? (keys[sourceKey] ?? key) : key,
      isObject(value) && !isNew(key) ? reversed(value, keys, again) : rename(value, again),
    );
  }
  return result;
}

function isNew(key: string): boolean {
  return isTemporaryKey(key) && isAssignedKey(key);
}

/** The sub-entities that a reverse patch brings back, and everything in them. */
function collectReturning(undo: JsonObject, into: Map<string, string>): void {
  for (const [key, value] of Object.entries(undo)) {
    if (!isObject(value)) continue;
    if (isNew(key)) {
      into.set(sourceKeyOf(key), key);
      collect(value, into);
    } else collectReturning(value, into);
  }
}

/** A body with every sub-entity key as a temporary one, to be created again. */
export function asNew(value: Json): Json {
  const own = new Map<string, string>();
  collect(value, own);
  return rename(value, own);
}

function collect(value: Json, into: Map<string, string>): void {
  if (isArray(value)) {
    for (const item of value) collect(item, into);
  } else if (isObject(value)) {
    const isMap = isSubEntityMap(value);
    for (const [key, item] of Object.entries(value)) {
      if (isMap && isUuid(key)) into.set(key, temporaryKey(key));
      collect(item, into);
    }
  }
}

function rename(value: Json, keys: ReadonlyMap<string, string>): Json {
  if (typeof value === "string") return keys.get(value) ?? value;
  if (isArray(value)) return value.map((item) => rename(item, keys));
  if (!isObject(value)) return value;
  const result: MutableJson = {};
  for (const [key, item] of Object.entries(value)) setOwn(result, keys.get(key) ?? key, rename(item, keys));
  return result;
}
