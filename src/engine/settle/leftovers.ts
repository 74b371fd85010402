import type { MovedKind, Step, StepItem } from "../../kinds/kind.ts";
import type { Registry } from "../../kinds/registry.ts";
import { troubleOf } from "../../kinds/trouble.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { digest, printOf } from "../../model/canonical.ts";
import type { IntentRecord, OutcomeItem } from "../../model/journal.ts";
import type { JsonObject } from "../../model/json.ts";
import { isObject } from "../../model/json.ts";
import { keyText } from "../../model/key.ts";
import type { MappingEntry } from "../../model/mapping.ts";
import type { MappingTable } from "../../model/mapping-table.ts";
import { strip } from "../../model/shape.ts";
import { shellWord } from "../../model/shell-word.ts";
import { effectOf } from "../../model/journal.ts";
import type { WriteClient } from "../../service/index.ts";
import { isDraftOf, isPublishedPast } from "../drafts.ts";
import type { TargetState } from "../read/target.ts";
import type { Report } from "../progress.ts";
import { isAddressable, wholeOf } from "../apply/address.ts";
import { builtBare } from "../apply/built.ts";
import { otherObject } from "../apply/contradictions.ts";
import { allDone, ofTwin } from "../apply/entry-after.ts";
import { acceptedText, follow } from "./accepted.ts";
import type { OpenVerdict } from "./conclude.ts";
import { conclude, isOpen, leftOpen } from "./conclude.ts";
import { hiddenLeftover } from "./hidden.ts";
import { hasDrafts } from "../facets/drafts.ts";
import { stepNamed } from "../facets/steps.ts";
import { unfinishedIn } from "./left-to-finish.ts";
import { partStillUsed } from "./part-users.ts";
import { changeReads, draftLook, publishReads, wholeNow } from "./reads.ts";
import { asSecond } from "./second.ts";
import type { Recorder } from "../apply/recorder.ts";
import type { Doubt } from "./subtraction.ts";
import { doubtOf } from "./subtraction.ts";
import type { Settler, Verdict } from "./settler.ts";
import { isAskable, isDeleted } from "./deleted.ts";
import { followLeftovers } from "./taken-on.ts";
import { afterChange } from "../facets/content.ts";

export interface RecoverOptions {
  readonly client: WriteClient;
  readonly registry: Registry;
  readonly mapping: MappingTable;
  readonly recorder: Recorder;
  readonly settler: Settler;
  readonly target: TargetState;
  readonly report: Report;
  /** Runs that took others back. */
  readonly rollbacks: ReadonlySet<string>;
  /** Source URNs that a person decided to leave as they are. */
  readonly abandoned?: { has(kind: string, source: string): boolean } | undefined;
}

export interface Recovered {
  /** Those that are still open; `asks` where a person has to decide. */
  readonly ask: readonly Doubt[];
  /** Something was written or found, so what was read of the target is old. */
  readonly moved: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

const mayTurnUpText =
  "others of the kind were accepted by the service and may turn up in its place: it is settled after them";

/** Settles what an interrupted run left in doubt, before anything new is computed. */
export async function settleLeftovers(doubts: readonly Doubt[], options: RecoverOptions): Promise<Recovered> {
  const ask: Doubt[] = [];
  const diagnostics: Diagnostic[] = [];
  let moved = false;
  const byKind = new Map<MovedKind, Doubt[]>();
  const taken = await followLeftovers(doubts, options);
  for (const { doubt, kind, verdict: answered } of taken) {
    const verdict = unlessSecond(doubt, answered, options);
    if (isOpen(verdict)) ask.push(await leftOpen(doubt, verdict, options));
    else moved = (await conclude(kind, doubt, verdict, options)) || moved;
  }
  const mayTurnUp = new Set(ask.map(({ kind }) => kind));
  for (const doubt of doubts.filter((one) => !taken.some((other) => other.doubt === one))) {
    const kind = options.registry.movedKind(doubt.kind);
    if (kind === undefined) ask.push({ ...doubt, asks: true });
    else byKind.set(kind, [...(byKind.get(kind) ?? []), doubt]);
  }
  for (const [kind, group] of byKind) {
    const creates = group.filter((doubt) => stepNamed(kind, doubt.step)?.settle === "by-listing");
    const others = mayTurnUp.has(kind.name)
      ? { ask: creates.map((doubt) => ({ ...doubt, reason: mayTurnUpText })), moved: false, diagnostics: [] }
      : await settleCreates(kind, creates, options);
    ask.push(...others.ask);
    diagnostics.push(...others.diagnostics);
    moved ||= others.moved;
    for (const doubt of group) {
      if (creates.includes(doubt)) continue;
      const verdict = await changeVerdict(kind, doubt, options);
      if (isOpen(verdict)) ask.push(await leftOpen(doubt, verdict, options));
      else moved = (await conclude(kind, doubt, verdict, options)) || moved;
    }
  }
  return { ask, moved, diagnostics };
}

/**
 * Run by run, each against what there was before it. What one of them turns out to be is no candidate for another, so what a
 * person would be asked is looked at once more when others were settled after it.
 */
async function settleCreates(
  kind: MovedKind,
  creates: readonly Doubt[],
  options: RecoverOptions,
): Promise<Recovered> {
  const ask: Doubt[] = [];
  const diagnostics: Diagnostic[] = [];
  let moved = false;
  for (let left = creates; ;) {
    const asking: (readonly [Doubt, OpenVerdict])[] = [];
    const before = left.length;
    for (const run of new Set(left.map((doubt) => doubt.run))) {
      const ofRun = left.filter((doubt) => doubt.run === run);
      for (const [doubt, found] of await options.settler.creates(kind, run, ofRun)) {
        const verdict = unlessSecond(doubt, found, options);
        if (verdict.state === "again") diagnostics.push(...hiddenLeftover(kind, doubt, options.report));
        if (isOpen(verdict)) asking.push([doubt, verdict]);
        else moved = (await conclude(kind, doubt, verdict, options)) || moved;
      }
    }
    const isFinal = asking.length === before || asking.every(([, { state }]) => state === "later");
    if (!isFinal) {
      left = asking.map(([doubt]) => doubt);
      continue;
    }
    for (const [doubt, verdict] of asking) ask.push(await leftOpen(doubt, verdict, options));
    return { ask, moved, diagnostics };
  }
}

/** Neither of the two takes the other's place without a person. */
function unlessSecond(doubt: Doubt, verdict: Verdict, { mapping }: RecoverOptions): Verdict {
  const reason = verdict.state === "done" ? asSecond(doubt, verdict.target, mapping) : undefined;
  return reason === undefined ? verdict : { state: "unknown", reason };
}

/**
 * A change or a publish. What is not known to have happened is not sent again here: the diff that follows sees what
 * is left.
 */
async function changeVerdict(kind: MovedKind, doubt: Doubt, options: RecoverOptions): Promise<Verdict> {
  const step = stepNamed(kind, doubt.step);
  if (await isDeleted(kind, doubt, options)) return { state: "done" };
  const { client, settler, mapping } = options;
  const { item } = doubt;
  // No list is looked through for it, and sent again it might be there twice.
  if (step === undefined && effectOf(doubt) === "creates")
    return { state: "unknown", reason: `this version of ferry knows no step "${doubt.step}"` };
  if (step?.readBack === undefined) {
    // Nobody may ask for a deletion by now: what is there while the service is still at work on it is not there for good.
    // What no list of this run shows, such as one of other kinds (--kinds), was asked for by itself above.
    const isThere = isAskable(kind) || options.target.snapshot.has(kind.name, item.target ?? "");
    if (effectOf(doubt) !== "removes" || !isThere) return { state: "again" };
    await settler.quiet([doubt]);
    return { state: (await isDeleted(kind, doubt, options, true)) ? "done" : "again" };
  }
  const entry = mapping.get(kind.name, item.source);
  const target = item.target ?? entry?.target ?? "";
  const whole = await wholeNow(kind, target, item.whole, options);
  if (!isAddressable(kind, whole)) return { state: "refused", reason: "the object is gone at the target" };
  const body: JsonObject = isObject(item.body) ? item.body : {};
  const stepItem = { source: item.source, name: item.name, target, body, whole };
  if (step.settle === "repeat") {
    // What the row of another twin says is nothing that was to be published here.
    const prints = [item.fingerprint, ofTwin(entry, target)?.targetFingerprint].filter(
      (print) => print !== undefined,
    );
    const reads = publishReads(kind, step, client, stepItem);
    return settler.publish({ kind, doubt, target, prints: new Set(prints), ...reads });
  }
  const before = strip(whole, kind.shape);
  const expected = afterChange(kind, before, body);
  const change = { kind, doubt, target, before, expected, ...changeReads(step, client, stepItem) };
  const verdict = await settler.change(change);
  if (verdict.state !== "unknown" || hasDrafts(kind)) return verdict;
  // It may still arrive, over whatever the next diff writes.
  await settler.quiet([doubt]);
  // Where it did, over what somebody had changed, it stands there now: what a rollback has put back is brought again by that alone.
  const latest = await settler.change(change);
  // What is gone by now has no row to be given.
  if (latest.state === "done" || latest.state === "refused") return latest;
  // Somebody has been at it since the diff. Without drafts the listing shows where it stands, and its row what of that is
  // whose. What was there by itself and was first met then has none: what was sent is all that there is to go by.
  if (entry?.target !== target) return { state: "done", target };
  await standsOtherwise(kind, doubt, entry, options);
  return { state: "again" };
}

/**
 * Whether what was sent had arrived before that nobody can say, so what was applied before it is nothing to merge over: a field
 * may look untouched since somebody took ours back. The row holds what was sent, which is neither that nor what is there; where a
 * rollback has sent it, it is not what the source says either: then the row holds what nothing can be, so that it counts as somebody's.
 */
async function standsOtherwise(
  kind: MovedKind,
  { run, item: { source, fingerprint: sent } }: Doubt,
  entry: MappingEntry,
  { recorder, rollbacks }: RecoverOptions,
): Promise<void> {
  if (sent === undefined) return;
  const targetFingerprint = rollbacks.has(run) ? digest(`either ${sent} or what was there`) : sent;
  await recorder.entry(kind.name, source, { ...entry, targetFingerprint, run: recorder.run });
}

export interface Finished {
  /** What was brought to its end, as people read it. */
  readonly done: readonly string[];
  readonly failed: readonly Unpublished[];
  /** What this was sent and is not known to have come to; the next run settles it. */
  readonly ask: readonly Doubt[];
}

export interface Unpublished {
  /** Of the object, and why, as people read it. */
  readonly told: string;
  readonly key: string;
  readonly reason: string;
  /** `held`: somebody else has been at it, and nothing was sent. */
  readonly state: "held" | "refused";
}

/** Which of what was left is brought to its end. */
export type WantsFinished = (kind: MovedKind, source: string, row: MappingEntry) => boolean;

/** Publishes what an interrupted run created or patched and did not come to publish; `wanted` may leave out some. */
export async function finishUnfinished(
  options: RecoverOptions,
  wanted: WantsFinished = () => true,
): Promise<Finished> {
  const failed: Unpublished[] = [];
  const finished: string[] = [];
  const ask: Doubt[] = [];
  for (const { kind, step, source, entry } of unfinishedIn(options)) {
    if (!wanted(kind, source, entry)) continue;
    const called = `${kind.name} "${entry.name}"`;
    const left = (state: Unpublished["state"], reason: string): void => {
      failed.push({ told: `${called}: ${reason}`, key: keyText(kind.name, source), reason, state });
    };
    const whole = wholeOf(kind, entry.target, undefined, options.target);
    if (!isAddressable(kind, whole)) {
      left("held", goneText(entry, source));
      continue;
    }
    const twin = { source, name: entry.name, target: entry.target };
    const { item, intent: sent } = builtBare(kind, twin, whole, entry.targetFingerprint, {
      over: entry.over,
    });
    const hindrance = await hindranceOf(kind, step, entry, item, options);
    if (hindrance !== undefined) {
      left("held", hindrance);
      continue;
    }
    const intent = await options.recorder.intent(kind.name, step, [sent]);
    const ended = await publishUntilSure(kind, step, entry, item, intent, options);
    await options.recorder.outcome(kind.name, intent.op, [ended]);
    if (ended.result === "done") finished.push(called);
    else if (ended.result === "doubt")
      ask.push(doubtOf(intent, intent.items[0] ?? sent, ended, options.settler.now()));
    else if ("reason" in ended) left("refused", ended.reason);
  }
  return { done: finished, failed, ask };
}

/** A lost answer is no reason to leave a draft behind; but only what is known to be ours is published again. */
async function publishUntilSure(
  kind: MovedKind,
  step: Step,
  entry: MappingEntry,
  item: StepItem,
  intent: IntentRecord,
  { client, settler, recorder }: RecoverOptions,
): Promise<OutcomeItem> {
  const { source, target } = item;
  const done: OutcomeItem = {
    source,
    result: "done",
    target: entry.target,
    entry: { ...allDone(entry), run: recorder.run },
  };
  for (let left = 4; ; left -= 1) {
    const { state, reason } = await published(kind, step, item, intent, { client, settler, recorder });
    if (state === "done") return done;
    if (state === "left") return { source, result: "doubt", reason };
    if (state === "refused") return { source, result: "not-done", reason };
    if (left === 0) return { source, result: "doubt", reason };
    const now = settler.now();
    const [sent = { source, name: entry.name }] = intent.items;
    const { op, run } = intent;
    const verdict = await settler.publish({
      kind,
      doubt: {
        op,
        run,
        kind: kind.name,
        step: step.name,
        effect: step.effect,
        item: sent,
        at: now,
        lostTick: performance.now(),
        reason,
      },
      target: target ?? "",
      prints: new Set(entry.targetFingerprint === undefined ? [] : [entry.targetFingerprint]),
      ...publishReads(kind, step, client, item),
    });
    if (verdict.state === "again") continue;
    if (verdict.state === "done") return done;
    return { source, result: isOpen(verdict) ? "doubt" : "not-done", reason: verdict.reason };
  }
}

/** What a publish was answered with; one that is about another object says nothing of this one. */
async function published(
  kind: MovedKind,
  step: Step,
  item: StepItem,
  { op }: IntentRecord,
  { client, settler, recorder }: Pick<RecoverOptions, "client" | "settler" | "recorder">,
): Promise<{ readonly state: "done" | "refused" | "unknown" | "left"; readonly reason: string }> {
  const disbelieved = ({ target }: { readonly target?: string }): string | undefined =>
    otherObject(kind, step.effect, item, target);
  try {
    const [answer] = await step.send(client, [item]);
    if (answer === undefined) return { state: "unknown", reason: "the answer has no result for it" };
    if (answer.state === "accepted") {
      const keep = (handle: string): Promise<void> =>
        recorder.outcome(kind.name, op, [{ source: item.source, result: "accepted", handle }]);
      await keep(answer.handle);
      const found = await follow({
        step,
        client,
        item,
        accepted: answer,
        disbelieved,
        renamed: keep,
        sleep: (ms) => settler.sleep(ms),
        stopped: () => false,
      });
      if (found.state === "done") return { state: "done", reason: "" };
      if (found.state === "refused") return found;
      return { state: "left", reason: found.state === "stopped" ? acceptedText : found.reason };
    }
    if (answer.state !== "done") return answer;
    const reason = disbelieved(answer);
    return reason === undefined ? { state: "done", reason: "" } : { state: "unknown", reason };
  } catch (error) {
    const trouble = troubleOf(error);
    if (trouble === undefined || trouble.fatal !== undefined) throw error;
    return trouble;
  }
}

/** What keeps the draft that was left from being published: nobody else's changes go with ours, nor a deletion. */
async function hindranceOf(
  kind: MovedKind,
  step: Step,
  entry: MappingEntry,
  item: StepItem,
  options: RecoverOptions,
): Promise<string | undefined> {
  const { client } = options;
  const open = await draftLook(kind, step, client, item)?.();
  const theirs =
    "somebody else changed the draft that an interrupted run left; review it in the web application, publish or discard it, and run again";
  const past =
    "somebody published another version of it after an interrupted run had opened its draft, which does not hold that; review both in the web application, publish or discard the draft, and run again";
  switch (open?.state) {
    case undefined:
    case "none":
      return undefined;
    case "gone":
      return goneText(entry, item.source);
    case "absent":
    case "refused":
      return `whether the draft that an interrupted run left is still there could not be seen: ${open.reason}`;
    case "shown": {
      const published = printOf(item.whole, kind.shape);
      if (isDraftOf(kind, open.draft, [published])) return undefined;
      if (!isDraftOf(kind, open.draft, [entry.targetFingerprint])) return theirs;
      const { over, targetFingerprint: ours } = entry;
      if (isPublishedPast(kind, item.whole, { over, ours })) return past;
      const { snapshot } = options.target;
      const change = { kind, target: entry.target, published: item.whole, draft: open.draft };
      return partStillUsed(change, { ...options, snapshot });
    }
  }
}

function goneText(entry: MappingEntry, source: string): string {
  return `it is gone at the target (${entry.target}), so the draft that an interrupted run left cannot be published; drop the pair with \`ferry mappings PLAN remove ${shellWord(source)}\` to create it again`;
}
