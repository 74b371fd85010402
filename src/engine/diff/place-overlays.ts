import type { LinkKind, OverlayKind } from "../../kinds/kind.ts";
import { isLocated, liesOver } from "../facets/standing.ts";
import type { DiffInput } from "./input.ts";
import { locatedOver } from "./located.ts";
import type { Node, Nodes, Stop } from "./node.ts";
import { stop } from "./node.ts";
import { selectsItself } from "../read/selection.ts";
import { shellWord } from "../../model/shell-word.ts";
import type { Resolver } from "./resolver.ts";

/** What lies over something moved, with the URN of that at the source. */
export type OverMoved = readonly [node: Node, kind: OverlayKind | LinkKind, over: string];

/**
 * What lies over given things stands where those stand: they are paired, and references to it can be followed at once.
 * Gives what lies over moved things, which waits for their identity.
 */
export function placeOverGiven(input: DiffInput, nodes: Nodes): readonly OverMoved[] {
  const others: OverMoved[] = [];
  for (const node of nodes.all) {
    const { kind } = node;
    if (!liesOver(kind) || node.standing === "stopped") continue;
    const over = kind.over.urn(input.source.body(kind.name, node.urn)) ?? "";
    if (isOverMoved(over, input, nodes)) {
      node.over = over;
      others.push([node, kind, over]);
    } else placeByPair(node, kind, over, input);
  }
  return others;
}

/** What lies over moved things, once those are identified. Over what this run creates it is awaited. */
export function placeOverMoved(others: readonly OverMoved[], input: DiffInput, resolver: Resolver): void {
  for (const [node, kind, over] of others) {
    placeByIdentity(node, kind, over, input, resolver);
    node.over = undefined;
  }
}

function isOverMoved(over: string, input: DiffInput, nodes: Nodes): boolean {
  return nodes.named.has(over) || input.target.pairs.inside.has(over);
}

function placeByPair(node: Node, kind: OverlayKind | LinkKind, over: string, input: DiffInput): void {
  const { target, plan, mapping } = input;
  const twin = target.overlays.get(kind.name, node.urn);
  const other = twin === undefined ? undefined : otherAt(twin, node, kind, input);
  if (other !== undefined) return stop(node, other);
  if (twin !== undefined) return placeAt(node, kind, twin, target);
  const unpaired = target.pairs.unpaired.get(over);
  const below = unpaired === undefined ? (mapping.twin(over) ?? target.pairs.twins.get(over)) : undefined;
  if (below !== undefined && target.pairs.records.has(below)) return stopWithoutOwn(node, below, target);
  stop(node, {
    action: "blocked",
    code: "no-twin",
    reason: `what it lies over has no twin at the target${unpaired === undefined ? "" : `: ${unpaired.kind} "${unpaired.name}": ${unpaired.reason}`}`,
    ...(unpaired === undefined
      ? {}
      : {
          suggestion: unpaired.suggestion.replaceAll("ferry mappings PLAN", `ferry mappings ${plan.name}`),
          cause: unpaired.cause,
        }),
  });
}

/**
 * Two things that are led to one are seen where the run looks at both. Of one that it does not look at the mapping tells, as long as no
 * person has paired that one with something else.
 */
function otherAt(
  twin: string,
  node: Node,
  kind: OverlayKind | LinkKind,
  { mapping, plan, target }: DiffInput,
): Stop | undefined {
  const other = mapping.claim(kind.name, twin);
  if (other === undefined || other === node.urn) return undefined;
  const name = mapping.nameOf(kind.name, other) ?? "";
  if (selectsItself(plan.select)({ selectedAs: kind.selectedAs, urn: other, name })) return undefined;
  const paired = mapping.twin(other);
  if (paired !== undefined && paired !== twin) return undefined;
  const there = target.pairs.records.get(twin)?.name;
  return {
    action: "blocked",
    code: "no-twin",
    reason: `what it lies over is led to ${there === undefined ? twin : `"${there}" (${twin})`}, where that of "${name}" (${other}) is, which this run does not look at: a thing of the target is the twin of one alone`,
    suggestion: `Lead them to one each (pairing in the plan). Where that of "${name}" is gone, or led elsewhere by now, look at both in one run, or take its pair away: ferry mappings ${plan.name} remove ${shellWord(other)}`,
  };
}

function placeByIdentity(
  node: Node,
  kind: OverlayKind | LinkKind,
  over: string,
  input: DiffInput,
  resolver: Resolver,
): void {
  const where = resolver.urn(over);
  if (where.state === "pending") {
    node.standing = "awaited";
    node.target = undefined;
    return;
  }
  if (where.state === "target") {
    const located = locatedOver(node, over, where.urn, input);
    return located === undefined
      ? stopWithoutOwn(node, where.urn, input.target)
      : placeAt(node, kind, located, input.target);
  }
  const cause = resolver.cause(over);
  stop(node, {
    action: "blocked",
    code: "no-twin",
    reason: `what it lies over has no twin at the target${"reason" in where ? `: ${where.reason}` : ""}`,
    ...("suggestion" in where && where.suggestion !== undefined ? { suggestion: where.suggestion } : {}),
    ...(cause === undefined ? {} : { cause }),
  });
}

/** Where it would lie is known; what is there has none that could be changed. */
function stopWithoutOwn(node: Node, below: string, { snapshot, pairs }: DiffInput["target"]): void {
  const kind = snapshot.kinds().find((name) => snapshot.has(name, below));
  const name = kind === undefined ? pairs.records.get(below)?.name : snapshot.name(kind, below);
  const { kind: own } = node;
  stop(node, {
    action: "blocked",
    code: "no-own",
    reason: `what it lies over is there (${name === undefined ? "" : `"${name}", `}${below}), and shows none of these: ${own.name}`,
    suggestion:
      "Open it in the web application of the target, so that it has one, or see to it that it can be read; then run again. Or leave this out with select.exclude.",
  });
}

/** One without a URN of its own may hold nothing yet: then no list shows it, and it is empty. */
function placeAt(
  node: Node,
  kind: OverlayKind | LinkKind,
  twin: string,
  { snapshot }: DiffInput["target"],
): void {
  node.target = twin;
  node.standing = !isLocated(kind) || snapshot.has(kind.name, twin) ? "mapped" : "missing";
}
