import type {
  IntentItem,
  IntentRecord,
  JournalRecord,
  OutcomeItem,
  StepEffect,
} from "../../model/journal.ts";
import type { MappingEntry } from "../../model/mapping.ts";
import type { MappingTable } from "../../model/mapping-table.ts";
import { knownOf } from "./entry-after.ts";

/** Where the engine writes its records; the store's journal is one. */
export interface Journalling {
  append(record: JournalRecord): Promise<void>;
}

/** The instants around a request, for the crash suite. */
export interface EngineHooks {
  reached(point: EnginePoint): void | Promise<void>;
}
export type EnginePoint =
  | "intent:before"
  | "intent:after"
  | "send:after"
  | "outcome:before"
  | "outcome:after"
  | "entry:before"
  | "entry:after";

/** Writes what is about to happen and what has happened, and keeps the mapping in step with it. */
export class Recorder {
  readonly run: string;
  readonly #journal: Journalling;
  readonly #mapping: MappingTable;
  readonly #now: () => Date;
  readonly #hooks: EngineHooks | undefined;
  #count = 0;

  constructor(options: {
    run: string;
    journal: Journalling;
    mapping: MappingTable;
    now: () => Date;
    hooks?: EngineHooks | undefined;
  }) {
    this.run = options.run;
    this.#journal = options.journal;
    this.#mapping = options.mapping;
    this.#now = options.now;
    this.#hooks = options.hooks;
  }

  /** Returns when the intent is durable; only then may the request be sent. */
  async intent(
    kind: string,
    step: { readonly name: string; readonly effect: StepEffect },
    items: readonly IntentItem[],
  ): Promise<IntentRecord> {
    this.#count += 1;
    const op = `${this.run}/${this.#count}`;
    const known = items.map((item) =>
      withKnown(item, this.#mapping.get(kind, item.source), this.run, step.effect),
    );
    const record: IntentRecord = {
      type: "intent",
      run: this.run,
      op,
      at: this.#at(),
      kind,
      step: step.name,
      effect: step.effect,
      items: known,
    };
    await this.#hooks?.reached("intent:before");
    await this.#journal.append(record);
    await this.#hooks?.reached("intent:after");
    return record;
  }

  async sent(): Promise<void> {
    await this.#hooks?.reached("send:after");
  }

  /** As `concluded`; from here on the mapping has what was done. */
  async outcome(kind: string, op: string, items: readonly OutcomeItem[]): Promise<void> {
    for (const item of items) {
      if (item.result === "done") this.#mapping.set(kind, item.source, item.entry);
    }
    await this.concluded(op, items);
  }

  /**
   * Of what the mapping has by now. Returns when the outcome is durable; many appends share one sync, so waiting for it
   * costs little. It has its place in the journal at once: whatever is appended after this call comes after it.
   */
  async concluded(op: string, items: readonly OutcomeItem[]): Promise<void> {
    const held = this.#hooks?.reached("outcome:before");
    if (held !== undefined) await held;
    await this.#journal.append({ type: "outcome", op, at: this.#at(), items });
    await this.#hooks?.reached("outcome:after");
  }

  /** The mapping changes without a request. */
  async entry(kind: string, source: string, entry: MappingEntry | null): Promise<void> {
    await this.#hooks?.reached("entry:before");
    const by = byOf(this.#mapping.get(kind, source), this.run);
    this.#mapping.set(kind, source, entry);
    await this.#journal.append({ type: "entry", run: this.run, kind, source, entry, ...by });
    await this.#hooks?.reached("entry:after");
  }

  /** The same of what is as it should be without a request; nothing where nothing is known. */
  async stands(kind: string, source: string, known: Omit<MappingEntry, "run"> | undefined): Promise<void> {
    if (known !== undefined) await this.entry(kind, source, { ...known, run: this.run });
  }

  /** What existed of a kind before the run's first create; settling subtracts it. */
  async baseline(kind: string, uuids: readonly string[]): Promise<void> {
    const size = 5_000;
    for (let start = 0; start === 0 || start < uuids.length; start += size) {
      await this.#journal.append({
        type: "baseline",
        run: this.run,
        kind,
        uuids: uuids.slice(start, start + size),
      });
    }
  }

  #at(): string {
    return this.#now().toISOString();
  }
}

/** A row that says nothing of the source, and of the target what the step finds there, leaves nothing to remember. */
function withKnown(
  item: IntentItem,
  row: MappingEntry | undefined,
  run: string,
  effect: StepEffect,
): IntentItem {
  const print = row?.targetFingerprint;
  const isSeen = item.before !== undefined || effect === "creates";
  const isOther = isSeen && print !== undefined && print !== item.before;
  const was = { ...knownOf(row), ...(isOther ? { targetFingerprint: print } : {}) };
  return { ...item, ...(Object.keys(was).length === 0 ? {} : { was }), ...byOf(row, run) };
}

/** That it is of this run itself goes without saying. */
function byOf(row: MappingEntry | undefined, run: string): { readonly by?: string } {
  return row?.run === undefined || row.run === run ? {} : { by: row.run };
}
