import type { MovedKind } from "../../kinds/kind.ts";
import type { DiagnosticCode } from "../../model/codes/index.ts";
import type { Cause } from "../../model/diagnostic.ts";
import { keyText } from "../../model/key.ts";
import type { MappingEntry } from "../../model/mapping.ts";
import type { MappingTable } from "../../model/mapping-table.ts";
import { createSteps } from "../facets/steps.ts";
import type { SourceRow } from "../read/source-rows.ts";

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

/** An object of the source, as the diff goes along. */
export class Node {
  readonly kind: MovedKind;
  readonly selected: boolean;
  /** The key of the object whose reference pulled it into the selection. */
  readonly pulledInBy: string | undefined;
  standing: Standing = "new";
  /** URN at the source of the moved thing that it lies over, until its place is settled: it stands where that stands. */
  over: string | undefined = undefined;
  /** All that fit when the natural key did not decide. */
  candidates: readonly string[] = noCandidates;
  stop: Stop | undefined = undefined;
  /** A new object is created in the place of its twin: references wait for that one. */
  replaced = false;
  readonly #row: SourceRow;
  readonly #mapping: Pick<MappingTable, "get" | "has" | "targetOf">;
  #target: string | undefined;
  /** It is that of its row. */
  #isMapped: boolean;
  #keys: Readonly<Record<string, string>> | undefined = undefined;

  constructor(
    of: Pick<Node, "kind" | "selected" | "pulledInBy"> & { readonly row: SourceRow },
    mapping: Pick<MappingTable, "get" | "has" | "targetOf">,
  ) {
    this.kind = of.kind;
    this.selected = of.selected;
    this.pulledInBy = of.pulledInBy;
    this.#row = of.row;
    this.#mapping = mapping;
    this.#isMapped = mapping.has(of.kind.name, of.row.urn);
  }

  get urn(): string {
    return this.#row.urn;
  }

  get name(): string {
    return this.#row.name;
  }

  /** All that it refers to, where nothing else in it is rewritten but the keys of its own parts. */
  get plain(): readonly string[] | undefined {
    return this.#row.isPlain ? this.#row.references : undefined;
  }

  /** Twin at the target: that of its row, until another one is found out. */
  get target(): string | undefined {
    return this.#isMapped ? this.#mapping.targetOf(this.kind.name, this.urn) : this.#target;
  }

  set target(target: string | undefined) {
    this.#isMapped = false;
    this.#target = target;
  }

  /** Kind and id as one text, which its change goes by as well. */
  get key(): string {
    return keyText(this.kind.name, this.urn);
  }

  /** Its row, which the mapping holds in less room than anybody else could. No diff changes the mapping. */
  get entry(): MappingEntry | undefined {
    return this.#mapping.get(this.kind.name, this.urn);
  }

  /** Sub-entity keys known to exist at the target, source to target: those of its row, until others are found out. */
  get keys(): Readonly<Record<string, string>> {
    return this.#keys ?? this.entry?.keys ?? noKeys;
  }

  set keys(keys: Readonly<Record<string, string>>) {
    this.#keys = keys;
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
