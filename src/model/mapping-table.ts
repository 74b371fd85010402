import type { MappingEntry } from "./mapping.ts";
import { TextNumbers } from "./packed/numbers.ts";
import { Rivals } from "./packed/rivals.ts";
import { RowKeys } from "./packed/row-keys.ts";
import { PackedRows } from "./packed/rows.ts";
import { uuidOf } from "./urn.ts";

/** A row of the mapping with what it is the row of. */
export interface Mapped {
  readonly kind: string;
  readonly source: string;
  readonly entry: MappingEntry;
}

interface KindRows {
  /** Its place among the kinds, for numbers that tell rows of all kinds apart. */
  readonly place: number;
  /** Whether references lead to what has a row here. */
  readonly owns: boolean;
  /** By source. */
  readonly entries: PackedRows;
  /** By target: the number of its source; where several say so, of the one that said so last. */
  readonly claims: TextNumbers;
  /** By target, the others whose rows say so as well: while a journal is gone through that is older than the files. */
  readonly rivals: Rivals;
}

/** Of the number of a row among the rows of its kind. */
const numberBits = 26;
const numberMask = (1 << numberBits) - 1;
/** So that a kind's place and a row's number are one number of 32 bits, which keeps its two highest values free. */
const mostKinds = 63;

const noRows: ReadonlyMap<string, MappingEntry> = new Map();

/**
 * The mapping in memory: entries per kind, with the look-ups that rewriting needs. A row is held as a few bytes and comes
 * out as an object of its own each time (`packed/`): rows are replaced, never changed.
 *
 * A row is known by its kind and its source's id. What a URN in a body refers to is another question: of the kinds
 * that may have a row for a URN at most one owns it; the others (an assignment, a description) are laid over it, and
 * no reference ever leads to them.
 */
export class MappingTable {
  readonly #owns: (kind: string) => boolean;
  readonly #kinds = new Map<string, KindRows>();
  readonly #places: KindRows[] = [];
  /** Of these nobody has asked yet what leads to their rows: a run that finds nothing changed never does. */
  #unled: readonly KindRows[] = [];
  /** What stands before the UUID in the URNs of sources that are owned: a handful. */
  readonly #beforeUuid = new Set<string>();
  readonly #keys = new RowKeys((row, key) =>
    this.#places[row >>> numberBits]?.entries.key(row & numberMask, key),
  );

  /** Without a word every kind owns the URNs of its rows. */
  constructor(owns: (kind: string) => boolean = () => true) {
    this.#owns = owns;
  }

  kinds(): readonly string[] {
    return [...this.#kinds.keys()];
  }

  entries(kind: string): ReadonlyMap<string, MappingEntry> {
    return this.#kinds.get(kind)?.entries ?? noRows;
  }

  get(kind: string, source: string): MappingEntry | undefined {
    return this.#kinds.get(kind)?.entries.get(source);
  }

  has(kind: string, source: string): boolean {
    return this.#kinds.get(kind)?.entries.has(source) === true;
  }

  /** What its row says of its twin, without reading all of it; the same of its name. */
  targetOf(kind: string, source: string): string | undefined {
    return this.#kinds.get(kind)?.entries.target(source);
  }

  nameOf(kind: string, source: string): string | undefined {
    return this.#kinds.get(kind)?.entries.name(source);
  }

  /** The row of what a source URN in a body refers to. */
  named(urn: string): Mapped | undefined {
    for (const [kind, { owns, entries }] of this.#kinds) {
      const entry = owns ? entries.get(urn) : undefined;
      if (entry !== undefined) return { kind, source: urn, entry };
    }
    return undefined;
  }

  /** The row of a thing, whichever owning kind it is put down under; of what lies over it that of its own kind. */
  row(kind: string, source: string): MappingEntry | undefined {
    return this.#owns(kind) ? this.named(source)?.entry : this.get(kind, source);
  }

  /** The twin of what a source URN in a body refers to. */
  twin(urn: string): string | undefined {
    for (const { owns, entries } of this.#kinds.values()) {
      const target = owns ? entries.target(urn) : undefined;
      if (target !== undefined) return target;
    }
    return undefined;
  }

  /** Whether a step of some object is not done yet: the next run tries it again, and this one is not done. */
  get hasUnfinished(): boolean {
    return this.kinds().some((kind) => !this.unfinished(kind).next().done);
  }

  /** Rows of which a step is not done yet. */
  *unfinished(kind: string): Generator<readonly [string, MappingEntry & { unfinished: string }], undefined> {
    for (const [source, entry] of this.#kinds.get(kind)?.entries.unusual() ?? []) {
      const { unfinished } = entry;
      if (unfinished !== undefined) yield [source, { ...entry, unfinished }];
    }
  }

  /** The rows of all kinds for one id: what a person may mean by it. */
  all(source: string): readonly Mapped[] {
    return [...this.#kinds].flatMap(([kind, { entries }]) => {
      const entry = entries.get(source);
      return entry === undefined ? [] : [{ kind, source, entry }];
    });
  }

  /** The number of a row, by which whoever has many of them remembers one; -1 where there is none. */
  placeOf(kind: string, source: string): number {
    return this.#kinds.get(kind)?.entries.number(source) ?? -1;
  }

  /** Id of the source object that a number stands for; the number stays when the row goes. */
  sourceAt(kind: string, place: number): string {
    return this.#rowsOf(kind).entries.source(place);
  }

  /** The id of the kind's source object whose twin this is. */
  claim(kind: string, target: string): string | undefined {
    this.#leadAll();
    const rows = this.#kinds.get(kind);
    return rows === undefined ? undefined : claimOf(rows, target);
  }

  /** The source object that a target URN in a body stands for. */
  claimedBy(target: string): Mapped | undefined {
    this.#leadAll();
    for (const [kind, rows] of this.#kinds) {
      const source = rows.owns ? claimOf(rows, target) : undefined;
      const entry = source === undefined ? undefined : rows.entries.get(source);
      if (source !== undefined && entry !== undefined) return { kind, source, entry };
    }
    return undefined;
  }

  /** The source object that something of this kind at the target is taken by: a thing has one owner, whatever kind that is put down under. */
  takenBy(kind: string, target: string): string | undefined {
    return this.#owns(kind) ? this.claimedBy(target)?.source : this.claim(kind, target);
  }

  /** UUID of a mapped source object to the UUID of its twin: for ids in rich text. */
  uuid(sourceUuid: string): string | undefined {
    this.#leadAll();
    for (const before of this.#beforeUuid) {
      const mapped = this.named(before + sourceUuid);
      if (mapped !== undefined) return uuidOf(mapped.entry.target);
    }
    return undefined;
  }

  /** Key of a mapped sub-entity, whichever object it belongs to. */
  key(sourceKey: string): string | undefined {
    this.#leadAll();
    return this.#keys.get(sourceKey);
  }

  set(kind: string, source: string, entry: MappingEntry | null): void {
    this.#leadAll();
    const rows = this.#rowsOf(kind);
    const before = rows.entries.get(source);
    if (entry === null) {
      if (before !== undefined) this.#forget(rows, source, before);
      return;
    }
    if (before !== undefined) {
      if (rows.entries.holds(source, entry) && this.#isLedTo(rows, source, entry)) return;
      this.#release(rows, source, before, entry.keys);
    } else if (rows.owns) {
      // A URN has one owner: a pair that was put down under another kind is that one's no more.
      this.#disown(source);
    }
    rows.entries.set(source, entry);
    const number = rows.entries.number(source);
    claim(rows, entry.target, number);
    if (rows.owns) this.#lead(rows, source, number, Object.keys(entry.keys ?? {}));
  }

  /**
   * Takes over the rows of a kind of which it has none yet: nobody else may have them, since they are changed from now on. It
   * is the same as to set one after the other.
   */
  adopt(kind: string, entries: PackedRows): void {
    if (this.#kinds.has(kind)) throw new RangeError(`there are rows of ${kind} already`);
    if (entries.size === 0) return;
    if (this.#owns(kind)) for (const source of this.#ownedAmong(entries)) this.#disown(source);
    this.#unled = [...this.#unled, this.#rowsOf(kind, entries)];
  }

  *#ownedAmong(entries: PackedRows): Generator<string, undefined> {
    for (const rows of this.#places) if (rows.owns) yield* rows.entries.shared(entries);
  }

  /** In the order in which they were taken over: of two that say the same the later one counts. */
  #leadAll(): void {
    const unled = this.#unled;
    if (unled.length === 0) return;
    this.#unled = [];
    for (const rows of unled) {
      const { entries, owns } = rows;
      for (const [source, target, number] of entries.twins()) {
        claim(rows, target, number);
        if (owns) this.#lead(rows, source, number, entries.keyNames(number));
      }
    }
  }

  #rowsOf(kind: string, entries = new PackedRows()): KindRows {
    const known = this.#kinds.get(kind);
    if (known !== undefined) return known;
    if (this.#places.length === mostKinds)
      throw new RangeError(`more than ${mostKinds} kinds in one mapping`);
    const rows = {
      place: this.#places.length,
      owns: this.#owns(kind),
      entries,
      claims: new TextNumbers(),
      rivals: new Rivals(),
    };
    this.#kinds.set(kind, rows);
    this.#places.push(rows);
    return rows;
  }

  /** Whether its row has all that leads to it, though others may say the same. */
  #isLedTo(rows: KindRows, source: string, { target, keys = {} }: MappingEntry): boolean {
    if (claimOf(rows, target) !== source) return false;
    const row = rowOf(rows, rows.entries.number(source));
    return !rows.owns || Object.keys(keys).every((key) => this.#keys.row(key) === row);
  }

  /** What an id in rich text and the key of a part lead to, for the row of what is owned. */
  #lead(rows: KindRows, source: string, number: number, keys: readonly string[]): void {
    const uuid = uuidOf(source);
    if (uuid !== "") this.#beforeUuid.add(source.slice(0, -uuid.length));
    for (const key of keys) this.#keys.set(key, rowOf(rows, number));
  }

  /** A row that it has under an owning kind goes. */
  #disown(source: string): void {
    for (const rows of this.#places) {
      const entry = rows.owns ? rows.entries.get(source) : undefined;
      if (entry !== undefined) return this.#forget(rows, source, entry);
    }
  }

  #forget(rows: KindRows, source: string, entry: MappingEntry): void {
    this.#release(rows, source, entry);
    rows.entries.delete(source);
  }

  /** What leads to the row, but for the keys that stay. */
  #release(rows: KindRows, source: string, entry: MappingEntry, keys: MappingEntry["keys"] = {}): void {
    release(rows, entry.target, source);
    if (!rows.owns) return;
    const row = rowOf(rows, rows.entries.number(source));
    for (const key of Object.keys(entry.keys ?? {}))
      if (!Object.hasOwn(keys, key)) this.#keys.delete(key, row);
  }
}

/** Tells it apart from the rows of other kinds. */
function rowOf({ place }: KindRows, number: number): number {
  return ((place << numberBits) | number) >>> 0;
}

function claimOf({ claims, entries }: KindRows, target: string): string | undefined {
  const number = claims.get(target);
  return number === undefined ? undefined : entries.source(number);
}

function claim({ claims, rivals }: KindRows, target: string, row: number): void {
  const other = claims.get(target);
  rivals.delete(target, row);
  if (other !== undefined && other !== row) rivals.outdone(target, other);
  claims.set(target, row);
}

/** What nobody has any more is free for a twin. */
function release({ claims, rivals, entries }: KindRows, target: string, source: string): void {
  const row = entries.number(source);
  if (rivals.delete(target, row) || claims.get(target) !== row) return;
  const next = rivals.last(target);
  if (next === undefined) {
    claims.delete(target);
    return;
  }
  rivals.delete(target, next);
  claims.set(target, next);
}
