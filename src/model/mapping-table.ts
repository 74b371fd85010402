import type { MappingEntry } from "./mapping.ts";
import { uuidOf } from "./urn.ts";

/** A row of the mapping with what it is the row of. */
export interface Mapped {
  readonly kind: string;
  readonly source: string;
  readonly entry: MappingEntry;
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
  readonly #kinds = new Map<string, Map<string, MappingEntry>>();
  readonly #named = new Map<string, Mapped>();
  /** By kind and target. */
  readonly #claims = new Map<string, Map<string, string>>();
  readonly #byTarget = new Map<string, Mapped>();
  readonly #byUuid = new Map<string, string>();
  readonly #keys = new Map<string, string>();

  /** Without a word every kind owns the URNs of its rows. */
  constructor(owns: (kind: string) => boolean = () => true) {
    this.#owns = owns;
  }

  kinds(): readonly string[] {
    return [...this.#kinds.keys()];
  }

  entries(kind: string): ReadonlyMap<string, MappingEntry> {
    return this.#kinds.get(kind) ?? new Map<string, MappingEntry>();
  }

  get(kind: string, source: string): MappingEntry | undefined {
    return this.#kinds.get(kind)?.get(source);
  }

  /** The row of what a source URN in a body refers to. */
  named(urn: string): Mapped | undefined {
    return this.#named.get(urn);
  }

  /** The rows of all kinds for one id: what a person may mean by it. */
  all(source: string): readonly Mapped[] {
    return [...this.#kinds].flatMap(([kind, entries]) => {
      const entry = entries.get(source);
      return entry === undefined ? [] : [{ kind, source, entry }];
    });
  }

  /** The id of the kind's source object whose twin this is. */
  claim(kind: string, target: string): string | undefined {
    return this.#claims.get(kind)?.get(target);
  }

  /** The source object that a target URN in a body stands for. */
  claimedBy(target: string): Mapped | undefined {
    return this.#byTarget.get(target);
  }

  /** UUID of a mapped source object to the UUID of its twin: for ids in rich text. */
  uuid(sourceUuid: string): string | undefined {
    return this.#byUuid.get(sourceUuid);
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
    if (this.#owns(kind)) {
      // A URN has one owner: a pair that was put down under another kind is that one's no more.
      const other = this.#named.get(source);
      if (other !== undefined) this.#forget(other.kind, source, other.entry);
      const mapped = { kind, source, entry };
      this.#named.set(source, mapped);
      this.#byTarget.set(entry.target, mapped);
      this.#byUuid.set(uuidOf(source), uuidOf(entry.target));
      for (const [from, to] of Object.entries(entry.keys ?? {})) this.#keys.set(from, to);
    }
    let entries = this.#kinds.get(kind);
    if (entries === undefined) {
      entries = new Map();
      this.#kinds.set(kind, entries);
    }
    entries.set(source, entry);
    let claims = this.#claims.get(kind);
    if (claims === undefined) {
      claims = new Map();
      this.#claims.set(kind, claims);
    }
    claims.set(entry.target, source);
  }

  #forget(kind: string, source: string, entry: MappingEntry): void {
    this.#kinds.get(kind)?.delete(source);
    const claims = this.#claims.get(kind);
    if (claims?.get(entry.target) === source) claims.delete(entry.target);
    if (!this.#owns(kind)) return;
    this.#named.delete(source);
    if (this.#byTarget.get(entry.target)?.source === source) this.#byTarget.delete(entry.target);
    this.#byUuid.delete(uuidOf(source));
    for (const key of Object.keys(entry.keys ?? {})) this.#keys.delete(key);
  }
}
