import type { MappingEntry } from "./mapping.ts";
import { uuidOf } from "./urn.ts";

/** The mapping in memory: entries per kind, with the look-ups that rewriting needs. */
export class MappingTable {
  readonly #kinds = new Map<string, Map<string, MappingEntry>>();
  readonly #bySource = new Map<string, { kind: string; entry: MappingEntry }>();
  readonly #byTarget = new Map<string, { kind: string; source: string }>();
  readonly #byUuid = new Map<string, string>();
  readonly #keys = new Map<string, string>();

  kinds(): readonly string[] {
    return [...this.#kinds.keys()];
  }

  entries(kind: string): ReadonlyMap<string, MappingEntry> {
    return this.#kinds.get(kind) ?? new Map<string, MappingEntry>();
  }

  get(source: string): MappingEntry | undefined {
    return this.#bySource.get(source)?.entry;
  }

  kindOf(source: string): string | undefined {
    return this.#bySource.get(source)?.kind;
  }

  /** The source object that a target URN stands for. */
  claimedBy(target: string): { readonly kind: string; readonly source: string } | undefined {
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
    const before = this.#bySource.get(source);
    if (before !== undefined && before.entry === entry && before.kind === kind) return;
    if (before !== undefined) {
      this.#kinds.get(before.kind)?.delete(source);
      this.#bySource.delete(source);
      if (this.#byTarget.get(before.entry.target)?.source === source)
        this.#byTarget.delete(before.entry.target);
      this.#byUuid.delete(uuidOf(source));
      for (const key of Object.keys(before.entry.keys ?? {})) this.#keys.delete(key);
    }
    if (entry === null) return;
    let entries = this.#kinds.get(kind);
    if (entries === undefined) {
      entries = new Map();
      this.#kinds.set(kind, entries);
    }
    entries.set(source, entry);
    this.#bySource.set(source, { kind, entry });
    this.#byTarget.set(entry.target, { kind, source });
    this.#byUuid.set(uuidOf(source), uuidOf(entry.target));
    for (const [from, to] of Object.entries(entry.keys ?? {})) this.#keys.set(from, to);
  }
}
