import type { EntityKind } from "../../kinds/kind.ts";
import type { Json } from "../../model/json.ts";
import { stableText } from "../../model/canonical.ts";
import { keyText } from "../../model/key.ts";
import { subEntityKeys } from "../../model/sub-entity.ts";
import { isUrn } from "../../model/urn.ts";
import type { Comparison } from "./compare.ts";
import { compareWith } from "./compare.ts";
import type { DiffInput } from "./input.ts";
import type { Node, Nodes } from "./node.ts";
import { stop } from "./node.ts";
import { stopAtDeepTwin } from "./too-deep.ts";
import type { Resolver } from "./resolver.ts";
import { standsAlone } from "../facets/standing.ts";

/**
 * The identity ladder below the mapping (DESIGN, section 6): a natural key that is unique on both sides and
 * unclaimed makes a candidate; comparing decides, by policy, whether it is adopted.
 */
export function identify(
  input: DiffInput,
  nodes: Nodes,
  resolver: Resolver,
): ReadonlyMap<string, Comparison> {
  for (const kind of input.registry.moved()) {
    if (!standsAlone(kind)) continue;
    if (input.plan.policy.adopt !== "never") findCandidates(kind, input, nodes, resolver);
    if (kind.ownsParts === true) pairParts(kind, input, nodes, resolver);
  }
  return settleCandidates(input, nodes, resolver);
}

/** Keys may have been assigned anew on either side: they are paired before others ask for the parts they name. */
function pairParts(kind: EntityKind, input: DiffInput, nodes: Nodes, resolver: Resolver): void {
  for (const node of nodes.all.values()) {
    const known = node.standing === "mapped" || node.standing === "candidate";
    if (node.kind !== kind || !known || node.target === undefined || allKeysThere(node, input)) continue;
    node.keys = { ...node.keys, ...compareWith(node, node.target, input, resolver).keys };
  }
}

/** The mapping knows every key of the object, and each one is still there at the target. */
function allKeysThere({ kind, urn, target, keys }: Node, input: DiffInput): boolean {
  const there = subEntityKeys(input.target.snapshot.body(kind.name, target ?? ""));
  const own = [...subEntityKeys(input.source.body(kind.name, urn))];
  return own.every((key) => there.has(keys[key] ?? ""));
}

function findCandidates(kind: EntityKind, input: DiffInput, nodes: Nodes, resolver: Resolver): void {
  const open = [...nodes.all.values()].filter(
    (node) => node.kind === kind && node.standing === "new" && node.selected,
  );
  if (open.length === 0) return;
  const free = new Map<string, string[]>();
  for (const { urn, body } of input.target.snapshot.stream(kind.name)) {
    if (input.mapping.claim(kind.name, urn) === undefined)
      push(free, stableText([...kind.naturalKey(body)]), urn);
  }
  if (free.size === 0) return;
  const wanting = new Map<string, Node[]>();
  for (const node of open) {
    const key = translateKey(kind.naturalKey(input.source.body(kind.name, node.urn)), resolver);
    if (key !== undefined && free.has(key)) push(wanting, key, node);
  }
  for (const [key, group] of wanting) {
    const candidates = free.get(key) ?? [];
    const [first] = candidates;
    if (group.length === 1 && candidates.length === 1 && first !== undefined) {
      for (const node of group) propose(node, first);
    } else {
      decideByContent(group, candidates, input, resolver);
    }
  }
}

/** Several share a name on one side or the other: only equal content can tell them apart. */
function decideByContent(
  group: readonly Node[],
  candidates: readonly string[],
  input: DiffInput,
  resolver: Resolver,
): void {
  const byContent = new Map<string, { readonly nodes: Node[]; readonly equal: readonly string[] }>();
  for (const node of group) {
    const equal = candidates.filter((urn) => {
      const { sourceFingerprint, targetFingerprint } = compareWith(node, urn, input, resolver);
      return sourceFingerprint === targetFingerprint;
    });
    const alike = byContent.get(equal.join(" "));
    if (alike === undefined) byContent.set(equal.join(" "), { nodes: [node], equal });
    else alike.nodes.push(node);
  }
  const taken = new Set<string>();
  const left: Node[] = [];
  for (const { nodes, equal } of byContent.values()) {
    // Twins with the same content are interchangeable only when none of them is left over.
    const twins = equal.length > nodes.length ? [] : equal;
    for (const [index, node] of nodes.entries()) {
      const twin = twins[index];
      if (twin === undefined) {
        left.push(node);
      } else {
        taken.add(twin);
        propose(node, twin);
      }
    }
  }
  const others = candidates.filter((urn) => !taken.has(urn));
  for (const node of left) {
    if (others.length === 0) continue;
    node.candidates = others;
    const names = others.map((urn) => `"${input.target.snapshot.name(node.kind.name, urn)}" (${urn})`);
    stop(node, {
      action: "blocked",
      code: "ambiguous",
      reason: `its natural key fits ${group.length} objects at the source and ${candidates.length} at the target; candidates: ${names.join(", ")}`,
      suggestion: `Say which one it is: ferry mappings ${input.plan.name} set ${node.urn} <target urn>`,
    });
  }
}

/**
 * Candidates are taken for granted, compared, and those that do not hold are dropped, until nothing changes: what
 * was compared through a dropped one is compared again (terms refer to each other in cycles).
 */
function settleCandidates(
  input: DiffInput,
  nodes: Nodes,
  resolver: Resolver,
): ReadonlyMap<string, Comparison> {
  const accepted = new Map<string, Comparison>();
  for (let again = true; again;) {
    again = false;
    accepted.clear();
    for (const kind of input.registry.moved()) {
      for (const node of nodes.all.values()) {
        if (node.kind !== kind || node.standing !== "candidate" || node.target === undefined) continue;
        if (stopAtDeepTwin(node, input)) {
          // Nobody has accepted it as the twin: what refers to this one is not led there.
          node.candidates = [node.target];
          node.target = undefined;
          again = true;
          continue;
        }
        const comparison = compareWith(node, node.target, input, resolver);
        const same = comparison.sourceFingerprint === comparison.targetFingerprint;
        if (same || input.plan.policy.adopt === "by-name") {
          node.keys = comparison.keys;
          accepted.set(keyText(node.kind.name, node.urn), comparison);
          continue;
        }
        const { target } = node;
        node.target = undefined;
        node.keys = {};
        node.candidates = [target];
        const fields = comparison.difference.fields.map((field) => field.path);
        stop(node, {
          action: "blocked",
          code: "exists-with-other-content",
          reason: `the target has one of the same name with other content (${target}); differing: ${fields.slice(0, 5).join(", ")}${fields.length > 5 ? ` and ${fields.length - 5} more` : ""}`,
          suggestion: `Accept it as the twin: ferry mappings ${input.plan.name} set ${node.urn} ${target} (or set policy.adopt to by-name for all), rename one of them, or set policy.adopt to never to create a second one.`,
          cause: {
            key: "exists-with-other-content",
            summary: "the target has one of the same name with other content",
            detail: "In what each one differs is told with it: in --format html, in --json, or with -v.",
            suggestion: `See how alike they are with \`ferry mappings ${input.plan.name} suggest\`; accept them one by one, or set policy.adopt to by-name for all.`,
          },
        });
        again = true;
      }
    }
  }
  return accepted;
}

function propose(node: Node, target: string): void {
  node.standing = "candidate";
  node.target = target;
}

function translateKey(key: readonly Json[], resolver: Resolver): string | undefined {
  const parts: Json[] = [];
  for (const part of key) {
    if (!isUrn(part)) {
      parts.push(part);
      continue;
    }
    const resolution = resolver.urn(part);
    if (resolution.state !== "target") return undefined;
    parts.push(resolution.urn);
  }
  return stableText(parts);
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}
