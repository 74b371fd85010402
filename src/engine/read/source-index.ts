import { isDeepStrictEqual } from "node:util";
import type { ByHand, Listed, MovedKind } from "../../kinds/kind.ts";
import type { Registry } from "../../kinds/registry.ts";
import { FieldsByKind } from "./fields-by-kind.ts";
import { keyText } from "../../model/key.ts";
import { strip } from "../../model/shape.ts";
import { subEntityKeys } from "../../model/sub-entity.ts";
import { TextPairs } from "../../model/packed/numbers.ts";
import { TextSet } from "../../model/packed/text-set.ts";
import { takesTemporaryKeys } from "../../model/translate.ts";
import { urnType, uuidOf } from "../../model/urn.ts";
import type { Visit } from "../../model/walk.ts";
import { walk } from "../../model/walk.ts";
import type { SnapshotReader } from "../../store/index.ts";
import type { HolderOf } from "./holders.ts";
import { holderIn } from "./holders.ts";
import { tooDeepIn } from "./depth.ts";
import type { Selectable, Selectables } from "./selection.ts";
import type { Looked, Rows, SourceRow } from "./source-rows.ts";
import { SourceRows } from "./source-rows.ts";

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
  #rows: SourceRows;
  readonly #unrecognised = new FieldsByKind();
  readonly #unnamed = new FieldsByKind();
  #isDropped = false;

  constructor(registry: Registry) {
    this.#registry = registry;
    this.#rows = this.#noRows();
  }

  /** Of a snapshot that was made before. */
  static of(registry: Registry, source: SnapshotReader): SourceIndex {
    const index = new SourceIndex(registry);
    for (const kind of registry.moved().filter(({ name }) => source.kinds().includes(name)))
      for (const object of source.stream(kind.name)) index.add(kind, object);
    index.follow(holderIn(registry, snapshotOf(source)));
    return index;
  }

  add(kind: MovedKind, { urn, name, body, meta, unnamed = [] }: Listed): SourceRow {
    const key = keyText(kind.name, urn);
    const owns = this.#registry.owns(kind.name);
    const row = this.#rows.add({ kind, owns }, { urn, name }, this.#look(kind, body));
    this.#kinds.set(kind.name, kind);
    if (kind.ownsParts === true) for (const part of subEntityKeys(body)) this.owners.set(part, urn);
    const byHand = kind.byHand?.(body);
    if (byHand !== undefined) this.byHand.set(key, byHand);
    if (meta !== undefined && tooDeepIn(meta) !== undefined) this.tooDeep.set(key, meta);
    this.#unrecognised.addUnrecognised(kind, body);
    for (const field of unnamed) this.#unnamed.add(kind.name, field);
    return row;
  }

  /** Who refers to something given refers to what that stands in as well; whether that was news of anybody. */
  follow(holderOf: HolderOf | undefined): boolean {
    if (holderOf === undefined) return false;
    let isNews = false;
    for (const row of this.#rows.of()) {
      const holders = row.given.flatMap((urn) => holderOf(urn) ?? []);
      if (holders.length === 0) continue;
      const known = row.refersTo;
      const more = new Set(holders.filter((urn) => !known.includes(urn)));
      if (more.size === 0) continue;
      isNews = true;
      this.#rows.refersToo(row.number, [...more]);
    }
    return isNews;
  }

  /** Whether kinds as they were opened for another environment would have seen the same. */
  fits(registry: Registry): boolean {
    return [...this.#kinds].every(([name, kind]) => {
      const other = registry.movedKind(name);
      // A shape is data: that of a kind which is opened for each environment is made for each.
      return (
        other !== undefined && isDeepStrictEqual(other.shape, kind.shape) && other.byHand === kind.byHand
      );
    });
  }

  holds(kind: string): boolean {
    return this.#rows.holds(kind);
  }

  /** All but `owners` is let go of: whoever has compared the rows needs them no more. */
  drop(): void {
    this.#isDropped = true;
    this.#rows = this.#noRows();
    this.byHand.clear();
    this.tooDeep.clear();
  }

  /** In the order in which they came; without a kind those of all kinds. */
  rows(kinds?: readonly string[]): Rows {
    if (this.#isDropped) throw new Error("the rows of the source were let go of");
    return this.#rows.of(kinds);
  }

  /** For the reading of given things: what a text mentions may be wanted as well. */
  selectables(): Selectables {
    const rows = this.rows();
    const at = (position: number): Selectable | undefined => withMentions(rows.at(position));
    return {
      at,
      *[Symbol.iterator]() {
        for (const row of rows) yield withMentions(row);
      },
    };
  }

  /** Fields that no document names, by kind. */
  unrecognised(): Record<string, string[]> {
    return this.#unrecognised.toJSON();
  }

  /** Those that stay where they are: of what something lies over, by the kind of that. */
  unnamed(): Record<string, string[]> {
    return this.#unnamed.toJSON();
  }

  /** What the objects with these keys refer to of given kinds, and what belongs to no kind that is known. */
  referencesOf(keys: { has(key: string): boolean }): {
    byKind: Map<string, TextSet>;
    unclaimed: Set<string>;
  } {
    const byKind = new Map<string, TextSet>();
    const unclaimed = new Set<string>();
    const seen = new TextSet();
    for (const row of this.#rows.of()) {
      if (!keys.has(keyText(row.kind, row.urn))) continue;
      for (const reference of row.given) {
        if (!seen.add(reference)) continue;
        const kind = this.#registry.givenOf(urnType(reference) ?? "");
        if (kind !== undefined && kind.discovers !== true) {
          const known = byKind.get(kind.name) ?? new TextSet();
          known.add(reference);
          byKind.set(kind.name, known);
        } else if (this.owners.get(uuidOf(reference)) === undefined) {
          unclaimed.add(reference);
        }
      }
    }
    return { byKind, unclaimed };
  }

  #look(kind: MovedKind, body: Listed["body"]): Looked {
    const references = new Set<number>();
    const embedded = new Set<number>();
    const keys = new Set<string>();
    const joins: string[] = [];
    let hasIds = false;
    const visit: Visit = (form, value, pointer) => {
      if (form === "urn") references.add(this.#rows.reference(value));
      else if (form === "embedded") embedded.add(this.#rows.reference(value));
      else if (form === "key") keys.add(value);
      else if (form === "uuid" && takesTemporaryKeys(pointer())) joins.push(value);
      else hasIds = true;
      return value;
    };
    walk(strip(body, kind.shape), visit, () => {
      hasIds = true;
    });
    return {
      references,
      embedded,
      isPlain: embedded.size === 0 && !hasIds && joins.every((value) => keys.has(value)),
    };
  }

  #noRows(): SourceRows {
    return new SourceRows((urn) => {
      const type = urnType(urn) ?? "";
      const isMoved = this.#registry.mayBeMoved(type);
      // An SQL item is moved and is a catalog item to all that refer to it: it is read as both.
      return { isMoved, isGiven: !isMoved || this.#registry.givenOf(type) !== undefined };
    });
  }
}

function withMentions<T extends SourceRow | undefined>(row: T): T | Selectable {
  if (row === undefined || row.mentions.length === 0) return row;
  const { selectedAs, kind, owns, urn, name, refersTo, mentions } = row;
  return { selectedAs, kind, owns, urn, name, refersTo: [...refersTo, ...mentions] };
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
