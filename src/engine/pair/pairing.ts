import type { Found, GivenKind, PairingContext } from "../../kinds/kind.ts";
import type { Registry } from "../../kinds/registry.ts";
import type { MappingTable } from "../../model/mapping-table.ts";
import { FoundTable } from "../../model/packed/found-table.ts";
import { TextPairs } from "../../model/packed/numbers.ts";
import type { Pairing } from "../../model/plan.ts";
import { formatUrn, parseUrn, urnType } from "../../model/urn.ts";
import type { ReadClient } from "../../service/index.ts";
import type { Early } from "../read/foresight.ts";
import { nothingEarly } from "../read/foresight.ts";
import { readTogether } from "../read/given-reader.ts";
import type { OwnUrns } from "../read/own-urns.ts";
import { Turns } from "../turns.ts";
import type { Match } from "./match.ts";
import { goneTwins } from "./gone-twins.ts";
import { Claims, match, onceEach, settled, soughtAmong } from "./match.ts";
import { OthersTwins } from "./others-twins.ts";
import { renamer } from "./rename.ts";
import type { Unlisted } from "./unlisted.ts";
import { unlisted } from "./unlisted.ts";
import type { Unpaired } from "./unpaired.ts";
import { Explainer } from "./unpaired.ts";

export type { Unpaired } from "./unpaired.ts";

export interface Pairs {
  /** Source URN to target URN, of given things and their parts. */
  readonly twins: ReadonlyMap<string, string>;
  readonly unpaired: ReadonlyMap<string, Unpaired>;
  /** By kind: nobody knows what there is of it on one side. */
  readonly unlisted: ReadonlyMap<string, Unlisted>;
  /** What a moved object would be the twin of by what it is as a given thing: its identity decides. */
  readonly supposed: ReadonlyMap<string, string>;
  /** Those of which it could not be told, by what they are as given things. */
  readonly untold: ReadonlySet<string>;
  /** Given things that stand in an object which is moved itself: the attributes of an SQL item. */
  readonly inside: ReadonlyMap<string, Inside>;
  /** The target's given records, by URN. */
  readonly records: FoundTable;
}

/** A given thing inside a moved object has a twin only while that one's twin is the one it was looked for in. */
export interface Inside {
  readonly kind: string;
  readonly name: string;
  /** URN at the source of the object that it stands in, and the URN at the target that was taken for its twin. */
  readonly holder: string;
  readonly holderTwin: string | undefined;
  readonly twin: string | undefined;
  readonly unpaired: Unpaired | undefined;
}

const none: ReadonlySet<string> = new Set();

/** Finds the target twins of given things: explicit mapping first, then natural keys that fit exactly one. */
export async function pairGiven(options: {
  readonly client: ReadClient;
  readonly registry: Registry;
  readonly pairing: Pairing;
  readonly mapping: MappingTable;
  /** How URNs of the target begin, as far as that is known before it is read. */
  readonly targetUrns: OwnUrns;
  readonly sourceRecords: (kind: string) => readonly Found[];
  /** Why nobody knows what there is of a kind at the source. */
  readonly sourceNotKnown?: (kind: string) => string | undefined;
  readonly mayDrop: (kind: GivenKind) => boolean;
  /** Whether a given thing of the source is an object that is moved, too. */
  readonly isMoved?: (kind: string, urn: string) => boolean;
  /** What was begun to be read at the target. */
  readonly early?: Early | undefined;
  /** Twins of moved objects, source to target, that came out in a comparison where several could be it before. */
  readonly told?: ReadonlyMap<string, string> | undefined;
}): Promise<Pairs> {
  const { client, registry, mapping, isMoved = () => false, early = nothingEarly } = options;
  const twins = new TextPairs();
  /** What a moved object may be the twin of: identification decides, and only what stands in it asks meanwhile. */
  const supposed = new Map<string, string>();
  const untold = new Set<string>();
  const inside = new Map<string, Inside>();
  const unpaired = new Map<string, Unpaired>();
  const withoutList = new Map<string, Unlisted>();
  const records = new FoundTable();
  const others = new OthersTwins(options.pairing);
  const context: PairingContext = {
    pairing: options.pairing,
    // What the mapping names may be gone, and something else stand in its place by now.
    twin: (urn) =>
      supposed.get(urn) ?? (unpaired.has(urn) ? undefined : (mapping.twin(urn) ?? twins.get(urn))),
    rename: renamer(options.pairing),
    isOther: (urn, there) => others.isOther(unpaired.get(urn), there),
    inTarget(urn) {
      const parts = parseUrn(urn);
      return parts === undefined ? urn : formatUrn({ ...parts, ...options.targetUrns });
    },
  };

  const order = inOrder(registry.given());
  const holders = new Set(order.flatMap((kind) => kind.after));
  const holderNames = new Map<string, string>();
  const words = {
    ...context,
    nameOf: (urn: string): string | undefined => holderNames.get(urn) ?? records.get(urn)?.name,
  };
  // Items wait for their sources, and attributes for their items; the rest is asked for at once.
  await readTogether(order, async (kind) => {
    const notKnown = options.sourceNotKnown?.(kind.name);
    if (notKnown !== undefined) withoutList.set(kind.name, unlisted(kind, "source", notKnown));
    const wanted = options.sourceRecords(kind.name);
    if (wanted.length === 0) return;
    if (holders.has(kind.name)) for (const { urn, name } of wanted) holderNames.set(urn, name);
    const answer = await (early.get(kind.name) ?? kind).candidates(client, wanted, context);
    const missing = "notKnown" in answer ? unlisted(kind, "target", answer.notKnown) : undefined;
    if (missing !== undefined) withoutList.set(kind.name, missing);
    const isSaid = "onlySaid" in answer;
    const shown = "notKnown" in answer ? [] : isSaid ? answer.onlySaid : answer;
    let isRepeated = false;
    for (const candidate of shown) {
      isRepeated ||= records.has(candidate.urn);
      records.set(candidate);
    }
    const candidates = isRepeated ? onceEach(shown) : shown;
    others.named(kind, candidates);
    const sought = soughtAmong(candidates, { kind, context, wanted });
    const isWhole = missing === undefined && !isSaid;
    // What is moved as well, and what a person has paired: few of what is looked for.
    const mapped = new Map<string, string>();
    const said: string[] = [];
    const isWithin = (record: Found): boolean => holderOf(kind, record, registry, isMoved) !== undefined;
    for (const record of wanted) {
      const twin = mapping.twin(record.urn);
      if (twin === undefined) continue;
      mapped.set(record.urn, twin);
      if (!isWithin(record)) said.push(twin);
    }
    const gone = missing === undefined ? await goneTwins({ client, kind, said, seen: records }) : none;
    // Of what is moved, and of what stands in it, the mapping tells what it was; where that is gone, a namesake may be it. What stands in it
    // is looked for there alone.
    const isGone = (record: Found, twin: string): boolean =>
      isWhole && !records.has(twin) && (isMoved(kind.name, record.urn) ? gone.has(twin) : isWithin(record));
    const matchOf = (record: Found): Match => {
      const explicit = mapped.get(record.urn) ?? options.told?.get(record.urn);
      if (explicit !== undefined && !isGone(record, explicit))
        return gone.has(explicit) ? { why: "gone", there: explicit } : { urn: explicit };
      if (missing !== undefined) return { why: "not-known", missing };
      const found = match(record, sought);
      // What is not said cannot have been looked for.
      return isSaid && "why" in found && found.why === "nothing" ? { why: "no-key" } : found;
    };
    const turns = new Turns();
    const matches: Match[] = [];
    for (const record of wanted) {
      await turns.next();
      matches.push(matchOf(record));
    }
    const claims = new Claims(matches);
    const isTaken = (there: string): boolean => claims.has(there) || others.isSomebodys(there);
    const explainer = new Explainer({ kind, candidates, isTaken, words, unpaired });
    let index = 0;
    for (const found of settled(matches, wanted, claims)) {
      await turns.next();
      const record = wanted[index];
      index += 1;
      if (record === undefined) continue;
      if (isMoved(kind.name, record.urn)) {
        if ("urn" in found) supposed.set(record.urn, found.urn);
        else untold.add(record.urn);
        continue;
      }
      const holder = holderOf(kind, record, registry, isMoved);
      if (holder !== undefined) {
        const isFound = "urn" in found;
        inside.set(record.urn, {
          kind: kind.name,
          name: record.name,
          holder,
          holderTwin: context.twin(holder),
          twin: isFound ? found.urn : undefined,
          unpaired: isFound ? undefined : { ...explainer.explain(record, found), mayDrop: false },
        });
        continue;
      }
      if ("urn" in found) {
        twins.set(record.urn, found.urn);
        others.paired(kind, found.urn);
        const twin = records.get(found.urn);
        const parts = twin === undefined ? undefined : kind.parts?.(record, twin);
        for (const [from, to] of parts?.pairs ?? []) twins.set(from, to);
        for (const problem of parts?.problems ?? []) {
          const { reason, suggestion } = problem;
          unpaired.set(problem.urn, {
            kind: kind.name,
            name: record.name,
            reason,
            suggestion,
            candidates: [],
            mayDrop: false,
            cause: { key: problem.urn, summary: reason, suggestion },
          });
        }
      } else {
        unpaired.set(record.urn, {
          ...explainer.explain(record, found),
          // What is only not known is not left out.
          mayDrop: missing === undefined && options.mayDrop(kind),
        });
      }
    }
  });
  const rank = new Map(order.map((kind, index) => [kind.name, index]));
  const inKindOrder = [...unpaired].sort(
    ([, one], [, other]) => (rank.get(one.kind) ?? 0) - (rank.get(other.kind) ?? 0),
  );
  return { twins, unpaired: new Map(inKindOrder), unlisted: withoutList, supposed, untold, inside, records };
}

/** The moved object that a given thing stands in. */
function holderOf(
  kind: GivenKind,
  record: Found,
  registry: Registry,
  isMoved: (kind: string, urn: string) => boolean,
): string | undefined {
  const urn = kind.partOf?.(record);
  if (urn === undefined) return undefined;
  const holder = registry.givenOf(urnType(urn) ?? "");
  return holder !== undefined && isMoved(holder.name, urn) ? urn : undefined;
}

function inOrder(kinds: readonly GivenKind[]): readonly GivenKind[] {
  const done: GivenKind[] = [];
  const visit = (kind: GivenKind): void => {
    if (done.includes(kind)) return;
    for (const name of kind.after) {
      const first = kinds.find((other) => other.name === name);
      if (first !== undefined) visit(first);
    }
    done.push(kind);
  };
  for (const kind of kinds) visit(kind);
  return done;
}
