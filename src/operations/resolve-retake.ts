import { waitTold } from "../engine/waiting.ts";
import { Quiet } from "../engine/settle/quiet.ts";
import { Replay } from "../engine/settle/replay.ts";
import type { Doubt } from "../engine/settle/subtraction.ts";
import type { Settler } from "../engine/settle/settler.ts";
import { EngineError } from "../engine/progress.ts";
import type { EntityKind } from "../kinds/kind.ts";
import type { IntentRecord, JournalRecord } from "../model/journal.ts";
import { keyText } from "../model/key.ts";
import { effectOf } from "../model/journal.ts";
import { MappingTable } from "../model/mapping-table.ts";
import { shellWord } from "../model/shell-word.ts";
import type { Abandoned } from "../store/index.ts";
import { AbandonedList } from "../store/index.ts";
import type { Migration } from "./migration.ts";
import { settlerFor } from "./run.ts";
import type { State } from "./state.ts";
import { standsAlone } from "../engine/facets/standing.ts";
import { stepNamed } from "../engine/facets/steps.ts";

/**
 * A create that a person abandoned may have happened all the same: before it is sent anew, the target is looked at as
 * an apply would have looked, after the quiet period. Nothing is recorded while something there may be it.
 */
export async function refuseIfThere(
  migration: Migration,
  { mapping }: Pick<State, "mapping">,
  retaken: readonly Abandoned[],
): Promise<void> {
  const kinds = await migration.kinds("target");
  const creates = new AbandonedList(
    retaken.filter(({ kind, step }) => {
      const moved = kinds.movedKind(kind);
      return moved !== undefined && stepNamed(moved, step)?.effect === "creates";
    }),
  );
  if (creates.size === 0) return;
  const records = new AbandonedRecords(creates);
  const { state } = migration.store;
  const kept = (await state.archives()).map((archive) => archive.records());
  for (const journal of [...kept, state.readJournal()]) {
    records.begin();
    for await (const record of journal) records.feed(record);
  }
  const settler = await settlerFor(migration, migration.targetReads(), mapping, records.baseline);
  for (const [run, doubts] of byRunAndKind(creates, records.doubts)) {
    const [first] = doubts;
    if (first === undefined) continue;
    const kind = kinds.movedKind(first.kind);
    if (!standsAlone(kind)) continue;
    if (run === "") {
      await refuseNamesakes(migration, settler, kind, doubts);
      continue;
    }
    for (const [doubt, verdict] of await settler.creates(kind, first.run, doubts)) {
      if (verdict.state === "done") throw mayBeIt(migration, doubt, [verdict.target ?? ""]);
      if (verdict.state === "unknown" || verdict.state === "later")
        throw mayBeIt(migration, doubt, [], verdict.reason);
    }
  }
}

/** What was sent is not on record any more: whatever has its name, and is nobody's twin, may be it. */
async function refuseNamesakes(
  migration: Migration,
  settler: Settler,
  kind: EntityKind,
  doubts: readonly Doubt[],
): Promise<void> {
  const ms = new Quiet(migration.plan.limits.quietPeriodMs).left(doubts);
  if (ms > 0) await waitTold(migration, ms, "a request may still take effect: it is looked for after that");
  const there = await settler.candidates(kind, "", doubts);
  for (const doubt of doubts) {
    const urns = there.filter(({ name }) => name === doubt.item.name).map(({ urn }) => urn);
    if (urns.length > 0) throw mayBeIt(migration, doubt, urns);
  }
}

function mayBeIt(
  migration: Migration,
  { kind, item }: Doubt,
  urns: readonly string[],
  why?: string,
): EngineError {
  const found = why ?? `${urns.join(", ")} may be what was sent then`;
  return new EngineError(
    "in-doubt",
    `${kind} "${item.name}" (${item.source}) is not sent again: ${found}; nothing was recorded`,
    `If it is the same object: ferry mappings ${migration.plan.name} set ${shellWord(item.source)} ${urns[0] === undefined ? "<target urn>" : shellWord(urns[0])}. If not, remove or rename it at the target, and run again.`,
  );
}

function byRunAndKind(
  creates: AbandonedList,
  known: ReadonlyMap<string, Doubt>,
): readonly (readonly [string, readonly Doubt[]])[] {
  const groups = new Map<string, { readonly run: string; readonly doubts: Doubt[] }>();
  for (const { kind, source, name, step, at } of creates) {
    const time = Date.parse(at);
    const unknown = { op: "", run: "", kind, step, item: { source, name }, at: time, reason: "" };
    const doubt: Doubt = known.get(keyText(kind, source)) ?? unknown;
    const key = `${doubt.run} ${kind}`;
    const group = groups.get(key) ?? { run: doubt.run, doubts: [] };
    group.doubts.push(doubt);
    groups.set(key, group);
  }
  return [...groups.values()].map(({ run, doubts }) => [run, doubts] as const);
}

/** Finds in journals, of this run and of those before it, what was sent for something that was abandoned then. */
class AbandonedRecords {
  /** By kind and source. */
  readonly doubts = new Map<string, Doubt>();
  readonly #wanted: AbandonedList;
  readonly #intents = new Map<string, IntentRecord>();
  readonly #baselines = new Map<string, ReadonlyMap<string, ReadonlySet<string>>>();
  #replay = new Replay(new MappingTable());

  constructor(wanted: AbandonedList) {
    this.#wanted = wanted;
  }

  readonly baseline = (run: string, kind: string): ReadonlySet<string> | undefined => {
    for (const [known, kinds] of this.#replay.result().baselines) this.#baselines.set(known, kinds);
    return this.#baselines.get(run)?.get(kind);
  };

  /** Operations are numbered anew in each journal. */
  begin(): void {
    for (const [run, kinds] of this.#replay.result().baselines) this.#baselines.set(run, kinds);
    this.#replay = new Replay(new MappingTable());
    this.#intents.clear();
  }

  feed(record: JournalRecord): void {
    if (record.type === "baseline") this.#replay.feed(record);
    if (record.type === "intent" && effectOf(record) === "creates") {
      const items = record.items.filter(({ source }) => this.#wanted.has(record.kind, source));
      if (items.length > 0) this.#intents.set(record.op, { ...record, items });
    }
    if (record.type !== "outcome") return;
    const intent = this.#intents.get(record.op);
    if (intent === undefined) return;
    for (const { source, result, ...rest } of record.items) {
      const item = intent.items.find((sent) => sent.source === source);
      if (item === undefined) continue;
      if (result !== "abandoned") continue;
      const { op, run, kind, step, at } = intent;
      const reason = "reason" in rest ? rest.reason : "";
      this.doubts.set(keyText(kind, source), {
        op,
        run,
        kind,
        step,
        item,
        at: Date.parse(at),
        reason,
      });
    }
  }
}
