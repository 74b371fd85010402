import type { AppliedChange } from "../../src/model/change.ts";
import type { Result } from "../../src/model/result.ts";
import { resolveDoubts } from "../../src/operations/resolve.ts";
import { type Account, labelOf } from "./accounts.ts";
import { Content } from "./content.ts";
import type { Ended } from "./ended.ts";
import { isExpected } from "./ended.ts";
import { writes } from "./alike.ts";
import { appliers, looks, starters } from "./breach.ts";
import { isOverForm } from "./forms.ts";
import { isQuestion } from "./questions.ts";
import { idOf, plainKind } from "./kinds/index.ts";
import { judgeDurable } from "./recorded.ts";
import { areRowsInDoubt } from "./rows.ts";
import { idOfChange, isLeft, lineOf } from "./left.ts";
import { judgeWords } from "./said.ts";
import { acceptPaired, acceptTold, acceptUnlisted } from "./accepted.ts";
import type { Pair, Scene } from "./scene.ts";

/** What must hold after each command, whatever befell it. */
export async function afterCommand(scene: Scene, ended: Ended): Promise<void> {
  const { judge, world } = scene;
  const { result, error } = ended;
  if (error !== undefined && !isExpected(error)) {
    const place = error.stack?.split("\n").slice(0, 3).join(" ") ?? "";
    judge.breach("defect", `${ended.command.does} ended with what nobody expected: ${place}`);
  }
  const writes = world.emulator.log.entries.filter(
    ({ tenant, method, path }) => tenant === "dev" && method !== "GET" && !isQuestion(path),
  );
  for (const { method, path } of writes) judge.breach("source-written", `${method} ${path}`);
  const broken = await unreadable(scene);
  if (broken !== undefined) {
    judge.breach("defect", `after ${ended.command.does} what is on disk cannot be read: ${broken}`);
    return;
  }
  const { doubts } = (await scene.state()).replayed;
  judge.settled.note(judge.inDoubt, doubts);
  judge.inDoubt = doubts;
  if (result !== undefined) await judgeExit(scene, ended, result);
  // Where nothing is open a person who watches only looks.
  const isWriting = !looks.has(ended.command.does) && ended.command.does !== "watch";
  if (isWriting && result !== undefined && [0, 4, 6, 7].includes(result.exitCode)) judgeDurable(scene, ended);
  const state = await scene.state();
  for (const records of scene.records.values()) records.judge(ended, state);
  await judgeWords(scene, ended);
  const pairs = await scene.pairs();
  // What the power took of a journal was never sure.
  if (ended.killed) for (const target of judge.under?.pairs.keys() ?? []) judge.paired.delete(target);
  for (const { source, target } of pairs) {
    judge.paired.add(target);
    scene.hadTwin(source, target);
  }
  judgePairs(scene, pairs);
  noteReplaced(scene, ended, pairs);
  judgeNumbers(scene, pairs);
  judgeDead(scene, ended, pairs);
  judgeRollback(scene, ended, pairs);
  judgeAlarms(scene, ended, pairs);
  if (!ended.disturbed) judgeBeside(scene, ended, pairs);
  const isApply = appliers.has(ended.command.does);
  if (isApply && result?.exitCode !== 0) noteParts(scene, ended, pairs);
  // Also one that was killed: what it paired is paired, and a later plan does not undo that.
  if (isApply && ended.policy.adopt === "by-name")
    for (const { target } of pairs)
      if (judge.under?.pairs.has(target) !== true) judge.takenByName.add(target);
  // What it adopted while somebody was at work was the same when it looked: that cannot be looked at any more.
  if (isApply && ended.disturbed)
    for (const { action, kind, outcome, target } of result?.changes ?? [])
      if (action === "adopt" && outcome === "done" && target !== undefined)
        judge.told.add(idOf(kind, target.urn));
  // A person has looked at both: what the source says from then on is new, and nothing else is.
  for (const { action, kind, outcome, target } of isApply ? (result?.changes ?? []) : []) {
    const twin = idOf(kind, target?.urn ?? "");
    if (action === "adopt" && outcome === "done" && judge.isKept(twin))
      judge.brought.found(ended, twin, scene.books.tick);
  }
  // Of one that is not the last what stood before it is not what stands before the last.
  if (ended.command.does === "rollback" && (result === undefined || ended.command.earlier !== undefined))
    judge.brought.interrupted();
  if (ended.command.does === "map") acceptTold(scene, pairs);
  if (isApply) acceptPaired(scene, ended, pairs);
  // One that did not come to its end has looked at what it wrote down anew, and at that alone; one that selects less, at that for sure.
  const isLooked = ({ target, print }: Pair): boolean => scene.prints.get(target) !== print;
  const isWhole = result !== undefined && ![1, 3, 5].includes(result.exitCode);
  if (isWhole && (isApply || ended.command.does === "rollback")) judge.judgePartsLost();
  if (isApply && isWhole)
    acceptUnlisted(scene, ended, pairs, result, ended.isNarrowed ? isLooked : undefined);
  else if (isApply) acceptUnlisted(scene, ended, pairs, undefined, isLooked);
  for (const { target, print } of pairs) scene.prints.set(target, print);
}

/**
 * A run that was killed, or that left something, may have brought an object to a part of what the source says; and what
 * it sent without hearing of it, nobody can tell from a colleague's work when that lies over it.
 */
function noteParts(scene: Scene, { began, result }: Ended, pairs: readonly Pair[]): void {
  const content = new Content(scene, pairs);
  const byTarget = new Map(pairs.map((pair) => [pair.target, pair]));
  const left = new Set(result?.changes.filter(isLeft).map(idOfChange));
  const paired = new Set(pairs.map(({ source }) => source));
  const open = [...scene.books.published("source")].flatMap(({ urn }) =>
    paired.has(urn) ? [] : [urn.slice(-36)],
  );
  // What it mentions has no twin yet, and was left out.
  const mentions = (source: string): boolean => {
    const text = JSON.stringify(scene.books.version("source", source)?.published ?? {});
    return open.some((id) => text.includes(id));
  };
  scene.judge.brought.inPart(began, (urn) => {
    const pair = byTarget.get(urn);
    if (result === undefined || pair === undefined || mentions(pair.source)) return true;
    return left.has(pair.source) || content.lacks(pair).length > 0;
  });
}

/** Said of each that it was done: what it stood for before is nobody's twin any more. */
function noteReplaced({ judge, twins }: Scene, { result }: Ended, pairs: readonly Pair[]): void {
  const now = new Set(pairs.map(({ target }) => target));
  for (const change of result?.changes ?? []) {
    if (change.action !== "replace" || change.outcome !== "done") continue;
    for (const twin of twins.get(idOfChange(change)) ?? []) if (!now.has(twin)) judge.replaced.add(twin);
  }
}

async function unreadable(scene: Scene): Promise<string | undefined> {
  try {
    await scene.state();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** What a run has done, and nobody was at work meanwhile, has a row of what is there. */
function judgeDead({ books, judge }: Scene, ended: Ended, pairs: readonly Pair[]): void {
  if (ended.disturbed || ended.command.does === "rollback") return;
  const targets = new Map(pairs.map((pair) => [`${pair.kind} ${pair.source}`, pair.target]));
  for (const { action, kind, outcome, source } of ended.result?.changes ?? []) {
    if (outcome !== "done" || action === "delete" || source === undefined) continue;
    const target = targets.get(`${kind} ${idOf(kind, source.urn)}`);
    if (
      target !== undefined &&
      plainKind(kind)?.isOver === true &&
      books.version("target", target) === undefined
    )
      judge.breach("dead-row", `${kind} of ${source.urn} has a row of ${target}, which is not there`);
  }
}

/** The exit code says the truth. */
async function judgeExit(scene: Scene, { command, disturbed }: Ended, result: Result): Promise<void> {
  const { judge } = scene;
  const { exitCode, changes } = result;
  if (looks.has(command.does) || ["map", "unmap"].includes(command.does)) return;
  const { replayed } = await scene.state();
  const open = replayed.doubts.length;
  const left = changes.filter(isLeft);
  if (exitCode === 0 && left.length > 0 && command.does !== "rollback")
    judge.breach("exit-code", `${command.does} ends with 0, and left ${left.map(lineOf).join("; ")}`);
  if (exitCode === 0 && open > 0 && !starters.has(command.does))
    judge.breach("exit-code", `${command.does} ends with 0, and ${open} operations are in doubt`);
  // Of rows nothing stands in the journal: they have logs of their own.
  if (exitCode !== 6 || areRowsInDoubt(result)) return;
  // Which run of the service a start has made is asked about, too.
  if (open === 0 && replayed.starts.some(({ asks }) => asks === true)) return;
  if (open === 0) {
    judge.breach("exit-code", `${command.does} ends with 6, and nothing is in doubt`);
    return;
  }
  if (command.does === "resolve" || disturbed) return;
  const asked = await scene.quietly((migration) => resolveDoubts(migration, { decisions: [] }));
  // It has paired one of two that its question was about: the other one is told by itself from now on.
  const inDoubt = new Set(replayed.doubts.map(({ kind }) => kind));
  const hasPaired = changes.some(
    ({ action, outcome, kind }) => action === "adopt" && outcome === "done" && inDoubt.has(kind),
  );
  if (asked.exitCode !== 6 && !(asked.exitCode === 5 && hasPaired))
    judge.breach("exit-code", `${command.does} ends with 6, and resolve with ${asked.exitCode}`);
}

/** No source twice, no target twice. */
function judgePairs({ accounts, judge, policies, story }: Scene, pairs: readonly Pair[]): void {
  const isNever =
    story.policy.adopt === "never" && policies.every(({ adopt }) => adopt === undefined || adopt === "never");
  for (const { kind, source, target } of isNever ? pairs : []) {
    const account = accounts.account(target);
    if (account === undefined || account.madeBy === "tool" || comesWithIt(account) || judge.told.has(target))
      continue;
    if (kind === "term-assignments" || account.madeBy === "colleague") continue;
    judge.breach(
      "taken-all-the-same",
      `${source} is paired with ${account.label} (${target}), which people made`,
    );
  }
  const taken = new Map<string, string>();
  for (const { kind, source, target } of pairs) {
    // A link lies over an attribute, which is nobody's twin.
    if (kind === "term-assignments") continue;
    const other = taken.get(target);
    if (other !== undefined && other !== source)
      judge.breach("not-bijective", `${target} stands for ${source} and for ${other}`);
    taken.set(target, source);
  }
}

/**
 * Whoever takes back takes back the last run that wrote something. What a run made is told by the books: a result names
 * no target of what it creates.
 */
function judgeRollback(scene: Scene, ended: Ended, pairs: readonly Pair[]): void {
  const { accounts, books, judge } = scene;
  const { began, command, result, plan } = ended;
  // Of another plan's runs nothing is taken back.
  const wroteLast = judge.wroteLast.get(plan) ?? [];
  const isQuiet = !ended.disturbed && ended.isAlone && result !== undefined;
  if (command.does === "rollback") {
    const isThere = wroteLast.some((urn) => books.version("target", urn)?.published !== undefined);
    const isAbout = ({ target }: AppliedChange): boolean => wroteLast.includes(target?.urn ?? "");
    if (isThere && isQuiet && command.earlier === undefined && !result.changes.some(isAbout))
      judge.breach("rollback-missed", "a run has made something, and the rollback takes back nothing of it");
    judge.wroteLast.delete(plan);
  } else if (command.does === "resolve" || !isQuiet) {
    if (!looks.has(command.does)) judge.wroteLast.delete(plan);
  } else if (appliers.has(command.does)) {
    const hasWritten = ({ action, outcome }: AppliedChange): boolean =>
      action !== "adopt" && ["done", "failed", "in-doubt"].includes(outcome ?? "");
    // Rows of an earlier run that a reviewer has published are brought to their end by this one: it is the one that is taken back.
    // A run counts what it adopts as well, and that is nothing to take back.
    const adopted = result.changes.filter(({ action, outcome }) => action === "adopt" && outcome === "done");
    const made = Number(/^(\d+) changes? made/.exec(result.headline ?? "")?.[1] ?? 0);
    const hasEnded = made > adopted.length;
    // What is adopted by its name may be written to.
    if (!result.changes.some(hasWritten) && writes(scene).length === 0 && !hasEnded) return;
    const born = pairs.flatMap(({ target }) => {
      const account = accounts.account(target);
      return account?.madeBy === "tool" && account.madeAt >= began && !comesWithIt(account) ? [target] : [];
    });
    judge.wroteLast.set(plan, born);
  } else if (command.does === "map" || command.does === "unmap") judge.wroteLast.clear();
}

/**
 * What only the tool has ever written to has not drifted. What the service took out of it because a colleague deleted
 * something else is nobody's change.
 */
function judgeAlarms(scene: Scene, { command, result, disturbed }: Ended, pairs: readonly Pair[]): void {
  const { accounts, judge } = scene;
  if (!appliers.has(command.does) || result === undefined) judge.mayAlarm ||= disturbsPairs(command.does);
  if (disturbed) judge.mayAlarm = true;
  if (result === undefined || judge.mayAlarm || command.does !== "apply") return;
  const targets = new Map(pairs.map(({ source, target }) => [source, target]));
  for (const change of result.changes) {
    if (change.action !== "drift" && change.action !== "conflict") continue;
    const account = accounts.account(targets.get(idOfChange(change)) ?? "");
    if (account?.madeBy !== "tool" || account.isTouched || account.known === undefined) continue;
    if (scene.story.openings?.keepsCapitals === true && isOverForm(change)) continue;
    judge.breach("false-alarm", `${lineOf(change)}, and nobody has been at ${account.urn}`);
  }
}

/** What was known of pairs may be gone by it, or their targets stand as they were before. */
function disturbsPairs(does: string): boolean {
  return ["rollback", "resolve", "map", "unmap"].includes(does);
}

/** What is there because something else is. */
function comesWithIt({ kind }: Account): boolean {
  return kind === "primary-monitors" || plainKind(kind)?.isOver === true;
}

/** For each label at most as many objects of the tool's making as ever went by it at the source. */
function judgeNumbers(scene: Scene, pairs: readonly Pair[]): void {
  const { accounts, books, judge } = scene;
  const paired = new Map(pairs.map(({ source, target }) => [target, source]));
  const made = new Map<string, string[]>();
  for (const account of accounts.byUrn.values()) {
    if (account.madeBy !== "tool" || account.gone !== undefined) continue;
    if (comesWithIt(account)) continue;
    // Where two look alike, a person may have taken the one that was said to be refused.
    const isTaken = paired.has(account.urn) && !judge.told.has(account.urn);
    if (judge.disowned.has(account.urn) && !isTaken) continue;
    // It was renamed since, and stands for something else by now.
    const standsFor = paired.get(account.urn);
    if (standsFor !== undefined && accounts.sourcesOf.get(account.name)?.has(standsFor) === false) continue;
    // Whose answer was lost, and which then got another name and other content, nobody can know again (README).
    const touched = [...account.touchedAt.keys()];
    const isNamed = (path: string): boolean => /(?:^|[/])name$/.test(path);
    if (!paired.has(account.urn) && touched.some(isNamed) && !touched.every(isNamed)) continue;
    // A new one beside the old one, which stays until a person removes it, is what that policy says.
    if (account.kind === "dashboards" && scene.everSays("replace", "allow")) continue;
    if (judge.replaced.has(account.urn)) continue;
    if (books.version("target", account.urn)?.published === undefined) continue;
    made.set(account.name, [...(made.get(account.name) ?? []), account.urn]);
  }
  for (const [label, urns] of made) {
    const untold = urns.filter((urn) => judge.untold.has(urn)).length;
    // Asked about one that a colleague had renamed, a person said that it did not happen (README).
    const isRenamed = (urn: string): boolean =>
      [...(accounts.account(urn)?.touchedAt.keys() ?? [])].some((path) => /(?:^|[/])name$/.test(path));
    const overruled = judge.sentOnceMore.has(label) && urns.some(isRenamed) ? 1 : 0;
    // Somebody has made the same before the service came to ours, and theirs was taken for it (README).
    const theirs = [...scene.twins.values()]
      .flatMap((twins) => [...twins])
      .filter((urn) => {
        const account = accounts.account(urn);
        return account?.madeBy === "colleague" && account.name === label;
      });
    const replaced = urns.filter((urn) => isBeingReplaced(scene, urn, urns)).length;
    const allowed =
      (accounts.sourcesOf.get(label)?.size ?? 0) + untold + overruled + theirs.length + replaced;
    if (urns.length > allowed)
      judge.breach(
        "made-twice",
        `${label}: ${urns.length} were made for ${allowed} at the source: ${urns.join(", ")}`,
      );
  }
}

/** Where the target does not let anybody change it, a run has made what takes its place, and was killed before it said so, or deleted the old one. */
function isBeingReplaced({ accounts, judge }: Scene, urn: string, all: readonly string[]): boolean {
  if (accounts.account(urn)?.kind !== "rules" || !judge.hidesDraftsOfRules) return false;
  return all.some((other) => {
    const under = judge.madeUnder.get(other);
    return other !== urn && under?.policy.replace === "allow" && under.pairs.has(urn);
  });
}

/**
 * Rules cannot be changed there, and the plan replaces what differs (plans/README): a new one takes the place of a twin, whatever name somebody
 * has given that, or of what the plan takes for the twin by its name, which the run names.
 */
function isInItsPlace(
  { accounts, judge, twins }: Scene,
  ended: Ended,
  account: Account,
  old: string,
): boolean {
  if (account.kind !== "rules" || !judge.hidesDraftsOfRules || ended.policy.replace !== "allow") return false;
  const isBefore = (urn: string): boolean =>
    urn !== account.urn && accounts.account(urn)?.gone !== "by a colleague";
  if ([...twins.values()].some((had) => had.has(account.urn) && [...had].some(isBefore))) return true;
  const { result } = ended;
  const isNamed = result?.changes.some(({ action, target }) => action === "delete" && target?.urn === old);
  return judge.replacesByName(account, ended.policy) && isNamed !== false;
}

/** A natural key that fits one unclaimed object is its twin, or stands in the way: never a second one beside it. */
function judgeBeside(scene: Scene, ended: Ended, pairs: readonly Pair[]): void {
  const { accounts, books, judge } = scene;
  if (ended.policy.adopt === "never") return;
  const claimed = new Set(pairs.map(({ target }) => target));
  for (const account of accounts.byUrn.values()) {
    if (account.madeBy !== "tool" || account.madeAt < ended.began || account.gone !== undefined) continue;
    const made = judge.madeUnder.get(account.urn);
    if (comesWithIt(account) || made?.policy.adopt === "never") continue;
    // It was sent by one that is over, and somebody has made theirs before the service came to it.
    if (made !== undefined && made.began < ended.began) continue;
    if (account.kind === "dashboards" && ended.policy.replace === "allow") continue;
    const own = books.version("target", account.urn)?.published;
    const there = [...books.published("target")].filter(
      ({ kind, urn, body }) =>
        kind === account.kind &&
        // Two folders of one name are two places, and so are two SQL items.
        body["parentUrn"] === own?.["parentUrn"] &&
        body["catalogItemUrn"] === own?.["catalogItemUrn"] &&
        urn !== account.urn &&
        !claimed.has(urn) &&
        !judge.replaced.has(urn) &&
        (accounts.account(urn)?.madeAt ?? 0) < ended.began &&
        labelOf(books, "target", kind, body) === account.label,
    );
    if (there.length !== 1 || accounts.sourcesOf.get(account.label)?.size !== 1) continue;
    if (isInItsPlace(scene, ended, account, there[0]?.urn ?? "")) continue;
    judge.breach(
      "made-beside",
      `${account.label} (${account.urn}) was made beside ${there[0]?.urn ?? ""}, which was there and is nobody's twin`,
    );
  }
}
