import type { Change, Named } from "../change.ts";
import { parseJson } from "../json-text.ts";
import { keyText } from "../key.ts";
import type { Common, Numbered } from "./change-list.ts";
import { few } from "./listed.ts";
import { behindOf, lookedUp } from "./looked-up.ts";
import { Names } from "./names.ts";
import type { Scratch } from "./spool.ts";
import { withRoom } from "./room.ts";
import { Spool } from "./spool.ts";
import { Texts } from "./texts.ts";

/** What is asked for field by field, and by several that go through all of them by turns, is read once. */
const mostRecent = 64;
/** Beyond so many the reasons of changes are no longer shared: most of them name something. */
const mostForms = 2_000;
type Value = Change[keyof Change];

/** Stands for an id and a source that are looked up by number. */
const told = Symbol("told");
/** Long, and asked for by who shows a change, and by nobody else: it is written down by itself. */
const apart = "fields";

const nothing: readonly never[] = [];

/** What many changes have in common. */
interface Head {
  readonly of: Changes;
  readonly kind: string;
  readonly names: readonly string[];
  /** Those that each of them has for itself, in the order in which they are written. */
  readonly written: readonly string[];
  readonly fields: ReadonlyMap<string, Place>;
}

/** A field itself, or where it stands among those that are written; below zero by itself. */
type Place =
  | { readonly same: Value | typeof told; readonly at?: never }
  | { readonly at: number; readonly same?: never };

/** An id and a source that are looked up by number, once somebody has asked for them. */
interface Told {
  readonly number: number;
  readonly urn: string;
  id: string | undefined;
  source: Named | undefined;
}

interface Held {
  readonly values: readonly Value[];
  readonly fields: Change["fields"];
  /** Every stage asks for them anew, and most runs have no more changes than are held. */
  told: Told | undefined;
}

/** All that is in memory of a change; the number is its place among all of them. */
interface Kept extends Numbered {
  readonly common: Form;
}

/** What is the same of many. */
class Form implements Common {
  readonly head: Head;
  /** Fields that were put otherwise since; one that is undefined was taken away. */
  readonly over: Partial<Change> | undefined;
  #altered: WeakMap<Partial<Change>, Form> | undefined;

  constructor(head: Head, over?: Partial<Change>) {
    this.head = head;
    this.over = over;
  }

  one(number: number): Change {
    return make({ common: this, number });
  }

  /** Who puts many changes otherwise in the same way gives one object, and they share it. */
  altered(over: Partial<Change>): Form {
    const known = this.#altered?.get(over);
    if (known !== undefined) return known;
    const form = new Form(this.head, this.over === undefined ? over : { ...this.over, ...over });
    this.#altered ??= new WeakMap();
    this.#altered.set(over, form);
    return form;
  }
}

/**
 * The changes of a diff, outside of the heap and, from some megabytes on, on disk: there may be a million of them, and
 * but for what most of them share nobody looks at one before it is its turn.
 */
export class Changes {
  readonly #spool: Spool;
  readonly #urns = new Texts();
  /** By number, that of its source, where that tells its id: everybody asks for that one. */
  #urnOf = new Uint32Array(16);
  /** By number, what its source is called, where that is told. */
  readonly #names = new Names();
  readonly #forms = new Map<string, Form>();
  /** By number, those that are not written down yet; the one that came first stands first. */
  readonly #held = new Map<number, Held>();
  readonly #mostHeld: number;
  /** By number, where it is written down. */
  #places = new Float64Array(16);
  #apart = new Float64Array(16);
  #count = 0;
  #last: Told | undefined;
  readonly #recent = new Recent((number) => this.#read(this.#places, number) as readonly Value[]);
  readonly #recentFields = new Recent((number) => this.#read(this.#apart, number) as Change["fields"]);

  constructor(scratch?: () => Scratch, most = few) {
    this.#spool = new Spool(scratch);
    this.#mostHeld = most;
  }

  /** The same change, read back when it is asked for where there are many; it is equal to the one that went in. */
  keep<T extends Change>(change: T): T {
    const kept = keptOf(change)?.common;
    if (kept?.head.of === this && kept.over === undefined) return change;
    const form = this.#formOf(change);
    const number = this.#count;
    this.#count += 1;
    this.#held.set(number, {
      values: form.head.written.map((name) => change[name as keyof Change]),
      fields: change.fields,
      told: undefined,
    });
    for (const [oldest, held] of this.#held) {
      if (this.#held.size <= this.#mostHeld) break;
      this.#held.delete(oldest);
      if (held.values.length > 0) this.#places = this.#write(this.#places, oldest, held.values);
      if (held.fields.length > 0) this.#apart = this.#write(this.#apart, oldest, held.fields);
    }
    const isTold = form.head.fields.get("id")?.same === told;
    this.#urnOf = withRoom(this.#urnOf, number);
    if (isTold) this.#urnOf[number] = this.#urns.add(change.source?.urn ?? "");
    this.#names.add(isTold ? (change.source?.name ?? "") : "");
    return form.one(number) as T;
  }

  /** A field of the change with this number. */
  field({ kind, fields }: Head, number: number, name: string): Value {
    const field = fields.get(name);
    if (field === undefined) return undefined;
    if (field.same === told) return name === "id" ? this.#id(kind, number) : this.#source(number);
    if (field.at === undefined) return field.same;
    const held = this.#held.get(number);
    if (field.at < 0) return held?.fields ?? this.#recentFields.get(number);
    return (held?.values ?? this.#recent.get(number))[field.at];
  }

  #id(kind: string, number: number): string {
    const last = this.#lastOf(number);
    return (last.id ??= keyText(kind, last.urn));
  }

  #source(number: number): Named {
    const last = this.#lastOf(number);
    return (last.source ??= { urn: last.urn, name: this.#names.at(number) });
  }

  /** Who asks for the one asks for the other, and more than once; what something is called nearly nobody asks. */
  #lastOf(number: number): Told {
    if (this.#last?.number === number) return this.#last;
    const held = this.#held.get(number);
    if (held?.told !== undefined) return held.told;
    const urn = this.#urns.at(this.#urnOf[number] ?? 0);
    // All of its fields stand from the beginning: one that comes later makes another class of object of it, and of those V8 has one each.
    const last = { number, urn, id: undefined, source: undefined };
    if (held === undefined) this.#last = last;
    else held.told = last;
    return last;
  }

  #write(places: Float64Array<ArrayBuffer>, number: number, what: unknown): Float64Array<ArrayBuffer> {
    const roomy = withRoom(places, number);
    roomy[number] = this.#spool.add(JSON.stringify(what));
    return roomy;
  }

  #read(places: Float64Array, number: number): unknown {
    return parseJson(this.#spool.at(places[number] ?? 0));
  }

  #formOf(change: Change): Form {
    const { id, action, kind, source, reason } = change;
    const names = Object.keys(change).filter((name) => change[name as keyof Change] !== undefined);
    const same = new Map<string, Value | typeof told>([
      ["action", action],
      ["kind", kind],
    ]);
    if (source !== undefined && id === keyText(kind, source.urn)) {
      same.set("id", told);
      if (Object.keys(source).length === 2) same.set("source", told);
    }
    if (change.inBrief === true) same.set("inBrief", true);
    for (const name of ["fields", "diagnostics", "dependsOn"] as const)
      if (change[name].length === 0) same.set(name, nothing);
    const key = JSON.stringify([action, kind, names, [...same.keys()]]);
    const known = this.#forms.get(`${key} ${reason}`);
    if (known !== undefined) return known;
    if (this.#forms.size < mostForms) {
      same.set("reason", reason);
      return this.#form(`${key} ${reason}`, kind, names, same);
    }
    return this.#forms.get(key) ?? this.#form(key, kind, names, same);
  }

  #form(
    key: string,
    kind: string,
    names: readonly string[],
    same: ReadonlyMap<string, Value | typeof told>,
  ): Form {
    const written = names.filter((name) => !same.has(name) && name !== apart);
    const fields = new Map<string, Place>();
    for (const [name, value] of same) fields.set(name, { same: value });
    for (const [at, name] of written.entries()) fields.set(name, { at });
    if (!same.has(apart)) fields.set(apart, { at: -1 });
    const form = new Form({ of: this, kind, names, written, fields });
    this.#forms.set(key, form);
    return form;
  }
}

/** The same change with some fields put otherwise; what is undefined is taken away. It shares all else with it. */
export function altered<T extends Change>(change: Change, over: Partial<T>): T {
  const kept = keptOf(change);
  if (kept === undefined) {
    const fields = Object.entries({ ...change, ...over }).filter(([, value]) => value !== undefined);
    return Object.fromEntries(fields) as unknown as T;
  }
  return kept.common.altered(over).one(kept.number) as T;
}

const make = lookedUp<Change, Kept>({
  names({ common: { head, over } }) {
    if (over === undefined) return head.names;
    const all = [...new Set([...head.names, ...Object.keys(over)])];
    return all.filter((name) => !Object.hasOwn(over, name) || over[name as keyof Change] !== undefined);
  },
  field({ common: { head, over }, number }, name) {
    if (over !== undefined && Object.hasOwn(over, name)) return over[name as keyof Change];
    return head.of.field(head, number, name);
  },
});

function keptOf(change: Change): Kept | undefined {
  const kept = behindOf(change);
  return kept !== undefined && "common" in kept && kept.common instanceof Form ? (kept as Kept) : undefined;
}

/** What was read last, once. */
class Recent<T> {
  readonly #read: (number: number) => T;
  readonly #known = new Map<number, T>();

  constructor(read: (number: number) => T) {
    this.#read = read;
  }

  get(number: number): T {
    const known = this.#known.get(number);
    if (known !== undefined) return known;
    const value = this.#read(number);
    this.#known.set(number, value);
    const [oldest] = this.#known.keys();
    if (oldest !== undefined && this.#known.size > mostRecent) this.#known.delete(oldest);
    return value;
  }
}
