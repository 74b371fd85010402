import type { ByHand, Listed, MovedKind } from "../../kinds/kind.ts";
import type { Registry } from "../../kinds/registry.ts";
import { keyText } from "../../model/key.ts";
import { strip } from "../../model/shape.ts";
import { subEntityKeys } from "../../model/sub-entity.ts";
import { TextPairs } from "../../model/packed/numbers.ts";
import { urnType, uuidOf } from "../../model/urn.ts";
import { walk } from "../../model/walk.ts";
import type { SnapshotReader } from "../../store/index.ts";
import type { HolderOf } from "./holders.ts";
import { holderIn } from "./holders.ts";
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

/** What is known of a reference by its text alone; one for all objects that have it. */
interface Reference {
  readonly urn: string;
  readonly isMoved: boolean;
  readonly isGiven: boolean;
}

const none: readonly string[] = [];

function urnsOf(references: Iterable<Reference>): readonly string[] {
  const urns = Array.from(references, ({ urn }) => urn);
  return urns.length === 0 ? none : urns;
}

/**
 * The objects of the source as they arrive, each looked into once: what selection, the reading of given things and the
 * diff need to know of them. Bodies are not kept.
 */
export class SourceIndex {
  /** Key of a part to the URN of its owner. */
  readonly owners = new TextPairs();
  /** By key of the object. */
  readonly byHand = new Map<string, ByHand>();
  /** Where an object is nested too deep; by its key. */
  readonly tooDeep = new Map<string, NonNullable<Listed["meta"]>>();
  readonly #registry: Registry;
  readonly #kinds = new Map<string, MovedKind>();
  readonly #rows = new Map<string, SourceRow[]>();
  readonly #references = new Map<string, Reference>();
  readonly #unrecognised = new Map<string, Set<string>>();
  #isDropped = false;

  constructor(registry: Registry) {
    this.#registry = registry;
  }

  /** Of a snapshot that was made before. */
  static of(registry: Registry, source: SnapshotReader): SourceIndex {
    const index = new SourceIndex(registry);
    for (const kind of registry.moved().filter(({ name }) => source.kinds().includes(name)))
      for (const object of source.stream(kind.name)) index.add(kind, object);
    index.follow(holderIn(registry, snapshotOf(source)));
    return index;
  }

  add(kind: MovedKind, { urn, name, body, meta }: Listed): SourceRow {
    const key = keyText(kind.name, urn);
    const { references, embedded, isPlain } = this.#look(kind, body);
    const moved = references.filter(({ isMoved }) => isMoved);
    const all = urnsOf(references);
    const row: SourceRow = {
      selectedAs: kind.selectedAs,
      kind: kind.name,
      owns: this.#registry.owns(kind.name),
      urn,
      name,
      references: all,
      refersTo: moved.length === references.length ? all : urnsOf(moved),
      given: urnsOf([...references, ...embedded].filter(({ isGiven }) => isGiven)),
      mentions: urnsOf(embedded.filter(({ isMoved }) => isMoved)),
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
    return row;
  }

  /** Who refers to something given refers to what that stands in as well; whether that was news of anybody. */
  follow(holderOf: HolderOf | undefined): boolean {
    if (holderOf === undefined) return false;
    let isNews = false;
    for (const rows of this.#rows.values())
      for (const [index, row] of rows.entries()) {
        const holders = row.given.flatMap((urn) => holderOf(urn) ?? []);
        const more = holders.filter((urn) => !row.refersTo.includes(urn));
        if (more.length === 0) continue;
        isNews = true;
        rows[index] = { ...row, refersTo: [...row.refersTo, ...new Set(more)] };
      }
    return isNews;
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

  /** All but `owners` is let go of: whoever has made nodes of the rows needs them no more. */
  drop(): void {
    this.#isDropped = true;
    this.#rows.clear();
    this.#references.clear();
    this.byHand.clear();
    this.tooDeep.clear();
  }

  /** In the order in which they came. */
  rows(kind: string): readonly SourceRow[] {
    if (this.#isDropped) throw new Error("the rows of the source were let go of");
    return this.#rows.get(kind) ?? [];
  }

  *all(): Generator<SourceRow> {
    for (const rows of this.#rows.values()) yield* rows;
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
    const seen = new Set<string>();
    for (const rows of this.#rows.values()) {
      for (const { kind: name, urn, given } of rows) {
        if (!keys.has(keyText(name, urn))) continue;
        for (const reference of given) {
          if (seen.has(reference)) continue;
          seen.add(reference);
          const kind = this.#registry.givenOf(urnType(reference) ?? "");
          if (kind !== undefined && kind.discovers !== true) {
            byKind.set(kind.name, (byKind.get(kind.name) ?? new Set()).add(reference));
          } else if (this.owners.get(uuidOf(reference)) === undefined) {
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
  ): { references: readonly Reference[]; embedded: readonly Reference[]; isPlain: boolean } {
    const references = new Set<Reference>();
    const embedded = new Set<Reference>();
    const keys = new Set<string>();
    const bare: string[] = [];
    let hasIds = false;
    walk(strip(body, kind.shape), (form, value) => {
      if (form === "urn") references.add(this.#known(value));
      else if (form === "embedded") embedded.add(this.#known(value));
      else if (form === "key") keys.add(value);
      else if (form === "uuid") bare.push(value);
      else hasIds = true;
      return value;
    });
    return {
      references: [...references],
      embedded: [...embedded],
      isPlain: embedded.size === 0 && !hasIds && bare.every((value) => keys.has(value)),
    };
  }

  #known(urn: string): Reference {
    const known = this.#references.get(urn);
    if (known !== undefined) return known;
    const type = urnType(urn) ?? "";
    const isMoved = this.#registry.mayBeMoved(type);
    // An SQL item is moved and is a catalog item to all that refer to it: it is read as both.
    const isGiven = !isMoved || this.#registry.givenOf(type) !== undefined;
    const reference = { urn, isMoved, isGiven };
    this.#references.set(urn, reference);
    return reference;
  }
}

function snapshotOf(source: SnapshotReader): Parameters<typeof holderIn>[1] {
  const isKnown = (kind: string): boolean => source.kinds().includes(kind);
  return {
    urns: (kind) => (isKnown(kind) ? source.urns(kind) : []),
    find: (kind, urn) =>
      isKnown(kind) && source.has(kind, urn)
        ? { urn, name: source.name(kind, urn), body: source.body(kind, urn) }
        : undefined,
  };
}
