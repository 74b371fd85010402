import { digest, fingerprint, stableText } from "../../model/canonical.ts";
import { Estates } from "./estates.ts";
import type { Thing, User } from "./estates.ts";
import type { DiffInput } from "./input.ts";
import type { Node, Nodes } from "./node.ts";
import type { Resolver } from "./resolver.ts";
import type { Namesakes } from "./same-name.ts";

/** Interchangeable ones that have to do with each other are paired in turn; beyond so many, all at once. */
const mostInTurn = 100;

/**
 * Which of several objects of one name is whose twin: the one of the same content that is used in the same places by
 * the same users. Users may be namesakes themselves, so all are described at once, finer and finer, until no round
 * tells more of them apart: by what they hold, and then by who refers to them, where and with what else. What only one
 * side's users say is no evidence: a colleague may use one of them for more.
 *
 * Those that nothing tells apart are interchangeable, and paired in order, but only when none of them is left over at
 * the target. A search through permutations is not needed: one pair is fixed, and all are described again.
 */
export function tellApart(
  groups: readonly Namesakes[],
  input: DiffInput,
  nodes: Nodes,
  resolver: Resolver,
): ReadonlyMap<Node, string> {
  const estates = new Estates(groups, input, nodes, resolver);
  const twins = new Map<Node, string>();
  const fixed = new Map<Thing, string>();
  const pair = (source: Thing, target: Thing): void => {
    if (source.node !== undefined) twins.set(source.node, target.urn);
    for (const thing of [source, target]) fixed.set(thing, `pair ${twins.size}`);
  };
  for (let turn = 0; ; turn += 1) {
    const alike = classes(estates, describe(estates, fixed), fixed);
    // Groups that have nothing to do with each other take their turns at the same time.
    const next = new Map<string, readonly [Thing, Thing]>();
    for (const { sources, targets } of alike) {
      const [source] = sources;
      const [target] = targets;
      if (source === undefined || target === undefined || targets.length > sources.length) continue;
      const isClear = sources.length === 1 && targets.length === 1;
      // Whoever neither uses others of these nor is used says nothing of them.
      const isIdle = [...sources, ...targets].every((thing) => !estates.isTied(thing));
      if (isClear || isIdle || turn >= mostInTurn)
        for (const [index, twin] of targets.entries()) pair(sources[index] ?? source, twin);
      else next.set(estates.circleOf(source), [source, target]);
    }
    if (next.size === 0) return twins;
    for (const both of next.values()) pair(...both);
  }
}

interface Alike {
  readonly sources: readonly Thing[];
  readonly targets: readonly Thing[];
}

function classes(
  { things }: Estates,
  descriptions: ReadonlyMap<Thing, string>,
  fixed: ReadonlyMap<Thing, string>,
): readonly Alike[] {
  const found = new Map<string, { readonly sources: Thing[]; readonly targets: Thing[] }>();
  for (const thing of things) {
    if (fixed.has(thing)) continue;
    const description = descriptions.get(thing) ?? "";
    const alike = found.get(description) ?? { sources: [], targets: [] };
    found.set(description, alike);
    (thing.node === undefined ? alike.targets : alike.sources).push(thing);
  }
  return [...found.values()];
}

/** What is known of each, as one text: equal where nothing tells two of them apart. */
function describe(estates: Estates, fixed: ReadonlyMap<Thing, string>): ReadonlyMap<Thing, string> {
  const { things } = estates;
  const start = (thing: Thing): string => stableText([thing.group, fixed.get(thing) ?? ""]);
  const began = new Map(things.map((thing) => [thing, digest(start(thing))]));
  const alone = finer(things, began, () => new Map());
  return finer(things, alone, (named) => shared(things, named, (thing) => evidenceOf(thing, estates, named)));
}

/** Until no round tells more of them apart. */
function finer(
  things: readonly Thing[],
  began: ReadonlyMap<Thing, string>,
  evidenceBy: (named: ReadonlyMap<Thing, string>) => ReadonlyMap<Thing, readonly string[]>,
): ReadonlyMap<Thing, string> {
  let known = began;
  for (let apart = 0; ;) {
    const named = known;
    const evidence = evidenceBy(named);
    known = new Map(
      things.map((thing) => {
        const said = [named.get(thing) ?? "", contentOf(thing, named, thing), evidence.get(thing) ?? []];
        return [thing, digest(stableText(said))];
      }),
    );
    const count = new Set(known.values()).size;
    if (count === apart) return known;
    apart = count;
  }
}

interface Said {
  readonly value: string;
  /** By a user that is known on both sides, whose word tells things of other content apart as well. */
  readonly isKnown: boolean;
}

/** What users say of a thing: with all that they hold, and, of those whose twin is known for certain, in which places. */
function evidenceOf(thing: Thing, estates: Estates, named: ReadonlyMap<Thing, string>): readonly Said[] {
  return estates.usersOf(thing).flatMap((user) => {
    const who = user.who ?? (user.thing === undefined ? "" : (named.get(user.thing) ?? ""));
    const whole = digest(stableText(["whole", user.kind, who, contentOf(user, named, thing)]));
    const places = user.isSure ? [...(user.places.get(thing) ?? [])] : [];
    const isKnown = user.who !== undefined;
    return [whole, ...places.map((place) => digest(stableText(["place", user.kind, who, place])))].map(
      (value) => ({ value, isKnown }),
    );
  });
}

/**
 * Only what both sides of a group say; of users that nobody knows yet, only what both sides say of things that are alike so
 * far: one user may look like another one's, and what is told apart by its content needs no such word.
 */
function shared(
  things: readonly Thing[],
  named: ReadonlyMap<Thing, string>,
  of: (thing: Thing) => readonly Said[],
): ReadonlyMap<Thing, readonly string[]> {
  const all = new Map(
    things.map((thing) => {
      const among = (isKnown: boolean): string => (isKnown ? thing.group : (named.get(thing) ?? ""));
      return [thing, of(thing).map(({ value, isKnown }) => ({ value, key: `${among(isKnown)} ${value}` }))];
    }),
  );
  const said = new Map<string, Set<boolean>>();
  for (const [thing, values] of all)
    for (const { key } of values) said.set(key, (said.get(key) ?? new Set()).add(thing.node === undefined));
  return new Map(
    [...all].map(([thing, values]) => [
      thing,
      values.flatMap(({ key, value }) => (said.get(key)?.size === 2 ? [value] : [])).sort(),
    ]),
  );
}

/** The content with names in the place of what is open; `self` is what it is told of. */
function contentOf(
  { shape, render }: Pick<User, "shape" | "render">,
  named: ReadonlyMap<Thing, string>,
  self: Thing,
): string {
  return fingerprint(
    render((thing) => (thing === self ? "this" : (named.get(thing) ?? ""))),
    shape,
  );
}
