import type { MovedKind } from "../../kinds/kind.ts";
import type { OutcomeItem } from "../../model/journal.ts";
import { effectOf } from "../../model/journal.ts";
import type { MappingEntry } from "../../model/mapping.ts";
import type { MappingTable } from "../../model/mapping-table.ts";
import {
  allDone,
  driftOf,
  formerOf,
  keysOf,
  keysWith,
  ofTwin,
  overOf,
  printsOf,
} from "../apply/entry-after.ts";
import type { Recorder } from "../apply/recorder.ts";
import { pairedOrigin } from "../facets/standing.ts";
import { stepAfter } from "../facets/steps.ts";
import type { Verdict } from "./settler.ts";
import type { Doubt } from "./subtraction.ts";

interface Where {
  readonly mapping: MappingTable;
  readonly recorder: Recorder;
  /** Runs that took others back. */
  readonly rollbacks: ReadonlySet<string>;
}

export type OpenVerdict = Extract<Verdict, { state: "unknown" | "later" }>;

export function isOpen(verdict: Verdict): verdict is OpenVerdict {
  return verdict.state === "unknown" || verdict.state === "later";
}

/** That a person has to decide goes on record once, so that whoever only reads the files says the same. */
export async function leftOpen(
  doubt: Doubt,
  { state, reason }: OpenVerdict,
  { recorder }: Pick<Where, "recorder">,
): Promise<Doubt> {
  const { asks, ...rest } = doubt;
  if (state === "later") return { ...rest, reason };
  if (asks !== true) {
    const { source } = doubt.item;
    await recorder.outcome(doubt.kind, doubt.op, [{ source, result: "doubt", reason, asks: true }]);
  }
  return { ...doubt, reason, asks: true };
}

/** Writes down what became of it; whether anything at the target is another by that than it was read. */
export async function conclude(
  kind: MovedKind,
  doubt: Doubt,
  verdict: Exclude<Verdict, OpenVerdict>,
  { mapping, recorder, rollbacks }: Where,
): Promise<boolean> {
  const { item } = doubt;
  const { source } = item;
  if (verdict.state !== "done") {
    const reason =
      verdict.state === "again" ? "settled: what is left is seen by the next diff" : verdict.reason;
    await recorder.outcome(kind.name, doubt.op, [{ source, result: "not-done", reason }]);
    return true; // What was read of the target is older than this, by a quiet period.
  }
  const before = mapping.get(kind.name, source);
  // The source object stands for another one by now, of which this says nothing, or for none, since a person has taken away the pair.
  const isOfOther = item.target !== undefined && before?.target !== item.target;
  const isTold =
    effectOf(doubt) === "releases" || (effectOf(doubt) === "changes" && rollbacks.has(doubt.run));
  if (isOfOther && isTold) {
    const outcome: OutcomeItem = { source, result: "done", entry: before ?? null };
    await recorder.outcome(kind.name, doubt.op, [outcome]);
    return true;
  }
  if (effectOf(doubt) === "releases" && before !== undefined) {
    const published: MappingEntry = { ...allDone(before), run: recorder.run };
    const outcome: OutcomeItem = { source, result: "done", target: published.target, entry: published };
    await recorder.outcome(kind.name, doubt.op, [outcome]);
    return true;
  }
  if (effectOf(doubt) === "removes") {
    const entry = before?.target === item.target ? null : (before ?? null);
    await recorder.outcome(kind.name, doubt.op, [{ source, result: "done", entry }]);
    return true;
  }
  const next = stepAfter(kind, doubt.step)?.name;
  // A row from before a create is that of what was gone: the new one has nothing of it.
  const isCreate = effectOf(doubt) === "creates";
  const target = verdict.target ?? (isCreate ? undefined : item.target) ?? before?.target ?? "";
  const own = isCreate ? undefined : ofTwin(before, target);
  const entry: MappingEntry = {
    name: item.name,
    target,
    origin: isCreate ? "created" : (own?.origin ?? pairedOrigin(kind, false)),
    ...printsOf(item),
    ...keysOf(keysWith(own?.keys, item), verdict.keys),
    ...formerOf(before, target, item),
    ...(next === undefined ? {} : { unfinished: next }),
    ...driftOf(item, next),
    ...overOf(item, next),
    run: recorder.run,
  };
  const outcome: OutcomeItem = { source, result: "done", target: entry.target, entry };
  await recorder.outcome(kind.name, doubt.op, [outcome]);
  return true;
}
