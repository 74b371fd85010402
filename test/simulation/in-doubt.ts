import type { Account } from "./accounts.ts";
import type { Entry } from "./books.ts";
import type { Under } from "./breach.ts";
import type { Brought } from "./brought.ts";
import { changed, type Leaves, leavesOf, textOf } from "./leaves.ts";
import { idOf, urnOf } from "./kinds/index.ts";
import type { JsonObject } from "../../src/emulator/json.ts";
import type { State } from "../../src/operations/state.ts";

export type Doubts = State["replayed"]["doubts"];

/** What a colleague does that nobody can tell from what the tool was about to do, or to have done; how much of it there was. */
export function takenByHand(
  entry: Entry,
  account: Account | undefined,
  brought: Brought,
  inDoubt: Doubts,
  began: number,
): number {
  if (account === undefined) return 0;
  const ours = takenForOurs(entry, account, inDoubt) + takenForAnother(entry, account, inDoubt);
  return ours + (takenBackByHand(entry, account, brought) || takenForNotDone(entry, account, inDoubt, began));
}

/**
 * A colleague assigns just the term whose assignment to that very attribute has no answer yet: if ours did not happen,
 * theirs is taken for ours (README). It is written down as the tool's; how many there were.
 */
function takenForOurs({ kind, urn, before, after }: Entry, account: Account, inDoubt: Doubts): number {
  if (kind !== "attributes") return 0;
  const sent = inDoubt.flatMap((doubt) =>
    doubt.kind === "term-assignments" && doubt.item.target === urn ? [JSON.stringify(doubt.item.body)] : [],
  );
  const [then, now] = [leavesOf(before?.published), leavesOf(after?.published)];
  const theirs = changed(then, now).flatMap((path): (readonly [string, string])[] => {
    const value = now.get(path);
    const term = /urn:[^"]+/.exec(path)?.[0] ?? "";
    return value !== undefined && sent.some((body) => body.includes(term)) ? [[path, value]] : [];
  });
  if (theirs.length > 0) account.known = new Map([...(account.known ?? []), ...theirs]);
  return theirs.length;
}

/**
 * Of two creations neither has an answer, and a colleague gives what came of the one just the name and content of the
 * other: it is taken for that one (README). How many there were.
 */
function takenForAnother({ kind, before, after }: Entry, account: Account, inDoubt: Doubts): number {
  if (account.madeBy !== "tool" || after?.published === undefined) return 0;
  const [then, now] = [leavesOf(before?.published), leavesOf(after.published)];
  const isAnother = inDoubt.some(({ kind: sent, item }) => {
    if (sent !== kind || item.target !== undefined) return false;
    const wanted = [...leavesOf(item.body)];
    const isLike = (said: Leaves): boolean => wanted.every(([path, value]) => said.get(path) === value);
    return wanted.length > 0 && isLike(now) && !isLike(then);
  });
  if (!isAnother) return 0;
  account.known = now;
  return 1;
}

/** A change of it was begun, and nobody knows whether it happened: it counts as sent, and what came since as drift. */
export function isOpen(inDoubt: Doubts, kind: string, urn: string): boolean {
  return inDoubt.some((doubt) => doubt.kind === kind && doubt.item.target === urnOf(urn));
}

/**
 * A colleague brings by hand just what is in doubt: it counts as brought by the run that had sent it (README), and what people say
 * there besides has drifted.
 */
export function isBroughtByHand({ kind, urn, before, after }: Entry, inDoubt: Doubts): boolean {
  const [then, now] = [leavesOf(before?.published), leavesOf(after?.published)];
  return inDoubt.some(({ kind: sent, item }) => {
    if (sent !== kind || item.target !== urnOf(urn)) return false;
    const wanted = [...leavesOf(item.body)];
    const isLike = (said: Leaves): boolean => wanted.every(([path, value]) => said.get(path) === value);
    return wanted.length > 0 && isLike(now) && !isLike(then);
  });
}

/** What was in doubt and is not any more: it counts as sent, and what people said there since has drifted. */
export class Settled {
  readonly #ids = new Set<string>();

  note(before: Doubts, now: Doubts): void {
    for (const { kind, item } of before)
      if (item.target !== undefined && !isOpen(now, kind, item.target))
        this.#ids.add(idOf(kind, item.target));
  }

  has(kind: string, urn: string): boolean {
    return this.#ids.has(idOf(kind, urnOf(urn)));
  }
}

/**
 * A run died when it had changed it, and a colleague puts it back to just what it was: whoever settles that finds what was
 * sent not done, and sends it again (README). So it is where another colleague has changed it between, and what was sent came over
 * that since: it was then as it is again when the run that died began. How many there were.
 */
function takenForNotDone(
  { kind, urn, after }: Entry,
  account: Account,
  inDoubt: Doubts,
  began: number,
): number {
  const { former, touches } = account;
  if (!isOpen(inDoubt, kind, urn) || former === undefined) return 0;
  const since = touches.find(({ at }) => at >= began && at < former.at);
  const before = [former.said, ...(since === undefined ? [] : [textOf(leavesOf(since.before))])];
  if (!before.includes(textOf(leavesOf(after?.published)))) return 0;
  account.known = former.known;
  return 1;
}

/**
 * A rollback died when it had drafted how it was before, and a colleague publishes just that: whoever asks for the rollback
 * again finds it done, and nobody can tell by whom (README). How many there were.
 */
function takenBackByHand({ urn, after }: Entry, account: Account, brought: Brought): number {
  const said = leavesOf(after?.published);
  if (after?.draft !== undefined || !brought.isMeantBack(urn, textOf(said))) return 0;
  account.known = said;
  brought.takenBack(urn);
  return 1;
}

/**
 * The answer to what was written was lost, or it was not brought to its end, and a colleague has put it back to just what
 * it was before: whoever looks finds it not done, and sends it again (README).
 */
export function sentAgain(
  { former, states }: Account,
  then: Leaves,
  now: Leaves,
  isUnheard: boolean,
  isPart: boolean,
): boolean {
  return former?.said === textOf(then) && (isPart || (isUnheard && states.has(textOf(now))));
}

/** A run died when it had drafted what the source says, and a colleague published that, with whatever else: it is there by both. */
export class Drafted {
  readonly #by = new Map<string, { readonly run: Under; readonly wrote: Leaves; readonly at: number }>();

  /** When the tool opened the draft that is open. */
  since(urn: string): number | undefined {
    return this.#by.get(urn)?.at;
  }

  note(
    { actor, side, urn, before, after, tick }: Entry,
    account: Account | undefined,
    under: Under | undefined,
    brought: Brought,
  ): void {
    if (side === "source") return;
    const ours = this.#by.get(urn);
    const isPublished = before?.draft !== undefined && after?.draft === undefined && after !== undefined;
    if (actor === "colleague" && ours !== undefined && isPublished) {
      const { run, wrote } = ours;
      brought.by(run, urn, run.began);
      brought.inPart(run.began, (other) => other === urn);
      const now = leavesOf(after.published);
      const theirs = [...wrote].filter(([path, value]) => now.get(path) === value);
      // What the run had met for the first time it had taken over as it was.
      const known = account?.known ?? leavesOf(before?.published);
      if (account !== undefined) account.known = new Map([...known, ...theirs]);
    }
    if (after?.draft === undefined) this.#by.delete(urn);
    else if (actor === "tool" && under !== undefined && under.does !== "rollback") {
      const more = written(before?.draft ?? before?.published, after.draft);
      const wrote = new Map([...(ours?.wrote ?? []), ...more]);
      this.#by.set(urn, { run: under, wrote, at: ours?.at ?? tick });
    }
  }
}

/** What was put otherwise, and as what. */
function written(before: JsonObject | undefined, after: JsonObject): Leaves {
  const [then, now] = [leavesOf(before), leavesOf(after)];
  return new Map([...now].filter(([path, value]) => then.get(path) !== value));
}
