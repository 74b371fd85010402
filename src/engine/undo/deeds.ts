import { stableText } from "../../model/canonical.ts";
import type { IntentItem, IntentRecord, JournalRecord } from "../../model/journal.ts";
import { effectOf } from "../../model/journal.ts";
import type { MappingEntry } from "../../model/mapping.ts";
import type { Json, JsonObject, MutableJson } from "../../model/json.ts";
import { isArray, isObject, own, setOwn } from "../../model/json.ts";
import { keyText } from "../../model/key.ts";
import type { Scratch } from "../../model/packed/spool.ts";
import { Texts } from "../../model/packed/texts.ts";
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
import type { Deed, Undo } from "./deed.ts";
import type { DeedRow } from "./deed-table.ts";
import { DeedTable } from "./deed-table.ts";

/** What an operation was to do; of each object where that is kept. */
interface Sent extends Pick<IntentRecord, "kind" | "step" | "effect"> {
  /** The number of the run. */
  readonly run: number;
  readonly items: readonly { readonly source: string; readonly intent: number }[];
}

/** More than there can be of either: two numbers are one. */
const mostTargets = 2 ** 26;

/** What a run did, newest first; several steps on one object are one deed. */
export class Deeds {
  readonly #intents = new Map<string, Sent>();
  readonly #table: DeedTable;
  /** By kind, source and target, numbers in the table: a source object may have stood for one object after the other. */
  readonly #deeds = new Map<number, number>();
  /** By the same: the run that wrote it last. */
  readonly #writers = new Map<number, number>();
  /** Kinds with sources, and targets. */
  readonly #sources = new Texts();
  readonly #targets = new Texts();
  readonly #runs: string[] = [];
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
    this.#table = new DeedTable(scratch);
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
          kind: record.kind,
          step: record.step,
          ...(record.effect === undefined ? {} : { effect: record.effect }),
          run: this.#numberOf(record.run),
          items: record.items.map((item) => ({ source: item.source, intent: this.#table.addIntent(item) })),
        });
      return;
    }
    if (record.type === "entry" && record.entry === null && this.#isWanted(record.run))
      this.#forgotten.set(record.source, (this.#forgotten.get(record.source) ?? new Set()).add(record.kind));
    if (record.type !== "outcome") return;
    const intent = this.#intents.get(record.op);
    if (intent === undefined) return;
    for (const item of record.items) {
      const place = intent.items.find(({ source }) => source === item.source)?.intent;
      if (place === undefined) continue;
      const key = `${record.op} ${item.source}`;
      if (item.result === "doubt") this.#lost.add(key);
      // A delete is settled by sending it again: it may have happened all the same, and then the object is gone.
      const isOther = this.#run !== "" && this.#run !== this.#runs[intent.run];
      const wasLost = this.#lost.has(key) || isOther;
      const mayBeGone = item.result === "not-done" && effectOf(intent) === "removes" && wasLost;
      if (item.result === "done")
        this.#done(intent, place, item.entry, { isFound: wasLost && !this.#isDecided });
      else if (mayBeGone && this.#row(this.#idOf(intent.kind, this.#table.intent(place)))?.what !== "created")
        this.#done(intent, place, null, { isUnsure: true });
    }
  };

  newestFirst(): readonly Deed[] {
    const known = new Set<number>();
    return [...this.#deeds].reverse().map(([id, number]) => {
      const source = Math.floor(id / mostTargets);
      const isFormer = known.has(source);
      known.add(source);
      const deed = this.#table.deed(number);
      const forgotten = deed.what === "deleted" ? this.#forgotten.get(deed.source) : undefined;
      if (!isFormer && forgotten === undefined) return deed;
      return this.#table.deed(
        this.#table.add({
          ...this.#table.row(number),
          ...(isFormer ? { isFormer } : {}),
          ...(forgotten === undefined ? {} : { saidOf: [...forgotten].filter((kind) => kind !== deed.kind) }),
        }),
      );
    });
  }

  #done(
    record: Sent,
    place: number,
    entry: MappingEntry | null,
    { isFound = false, isUnsure = false }: { readonly isFound?: boolean; readonly isUnsure?: boolean },
  ): void {
    const { kind } = record;
    const intent = this.#table.intent(place);
    const { source, name } = intent;
    // The row may be of another object, which the source object stands for by now.
    const done = effectOf(record) === "creates" ? undefined : intent.target;
    const target = done ?? entry?.target ?? intent.target ?? "";
    // What was done to another one that it stood for is a deed of its own: that one is no part of this.
    const id = this.#idOf(kind, { source, target });
    const before = this.#row(id);
    const keys = entry?.keys ?? before?.keys ?? {};
    const base = { kind, source, name, target, keys };
    const sent = [{ intent: place, keys }];
    const left = leftBy(entry) ?? intent.fingerprint;
    const fresh = { ...base, left, before: intent.before, intent: place, undos: [], sent };
    switch (effectOf(record)) {
      case "removes":
        // Made and taken away again: nothing is left to take back.
        if (before?.what === "created") this.#deeds.delete(id);
        else {
          const undos = before?.undos ?? [];
          const instead = before?.unsure === undefined ? before : before.unsure.instead;
          const unsure = isUnsure ? { unsure: { instead } } : {};
          this.#put(id, { ...fresh, undos, ...unsure, what: "deleted", left: undefined });
        }
        break;
      case "creates":
        this.#put(id, { ...fresh, what: "created", ...(isFound ? { isFound } : {}) });
        break;
      case "changes":
        if (this.#adds(kind))
          this.#put(id, { ...fresh, what: "assigned", before: before?.before ?? intent.before });
        else this.#changed(id, fresh, before, record.run);
        break;
      case "releases":
      case "starts":
        if (before !== undefined) this.#put(id, { ...before, ...base, left: leftBy(entry) ?? before.left });
    }
    this.#writers.set(id, record.run);
  }

  #changed(id: number, fresh: Omit<DeedRow, "what">, known: DeedRow | undefined, run: number): void {
    // What was there to be changed had not been deleted: what the run did before that counts.
    const before = known?.unsure === undefined ? known : known.unsure.instead;
    const undo = { intent: fresh.intent, keys: fresh.keys };
    const sent = [...(before?.sent ?? []), ...fresh.sent];
    // What another run goes on with, somebody may have changed meanwhile.
    const isOther = this.#writers.get(id) !== run && fresh.before !== undefined;
    const isTouched = isOther && fresh.before !== before?.left;
    if (before?.what === "created") {
      // The second pass of a create belongs to the create.
      const between = isTouched || before.isTouchedBetween ? { isTouchedBetween: true as const } : {};
      const found = before.isFound === true ? { isFound: true as const } : {};
      this.#put(id, { ...fresh, what: "created", intent: before.intent, sent, ...found, ...between });
    } else if (before?.what === "changed") {
      const { intent, before: found } = before;
      const [last, ...earlier] = before.undos;
      const latest = before.sent.at(-1)?.intent;
      const touched = isTouched
        ? { touched: latest === undefined ? null : (this.#table.intent(latest).body ?? null) }
        : {};
      this.#put(id, {
        ...fresh,
        what: "changed",
        intent,
        before: found,
        undos: [undo, ...(last === undefined ? [] : [{ ...last, ...touched }]), ...earlier],
        sent,
      });
    } else {
      this.#put(id, { ...fresh, what: "changed", undos: [undo] });
    }
  }

  #row(id: number): DeedRow | undefined {
    const number = this.#deeds.get(id);
    return number === undefined ? undefined : this.#table.row(number);
  }

  #put(id: number, row: DeedRow): void {
    this.#deeds.set(id, this.#table.add(row));
  }

  #idOf(kind: string, { source, target = "" }: Pick<IntentItem, "source" | "target">): number {
    return this.#sources.add(keyText(kind, source)) * mostTargets + this.#targets.add(target);
  }

  #numberOf(run: string): number {
    const known = this.#runs.indexOf(run);
    return known < 0 ? this.#runs.push(run) - 1 : known;
  }
}

/** As it stands there when all is done: what the service fills itself is in no intent. */
function leftBy(entry: MappingEntry | null): string | undefined {
  return entry?.unfinished === undefined ? entry?.targetFingerprint : undefined;
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
