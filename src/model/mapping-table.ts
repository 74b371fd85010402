import type { MappingEntry } from "./mapping.ts";
import { uuidOf } from "./urn.ts";

/** A row of the mapping with what it is the row of. */
export interface Mapped {
  readonly kind: string;
  readonly source: string;
  readonly entry: MappingEntry;
}

interface KindRows {
  /** Whether references lead to what has a row here. */
  readonly owns: boolean;
  /** By source. */
  readonly entries: Map<string, MappingEntry>;
  /** By target: its source. */
  readonly claims: Map<string, string>;
}

/**
 * The mapping in memory: entries per kind, with the look-ups that rewriting needs.
 *
 * A row is known by its kind and its source's id. What a URN in a body refers to is another question: of the kinds
 * that may have a row for a URN at most one owns it; the others (an assignment, a description) are laid over it, and
 * no reference ever leads to them.
 */
export class MappingTable {
  readonly #owns: (kind: string) => boolean;
  readonly #kinds = new Map<string, KindRows>();
  /** What stands before the UUID in the URNs of sources that are owned: a handful. */
  readonly #beforeUuid = new Set<string>();
  readonly #keys = new Map<string, string>();

  /** Without a word every kind owns the URNs of its rows. */
  constructor(owns: (kind: string) => boolean = () => true) {
    this.#owns = owns;
  }

  kinds(): readonly string[] {
    return [...this.#kinds.keys()];
  }

  entries(kind: string): ReadonlyMap<string, MappingEntry> {
    return this.#kinds.get(kind)?.entries ?? new Map<string, MappingEntry>();
  }

  get(kind: string, source: string): MappingEntry | undefined {
    return this.#kinds.get(kind)?.entries.get(source);
  }

  /** The row of what a source URN in a body refers to. */
  named(urn: string): Mapped | undefined {
    for (const [kind, { owns, entries }] of this.#kinds) {
      const entry = owns ? entries.get(urn) : undefined;
      if (entry !== undefined) return { kind, source: urn, entry };
    }
    return undefined;
  }

  /** The rows of all kinds for one id: what a person may mean by it. */
  all(source: string): readonly Mapped[] {
    return [...this.#kinds].flatMap(([kind, { entries }]) => {
      const entry = entries.get(source);
      return entry === undefined ? [] : [{ kind, source, entry }];
    });
  }

  /** The id of the kind's source object whose twin this is. */
  claim(kind: string, target: string): string | undefined {
    return this.#kinds.get(kind)?.claims.get(target);
  }

  /** The source object that a target URN in a body stands for. */
  claimedBy(target: string): Mapped | undefined {
    for (const [kind, { owns, claims, entries }] of this.#kinds) {
      const source = owns ? claims.get(target) : undefined;
      const entry = source === undefined ? undefined : entries.get(source);
      if (source !== undefined && entry !== undefined) return { kind, source, entry };
    }
    return undefined;
  }

  /** UUID of a mapped source object to the UUID of its twin: for ids in rich text. */
  uuid(sourceUuid: string): string | undefined {
    for (const before of this.#beforeUuid) {
      const mapped = this.named(before + sourceUuid);
      if (mapped !== undefined) return uuidOf(mapped.entry.target);
    }
    return undefined;
  }

  /** Key of a mapped sub-entity, whichever object it belongs to. */
  key(sourceKey: string): string | undefined {
    return this.#keys.get(sourceKey);
  }

  set(kind: string, source: string, entry: MappingEntry | null): void {
    const before = this.get(kind, source);
    if (before !== undefined && before === entry) return;
    if (before !== undefined) this.#forget(kind, source, before);
    if (entry === null) return;
    const rows = this.#rowsOf(kind);
    if (rows.owns) {
      // A URN has one owner: a pair that was put down under another kind is that one's no more.
      const other = this.named(source);
      if (other !== undefined) this.#forget(other.kind, source, other.entry);
      const uuid = uuidOf(source);
      if (uuid !== "") this.#beforeUuid.add(source.slice(0, -uuid.length));
      for (const [from, to] of Object.entries(entry.keys ?? {})) this.#keys.set(from, to);
    }
    rows.entries.set(source, entry);
    rows.claims.set(entry.target, source);
  }

  #rowsOf(kind: string): KindRows {
    const known = this.#kinds.get(kind);
    if (known !== undefined) return known;
    const rows = { owns: this.#owns(kind), entries: new Map(), claims: new Map() };
    this.#kinds.set(kind, rows);
    return rows;
  }

  #forget(kind: string, source: string, entry: MappingEntry): void {
    const rows = this.#rowsOf(kind);
    rows.entries.delete(source);
    if (rows.claims.get(entry.target) === source) rows.claims.delete(entry.target);
    if (rows.owns) for (const key of Object.keys(entry.keys ?? {})) this.#keys.delete(key);
  }
}
