import type { ByHand, Listed, MovedKind } from "../../kinds/kind.ts";
import type { Registry } from "../../kinds/registry.ts";
import { keyText } from "../../model/key.ts";
import { strip } from "../../model/shape.ts";
import { subEntityKeys } from "../../model/sub-entity.ts";
import { urnType, uuidOf } from "../../model/urn.ts";
import { walk } from "../../model/walk.ts";
import type { SnapshotReader } from "../../store/index.ts";
import { tooDeepIn } from "./depth.ts";
import type { Selectable } from "./selection.ts";

/** What is known of an object of the source without its body. */
export interface SourceRow extends Selectable {
  /** All that it refers to by a URN in a field of its own, in the order of the body. */
  readonly references: readonly string[];
  /** Of these, and of those inside longer texts, what is there on both sides, or may be. */
  readonly given: readonly string[];
  /** Moved objects that longer texts mention. */
  readonly mentions: readonly string[];
  /** There is nothing else in it that is rewritten but the keys of its own parts. */
  readonly isPlain: boolean;
}

const none: readonly string[] = [];

/**
 * The objects of the source as they arrive, each looked into once: what selection, the reading of given things and the
 * diff need to know of them. Bodies are not kept.
 */
export class SourceIndex {
  /** Key of a part to the URN of its owner. */
  readonly owners = new Map<string, string>();
  /** By key of the object. */
  readonly byHand = new Map<string, ByHand>();
  /** Where an object is nested too deep; by its key. */
  readonly tooDeep = new Map<string, NonNullable<Listed["meta"]>>();
  readonly #registry: Registry;
  readonly #kinds = new Map<string, MovedKind>();
  readonly #rows = new Map<string, SourceRow[]>();
  readonly #pool = new Map<string, string>();
  readonly #unrecognised = new Map<string, Set<string>>();

  constructor(registry: Registry) {
    this.#registry = registry;
  }

  /** Of a snapshot that was made before. */
  static of(registry: Registry, source: SnapshotReader): SourceIndex {
    const index = new SourceIndex(registry);
    for (const kind of registry.moved().filter(({ name }) => source.kinds().includes(name)))
      for (const object of source.stream(kind.name)) index.add(kind, object);
    return index;
  }

  add(kind: MovedKind, { urn, name, body, meta }: Listed): void {
    const key = keyText(kind.name, urn);
    const { references, embedded, isPlain } = this.#look(kind, body);
    const isMoved = (value: string): boolean => this.#registry.mayBeMoved(urnType(value) ?? "");
    // An SQL item is moved and is a catalog item to all that refer to it: it is read as both.
    const isGiven = (value: string): boolean =>
      !isMoved(value) || this.#registry.givenOf(urnType(value) ?? "") !== undefined;
    const refersTo = references.filter(isMoved);
    const row: SourceRow = {
      selectedAs: kind.selectedAs,
      kind: kind.name,
      owns: this.#registry.owns(kind.name),
      urn,
      name,
      references,
      refersTo: refersTo.length === references.length ? references : refersTo,
      given: [...references, ...embedded].filter(isGiven),
      mentions: embedded.length === 0 ? none : embedded.filter(isMoved),
      isPlain,
    };
    this.#kinds.set(kind.name, kind);
    const rows = this.#rows.get(kind.name);
    if (rows === undefined) this.#rows.set(kind.name, [row]);
    else rows.push(row);
    if (kind.ownsParts === true) for (const part of subEntityKeys(body)) this.owners.set(part, urn);
    const byHand = kind.byHand?.(body);
    if (byHand !== undefined) this.byHand.set(key, byHand);
    if (meta !== undefined && tooDeepIn(meta) !== undefined) this.tooDeep.set(key, meta);
    for (const field of Object.keys(body)) {
      if (kind.shape.known.includes(field)) continue;
      this.#unrecognised.set(kind.name, (this.#unrecognised.get(kind.name) ?? new Set()).add(field));
    }
  }

  /** Whether kinds as they were opened for another environment would have seen the same. */
  fits(registry: Registry): boolean {
    return [...this.#kinds].every(([name, kind]) => {
      const other = registry.movedKind(name);
      return other?.shape === kind.shape && other.byHand === kind.byHand;
    });
  }

  holds(kind: string): boolean {
    return this.#rows.has(kind);
  }

  /** In the order in which they came. */
  rows(kind: string): readonly SourceRow[] {
    return this.#rows.get(kind) ?? [];
  }

  /** For the reading of given things: what a text mentions may be wanted as well. */
  *selectables(): Generator<Selectable> {
    for (const rows of this.#rows.values()) {
      for (const row of rows)
        yield row.mentions.length === 0 ? row : { ...row, refersTo: [...row.refersTo, ...row.mentions] };
    }
  }

  /** Fields that no document names, by kind. */
  unrecognised(): Record<string, string[]> {
    return Object.fromEntries([...this.#unrecognised].map(([kind, fields]) => [kind, [...fields].sort()]));
  }

  /** What the objects with these keys refer to of given kinds, and what belongs to no kind that is known. */
  referencesOf(keys: ReadonlyMap<string, unknown>): {
    byKind: Map<string, Set<string>>;
    unclaimed: Set<string>;
  } {
    const byKind = new Map<string, Set<string>>();
    const unclaimed = new Set<string>();
    for (const rows of this.#rows.values()) {
      for (const { kind: name, urn, given } of rows) {
        if (!keys.has(keyText(name, urn))) continue;
        for (const reference of given) {
          const kind = this.#registry.givenOf(urnType(reference) ?? "");
          if (kind !== undefined && kind.discovers !== true) {
            byKind.set(kind.name, (byKind.get(kind.name) ?? new Set()).add(reference));
          } else if (!this.owners.has(uuidOf(reference))) {
            unclaimed.add(reference);
          }
        }
      }
    }
    return { byKind, unclaimed };
  }

  #look(
    kind: MovedKind,
    body: Listed["body"],
  ): { references: readonly string[]; embedded: readonly string[]; isPlain: boolean } {
    const references = new Set<string>();
    const embedded = new Set<string>();
    const keys = new Set<string>();
    const bare: string[] = [];
    let hasIds = false;
    walk(strip(body, kind.shape), (form, value) => {
      if (form === "urn") references.add(this.#intern(value));
      else if (form === "embedded") embedded.add(this.#intern(value));
      else if (form === "key") keys.add(value);
      else if (form === "uuid") bare.push(value);
      else hasIds = true;
      return value;
    });
    return {
      references: references.size === 0 ? none : [...references],
      embedded: embedded.size === 0 ? none : [...embedded],
      isPlain: embedded.size === 0 && !hasIds && bare.every((value) => keys.has(value)),
    };
  }

  #intern(value: string): string {
    const known = this.#pool.get(value);
    if (known !== undefined) return known;
    this.#pool.set(value, value);
    return value;
  }
}
