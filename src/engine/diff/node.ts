import type { MovedKind } from "../../kinds/kind.ts";
import type { DiagnosticCode } from "../../model/codes/index.ts";
import type { Cause } from "../../model/diagnostic.ts";
import { keyText } from "../../model/key.ts";
import type { MappingEntry } from "../../model/mapping.ts";
import type { MappingTable } from "../../model/mapping-table.ts";
import { createSteps } from "../facets/steps.ts";
import type { Overlays } from "../read/overlays.ts";
import type { SourceRows } from "../read/source-rows.ts";

/**
 * Where an object of the source stands before its change is known.
 *
 * - `mapped`: its twin is known and there.
 * - `missing`: its twin is known and gone.
 * - `candidate`: something at the target has its natural key; comparing decides.
 * - `new`: nothing stands for it yet.
 * - `awaited`: it lies over something that this run creates.
 * - `stopped`: it cannot be moved; `stop` says why.
 */
export type Standing = "mapped" | "missing" | "candidate" | "new" | "awaited" | "stopped";

/** One for all that have none: there may be hundreds of thousands. */
const noKeys: Readonly<Record<string, string>> = {};
const noCandidates: readonly string[] = [];

/** What the objects of one kind share. */
export interface OfOneKind {
  readonly kind: MovedKind;
  readonly rows: SourceRows;
  readonly mapping: Pick<MappingTable, "get" | "has" | "targetOf">;
  readonly overlays: Pick<Overlays, "get">;
}

const standings = ["new", "mapped", "missing", "candidate", "awaited", "stopped"] as const;
/** In one number: the place of its standing, and four answers: its target is that of its row, or of what it lies over. */
const bit = { standing: 7, selected: 8, replaced: 16, mapped: 32, placed: 64 } as const;

/** What most objects have not. */
interface Rare {
  pulledInBy?: string | undefined;
  over?: string | undefined;
  candidates?: readonly string[];
  stop?: Stop | undefined;
  keys?: Readonly<Record<string, string>>;
}

/** An object of the source, as the diff goes along; in little room, since there may be a million of them. */
export class Node {
  readonly #of: OfOneKind;
  readonly #row: number;
  #bits: number;
  /** Where nobody else knows it. */
  #target: string | undefined = undefined;
  #rare: Rare | undefined = undefined;

  constructor(
    of: OfOneKind,
    row: number,
    { selected, pulledInBy }: { readonly selected: boolean; readonly pulledInBy: string | undefined },
  ) {
    this.#of = of;
    this.#row = row;
    const isMapped = of.mapping.has(of.kind.name, of.rows.urn(row));
    this.#bits = (selected ? bit.selected : 0) | (isMapped ? bit.mapped : 0);
    if (pulledInBy !== undefined) this.#more().pulledInBy = pulledInBy;
  }

  get kind(): MovedKind {
    return this.#of.kind;
  }

  get selected(): boolean {
    return (this.#bits & bit.selected) !== 0;
  }

  /** The key of the object whose reference pulled it into the selection. */
  get pulledInBy(): string | undefined {
    return this.#rare?.pulledInBy;
  }

  get standing(): Standing {
    return standings[this.#bits & bit.standing] ?? "new";
  }

  set standing(standing: Standing) {
    this.#bits = (this.#bits & ~bit.standing) | standings.indexOf(standing);
  }

  /** URN at the source of the moved thing that it lies over, until its place is settled: it stands where that stands. */
  get over(): string | undefined {
    return this.#rare?.over;
  }

  set over(over: string | undefined) {
    if (over !== this.over) this.#more().over = over;
  }

  /** All that fit when the natural key did not decide. */
  get candidates(): readonly string[] {
    return this.#rare?.candidates ?? noCandidates;
  }

  set candidates(candidates: readonly string[]) {
    this.#more().candidates = candidates;
  }

  get stop(): Stop | undefined {
    return this.#rare?.stop;
  }

  set stop(stop: Stop | undefined) {
    if (stop !== this.stop) this.#more().stop = stop;
  }

  /** A new object is created in the place of its twin: references wait for that one. */
  get replaced(): boolean {
    return (this.#bits & bit.replaced) !== 0;
  }

  set replaced(replaced: boolean) {
    this.#bits = replaced ? this.#bits | bit.replaced : this.#bits & ~bit.replaced;
  }

  get urn(): string {
    return this.#of.rows.urn(this.#row);
  }

  get name(): string {
    return this.#of.rows.name(this.#row);
  }

  /** All that it refers to, where nothing else in it is rewritten but the keys of its own parts. */
  get plain(): readonly string[] | undefined {
    const { rows } = this.#of;
    return rows.isPlain(this.#row) ? rows.urns(this.#row, "fields") : undefined;
  }

  /** Twin at the target: that of its row, until another one is found out. */
  get target(): string | undefined {
    if ((this.#bits & bit.mapped) !== 0) return this.#of.mapping.targetOf(this.kind.name, this.urn);
    return (this.#bits & bit.placed) === 0 ? this.#target : this.#of.overlays.get(this.kind.name, this.urn);
  }

  set target(target: string | undefined) {
    const known = target === undefined ? 0 : this.#whoKnows(target);
    this.#bits = (this.#bits & ~(bit.mapped | bit.placed)) | known;
    this.#target = known === 0 ? target : undefined;
  }

  /** Kind and id as one text, which its change goes by as well. */
  get key(): string {
    return keyText(this.kind.name, this.urn);
  }

  /** Its row, which the mapping holds in less room than anybody else could. No diff changes the mapping. */
  get entry(): MappingEntry | undefined {
    return this.#of.mapping.get(this.kind.name, this.urn);
  }

  /** Sub-entity keys known to exist at the target, source to target: those of its row, until others are found out. */
  get keys(): Readonly<Record<string, string>> {
    return this.#rare?.keys ?? this.entry?.keys ?? noKeys;
  }

  set keys(keys: Readonly<Record<string, string>>) {
    this.#more().keys = keys;
  }

  /** Where others hold it outside of the heap it is asked for there: there may be a million URNs. */
  #whoKnows(target: string): number {
    const { kind, mapping, overlays } = this.#of;
    if (mapping.targetOf(kind.name, this.urn) === target) return bit.mapped;
    return overlays.get(kind.name, this.urn) === target ? bit.placed : 0;
  }

  #more(): Rare {
    return (this.#rare ??= {});
  }
}

export interface Stop {
  readonly action: "blocked" | "manual";
  readonly code: DiagnosticCode;
  readonly reason: string;
  readonly pointer?: string;
  readonly suggestion?: string;
  readonly cause?: Cause;
}

/** What refers to a stopped object is led to its twin where that is there; one that is gone is nobody's twin. */
export function stop(node: Node, reason: Stop): void {
  node.stop = reason;
  if (node.standing === "missing") {
    node.target = undefined;
    node.keys = {};
  }
  node.standing = "stopped";
}

/** Objects, with what references lead to them. */
export interface Nodes {
  readonly all: readonly Node[];
  /** By key: kind and id. Few are ever asked for so. */
  readonly find: (key: string) => Node | undefined;
  /** By URN, those that own it: what is laid over something is found through that. */
  readonly named: Pick<ReadonlyMap<string, Node>, "get" | "has" | "keys">;
  /** Nobody asks them anything more: what they look their fields up in is let go of. */
  readonly done: () => void;
  /** Key of a sub-entity to the URN of its owner. */
  readonly owners: Pick<ReadonlyMap<string, string>, "get">;
}

/**
 * A create of several steps leaves something that no list shows. An update leaves what was there before it: when that
 * is gone, it is gone like anything else.
 */
export function isHalfMade({ kind, entry }: Node): boolean {
  return createSteps(kind).some(({ name }) => name === entry?.unfinished);
}
