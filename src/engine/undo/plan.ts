import { Alike } from "./alike.ts";
import type { LeftContext } from "./as-left.ts";
import { isAsLeft, isBackButLess, isPrintOf } from "./as-left.ts";
import { wordFor } from "../word-for.ts";
import { only, without } from "../../model/fields.ts";
import type { Deed } from "./deed.ts";
import { undoAll } from "./deeds.ts";
import type { TargetState } from "../read/target.ts";
import type { MovedKind, Step } from "../../kinds/kind.ts";
import { fingerprint, printOf } from "../../model/canonical.ts";
import type { AppliedChange } from "../../model/change.ts";
import type { JsonObject } from "../../model/json.ts";
import { keyText } from "../../model/key.ts";
import { altered } from "../../model/packed/changes.ts";
import type { MappingEntry } from "../../model/mapping.ts";
import type { MappingTable } from "../../model/mapping-table.ts";
import { strip } from "../../model/shape.ts";
import type { Plan } from "../../model/plan.ts";
import { shellWord } from "../../model/shell-word.ts";
import { namedInVain } from "./new-parts.ts";
import type { Returning } from "./rewrite.ts";
import { isUntidy, tidied, unknown } from "./rows-after.ts";
import { bodyOf } from "./rewrite.ts";
import type { RunsBeside } from "./whose.ts";
import { isDraftOfOther, isMadeByRollback } from "./whose.ts";
import { describeDeed, leftAsItIs, removedByHand, withoutSaid } from "./words.ts";
import { isSaidOf, liesOver, standsAlone } from "../facets/standing.ts";

/** What is sent to take a deed back. */
export type Reverse =
  | {
      readonly what: "create";
      readonly steps: readonly Step[];
      readonly body: JsonObject;
      /** What stands in its place, and makes room for it: ids of the changes. */
      readonly after?: readonly string[];
    }
  | {
      readonly what: "patch";
      readonly steps: readonly Step[];
      readonly target: string;
      readonly patch: JsonObject;
    }
  | { readonly what: "delete"; readonly steps: readonly Step[] };

/** How one deed is taken back, or why it is not. */
export interface Planned {
  readonly deed: Deed;
  readonly kind: MovedKind;
  readonly change: AppliedChange;
  readonly reverse?: Reverse;
  /** The run left a draft of it: that is published first, and then it is planned again. */
  readonly pending?: true;
  /** Because no list shows it: to be asked for by itself first. */
  readonly absent?: true;
  /** The id of the delete that takes it away as well. */
  readonly goesWith?: string;
  /** Without a request: the mapping's row from now on. */
  readonly entry?: MappingEntry | null;
}

export interface PlanContext extends LeftContext, RunsBeside {
  readonly plan: Plan;
  readonly returning: Returning;
  /** Drafts that runs left were published, as far as that could be done. */
  readonly finished: boolean;
  /** Source objects that a person left as they are. */
  readonly abandoned: { has(kind: string, source: string): boolean };
  /** The same plan, held in little room: there may be as many as a run has written objects. */
  readonly keep: (planned: Planned) => Planned;
}

export function isPossible({ reverse, pending }: Planned): boolean {
  return reverse !== undefined || pending === true;
}

export function isDelete(item: Planned): boolean {
  return item.reverse?.what === "delete" && isPossible(item);
}

/** What only the mapping's files are put right for is nobody's news. */
export function shown(planned: readonly Planned[]): readonly AppliedChange[] {
  return planned.map(({ change }) => change).filter(({ action }) => action !== "unchanged");
}

/** What was to be published first has no task: the rollback was stopped before it came to that. */
export function withPending(planned: readonly Planned[]): readonly Planned[] {
  return notBegun(planned, ({ pending }) => pending === true);
}

/** The rollback did not come to these; what is left to a person is left to one all the same. */
export function notBegun(planned: readonly Planned[], isMeant = isPossible): readonly Planned[] {
  return planned.map((item) =>
    isMeant(item) ? { ...item, change: altered<AppliedChange>(item.change, beforeIt) } : item,
  );
}

/** Nothing at all for what is as it was before already. */
export function planDeeds(deeds: readonly Deed[], context: PlanContext): readonly Planned[] {
  const lost = goneOf(deeds, context);
  const alike = new Alike(context);
  /** Source objects of which something is taken back; the journal tells two objects of one apart by their operations alone. */
  const busy = new Set<string>();
  return deeds.flatMap((deed) => {
    const kind = context.registry.movedKind(deed.kind);
    if (kind === undefined) return [];
    const source = keyText(deed.kind, deed.source);
    const planned = planDeed(deed, kind, context, lost)
      .map(asFarAsSendable)
      .map(alike.unless)
      .map(context.keep);
    // What the newer one stands in the way of is seen once that is gone.
    if (busy.has(source))
      return planned.length > 0 || deed.what === "deleted" ? [leftToNext(deed, kind)] : [];
    if (!planned.some(isPossible)) return planned;
    if (context.abandoned.has(deed.kind, deed.source)) return [leftAlone(deed, kind, context)];
    busy.add(source);
    return planned;
  });
}

/** A source object stood for one object after the other while the run, and what it went on with, was at work. */
function leftToNext(deed: Deed, kind: MovedKind): Planned {
  const reason = `${deed.source} stood for it (${deed.target}) then, and for another one since, of which this takes back first what was done`;
  return leftAsItIs(deed, kind, reason, "Run the rollback of that run once more.");
}

/** Kinds of what the run made and is gone by now, and of what came with it: what lay over that went along. */
function goneOf(deeds: readonly Deed[], { registry, standing }: PlanContext): ReadonlySet<string> {
  const kinds = deeds.flatMap(({ what, kind: name, target }) => {
    const kind = registry.movedKind(name);
    const isGone = what === "created" && !standing.snapshot.has(name, target);
    return isGone && standsAlone(kind) ? [name, ...(kind.births?.kinds ?? [])] : [];
  });
  return new Set(kinds);
}

function asFarAsSendable(planned: Planned): Planned {
  const { deed, kind, reverse } = planned;
  if (reverse === undefined || reverse.what === "delete") return planned;
  const place = namedInVain(reverse.what === "create" ? reverse.body : reverse.patch);
  if (place === undefined) return planned;
  const reason = `at ${place} it names a part of its own by the bare key, and that part would come back under another one`;
  return leftAsItIs(deed, kind, reason, "Bring it back by hand in the web application.");
}

/** One for all: changes share what is the same of them. */
const withoutLeave = { outcome: "withheld" } as const;
const beforeIt = { outcome: "not-started" } as const;

/** Without --allow-delete what would be deleted stays, and is named. */
export function withheld(planned: Planned, allowDelete: boolean): Planned {
  if (planned.change.action !== "delete" || allowDelete) return planned;
  const { deed, kind, change } = planned;
  return { deed, kind, change: altered<AppliedChange>(change, withoutLeave) };
}

function leftAlone(deed: Deed, kind: MovedKind, { plan, registry }: PlanContext): Planned {
  const reason = "a person decided to leave it as it is";
  const word = wordFor(registry, kind.name, deed.source);
  const advice = `To have it taken back: ferry resolve ${plan.name} --retry ${word}, then run again.`;
  return leftAsItIs(deed, kind, reason, advice);
}

function planDeed(
  deed: Deed,
  kind: MovedKind,
  context: PlanContext,
  lost: ReadonlySet<string>,
): readonly Planned[] {
  if (deed.what === "deleted") return recreate(deed, kind, context);
  const owner = context.mapping.takenBy(kind.name, deed.target);
  if (owner !== undefined && owner !== deed.source) return [leftToOther(deed, kind, owner, context)];
  const row = context.mapping.row(kind.name, deed.source);
  // One of another object, which the source object stands for by now, says nothing of this one.
  const entry = row?.target === deed.target ? row : undefined;
  const body = bodyAt(context.standing, kind, deed.target);
  const isUnfinished = entry?.unfinished !== undefined;
  if (isUnfinished && isDraftOfOther(entry, deed, context)) return [draftedByOther(deed, kind, context)];
  // What cannot be changed has one publish, its first: when a list shows it, that was done.
  if (isUnfinished && (kind.update !== undefined || body === undefined))
    return leftUnfinished(deed, kind, context, body);
  // It went with what it lay over, and was put down as gone then.
  if (body === undefined && row === undefined && liesOver(kind)) return [];
  if (body === undefined) return gone(deed, kind, entry, lost);
  return deed.what === "created"
    ? [removeAgain(deed, kind, context, body, entry)]
    : changeBack(deed, kind, body, entry, context);
}

/** Whoever paired it with something else meant it to stay, and what it says is that one's by now. */
function leftToOther(deed: Deed, kind: MovedKind, other: string, { plan, registry }: PlanContext): Planned {
  const word = wordFor(registry, kind.name, other);
  const advice = `To have it taken back all the same: ferry mappings ${plan.name} remove ${word}, and run again.`;
  return leftAsItIs(deed, kind, `it stands for ${other} by now`, advice);
}

function recreate(deed: Deed, kind: MovedKind, context: PlanContext): readonly Planned[] {
  const { plan, standing, mapping, registry } = context;
  const entry = mapping.row(kind.name, deed.source);
  const there = bodyAt(standing, kind, entry?.target ?? deed.target);
  if (there !== undefined) return secondPass(deed, kind, context, entry, there);
  if (!standsAlone(kind)) {
    const advice = "Do it in the web application.";
    return [leftAsItIs(deed, kind, "it cannot be created again", advice)];
  }
  if (entry !== undefined && entry.target !== deed.target) {
    const reason = `it was created again since, and that one (${entry.target}) was removed at the target`;
    const word = wordFor(registry, kind.name, deed.source);
    const advice = `To have it back all the same: ferry mappings ${plan.name} remove ${word}, and run again.`;
    return [leftAsItIs(deed, kind, reason, advice)];
  }
  if (deed.source === deed.target) {
    const reason = "a new object took its place in the same run, and stands for the same source object";
    return [leftAsItIs(deed, kind, reason, "Create it by hand at the target, if both are to be there.")];
  }
  const body = bodyOf(deed);
  if (body === undefined) {
    const again = `Run: ferry apply ${plan.name}`;
    return [leftAsItIs(deed, kind, "what it was is not on record: `ferry apply` makes it anew", again)];
  }
  const change = withoutSaid(
    describeDeed(deed, "create", "the run deleted it; it is created again under a new URN"),
    registry.moved().filter((over) => isSaidOf(over, kind.name) && wasSaid(over, deed, mapping)),
  );
  const absent = deed.unsure !== undefined ? ({ absent: true } as const) : {};
  return [{ deed, kind, change, reverse: { what: "create", steps: kind.create, body }, ...absent }];
}

/** That it was said is on record with the run that deleted the thing, or still in the mapping. */
function wasSaid({ name }: MovedKind, { saidOf = [], source, target }: Deed, mapping: MappingTable): boolean {
  return saidOf.includes(name) || mapping.get(name, source)?.target === target;
}

/** It is back; killed before they could follow, a rollback left out what may hold a circle. */
function secondPass(
  deed: Deed,
  kind: MovedKind,
  context: PlanContext,
  entry: MappingEntry | undefined,
  there: JsonObject,
): readonly Planned[] {
  const { returning } = context;
  const body = bodyOf(deed);
  if (entry === undefined || entry.target === deed.target || body === undefined || kind.update === undefined)
    return [];
  if (!isMadeByRollback(entry, deed, context)) return [];
  const fields = returning.deferred(kind, body);
  const first = without(returning.rewrite(body), fields);
  if (fields.length === 0 || fingerprint(first, kind.shape) !== printOf(there, kind.shape)) return [];
  const patch = only(body, fields);
  const reason = "the run deleted it; it is there again, and what it refers to follows";
  const change = describeDeed({ ...deed, target: entry.target }, "update", reason);
  const { target } = entry;
  return [{ deed, kind, change, reverse: { what: "patch", steps: kind.update, target, patch } }];
}

/** To publish what another run has drafted takes nothing back: it would bring what nobody asked for. */
function draftedByOther(deed: Deed, kind: MovedKind, { plan }: PlanContext): Planned {
  const reason = "another run was interrupted as it changed it again, and left a draft of that";
  const advice = `Run: ferry apply ${plan.name}, or take that run back, which brings it to its end; then run again.`;
  return leftAsItIs(deed, kind, reason, advice);
}

/** Its last step was not done: what stands published is not what the run meant. */
function leftUnfinished(
  deed: Deed,
  kind: MovedKind,
  { plan, finished }: PlanContext,
  body: JsonObject | undefined,
): readonly Planned[] {
  if (kind.update === undefined) {
    const reason =
      "the run created a draft of it and did not come to publish it; the service offers no way to delete one, and no list shows it";
    const advice = `Discard the draft (${deed.target}) in the web application, then: ferry mappings ${plan.name} remove ${shellWord(deed.source)}. To keep it: ferry apply ${plan.name} publishes it.`;
    return [leftAsItIs(deed, kind, reason, advice)];
  }
  if (!finished && body !== undefined) {
    const action = deed.what === "created" ? "delete" : "update";
    const change = describeDeed(
      deed,
      action,
      "the run left a draft of it: that is published, and taken back",
    );
    return [{ deed, kind, change, pending: true }];
  }
  const reason =
    "the run left a draft of it that could not be published, so that it is not known what is whose";
  const advice = `Look at the draft (${deed.target}) in the web application, publish or discard it, and run again.`;
  return [leftAsItIs(deed, kind, reason, advice)];
}

function gone(
  deed: Deed,
  kind: MovedKind,
  entry: MappingEntry | undefined,
  lost: ReadonlySet<string>,
): readonly Planned[] {
  const wentAlong = liesOver(kind) && kind.over.kinds.some((name) => lost.has(name));
  if (deed.what !== "created" && !wentAlong)
    return [
      {
        ...leftAsItIs(deed, kind, "it is gone at the target", "What the run changed is gone with it."),
        absent: true,
      },
    ];
  // Taken back already, but the process died before it was put down.
  const isStale = (wentAlong || standsAlone(kind)) && entry !== undefined;
  return isStale
    ? [{ deed, kind, change: describeDeed(deed, "unchanged", "it is gone"), absent: true, entry: null }]
    : [];
}

function removeAgain(
  deed: Deed,
  kind: MovedKind,
  context: PlanContext,
  body: JsonObject,
  entry: MappingEntry | undefined,
): Planned {
  if (!standsAlone(kind) || kind.remove === undefined) {
    const advice = removedByHand(deed, context, entry !== undefined);
    const left = leftAsItIs(deed, kind, "the service offers no way to delete one", advice);
    // What it shows goes, and so it changes: that is nobody's edit. Where it cannot be changed, nothing can be lost either.
    const isOurs = deed.left === undefined || printOf(body, kind.shape) === deed.left;
    return isOurs && kind.update === undefined && entry !== undefined
      ? { ...left, entry: unknown(entry) }
      : left;
  }
  const isOurs = isAsLeft(deed, kind, body, context) && !isTakenBack(deed, kind, body, entry, context);
  if (deed.isTouchedBetween === true || (deed.left !== undefined && !isOurs)) return touched(deed, kind);
  const change = describeDeed(deed, "delete", "the run created it");
  return { deed, kind, change, reverse: { what: "delete", steps: [kind.remove] } };
}

function changeBack(
  deed: Deed,
  kind: MovedKind,
  body: JsonObject,
  entry: MappingEntry | undefined,
  context: PlanContext,
): readonly Planned[] {
  const { returning, plan } = context;
  const isLeft = isAsLeft(deed, kind, body, context);
  const isBack = (): boolean =>
    isPrintOf(deed.before, kind, body, context) ||
    printOf(returning.original(body), kind.shape) === deed.before ||
    isBackButLess(deed, kind, body, context);
  if (deed.before !== undefined && !isLeft && isBack())
    return isUntidy(entry)
      ? [{ deed, kind, change: describeDeed(deed, "unchanged", "it is back"), entry: tidied(entry) }]
      : [];
  if (deed.left !== undefined && (!isLeft || isTakenBack(deed, kind, body, entry, context)))
    return [touched(deed, kind)];
  const patch = undoAll(deed.undos, strip(body, kind.shape));
  if (deed.what === "assigned" || kind.update === undefined) {
    const advice = "Take it back in the web application.";
    return [leftAsItIs(deed, kind, "the service offers no way to take it back", advice)];
  }
  // A rollback puts down what it sends, and not what stood there before.
  if (patch === undefined) {
    const reason = "what it was is not on record: `ferry apply` brings what the source says";
    return [leftAsItIs(deed, kind, reason, `Run: ferry apply ${plan.name}`)];
  }
  // What one run changed the one that went on with it has changed back.
  if (Object.keys(patch).length === 0)
    return [{ deed, kind, change: describeDeed(deed, "unchanged", "it is back") }];
  const impossible = kind.cannot?.(patch);
  if (impossible !== undefined) return [leftAsItIs(deed, kind, impossible.reason, impossible.suggestion)];
  const change = describeDeed(deed, "update", "the run changed it");
  return [{ deed, kind, change, reverse: { what: "patch", steps: kind.update, target: deed.target, patch } }];
}

/** A later run has brought something else, and somebody has taken that back to what this one had left: it is theirs by now. */
function isTakenBack(
  { left }: Deed,
  kind: MovedKind,
  body: JsonObject,
  entry: MappingEntry | undefined,
  context: PlanContext,
): boolean {
  const last = entry?.targetFingerprint;
  return last !== undefined && last !== left && !isPrintOf(last, kind, body, context);
}

function touched(deed: Deed, kind: MovedKind): Planned {
  const reason = "it was changed at the target since, and is left as it is";
  return leftAsItIs(deed, kind, reason, "Look at it at the target, and take the run's work back by hand.");
}

function bodyAt({ snapshot }: TargetState, kind: MovedKind, urn: string): JsonObject | undefined {
  return snapshot.has(kind.name, urn) ? snapshot.body(kind.name, urn) : undefined;
}
