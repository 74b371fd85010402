import type { EntityKind } from "../../kinds/kind.ts";
import type { Json } from "../../model/json.ts";
import { isObject } from "../../model/json.ts";
import { mapTexts } from "../../model/map-texts.ts";
import { markedUrn, translate } from "../../model/translate.ts";
import { isUrn } from "../../model/urn.ts";
import { keyPartsText } from "../facets/natural-key.ts";
import { mayBeNameless, standsAlone } from "../facets/standing.ts";
import type { DiffInput } from "./input.ts";
import type { Node, Nodes } from "./node.ts";
import type { Resolver } from "./resolver.ts";
import type { Namesakes } from "./same-name.ts";

/** A natural key with a gap for each reference that leads to what has no twin, and where those lead. */
interface Gapped {
  readonly kind: EntityKind;
  readonly urn: string;
  readonly key: string;
  readonly into: readonly string[];
}

interface OfSource extends Gapped {
  readonly node: Node;
}

/** A private-use character: no key holds it otherwise. */
const gap = "\uE003";

/**
 * What has no name is known by all that it says, references included, and where those lead in a circle no key is ever known: each
 * waits for the others, and all of them would be made beside the same circle at the target. So they are looked for with gaps in
 * the place of such references. What leads to something that is surely new is new itself, and has none at the target.
 */
export function circles(
  wants: (node: Node) => boolean,
  input: DiffInput,
  nodes: Nodes,
  resolver: Resolver,
): readonly Namesakes[] {
  const isOpen = (node: Node): boolean => standsAlone(node.kind) && wants(node);
  if (!nodes.all.some((node) => mayBeNameless(node.kind) && isOpen(node))) return [];
  const free = freeAtTarget(input, nodes);
  // Most often there is nothing that they could be.
  if (![...free.keys()].some(mayBeNameless)) return [];
  const open = nodes.all.filter(isOpen);
  const here = open.flatMap((node) => gappedHere(node, input, resolver) ?? []);
  if (here.length === 0) return [];
  const isFree = new Set([...free.values()].flat());
  const there = [...free].flatMap(([kind, urns]) =>
    urns.flatMap((urn) => gappedThere(kind, urn, isFree, input) ?? []),
  );
  return grouped(closed(here, there));
}

/** What is nobody's twin yet. */
function freeAtTarget(
  { registry, target, mapping }: DiffInput,
  nodes: Nodes,
): ReadonlyMap<EntityKind, readonly string[]> {
  const taken = new Set<string>();
  for (const { standing, target: twin } of nodes.all)
    if (standing === "candidate" && twin !== undefined) taken.add(twin);
  const kinds = registry
    .moved()
    .filter(standsAlone)
    .filter(({ name }) => target.snapshot.kinds().includes(name));
  const free = kinds.map((kind): [EntityKind, readonly string[]] => [
    kind,
    [...target.snapshot.urns(kind.name)].filter(
      (urn) => !taken.has(urn) && mapping.claim(kind.name, urn) === undefined,
    ),
  ]);
  return new Map(free.filter(([, urns]) => urns.length > 0));
}

/** Undefined where its key is known, and where it holds what cannot be looked for. */
function gappedHere(node: Node, input: DiffInput, resolver: Resolver): OfSource | undefined {
  const { kind, urn } = node;
  if (!standsAlone(kind)) return undefined;
  const into = new Set<string>();
  const pending = new Set<string>();
  let isLost = false;
  const put = (text: string): string => {
    const marked = markedUrn(text);
    if (marked === undefined) return text;
    into.add(marked);
    return gap;
  };
  const parts = kind.naturalKey(input.source.body(kind.name, urn)).map((part): Json => {
    if (isObject(part)) {
      const found = translate(part, resolver.lookup({}));
      for (const owner of found.pending) pending.add(owner);
      isLost ||= found.unresolved.length > 0;
      return mapTexts(found.tree, put, put);
    }
    if (!isUrn(part)) return part;
    const found = resolver.urn(part);
    if (found.state === "target") return found.urn;
    isLost ||= found.state !== "pending";
    if (found.state === "pending") pending.add(found.owner);
    into.add(part);
    return gap;
  });
  // An id in a text, or that of a part, leads to something as well, and no gap stands for it.
  const isWhole = [...pending].every((owner) => into.has(owner)) && into.size === pending.size;
  return isLost || !isWhole || into.size === 0
    ? undefined
    : { kind, urn, node, key: keyPartsText(kind, parts), into: [...into] };
}

function gappedThere(
  kind: EntityKind,
  urn: string,
  free: ReadonlySet<string>,
  { target }: DiffInput,
): Gapped | undefined {
  const into = new Set<string>();
  const put = (text: string): string => {
    if (!free.has(text)) return text;
    into.add(text);
    return gap;
  };
  const parts = kind
    .naturalKey(target.snapshot.body(kind.name, urn))
    .map((part): Json => mapTexts(part, put, put));
  return into.size === 0 ? undefined : { kind, urn, key: keyPartsText(kind, parts), into: [...into] };
}

interface Both {
  readonly here: readonly OfSource[];
  readonly there: readonly Gapped[];
}

/** Those of which each has some on the other side, and leads to others of them alone. */
function closed(here: readonly OfSource[], there: readonly Gapped[]): Both {
  let both: Both = { here, there };
  for (;;) {
    const next = { here: among(both.here, both.there), there: among(both.there, both.here) };
    if (next.here.length === both.here.length && next.there.length === both.there.length) return both;
    both = next;
  }
}

function among<T extends Gapped>(some: readonly T[], others: readonly Gapped[]): readonly T[] {
  const keys = new Set(others.map(keyOf));
  const urns = new Set(some.map(({ urn }) => urn));
  return some.filter((one) => keys.has(keyOf(one)) && one.into.every((urn) => urns.has(urn)));
}

function keyOf({ kind, key }: Gapped): string {
  return `${kind.name} ${key}`;
}

function grouped({ here, there }: Both): readonly Namesakes[] {
  const candidates = Map.groupBy(there, keyOf);
  return [...Map.groupBy(here, keyOf)].flatMap(([key, group]) => {
    const [first] = group;
    if (first === undefined) return [];
    const urns = (candidates.get(key) ?? []).map(({ urn }) => urn);
    return [{ kind: first.kind, nodes: group.map(({ node }) => node), candidates: urns }];
  });
}
