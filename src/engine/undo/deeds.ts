import { stableText } from "../../model/canonical.ts";
import type { IntentItem, IntentRecord, JournalRecord } from "../../model/journal.ts";
import { effectOf } from "../../model/journal.ts";
import type { MappingEntry } from "../../model/mapping.ts";
import type { Json, JsonObject, MutableJson } from "../../model/json.ts";
import { isArray, isObject, own, setOwn } from "../../model/json.ts";
import { keyText } from "../../model/key.ts";
import { lookedUpBy } from "../../model/packed/looked-up.ts";
import type { Scratch } from "../../model/packed/spool.ts";
import { mergePatch } from "../../model/merge-patch.ts";
import {
  isAssignedKey,
  isSubEntityMap,
  isTemporaryKey,
  sourceKeyOf,
  temporaryKey,
} from "../../model/sub-entity.ts";
import { isUuid } from "../../model/urn.ts";
import { mapTexts } from "../../model/map-texts.ts";
import { KeptValues } from "./kept-values.ts";

/** One thing that a run did to one object. */
export interface Deed {
  readonly kind: string;
  readonly source: string;
  readonly name: string;
  readonly what: "created" | "changed" | "deleted" | "assigned";
  readonly target: string;
  /** Fingerprint that the run left at the target. */
  readonly left: string | undefined;
  /** Fingerprint that it found there. */
  readonly before: string | undefined;
  /** Of its first step. */
  readonly intent: IntentItem;
  /** What takes its changes back, the newest first; of something deleted, those that came before. */
  readonly undos: readonly Undo[];
  /** All that was sent of it, the oldest first. */
  readonly sent: readonly SentBody[];
  /** Keys that the service assigned to new sub-entities: source key to target key. */
  readonly keys: Readonly<Record<string, string>>;
  /** A delete whose answer was lost, and that was not seen to happen: where it is there, this is what the run did to it, if anything. */
  readonly unsure?: { readonly instead: Deed | undefined };
  /** Kinds of what was said of something deleted, and went with it: its steward. */
  readonly saidOf?: readonly string[];
  /** The run has written another object since that the source object stood for then. */
  readonly isFormer?: true;
  /** Of something created: its request had no answer, and what it has made was found by what it looks like. */
  readonly isFound?: true;
  /** Of what one of the runs has created: the next one did not find there what that had left. */
  readonly isTouchedBetween?: true;
}

export interface Undo {
  /** Absent: what it was before is not on record. */
  readonly patch: Json | undefined;
  /** The keys as they were known after the change. */
  readonly keys: Readonly<Record<string, string>>;
  /** What the change had sent, where the run that went on with it did not find there what it had left. */
  readonly touched?: Json | undefined;
}

interface SentBody {
  readonly body: Json | undefined;
  /** The keys as they were known after it. */
  readonly keys: Readonly<Record<string, string>>;
}

/** What is on record of an object: all of it where the run made or deleted it, else what its kind has kept with the change. */
export function onRecord({ what, intent }: Deed): JsonObject {
  const [whole, sent] = [
    intent.whole,
    what === "deleted" ? intent.undo : what === "created" ? intent.body : {},
  ];
  return { ...(isObject(whole) ? whole : {}), ...(isObject(sent) ? sent : {}) };
}

interface Told {
  readonly intent: IntentItem;
  readonly keys: Readonly<Record<string, string>>;
}

const sentBody = lookedUpBy<SentBody, Told>({ body: ({ intent }) => intent.body, keys: ({ keys }) => keys });
const undoIn = lookedUpBy<Undo, Told>({ patch: ({ intent }) => intent.undo, keys: ({ keys }) => keys });

type Sent = Pick<IntentRecord, "run" | "kind" | "step" | "effect" | "items">;

/** What a run did, newest first; several steps on one object are one deed. */
export class Deeds {
  readonly #intents = new Map<string, Sent>();
  readonly #kept: KeptValues;
  /** By kind, source and target: a source object may have stood for one object after the other. */
  readonly #deeds = new Map<string, Deed>();
  /** By the same: the run that wrote it last. */
  readonly #writers = new Map<string, string>();
  readonly #isWanted: (run: string) => boolean;
  /** Kinds that only add: what they did is not taken back. */
  readonly #adds: (kind: string) => boolean;
  /** `<op> <source>` whose outcome was in doubt for a while. */
  readonly #lost = new Set<string>();
  /** By source, kinds of which the run has put down that nothing is known any more. */
  readonly #forgotten = new Map<string, Set<string>>();
  #run = "";
  /** What is said now a person has decided. */
  #isDecided = false;

  /** A journal may hold what other plans' runs did as well. */
  constructor(
    isWanted: (run: string) => boolean = () => true,
    adds: (kind: string) => boolean = () => false,
    scratch?: () => Scratch,
  ) {
    this.#kept = new KeptValues(scratch);
    this.#adds = adds;
    this.#isWanted = isWanted;
  }

  readonly feed = (record: JournalRecord): void => {
    if (record.type === "run") {
      this.#run = record.run;
      this.#isDecided = record.command === "resolve";
    }
    if (record.type === "intent") {
      if (this.#isWanted(record.run))
        this.#intents.set(record.op, {
          ...record,
          items: record.items.map((item) => this.#kept.keep(item, { source: item.source })),
        });
      return;
    }
    if (record.type === "entry" && record.entry === null && this.#isWanted(record.run))
      this.#forgotten.set(record.source, (this.#forgotten.get(record.source) ?? new Set()).add(record.kind));
    if (record.type !== "outcome") return;
    const intent = this.#intents.get(record.op);
    if (intent === undefined) return;
    for (const item of record.items) {
      const sent = intent.items.find(({ source }) => source === item.source);
      if (sent === undefined) continue;
      const key = `${record.op} ${item.source}`;
      if (item.result === "doubt") this.#lost.add(key);
      // A delete is settled by sending it again: it may have happened all the same, and then the object is gone.
      const wasLost = this.#lost.has(key) || (this.#run !== "" && this.#run !== intent.run);
      const mayBeGone = item.result === "not-done" && effectOf(intent) === "removes" && wasLost;
      const id = idOf(intent.kind, item.source, sent.target ?? "");
      if (item.result === "done")
        this.#done(intent, sent, item.entry, { isFound: wasLost && !this.#isDecided });
      else if (mayBeGone && this.#deeds.get(id)?.what !== "created")
        this.#done(intent, sent, null, { isUnsure: true });
    }
  };

  newestFirst(): readonly Deed[] {
    const known = new Set<string>();
    return [...this.#deeds.values()].reverse().map((deed) => {
      const source = keyText(deed.kind, deed.source);
      const isFormer = known.has(source);
      known.add(source);
      const forgotten = deed.what === "deleted" ? this.#forgotten.get(deed.source) : undefined;
      return {
        ...deed,
        ...(isFormer ? { isFormer } : {}),
        ...(forgotten === undefined ? {} : { saidOf: [...forgotten].filter((kind) => kind !== deed.kind) }),
      };
    });
  }

  #done(
    record: Sent,
    intent: IntentItem,
    entry: MappingEntry | null,
    { isFound = false, isUnsure = false }: { readonly isFound?: boolean; readonly isUnsure?: boolean },
  ): void {
    const { kind } = record;
    // The row may be of another object, which the source object stands for by now.
    const done = effectOf(record) === "creates" ? undefined : intent.target;
    const target = done ?? entry?.target ?? intent.target ?? "";
    // What was done to another one that it stood for is a deed of its own: that one is no part of this.
    const id = idOf(kind, intent.source, target);
    const before = this.#deeds.get(id);
    const keys = (entry?.keys === undefined ? before?.keys : this.#kept.keep(entry.keys)) ?? {};
    const base = { kind, source: intent.source, name: intent.name, target, keys };
    const sent = [sentBody({ intent, keys })];
    const left = leftBy(entry) ?? intent.fingerprint;
    const fresh = { ...base, left, before: intent.before, intent, undos: [], sent };
    switch (effectOf(record)) {
      case "removes":
        // Made and taken away again: nothing is left to take back.
        if (before?.what === "created") this.#deeds.delete(id);
        else {
          const undos = before?.undos ?? [];
          const instead = before?.unsure === undefined ? before : before.unsure.instead;
          const unsure = isUnsure ? { unsure: { instead } } : {};
          this.#deeds.set(id, { ...fresh, undos, ...unsure, what: "deleted", left: undefined });
        }
        break;
      case "creates":
        this.#deeds.set(id, { ...fresh, what: "created", ...(isFound ? { isFound } : {}) });
        break;
      case "changes":
        if (this.#adds(kind))
          this.#deeds.set(id, { ...fresh, what: "assigned", before: before?.before ?? intent.before });
        else this.#changed(id, fresh, before, record.run);
        break;
      case "releases":
      case "starts":
        if (before !== undefined)
          this.#deeds.set(id, { ...before, ...base, left: leftBy(entry) ?? before.left });
    }
    this.#writers.set(id, record.run);
  }

  #changed(id: string, fresh: Omit<Deed, "what">, known: Deed | undefined, run: string): void {
    // What was there to be changed had not been deleted: what the run did before that counts.
    const before = known?.unsure === undefined ? known : known.unsure.instead;
    const undo = undoIn({ intent: fresh.intent, keys: fresh.keys });
    const sent = [...(before?.sent ?? []), ...fresh.sent];
    // What another run goes on with, somebody may have changed meanwhile.
    const isOther = this.#writers.get(id) !== run && fresh.before !== undefined;
    const isTouched = isOther && fresh.before !== before?.left;
    if (before?.what === "created") {
      // The second pass of a create belongs to the create.
      const between = isTouched || before.isTouchedBetween ? { isTouchedBetween: true as const } : {};
      const found = before.isFound === true ? { isFound: true as const } : {};
      this.#deeds.set(id, { ...fresh, what: "created", intent: before.intent, sent, ...found, ...between });
    } else if (before?.what === "changed") {
      const { intent, before: found } = before;
      const [last, ...earlier] = before.undos;
      const touched = isTouched ? { touched: before.sent.at(-1)?.body ?? null } : {};
      this.#deeds.set(id, {
        ...fresh,
        what: "changed",
        intent,
        before: found,
        undos: [undo, ...(last === undefined ? [] : [{ ...last, ...touched }]), ...earlier],
        sent,
      });
    } else {
      this.#deeds.set(id, { ...fresh, what: "changed", undos: [undo] });
    }
  }
}

/** As it stands there when all is done: what the service fills itself is in no intent. */
function leftBy(entry: MappingEntry | null): string | undefined {
  return entry?.unfinished === undefined ? entry?.targetFingerprint : undefined;
}

function idOf(kind: string, source: string, target: string): string {
  return `${kind} ${source} ${target}`;
}

/** What is there was not deleted, whatever became of the request. */
export function asSeen(
  deeds: readonly Deed[],
  isThere: (kind: string, urn: string) => boolean,
): readonly Deed[] {
  return deeds.flatMap((deed) =>
    deed.unsure === undefined || !isThere(deed.kind, deed.target) ? [deed] : (deed.unsure.instead ?? []),
  );
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

/**
 * The patch that takes several changes of one object back at once, from what it is now: each reverse patch in turn,
 * the newest first. Undefined where one of them is not on record.
 */
export function undoAll(undos: readonly Undo[], now: JsonObject): JsonObject | undefined {
  const again = new Map<string, string>();
  const patches: JsonObject[] = [];
  for (const { patch, keys } of undos) {
    if (!isObject(patch)) return undefined;
    // What a newer one brings back as new, an older one still calls by the key that it had.
    patches.push(rename(undoPatch(patch, keys), again) as JsonObject);
    collectReturning(patch, again);
  }
  const [only, ...others] = patches;
  if (only === undefined || others.length === 0) return only;
  const before = patches.reduce((body: Json, patch) => mergePatch(body, patch), now);
  return isObject(before) ? patchTo(now, before) : undefined;
}

/** The smallest merge patch from one body to another. */
function patchTo(from: JsonObject, to: JsonObject): JsonObject {
  const result: MutableJson = {};
  for (const key of Object.keys(from)) if (own(to, key) === undefined) setOwn(result, key, null);
  for (const [key, value] of Object.entries(to)) {
    const there = own(from, key);
    if (isObject(there) && isObject(value)) {
      const inner = patchTo(there, value);
      if (Object.keys(inner).length > 0) setOwn(result, key, inner);
    } else if (there === undefined || stableText(there) !== stableText(value)) setOwn(result, key, value);
  }
  return result;
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

/** The keys that the parts had which reverse patches bring back. */
export function returningKeys(undos: readonly Undo[]): ReadonlySet<string> {
  const found = new Map<string, string>();
  for (const { patch } of undos) if (isObject(patch)) collectReturning(patch, found);
  return new Set(found.keys());
}

/** A body with every sub-entity key as a temporary one, to be created again. */
export function asNew(value: Json): Json {
  const parts = new Map<string, string>();
  collect(value, parts);
  return rename(value, parts);
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
  const other = (text: string): string => keys.get(text) ?? text;
  return mapTexts(value, other, other);
}
