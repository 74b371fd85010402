import type { MovedKind, Step } from "../../kinds/kind.ts";
import type { Registry } from "../../kinds/registry.ts";
import { troubleOf } from "../../kinds/trouble.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { fingerprint } from "../../model/canonical.ts";
import type { OutcomeItem } from "../../model/journal.ts";
import type { JsonObject } from "../../model/json.ts";
import { isObject } from "../../model/json.ts";
import type { MappingEntry } from "../../model/mapping.ts";
import type { MappingTable } from "../../model/mapping-table.ts";
import { mergePatch } from "../../model/merge-patch.ts";
import { strip } from "../../model/shape.ts";
import type { WriteClient } from "../../service/index.ts";
import type { TargetState } from "../read-target.ts";
import type { Report } from "../progress.ts";
import { hiddenLeftover } from "./hidden.ts";
import type { Recorder } from "./recorder.ts";
import type { Doubt } from "./settle.ts";
import type { Settler, Verdict } from "./settler.ts";

export interface RecoverOptions {
  readonly client: WriteClient;
  readonly registry: Registry;
  readonly mapping: MappingTable;
  readonly recorder: Recorder;
  readonly settler: Settler;
  readonly target: TargetState;
  readonly report: Report;
}

export interface Recovered {
  /** Those that a person has to decide. */
  readonly ask: readonly Doubt[];
  /** Something was written or found, so what was read of the target is old. */
  readonly moved: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

/** Settles what an interrupted run left in doubt, before anything new is computed. */
export async function settleLeftovers(doubts: readonly Doubt[], options: RecoverOptions): Promise<Recovered> {
  const ask: Doubt[] = [];
  const diagnostics: Diagnostic[] = [];
  let moved = false;
  const byKind = new Map<MovedKind, Doubt[]>();
  for (const doubt of doubts) {
    const kind = options.registry.moved().find((candidate) => candidate.name === doubt.kind);
    if (kind === undefined) ask.push(doubt);
    else byKind.set(kind, [...(byKind.get(kind) ?? []), doubt]);
  }
  for (const [kind, group] of byKind) {
    const creates = group.filter((doubt) => stepOf(kind, doubt.step)?.settle === "by-listing");
    for (const run of new Set(creates.map((doubt) => doubt.run))) {
      const verdicts = await options.settler.creates(
        kind,
        run,
        creates.filter((doubt) => doubt.run === run),
      );
      for (const [doubt, verdict] of verdicts) {
        if (verdict.state === "again") diagnostics.push(...hiddenLeftover(kind, doubt, options.report));
        if (verdict.state === "unknown") ask.push({ ...doubt, reason: verdict.reason });
        else moved = (await conclude(kind, doubt, verdict, options)) || moved;
      }
    }
    for (const doubt of group) {
      if (creates.includes(doubt)) continue;
      const verdict = await changeVerdict(kind, doubt, options);
      if (verdict.state === "unknown") ask.push({ ...doubt, reason: verdict.reason });
      else moved = (await conclude(kind, doubt, verdict, options)) || moved;
    }
  }
  return { ask, moved, diagnostics };
}

/** A kind without drafts shows its state in the listing: the diff that follows sees by itself what is left. */
async function changeVerdict(kind: MovedKind, doubt: Doubt, options: RecoverOptions): Promise<Verdict> {
  const step = stepOf(kind, doubt.step);
  const hasDraft = kind.mode !== "link" && kind.draft !== undefined;
  const { readBack } = step ?? {};
  const target = doubt.item.target ?? options.mapping.get(doubt.item.source)?.target ?? "";
  if (step?.settle !== "by-reading" || !hasDraft || readBack === undefined) return { state: "again" };
  const whole = bodyAt(options.target, kind, target);
  const patch: JsonObject = isObject(doubt.item.body) ? doubt.item.body : {};
  const expected = strip(mergePatch(strip(whole, kind.shape), patch) as JsonObject, kind.shape);
  return options.settler.change({
    kind,
    doubt,
    expected,
    target,
    readBack: async () =>
      readBack(options.client, {
        source: doubt.item.source,
        name: doubt.item.name,
        target,
        body: patch,
        whole,
      }),
  });
}

async function conclude(
  kind: MovedKind,
  doubt: Doubt,
  verdict: Exclude<Verdict, { state: "unknown" }>,
  { mapping, recorder }: RecoverOptions,
): Promise<boolean> {
  const { item } = doubt;
  const { source } = item;
  if (verdict.state !== "done") {
    const reason =
      verdict.state === "again" ? "settled: what is left is seen by the next diff" : verdict.reason;
    await recorder.outcome(kind.name, doubt.op, [{ source, result: "not-done", reason }]);
    return false;
  }
  const before = mapping.get(source);
  const steps = kind.mode === "entity" && doubt.step === "create" ? kind.create : (kind.update ?? []);
  const next = steps[steps.findIndex((step) => step.name === doubt.step) + 1]?.name;
  const keys = { ...before?.keys, ...verdict.keys };
  const entry: MappingEntry = {
    name: item.name,
    target: verdict.target ?? before?.target ?? item.target ?? "",
    origin:
      before?.origin ??
      (doubt.step === "create" ? "created" : kind.mode === "entity" ? "explicit" : "paired"),
    ...(item.sourceFingerprint === undefined ? {} : { sourceFingerprint: item.sourceFingerprint }),
    ...(item.fingerprint === undefined ? {} : { targetFingerprint: item.fingerprint }),
    ...(Object.keys(keys).length === 0 ? {} : { keys }),
    ...(next === undefined ? {} : { unfinished: next }),
    run: recorder.run,
  };
  const outcome: OutcomeItem = { source, result: "done", target: entry.target, entry };
  await recorder.outcome(kind.name, doubt.op, [outcome]);
  return true;
}

/** Publishes what an interrupted run created or patched and did not come to publish. */
export async function finishUnfinished(
  options: RecoverOptions,
): Promise<{ readonly moved: boolean; readonly failed: readonly string[] }> {
  const failed: string[] = [];
  let moved = false;
  for (const kind of options.registry.moved()) {
    for (const [source, entry] of Array.from(options.mapping.entries(kind.name))) {
      if (entry.unfinished === undefined) continue;
      const step = stepOf(kind, entry.unfinished);
      if (step === undefined || step.settle !== "repeat") continue;
      const whole = bodyAt(options.target, kind, entry.target);
      const item = { source, name: entry.name, target: entry.target, body: {}, whole };
      if (await changedMeanwhile(kind, entry, whole, options.client)) {
        failed.push(
          `${kind.name} "${entry.name}": somebody else changed the draft that an interrupted run left; review it in the web application, publish or discard it, and run again`,
        );
        continue;
      }
      const intent = await options.recorder.intent(kind.name, step.name, [
        { source, name: entry.name, target: entry.target },
      ]);
      try {
        await untilAnswered(async () => step.send(options.client, [item]));
        const { unfinished: _done, ...rest } = entry;
        await options.recorder.outcome(kind.name, intent.op, [
          { source, result: "done", target: entry.target, entry: { ...rest, run: options.recorder.run } },
        ]);
        moved = true;
      } catch (error) {
        const trouble = troubleOf(error);
        if (trouble === undefined) throw error;
        if (trouble.fatal !== undefined) throw error;
        await options.recorder.outcome(kind.name, intent.op, [
          { source, result: "not-done", reason: trouble.reason },
        ]);
        failed.push(`${kind.name} "${entry.name}": ${trouble.reason}`);
      }
    }
  }
  return { moved, failed };
}

/** For what changes nothing when it is done again: a lost answer is no reason to leave it. */
async function untilAnswered(send: () => Promise<unknown>): Promise<void> {
  for (let left = 4; ; left -= 1) {
    try {
      await send();
      return;
    } catch (error) {
      const trouble = troubleOf(error);
      if (left === 0 || trouble?.state !== "unknown" || trouble.fatal !== undefined) throw error;
    }
  }
}

/** Whether the draft that is to be published is still the one that was left: nobody else's changes go with ours. */
async function changedMeanwhile(
  kind: MovedKind,
  entry: MappingEntry,
  whole: JsonObject,
  client: WriteClient,
): Promise<boolean> {
  if (kind.mode === "link" || kind.draft === undefined || Object.keys(whole).length === 0) return false;
  const draft = await kind.draft(client, { urn: entry.target, name: entry.name, body: whole });
  return draft !== undefined && fingerprint(strip(draft, kind.shape), kind.shape) !== entry.targetFingerprint;
}

function stepOf(kind: MovedKind, name: string): Step | undefined {
  const steps: readonly Step[] = [
    ...(kind.mode === "entity" ? kind.create : []),
    ...(kind.update ?? []),
    ...(kind.mode === "entity" && kind.remove !== undefined ? [kind.remove] : []),
  ];
  return steps.find((step) => step.name === name);
}

function bodyAt(target: TargetState, kind: MovedKind, urn: string): JsonObject {
  return target.snapshot.has(kind.name, urn) ? target.snapshot.body(kind.name, urn) : {};
}
