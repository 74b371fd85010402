import type { JsonObject } from "../../src/emulator/json.ts";
import type { Result } from "../../src/model/result.ts";
import { type Account, labelOf } from "./accounts.ts";
import { idOfChange, isLeft } from "./left.ts";
import type { BookKind } from "./books.ts";
import { Content } from "./content.ts";
import type { Ended } from "./ended.ts";
import { isPlain, plainKind } from "./kinds/index.ts";
import { type Leaves, leavesOf, partIds } from "./leaves.ts";
import type { Pair, Scene } from "./scene.ts";

/** Whoever pairs two by hand takes the twin as it is at that moment, whatever was done to it before. */
export function acceptTold({ accounts, books, judge }: Scene, pairs: readonly Pair[]): void {
  for (const { target } of pairs) {
    const account = accounts.account(target);
    if (account?.known === undefined || !judge.told.has(target) || judge.under?.pairs.has(target) === true)
      continue;
    account.known = leavesOf(books.version("target", target)?.published);
  }
}

/**
 * What is paired now, and was the same at a moment of the command, was taken over as it was then: what a colleague did to
 * it meanwhile came before that, or after.
 */
export function acceptPaired(scene: Scene, ended: Ended, pairs: readonly Pair[]): void {
  const { accounts, judge } = scene;
  const content = new Content(scene, [...pairs, ...(ended.killed ? lostPairs(scene, pairs) : [])]);
  // Of what it had paired as well, and the power took: which twin that was, nobody can tell where several are alike.
  const open = ended.killed ? unpairedIds(scene, pairs) : new Set<string>();
  for (const pair of pairs) {
    const account = accounts.account(pair.target);
    if (account === undefined || account.known !== undefined || account.kind === "attributes") continue;
    if (judge.under?.pairs.has(pair.target) === true) continue;
    if (isDraftedOver(scene, ended, account)) continue;
    const touched = account.touches.flatMap(({ at, before }) => (at < ended.began ? [] : [before]));
    const now = scene.books.version("target", pair.target)?.published;
    const same = [...touched, now].find(
      (then) => then !== undefined && content.isSame(pair, ended.readSource, then, open),
    );
    if (same === undefined) continue;
    account.known = leavesOf(same);
    if (ended.result !== undefined) judge.brought.found(ended, pair.target, scene.books.tick);
  }
}

/** A run that died has drafted its own word after all that a colleague did: it has met what they made of it. */
function isDraftedOver({ judge }: Scene, { killed }: Ended, { urn, touches }: Account): boolean {
  const drafted = killed ? judge.drafted.since(urn) : undefined;
  return drafted !== undefined && touches.every(({ at }) => at < drafted);
}

/**
 * Whoever dies while he pairs may leave some of what he had paired, and not others that it refers to: those are alone with
 * their label on both sides.
 */
function lostPairs({ accounts, books }: Scene, pairs: readonly Pair[]): readonly Pair[] {
  const paired = new Set(pairs.flatMap(({ source, target }) => [source, target]));
  const free = (
    side: "source" | "target",
  ): Map<string, { readonly kind: BookKind; readonly urns: string[] }> => {
    const found = new Map<string, { readonly kind: BookKind; readonly urns: string[] }>();
    for (const { kind, urn, body } of books.published(side)) {
      if (paired.has(urn) || accounts.account(urn)?.madeBy === "tool") continue;
      const label = labelOf(books, side, kind, body, urn);
      found.set(label, { kind, urns: [...(found.get(label)?.urns ?? []), urn] });
    }
    return found;
  };
  const there = free("target");
  return [...free("source")].flatMap(
    ([
      label,
      {
        kind,
        urns: [source, ...more],
      },
    ]) => {
      const [target, ...others] = there.get(label)?.urns ?? [];
      if (source === undefined || target === undefined || more.length + others.length > 0) return [];
      return [{ kind, source, target, keys: {} }];
    },
  );
}

/**
 * What an apply found to be as it should be, it may take for known; told by content, not by its word alone. What only
 * the target has of it is kept, and the policy may say later that it goes.
 */
export function acceptUnlisted(
  scene: Scene,
  ended: Ended,
  pairs: readonly Pair[],
  result: Result | undefined,
  isLooked: (pair: Pair) => boolean = () => true,
): void {
  const { accounts, books, judge } = scene;
  const left = new Set(result?.changes.filter(isLeft).map(idOfChange));
  const isDone = ({ outcome }: Result["changes"][number]): boolean => outcome === "done";
  const done = new Set(result?.changes.filter(isDone).map(idOfChange));
  const content = new Content(scene, pairs);
  const { began, readSource } = ended;
  // How far one that did not come to its end has brought it, nobody knows.
  const part = result === undefined ? ({ isPart: true } as const) : {};
  for (const pair of pairs) {
    if (left.has(pair.source) || !isLooked(pair)) continue;
    const { kind } = pair;
    const isOver = isPlain(kind) && plainKind(kind)?.isOver === true;
    const account = isOver ? accounts.silent(kind, pair.target) : accounts.account(pair.target);
    if (account === undefined || account.kind === "attributes") continue;
    const published = books.version("target", pair.target)?.published;
    const isOld = [...account.touchedAt.values()].every((tick) => tick < ended.began);
    if (published === undefined) continue;
    const now = leavesOf(published);
    const isGiven = isOver || kind === "primary-monitors";
    const agreedOf = (then: JsonObject): Leaves | undefined => content.agreed(pair, readSource, then);
    if (!isOld) {
      // As it was when it looked, it was as it should be.
      const before = account.touches.flatMap((touch) => (touch.at < ended.began ? [] : [touch.before]));
      const same = before.find((then) => then !== undefined && content.isSame(pair, readSource, then));
      const isSeen = scene.prints.get(pair.target) !== pair.print;
      // A person had paired it, and this run has looked at it first.
      if (isSeen && same !== undefined && !isDraftedOver(scene, ended, account))
        account.known ??= leavesOf(same);
      // What was there by itself and says more than the source: what both say is known.
      const isAgreed =
        isSeen && isGiven && account.known === undefined && acceptAgreed(account, before, agreedOf);
      // Both say the same by now: what it wrote changed nothing any more, or it has met what a colleague has made just so.
      const isAlike = (isSeen || done.has(pair.source)) && content.isSame(pair, readSource);
      if (isAlike) {
        account.orKnown = account.known;
        account.known = now;
      }
      const isSame = isAgreed || same !== undefined || (isSeen && isAlike);
      if (isSame) judge.brought.found({ began, readSource, ...part }, pair.target, books.tick);
      // What a colleague added, also while it was at work, it has seen where it wrote down another print of it.
      if (account.known !== undefined && isSeen)
        account.kept = new Map([...account.kept, ...added(account, now)]);
      continue;
    }
    if (content.isSame(pair, readSource)) {
      account.known = now;
      account.orKnown = undefined;
      judge.brought.found({ began, readSource, ...part }, pair.target, books.tick);
    } else {
      // What both say is known of both, and what only the target has is its own.
      const agreed = agreedOf(published);
      // What is taken by its name is to be as the source's, whatever it was; what is there by itself never is.
      const isByName = judge.takenByName.has(pair.target) && !isGiven;
      if (agreed !== undefined && !isByName) account.known ??= agreed;
      if (agreed !== undefined && result !== undefined) judge.brought.found(ended, pair.target, books.tick);
      account.kept = scene.isKept(pair) ? content.unsaid(pair, now) : now;
    }
  }
}

/** As it was when a run looked, before a colleague touched it; whether there was anything that both said. */
function acceptAgreed(
  account: Account,
  before: readonly (JsonObject | undefined)[],
  agreedOf: (then: JsonObject) => Leaves | undefined,
): boolean {
  for (const then of before) {
    const agreed = then === undefined ? undefined : agreedOf(then);
    if (agreed === undefined) continue;
    account.known = agreed;
    account.kept = leavesOf(then);
    return true;
  }
  return false;
}

/** What a colleague added that the tool has never written, and that stands there still. */
function added({ known, touchedAt }: Account, now: Leaves): Leaves {
  return new Map([...now].filter(([path]) => known?.has(path) === false && touchedAt.has(path)));
}

/** Of what has no twin: its own id, and those of its parts. */
function unpairedIds({ books }: Scene, pairs: readonly Pair[]): ReadonlySet<string> {
  const paired = new Set(pairs.flatMap(({ source, target }) => [source, target]));
  return new Set(
    [...books.published("source"), ...books.published("target")].flatMap(({ urn, body }) =>
      paired.has(urn) ? [] : [urn.slice(-36), ...partIds(body)],
    ),
  );
}
