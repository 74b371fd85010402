import type { EntityKind } from "../../kinds/kind.ts";
import { standAlike } from "../../model/part-places.ts";
import type { Problem } from "../../model/translate.ts";
import { circles } from "./circles.ts";
import type { Comparison } from "./compare.ts";
import { compareWith } from "./compare.ts";
import type { DiffInput } from "./input.ts";
import { holdNameless } from "./nameless.ts";
import type { Node, Nodes } from "./node.ts";
import { isHalfMade, stop } from "./node.ts";
import { OtherNamesakes, twinThere } from "./other-namesakes.ts";
import type { Resolver } from "./resolver.ts";
import type { Namesakes } from "./same-name.ts";
import { namesakes } from "./same-name.ts";
import { tellApart } from "./tell-apart.ts";
import { settingOf } from "./setting.ts";
import { stopAtTwin } from "./too-deep.ts";
import { mayBeNameless, standsAlone } from "../facets/standing.ts";

/**
 * The identity ladder below the mapping: a natural key that is unique on both sides and
 * unclaimed makes a candidate; comparing decides, by policy, whether it is adopted. What is to be created again
 * because its twin is gone goes up the same ladder: somebody may have created it again already.
 */
export function identify(
  input: DiffInput,
  nodes: Nodes,
  resolver: Resolver,
): ReadonlyMap<string, Comparison> {
  const kinds = input.registry.moved().filter(standsAlone);
  const pair = (kind: EntityKind): void => {
    if (kind.ownsParts === true) pairParts(kind, input, nodes, resolver);
  };
  // The natural keys of some hold the URNs of others: those may be known only when namesakes are told apart.
  for (let again = true; again;) {
    const find = (kind: EntityKind): readonly Namesakes[] => {
      const found = input.plan.policy.adopt === "never" ? [] : findCandidates(kind, input, nodes, resolver);
      pair(kind);
      return found;
    };
    const named = kinds.flatMap(find);
    // What has no name is known by all that it says, and that leads to kinds which come after its own, too.
    const open = named.length > 0 ? named : kinds.filter(mayBeNameless).flatMap(find);
    // Only when all others are known: what is left waits for what is made in this run, or for itself.
    const left =
      open.length > 0 || input.plan.policy.adopt === "never"
        ? open
        : circles((node) => wants(node, input), input, nodes, resolver);
    again = left.length > 0;
    if (!again) break;
    decideNamesakes(left, input, nodes, resolver);
    for (const kind of kinds) pair(kind);
  }
  if (input.plan.policy.adopt !== "never") holdNameless((node) => wants(node, input), input, nodes, resolver);
  if (input.plan.policy.missingTarget === "report") nameMissing(kinds, input, nodes, resolver);
  return settleCandidates(input, nodes, resolver);
}

/** Keys may have been assigned anew on either side: they are paired before others ask for the parts they name. */
function pairParts(kind: EntityKind, input: DiffInput, nodes: Nodes, resolver: Resolver): void {
  for (const node of nodes.all) {
    if (node.kind !== kind || node.target === undefined || !isThere(node, input)) continue;
    if (areAllThere(node, input)) continue;
    const there = compareWith(node, node.target, input, resolver).keys;
    resolver.noteLacking(node, there);
    node.keys = { ...node.keys, ...there };
  }
}

/** What is left to a person stays where it is, and others name its parts all the same. */
function isThere({ kind, standing, target }: Node, { target: { snapshot } }: DiffInput): boolean {
  if (standing === "stopped") return snapshot.has(kind.name, target ?? "");
  return standing === "mapped" || standing === "candidate";
}

/** The mapping knows every key of the object, and each one is still there at the target, in its place, with what it says. */
function areAllThere({ kind, urn, target, keys }: Node, input: DiffInput): boolean {
  return standAlike(
    input.source.body(kind.name, urn),
    input.target.snapshot.body(kind.name, target ?? ""),
    keys,
  );
}

function findCandidates(
  kind: EntityKind,
  input: DiffInput,
  nodes: Nodes,
  resolver: Resolver,
): readonly Namesakes[] {
  for (;;) {
    const all = namesakes(
      kind,
      (node) => wants(node, input) || isMakingInDoubt(node),
      input,
      nodes,
      resolver,
    );
    const found = all.filter((group) => !stopBesideDoubt(group));
    const sure = found.filter(
      ({ nodes: group, candidates }) => group.length === 1 && candidates.length === 1,
    );
    for (const { nodes: group, candidates } of sure) propose(first(group), first(candidates));
    // In a tree the natural key of one holds the URN of another of its kind: one level makes the next one known.
    if (sure.length === 0 || !kind.refersTo.includes(kind.name)) {
      return found.filter((group) => !sure.includes(group));
    }
  }
}

function wants(node: Node, { plan }: DiffInput): boolean {
  return (
    node.selected && (node.standing === "new" || (plan.policy.missingTarget === "recreate" && isGone(node)))
  );
}

/** Its name leads it to a twin as well, or might have: it was told apart from the others of that name, or left with them to a person. */
function isWeighed(node: Node, input: DiffInput): boolean {
  return node.standing === "candidate" || wants(node, input) || node.stop?.code === "ambiguous";
}

/** Whether it was made is not settled, and what was made may stand there under its name. */
function isMakingInDoubt(node: Node): boolean {
  return (node.stop?.code === "in-doubt" || node.stop?.code === "on-its-way") && node.entry === undefined;
}

/** What an earlier request may have made for one of its namesakes is nobody else's twin before that is settled. */
function stopBesideDoubt({ nodes: group, candidates }: Namesakes): boolean {
  const open = group.find(isMakingInDoubt);
  const why = open?.stop;
  if (open === undefined || why === undefined) return false;
  for (const node of group) {
    if (isMakingInDoubt(node)) continue;
    node.candidates = candidates;
    const reason = `the target has one of the same name (${candidates.join(", ")}), which may be what an earlier request made for ${open.kind.name} "${open.name}" (${open.urn}): it had no answer, and whether it happened is not settled`;
    stop(node, { ...why, reason });
  }
  return true;
}

function first<T>([one]: readonly T[]): T {
  if (one === undefined) throw new Error("a group without members");
  return one;
}

function isGone(node: Node): boolean {
  return node.standing === "missing" && !isHalfMade(node);
}

/** Under `report` nothing is adopted in the place of what is gone, but a person is told what may be it. */
function nameMissing(kinds: readonly EntityKind[], input: DiffInput, nodes: Nodes, resolver: Resolver): void {
  for (const kind of kinds) {
    const found = namesakes(kind, (node) => node.selected && isGone(node), input, nodes, resolver);
    for (const { nodes: group, candidates } of found) for (const node of group) node.candidates = candidates;
  }
}

/** Several share a name on one side or the other: equal content and who uses them tell them apart, or a person. */
function decideNamesakes(
  groups: readonly Namesakes[],
  input: DiffInput,
  nodes: Nodes,
  resolver: Resolver,
): void {
  const twins = tellApart(groups, input, nodes, resolver);
  for (const { nodes: group, candidates } of groups) {
    const taken = new Set(group.map((node) => twins.get(node)));
    const others = candidates.filter((urn) => !taken.has(urn));
    for (const node of group) {
      const twin = twins.get(node);
      if (twin !== undefined) propose(node, twin);
      else if (others.length > 0) stopAmbiguous(node, others, { group, candidates }, input);
    }
  }
}

function stopAmbiguous(
  node: Node,
  others: readonly string[],
  { group, candidates }: { readonly group: readonly Node[]; readonly candidates: readonly string[] },
  input: DiffInput,
): void {
  node.candidates = others;
  const names = others.map((urn) => `"${input.target.snapshot.name(node.kind.name, urn)}" (${urn})`);
  stop(node, {
    action: "blocked",
    code: "ambiguous",
    reason: `its natural key fits ${group.length === 1 ? "1 object" : `${group.length} objects`} at the source and ${candidates.length} at the target; candidates: ${names.join(", ")}`,
    suggestion: `Say which one it is: ${settingOf(node, "<target urn>", input)}`,
  });
}

/**
 * Candidates are taken for granted, compared, and those that do not hold are dropped, until nothing changes: what
 * was compared through a dropped one is compared again (terms refer to each other in cycles). What has its name through a
 * dropped one (what lies in a folder, say) has none by which it could be told, and waits for that one.
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
    const namesakesOf = new OtherNamesakes(input, nodes, resolver, (node) => isWeighed(node, input));
    for (const kind of input.registry.moved()) {
      for (const node of nodes.all) {
        if (node.kind !== kind || node.standing !== "candidate" || node.target === undefined) continue;
        if (stopAtTwin(node, input)) {
          // Nobody has accepted it as the twin: what refers to this one is not led there.
          node.candidates = [node.target];
          node.target = undefined;
          again = true;
          continue;
        }
        const comparison = compareWith(node, node.target, input, resolver);
        const same = comparison.sourceFingerprint === comparison.targetFingerprint;
        const isNamed = input.plan.policy.adopt === "by-name";
        const others = same || !isNamed ? [] : namesakesOf.of(node);
        const orphaned = same || !isNamed ? [] : namesakesOf.orphanedBeside(node);
        if (same || (isNamed && others?.length === 0 && orphaned.length === 0)) {
          node.keys = comparison.keys;
          accepted.set(node.key, comparison);
          continue;
        }
        const { target } = node;
        node.target = undefined;
        node.keys = {};
        again = true;
        if (others === undefined) {
          node.standing = "new";
          continue;
        }
        if (others.length > 0 || orphaned.length > 0) {
          const twins = others.flatMap((other) => twinThere(other, input) ?? []);
          const candidates = [target, ...twins, ...orphaned];
          stopAmbiguous(node, [target, ...orphaned], { group: [node, ...others], candidates }, input);
          continue;
        }
        node.candidates = [target];
        const fields = comparison.difference.fields.map((field) => field.path);
        const open = openIn(comparison, nodes);
        const without = open
          .slice(0, mostOpen)
          .map(({ pointer, reason }) => `; what it refers to at ${pointer} has no target: ${reason}`)
          .join("");
        const more = open.length > mostOpen ? `; nor has what ${open.length - mostOpen} others lead to` : "";
        const advice = [...new Set(open.flatMap(({ suggestion }) => suggestion ?? []))];
        const first = advice.length === 0 ? "" : `${advice.join(" ")} Then look again. Otherwise: `;
        stop(node, {
          action: "blocked",
          code: "exists-with-other-content",
          reason: `the target has one of the same name with other content (${target}); differing: ${fields.slice(0, 5).join(", ")}${fields.length > 5 ? ` and ${fields.length - 5} more` : ""}${without}${more}`,
          suggestion: `${first}${first === "" ? "Accept" : "accept"} it as the twin: ${settingOf(node, target, input)} (or set policy.adopt to by-name for all), rename one of them, or set policy.adopt to never to create a second one.`,
          cause: {
            key: "exists-with-other-content",
            summary: "the target has one of the same name with other content",
            detail: "In what each one differs is told with it: in --format html, in --json, or with -v.",
            suggestion: `See how alike they are with \`ferry mappings ${input.plan.name} suggest\`; accept them one by one, or set policy.adopt to by-name for all.`,
          },
        });
      }
    }
  }
  return accepted;
}

/** So many are told one by one. */
const mostOpen = 3;

/**
 * What may be why they differ: given things whose lists were refused, or that nobody has paired. What is open for one
 * reason at several places is told at the first.
 */
function openIn({ translation: { unresolved } }: Comparison, { named }: Nodes): readonly Problem[] {
  const open = unresolved.filter(({ value }) => !named.has(value));
  return [...new Map(open.toReversed().map((one) => [one.reason, one])).values()].toReversed();
}

function propose(node: Node, target: string): void {
  node.standing = "candidate";
  node.target = target;
  // Those of a twin that is gone went with it.
  node.keys = {};
}
