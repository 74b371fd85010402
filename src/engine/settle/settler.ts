import { unanswered, waitTold } from "../waiting.ts";
import type { EntityKind, Feed, FinalAnswer, MovedKind, Probed } from "../../kinds/kind.ts";
import type { Registry } from "../../kinds/registry.ts";
import { fingerprint, printOf } from "../../model/canonical.ts";
import type { JsonObject } from "../../model/json.ts";
import { effectOf } from "../../model/journal.ts";
import { isObject } from "../../model/json.ts";
import type { MappingTable } from "../../model/mapping-table.ts";
import { pairKeys } from "../../model/pair-keys.ts";
import { strip } from "../../model/shape.ts";
import { uuidOf } from "../../model/urn.ts";
import type { ReadClient } from "../../service/index.ts";
import { isDraftOf, isPublishedPast } from "../drafts.ts";
import { GivenReader } from "../read/given-reader.ts";
import { readListings } from "../read/listing.ts";
import type { Report } from "../progress.ts";
import { isChanged } from "./holds.ts";
import { Quiet } from "./quiet.ts";
import type { Candidate, Doubt, OpenDraft, Subtraction } from "./subtraction.ts";
import { besideAnother, sentBody, somebodyElses, subtract } from "./subtraction.ts";
import { naturalKeyText } from "../facets/natural-key.ts";
import { standsAlone } from "../facets/standing.ts";

export type Verdict =
  | FinalAnswer
  | { readonly state: "again" }
  /** It could not be told now; a later look will tell. `unknown` is for a person. */
  | { readonly state: "later"; readonly reason: string };

export interface SettlerOptions {
  readonly client: ReadClient;
  readonly registry: Registry;
  readonly mapping: MappingTable;
  /** UUIDs of what existed of a kind at the target before a run's first create. */
  readonly baseline: (run: string, kind: string) => ReadonlySet<string> | undefined;
  readonly quietPeriodMs: number;
  readonly now: () => number;
  /** Rejects when the run is stopped. */
  readonly sleep: (ms: number) => Promise<void>;
  readonly report: Report;
}

/** All of a kind at the target, and those of them that may be ours. */
interface Listing {
  readonly candidates: readonly Candidate[];
  readonly urns: ReadonlySet<string>;
  /** Fingerprints of those that answers named and that cannot be ours. */
  readonly named: ReadonlyMap<string, string>;
}

interface InDoubt {
  readonly kind: MovedKind;
  readonly doubt: Doubt;
  readonly target: string;
}

export interface ChangeInDoubt extends InDoubt {
  /** The object after the change and before it, stripped. */
  readonly expected: JsonObject;
  readonly before: JsonObject;
  readonly readBack: () => Promise<JsonObject | undefined>;
  readonly probe?: (() => Promise<Probed>) | undefined;
}

export interface PublishInDoubt extends InDoubt {
  /** Fingerprints that what was to be published may have. */
  readonly prints: ReadonlySet<string>;
  readonly published: () => Promise<JsonObject | undefined>;
  /** Looks at the open draft; undefined where the kind has none that could be somebody else's. */
  readonly draft: (() => Promise<OpenDraft>) | undefined;
}

/**
 * Finds out what became of requests whose answer was lost. What is not found is only sent again after a quiet
 * period longer than any server timeout, and two equal listings: the service may still be working on it.
 */
export class Settler {
  readonly #options: SettlerOptions;
  /** Whoever was killed with a request under way is gone by now: the lock is ours. */
  readonly #quietPeriod: Quiet;

  constructor(options: SettlerOptions) {
    this.#options = options;
    this.#quietPeriod = new Quiet(options.quietPeriodMs);
  }

  /** Milliseconds since 1970. */
  now(): number {
    return this.#options.now();
  }

  /** Rejects when the run is stopped. */
  async sleep(ms: number): Promise<void> {
    await this.#options.sleep(ms);
  }

  /** Creates of one kind, against complete listings. */
  async creates(
    kind: MovedKind,
    run: string,
    doubts: readonly Doubt[],
  ): Promise<ReadonlyMap<Doubt, Verdict>> {
    if (!standsAlone(kind)) throw new Error(`${kind.name} cannot be settled by listing`);
    const verdicts = new Map<Doubt, Verdict>();
    const taken = new Set<string>();
    // What an earlier round took is not in the mapping yet, and must not be taken for its twin as well.
    const asked = new Set(doubts.flatMap(({ named }) => named ?? []));
    let open: readonly Doubt[] = doubts.filter((doubt) => {
      if (feedShowing(kind, [doubt]) !== undefined) return true;
      verdicts.set(doubt, noList);
      return false;
    });
    const listed = { ...kind, feed: feedShowing(kind, open) ?? kind.feed };
    const free = async (): Promise<Listing> => {
      const listing = await this.#listing(listed, run, asked);
      return { ...listing, candidates: listing.candidates.filter(({ urn }) => !taken.has(urn)) };
    };
    if (open.length === 0) return verdicts;
    const apply = (result: Subtraction): void => {
      for (const { doubt, urn, keys } of result.taken) {
        taken.add(urn);
        verdicts.set(doubt, { state: "done", target: urn, keys });
      }
      for (const { doubt, reason, candidates } of result.ask) {
        verdicts.set(doubt, { state: "unknown", reason: named(reason, candidates) });
      }
      open = result.absent;
    };
    apply(subtract(kind, open, (await free()).candidates));
    const early = doubts.filter((doubt) => verdicts.get(doubt)?.state === "done");
    // Who was asked at once may have been shown what somebody else has made, and ours come while the others are waited for.
    const lookAgain = (candidates: readonly Candidate[]): void => {
      const left = candidates.filter(({ urn }) => !taken.has(urn));
      const isDone = (doubt: Doubt): boolean => verdicts.get(doubt)?.state === "done";
      // What the look before has asked about is not asked about once more, without what it was taken for.
      const sides = { early: early.filter(isDone), missed: doubts.filter((doubt) => !isDone(doubt)) };
      for (const [doubt, reason] of doubled(kind, sides, left)) {
        const { target = "" } = verdicts.get(doubt) as { readonly target?: string };
        verdicts.set(doubt, { state: "unknown", reason: `${reason}, ${target}` });
      }
    };
    for (let round = 0; open.length > 0 && round < 10; round += 1) {
      await this.quiet(open);
      const first = await free();
      apply(subtract(kind, open, first.candidates));
      lookAgain(first.candidates);
      if (open.length === 0) break;
      const second = await free();
      lookAgain(second.candidates);
      // Lists are not isolated from concurrent changes: one that moves may skip what was there all the time.
      if (!sameUrns(first.urns, second.urns)) continue;
      for (const doubt of open) verdicts.set(doubt, againUnless(doubt, second.named));
      open = [];
    }
    for (const doubt of open)
      verdicts.set(doubt, { state: "later", reason: "the listing at the target does not come to rest" });
    return verdicts;
  }

  /** What is new at the target since before the run, and mapped to nothing, as far as a list shows what became of these. */
  async candidates(kind: EntityKind, run: string, doubts: readonly Doubt[]): Promise<readonly Candidate[]> {
    const shown = doubts.filter((doubt) => feedShowing(kind, [doubt]) !== undefined);
    const feed = feedShowing(kind, shown) ?? kind.feed;
    return (await this.#listing({ ...kind, feed }, run)).candidates;
  }

  async #listing(kind: MovedKind, run: string, asked: ReadonlySet<string> = new Set()): Promise<Listing> {
    const { client, registry, mapping, report, baseline } = this.#options;
    const before = baseline(run, kind.name);
    const candidates: Candidate[] = [];
    const urns = new Set<string>();
    const named = new Map<string, string>();
    await readListings({
      client,
      kinds: [kind],
      given: new GivenReader(client, registry),
      side: "target",
      report,
      take: (_kind, object) => {
        urns.add(object.urn);
        if (asked.has(object.urn)) named.set(object.urn, printOf(object.body, kind.shape));
        if (before?.has(uuidOf(object.urn)) === true || mapping.takenBy(kind.name, object.urn) !== undefined)
          return;
        candidates.push(object);
      },
    });
    return { candidates, urns, named };
  }

  /**
   * A change of something that exists: read back and compared. Where reading may not show a draft, the second look is
   * the answer to a change of nothing.
   */
  async change(options: ChangeInDoubt): Promise<Verdict> {
    const { kind, doubt, expected, before, target, readBack, probe } = options;
    const look = async (
      read: () => Promise<JsonObject | undefined>,
    ): Promise<Verdict | "before" | "other" | "gone"> => {
      const body = await read();
      if (body === undefined) return "gone";
      const actual = strip(body, kind.shape);
      const print = fingerprint(actual, kind.shape);
      if (print === doubt.item.before && print !== doubt.item.fingerprint) return "before";
      if (print !== doubt.item.fingerprint && !isChanged(expected, before, body, kind.shape)) return "other";
      return { state: "done", target, keys: pairKeys(expected, actual, kind.shape), body };
    };
    const other: Verdict = {
      state: "unknown",
      reason:
        "the object at the target is neither as it was nor as it should be: somebody else changed it meanwhile",
    };
    let refused: string | undefined;
    const first = await look(readBack);
    if (typeof first === "object") return first;
    if (first === "other") return other;
    await this.quiet([doubt]);
    const second = await look(async () => {
      if (probe === undefined) return readBack();
      const probed = await probe();
      if (probed.state === "refused") refused = probed.reason;
      // Where none can be made, what reading shows is all that there is: sent again, it is looked for once more, and refused.
      if (probed.state === "absent") return readBack();
      return probed.state === "shown" ? probed.draft : undefined;
    });
    if (refused !== undefined)
      return { state: "unknown", reason: `whether it happened could not be seen: ${refused}` };
    if (typeof second === "object") return second;
    if (second === "gone")
      return (await readBack()) !== undefined ? contradiction : { state: "refused", reason: goneText };
    return second === "before" ? { state: "again" } : other;
  }

  /**
   * A publish: done when the published version is what was to be published; to be repeated when the draft is still
   * ours, or there is none, which publishes nothing. Somebody else's draft is not published for them.
   */
  async publish(options: PublishInDoubt): Promise<Verdict> {
    const { kind, doubt, prints, target, published, draft } = options;
    const printed = (body: JsonObject | undefined): string =>
      body === undefined ? "" : printOf(body, kind.shape);
    if (prints.has(printed(await published()))) return { state: "done", target };
    await this.quiet([doubt]);
    const latest = await published();
    const now = printed(latest);
    if (prints.has(now)) return { state: "done", target };
    const open: OpenDraft = (await draft?.()) ?? { state: "none" };
    if (open.state === "none" || (open.state === "shown" && isDraftOf(kind, open.draft, [now])))
      return { state: "again" };
    if (open.state === "shown" && isDraftOf(kind, open.draft, [...prints])) {
      const { over, fingerprint: ours } = doubt.item;
      if (latest === undefined || !isPublishedPast(kind, latest, { over, ours })) return { state: "again" };
      return {
        state: "refused",
        reason: "somebody published another version of it meanwhile, which the draft does not hold",
      };
    }
    if (open.state === "gone")
      return latest !== undefined ? contradiction : { state: "refused", reason: goneText };
    if (open.state === "refused" || open.state === "absent")
      return {
        state: "unknown",
        reason: `whether the draft is still ours could not be seen: ${open.reason}`,
      };
    return {
      state: "unknown",
      reason: "the draft at the target is not the one that was to be published: somebody else changed it",
    };
  }

  /**
   * Waits until none of these can come any more, where whatever they have done is to be undone at once: what looks like what was sent
   * may be somebody's who did just that while the service is at work on ours still, which would come over what takes theirs back, or
   * beside what was deleted. A deletion that is still to come is waited for where its object is there.
   */
  async arrivals(doubts: readonly Doubt[]): Promise<void> {
    const mayCome = doubts.filter((doubt) => doubt.handle === undefined && effectOf(doubt) !== "removes");
    if (mayCome.length > 0) await this.quiet(mayCome);
  }

  /** Waits for what is left of the quiet period of these. Rejects when the run is stopped. */
  async quiet(doubts: readonly Doubt[]): Promise<void> {
    const ms = this.#quietPeriod.left(doubts);
    if (ms > 0) await waitTold(this.#options, ms, `${doubts.length} ${unanswered}`);
  }
}

/**
 * Of what was taken at once that of which one more is there by now, or beside which something else of its natural key is that none of those
 * that were not found may be: and why nobody knows which is ours.
 */
function doubled(
  kind: EntityKind,
  { early, missed }: { readonly early: readonly Doubt[]; readonly missed: readonly Doubt[] },
  candidates: readonly Candidate[],
): readonly (readonly [Doubt, string])[] {
  if (early.length === 0 || candidates.length === 0) return [];
  const keyOf = (doubt: Doubt): string => naturalKeyText(kind, sentBody(doubt));
  const byPrint = Map.groupBy(candidates, ({ body }) => printOf(body, kind.shape));
  const byKey = Map.groupBy(candidates, ({ body }) => naturalKeyText(kind, body));
  const lookedFor = Map.groupBy(missed, keyOf);
  const groups = Map.groupBy(early, ({ item }) => item.fingerprint ?? "");
  return [...groups].flatMap(([print, group]) => {
    const more = byPrint.get(print) ?? [];
    if (more.length > 0) {
      const reason = somebodyElses(group.length + more.length, group.length);
      return group.map((doubt) => [doubt, named(reason, more)] as const);
    }
    return group.flatMap((doubt) => {
      const others = byKey.get(keyOf(doubt)) ?? [];
      const isOther = others.length > (lookedFor.get(keyOf(doubt))?.length ?? 0);
      return isOther ? [[doubt, named(besideAnother, others)] as const] : [];
    });
  });
}

function named(reason: string, candidates: readonly Candidate[]): string {
  return `${reason}: ${candidates.map(({ urn }) => urn).join(", ")}`;
}

/** Sent again it would be answered so again, or be there twice: the answer named what looks just like it. */
function againUnless({ item, named = "", reason }: Doubt, prints: ReadonlyMap<string, string>): Verdict {
  const print = prints.get(named);
  if (print === undefined || print !== item.fingerprint) return { state: "again" };
  return { state: "unknown", reason: `${reason}, and has the content that was sent` };
}

/** The listing in which what was sent shows, whatever the plan asks for by now; undefined where there is none. What was sent may not be on record. */
function feedShowing(kind: EntityKind, doubts: readonly Doubt[]): Feed | undefined {
  const sent = doubts.flatMap(({ item: { body } }) => (isObject(body) ? [body] : []));
  return sent.length === 0 || kind.alsoOf === undefined ? kind.feed : kind.alsoOf(sent)?.feed;
}

/** That nobody can see it is no word that it is not there. */
const noList: Verdict = {
  state: "later",
  reason: "no list of the target shows it: its metadata model has no such type (any more)",
};

const goneText = "the object is gone at the target";
/** What was there a moment ago is not gone because one answer says so. */
const contradiction: Verdict = {
  state: "later",
  reason: 'the target shows it, and answers what asks for its draft with "does not exist"',
};

function sameUrns(left: ReadonlySet<string>, right: ReadonlySet<string>): boolean {
  return left.size === right.size && [...right].every((urn) => left.has(urn));
}
