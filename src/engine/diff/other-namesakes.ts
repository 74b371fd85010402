import type { EntityKind } from "../../kinds/kind.ts";
import { naturalKeyText } from "../facets/natural-key.ts";
import { standsAlone } from "../facets/standing.ts";
import type { DiffInput } from "./input.ts";
import type { Node, Nodes } from "./node.ts";
import type { Resolver } from "./resolver.ts";
import { translateKey } from "./same-name.ts";

/**
 * Others of the source that have the name of a candidate, and want no twin by it: pairs of the mapping that have it on both sides, and
 * what has no twin there (it is made by hand, the plan leaves it out, its twin is gone). Where a name fits several, it does not say who
 * is whose twin, not even when one is left on each side.
 */
export class OtherNamesakes {
  readonly #input: DiffInput;
  readonly #nodes: Nodes;
  readonly #resolver: Resolver;
  /** Whether its name may lead it to a twin as well, or it was weighed with the others of that name. */
  readonly #isWeighed: (node: Node) => boolean;
  readonly #byKey = new Map<EntityKind, ReadonlyMap<string | undefined, readonly Node[]>>();
  readonly #orphaned = new Map<EntityKind, ReadonlyMap<string, readonly string[]>>();

  constructor(input: DiffInput, nodes: Nodes, resolver: Resolver, isWeighed: (node: Node) => boolean) {
    this.#input = input;
    this.#isWeighed = isWeighed;
    this.#nodes = nodes;
    this.#resolver = resolver;
  }

  /** Of something that has a candidate; undefined where its name holds what has no twin any more. */
  of(node: Node): readonly Node[] | undefined {
    if (!standsAlone(node.kind)) return [];
    const key = this.#keyOf(node.kind, node);
    return key === undefined ? undefined : (this.#others(node.kind).get(key) ?? []);
  }

  /** Twins of what is gone at the source that have the name, too: what was made anew there under it may be meant by each. */
  orphanedBeside(node: Node): readonly string[] {
    if (!standsAlone(node.kind)) return [];
    const key = this.#keyOf(node.kind, node);
    return key === undefined ? [] : (this.#orphans(node.kind).get(key) ?? []);
  }

  #orphans(kind: EntityKind): ReadonlyMap<string, readonly string[]> {
    const known = this.#orphaned.get(kind);
    if (known !== undefined) return known;
    const { mapping, source, target } = this.#input;
    const gone = [...mapping.entries(kind.name).keys()].filter((urn) => !source.has(kind.name, urn));
    const twins = gone.flatMap((urn) => mapping.get(kind.name, urn)?.target ?? []);
    const there = twins.filter((urn) => target.snapshot.has(kind.name, urn));
    const found = Map.groupBy(there, (urn) => naturalKeyText(kind, target.snapshot.body(kind.name, urn)));
    this.#orphaned.set(kind, found);
    return found;
  }

  #others(kind: EntityKind): ReadonlyMap<string | undefined, readonly Node[]> {
    const known = this.#byKey.get(kind);
    if (known !== undefined) return known;
    const others = this.#nodes.all.filter((node) => node.kind === kind && !this.#isWeighed(node));
    const found = Map.groupBy(others, (node) => this.#keyOfBoth(kind, node));
    this.#byKey.set(kind, found);
    return found;
  }

  /** Undefined where its twin is there and has another one. */
  #keyOfBoth(kind: EntityKind, node: Node): string | undefined {
    const key = this.#keyOf(kind, node);
    const twin = twinThere(node, this.#input);
    if (key === undefined || twin === undefined) return key;
    return naturalKeyText(kind, this.#input.target.snapshot.body(kind.name, twin)) === key ? key : undefined;
  }

  #keyOf(kind: EntityKind, { urn }: Node): string | undefined {
    const { source } = this.#input;
    return source.has(kind.name, urn)
      ? translateKey(kind, source.body(kind.name, urn), this.#resolver)
      : undefined;
  }
}

/** What is gone is nobody's twin. */
export function twinThere({ kind, target }: Node, { target: { snapshot } }: DiffInput): string | undefined {
  return target !== undefined && snapshot.has(kind.name, target) ? target : undefined;
}
