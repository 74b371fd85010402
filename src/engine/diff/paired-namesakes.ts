import type { EntityKind } from "../../kinds/kind.ts";
import { keyPartsText, naturalKeyText } from "../facets/natural-key.ts";
import { standsAlone } from "../facets/standing.ts";
import type { DiffInput } from "./input.ts";
import type { Node, Nodes } from "./node.ts";
import type { Resolver } from "./resolver.ts";
import { translateKey } from "./same-name.ts";

/**
 * Pairs of the mapping that have the natural key of another one on both sides: where that fits several, the name does not say who
 * is whose twin, not even when one is left on each side.
 */
export class PairedNamesakes {
  readonly #input: DiffInput;
  readonly #nodes: Nodes;
  readonly #resolver: Resolver;
  readonly #byKey = new Map<EntityKind, ReadonlyMap<string | undefined, readonly Node[]>>();

  constructor(input: DiffInput, nodes: Nodes, resolver: Resolver) {
    this.#input = input;
    this.#nodes = nodes;
    this.#resolver = resolver;
  }

  /** Of something that has a candidate; undefined where its name holds what has no twin any more. */
  of(node: Node): readonly Node[] | undefined {
    if (!standsAlone(node.kind)) return [];
    const key = this.#keyOf(node.kind, node);
    return key === undefined ? undefined : (this.#pairs(node.kind).get(key) ?? []);
  }

  #pairs(kind: EntityKind): ReadonlyMap<string | undefined, readonly Node[]> {
    const known = this.#byKey.get(kind);
    if (known !== undefined) return known;
    const mapped = this.#nodes.all.filter((node) => node.kind === kind && node.standing === "mapped");
    const found = Map.groupBy(mapped, (node) => this.#keyOf(kind, node));
    this.#byKey.set(kind, found);
    return found;
  }

  /** Of both sides at once. */
  #keyOf(kind: EntityKind, { urn, target = "" }: Node): string | undefined {
    const { source, target: there } = this.#input;
    if (!source.has(kind.name, urn) || !there.snapshot.has(kind.name, target)) return undefined;
    const here = translateKey(kind, source.body(kind.name, urn), this.#resolver);
    if (here === undefined) return undefined;
    return keyPartsText(kind, [here, naturalKeyText(kind, there.snapshot.body(kind.name, target))]);
  }
}
