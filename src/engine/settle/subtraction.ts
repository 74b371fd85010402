import { isDeepStrictEqual } from "node:util";
import type { EntityKind, MovedKind, Probed } from "../../kinds/kind.ts";
import { noTypes } from "../facets/model-types.ts";
import { naturalKeyText } from "../facets/natural-key.ts";
import { mayBeNameless } from "../facets/standing.ts";
import { fingerprint, printOf } from "../../model/canonical.ts";
import type { IntentItem, IntentRecord, StepEffect } from "../../model/journal.ts";
import { effectOf } from "../../model/journal.ts";
import { memberField, without } from "../../model/fields.ts";
import type { JsonObject } from "../../model/json.ts";
import { isObject } from "../../model/json.ts";
import { pairKeys } from "../../model/pair-keys.ts";
import { fixedIn, strip } from "../../model/shape.ts";
import { holds } from "./holds.ts";

/** `none`: reading shows that there is no draft. */
export type OpenDraft = Probed | { readonly state: "none" };

/** A create that was sent and whose outcome is unknown. */
export interface Doubt {
  readonly op: string;
  readonly run: string;
  readonly kind: string;
  readonly step: string;
  readonly effect?: StepEffect;
  readonly item: IntentItem;
  /** When the intent was written, in milliseconds since 1970. */
  readonly at: number;
  /**
   * When its answer was lost, in milliseconds of a clock that nobody sets: it was not sent after that, however late after
   * the intent (429 and Retry-After hold a request back). Absent for a doubt of an earlier process.
   */
  readonly lostTick?: number;
  readonly reason: string;
  /** URN that its answer gave, where that could not be: what the object looks like is worth a look. */
  readonly named?: string;
  /** A run has looked at it and could not tell: a person has to decide. */
  readonly asks?: true;
  /** The service has accepted it, and can be asked about it by this. */
  readonly handle?: string;
  /** A later run elsewhere has given its source a twin: what this one made, if it did, is a second one. */
  readonly isOvertaken?: true;
}

/** Why nobody knows what became of it. */
export type Loss = Pick<Doubt, "reason" | "named">;

/** A doubt of this process, from the moment its answer was lost. */
export function doubtOf(intent: IntentRecord, item: IntentItem, loss: Loss, now: number): Doubt {
  const { op, run, kind, step } = intent;
  const effect = effectOf(intent);
  const { reason, named } = loss;
  const lost = { at: now, lostTick: performance.now(), reason };
  return { op, run, kind, step, effect, item, ...lost, ...(named === undefined ? {} : { named }) };
}

/** Something at the target that did not exist before and that nothing is mapped to. */
export interface Candidate {
  readonly urn: string;
  readonly name: string;
  readonly body: JsonObject;
}

export interface Subtraction {
  readonly taken: readonly {
    readonly doubt: Doubt;
    readonly urn: string;
    readonly keys: Readonly<Record<string, string>>;
  }[];
  /** Not there: to be sent again, once it is sure that it will not turn up late. */
  readonly absent: readonly Doubt[];
  /** More candidates than were sent, or one of the same name with other content: a person decides. */
  readonly ask: readonly {
    readonly doubt: Doubt;
    readonly candidates: readonly Candidate[];
    readonly reason: string;
  }[];
}

/** Why nobody knows which of them is ours. */
export function somebodyElses(found: number, sent: number): string {
  return `${found} objects at the target look like ${sent} that were sent: somebody else created the same`;
}

/** Why nobody knows whether what looks like ours is ours. */
export const besideAnother =
  "something new at the target looks like what was sent, and something else that is new there has the same natural key: " +
  "somebody may have changed the one and made the other";

/**
 * Settles creates in doubt by subtraction: complete listing, less what existed or was mapped
 * before, matched by fingerprint. Identical twins are interchangeable at creation: any order is right.
 */
export function subtract(
  kind: EntityKind,
  doubts: readonly Doubt[],
  candidates: readonly Candidate[],
): Subtraction {
  const byPrint = new Map<string, Candidate[]>();
  const byKey = new Map<string, Candidate[]>();
  for (const candidate of candidates) {
    push(byPrint, printOf(candidate.body, kind.shape), candidate);
    push(byKey, naturalKeyText(kind, candidate.body), candidate);
  }
  const groups = new Map<string, Doubt[]>();
  for (const doubt of doubts) push(groups, doubt.item.fingerprint ?? "", doubt);
  const strangers = strangersIn(byKey, kind, doubts, byPrint, groups);

  const taken: { doubt: Doubt; urn: string; keys: Record<string, string> }[] = [];
  /** What is asked about is nobody's yet: it may be what becomes of another one that was sent. */
  const used = new Set<string>();
  const open: Doubt[] = [];
  const ask: { doubt: Doubt; candidates: readonly Candidate[]; reason: string }[] = [];
  for (const [print, group] of groups) {
    const found = byPrint.get(print) ?? [];
    if (found.length > group.length) {
      const reason = somebodyElses(found.length, group.length);
      for (const doubt of group) ask.push({ doubt, candidates: found, reason });
      continue;
    }
    const [first] = found;
    const others = first === undefined ? undefined : strangers.get(naturalKeyText(kind, first.body));
    if (others !== undefined) {
      for (const doubt of group)
        ask.push({ doubt, candidates: [...found, ...others], reason: besideAnother });
      continue;
    }
    for (const [index, doubt] of group.entries()) {
      const candidate = found[index];
      if (candidate === undefined) {
        open.push(doubt);
        continue;
      }
      used.add(candidate.urn);
      taken.push({ doubt, urn: candidate.urn, keys: keysOf(doubt, candidate, kind) });
    }
  }
  const absent: Doubt[] = [];
  const others = open.length === 0 ? [] : candidates;
  const contentOf = new Map(others.map((one) => [one, nameless(kind, one.body)]));
  const wholeOf = new Map(others.map((one) => [one, placeless(kind, one.body)]));
  for (const doubt of open) {
    const body = sentBody(doubt);
    const isFree = ({ urn }: Candidate): boolean => !used.has(urn);
    const alike = (byKey.get(naturalKeyText(kind, body)) ?? []).filter(isFree);
    const hidden = hiddenIn(kind, body);
    const seen = without(body, hidden);
    const said = (
      of: (kind: EntityKind, body: JsonObject) => string,
      known: ReadonlyMap<Candidate, string>,
    ) => {
      const sent = of(kind, seen);
      const shows = (one: Candidate): string | undefined =>
        hidden.length === 0 ? known.get(one) : of(kind, without(one.body, hidden));
      return candidates.filter((one) => isFree(one) && shows(one) === sent);
    };
    // The service may have written the name in its own way, or somebody changed it since.
    const renamed = said(nameless, contentOf);
    // In the web application people move what no request can.
    const moved = said(placeless, wholeOf);
    const filled = filledOf(kind, seen, { candidates, hidden }).filter(isFree);
    if (alike.length > 0) {
      const reason = "something new at the target has the same natural key, but other content";
      ask.push({ doubt, candidates: alike, reason });
    } else if (renamed.length > 0) {
      const reason = "something new at the target has the same content, but another name";
      ask.push({ doubt, candidates: [...new Set([...renamed, ...moved])], reason });
    } else if (moved.length > 0) {
      const reason = `something new at the target has the same name and content, but for its place (${placeOf(kind).join(", ")})`;
      ask.push({ doubt, candidates: moved, reason });
    } else if (filled.length > 0) {
      const reason = "something new at the target says all that was sent, and more";
      ask.push({ doubt, candidates: filled, reason });
    } else {
      absent.push(doubt);
    }
  }
  return { taken, absent, ask };
}

/**
 * By natural key: what is new there, looks like nothing that was sent, and is more than the creates of that key that are
 * still looked for. One of them may be ours after somebody changed it, and what looks like ours somebody else's.
 */
function strangersIn(
  byKey: ReadonlyMap<string, readonly Candidate[]>,
  kind: EntityKind,
  doubts: readonly Doubt[],
  byPrint: ReadonlyMap<string, readonly Candidate[]>,
  groups: ReadonlyMap<string, readonly Doubt[]>,
): ReadonlyMap<string, readonly Candidate[]> {
  const strangers = new Map<string, readonly Candidate[]>();
  const sent = Map.groupBy(doubts, (doubt) => naturalKeyText(kind, sentBody(doubt)));
  for (const [key, ofKey] of sent) {
    const others = (byKey.get(key) ?? []).filter(({ body }) => !groups.has(printOf(body, kind.shape)));
    const lookedFor = ofKey.filter(({ item }) => !byPrint.has(item.fingerprint ?? ""));
    if (others.length > lookedFor.length) strangers.set(key, others);
  }
  return strangers;
}

export function sentBody({ item: { body } }: Doubt): JsonObject {
  return isObject(body) ? body : {};
}

/** What the target's metadata model has no place for by now, or does not let change: it may not be shown of what was made before. */
function hiddenIn(kind: EntityKind, body: JsonObject): readonly string[] {
  const misfits = kind.misfits?.(body, noTypes) ?? [];
  return misfits.flatMap(({ place }) => (place === undefined ? [] : [memberField(...place)]));
}

function nameless(kind: EntityKind, body: JsonObject): string {
  const stripped = strip(body, kind.shape);
  const { name: _name, ...rest } = stripped;
  return fingerprint(kind.withoutName?.(stripped) ?? rest, kind.shape);
}

/**
 * What has no name is known by all that it says, and the service may have filled more of it, or somebody: it stands where it was to
 * stand, and says what was sent.
 */
function filledOf(
  kind: EntityKind,
  sent: JsonObject,
  { candidates, hidden }: { readonly candidates: readonly Candidate[]; readonly hidden: readonly string[] },
): readonly Candidate[] {
  if (!mayBeNameless(kind)) return [];
  const [expected, place] = [strip(sent, kind.shape), fixedIn(sent, kind.shape)];
  return candidates.filter(
    ({ body }) =>
      isDeepStrictEqual(fixedIn(body, kind.shape), place) &&
      holds(expected, without(body, hidden), kind.shape),
  );
}

function placeless(kind: EntityKind, body: JsonObject): string {
  return fingerprint(without(strip(body, kind.shape), placeOf(kind)), kind.shape);
}

function placeOf({ shape }: EntityKind): readonly string[] {
  return (shape.fixed ?? []).filter((field) => field !== "name");
}

function keysOf(doubt: Doubt, candidate: Candidate, kind: MovedKind): Record<string, string> {
  return pairKeys(sentBody(doubt), strip(candidate.body, kind.shape), kind.shape);
}

function push<V>(map: Map<string, V[]>, key: string, value: V): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}
