import type {
  EndRecord,
  EntryRecord,
  IntentRecord,
  JournalRecord,
  NoteRecord,
  OutcomeItem,
  RunRecord,
} from "../../model/journal.ts";
import { effectOf, onlyStart } from "../../model/journal.ts";
import type { MappingEntry } from "../../model/mapping.ts";
import type { MappingTable } from "../../model/mapping-table.ts";
import { uuidOf } from "../../model/urn.ts";
import { acceptedText } from "./accepted.ts";
import type { Doubt } from "./subtraction.ts";

/** What the journal of earlier runs leaves to do. */
export interface Replayed {
  /** Requests whose outcome is unknown: no outcome, or one that says so. */
  readonly doubts: readonly Doubt[];
  /** Runs of the service that were started, or may have been, and of which no end is recorded. */
  readonly starts: readonly Doubt[];
  /**
   * By run: what existed of each kind before its first create. A later run's baseline may hold what an earlier one
   * has in doubt, so they are never mixed.
   */
  readonly baselines: ReadonlyMap<string, ReadonlyMap<string, ReadonlySet<string>>>;
  /** Runs that wrote and did not come to an end. */
  readonly open: readonly RunRecord[];
  readonly runs: readonly RunRecord[];
  /** By run, what it has begun at the target. */
  readonly begun: ReadonlyMap<string, Begun>;
  /** What a new object may have taken the place of: it was there when that was begun, and no request has deleted it since. */
  readonly displaced: readonly Displaced[];
  /** Runs that have ended, and upon which runs of the service were to follow that have not run since. */
  readonly owed: readonly Owing[];
  /** What runs have found out about rows, and none has come to its end since to tell it. */
  readonly untold: readonly NoteRecord[];
}

/** What was the twin of an object of the source when a run began to make another one. */
export interface Displaced {
  readonly kind: string;
  readonly source: string;
  /** As it was left. */
  readonly entry: MappingEntry;
}

/** As it is on record, with whose it is. */
export type Owing = EndRecord & Required<Pick<EndRecord, "owes" | "plan">>;

/** What a run has asked of the target, whatever became of it. */
export interface Begun {
  /** Objects or rows. */
  readonly writes: boolean;
  /** Keys of runs of the service that it has started since it last wrote one of these, but for what is known to have come to nothing. */
  readonly starts: ReadonlySet<string>;
}

const none: ReadonlySet<string> = new Set();
const nothingBegun: Begun = { writes: false, starts: new Set() };
/** What was started before does not follow upon it. */
const written: Begun = { writes: true, starts: new Set() };

interface Loss extends Pick<Doubt, "reason" | "asks" | "handle"> {
  /** What was made is on record, and its source has another twin: of which run that is, the rest of the journal may tell. */
  readonly isSecond?: true;
}

const second: Loss = { reason: "others have gone on with another twin since", isSecond: true };

function lossOf({ reason, asks }: Extract<OutcomeItem, { result: "doubt" }>, before: Loss | undefined): Loss {
  // What the service calls it stays known, whatever was found out since.
  const handle = before?.handle === undefined ? {} : { handle: before.handle };
  return { reason, ...(asks === true ? { asks } : {}), ...handle };
}

interface Intended {
  readonly intent: IntentRecord;
  readonly open: Map<string, Loss>;
  /** By source, the run that its row was of. */
  readonly by: ReadonlyMap<string, string>;
  /** Sources whose pairs were taken away elsewhere since. */
  readonly parted: ReadonlySet<string>;
}

/** Reads journal records in order, puts their outcomes into the mapping and keeps what is open. */
export class Replay {
  readonly #mapping: MappingTable;
  readonly #digest: string | undefined;
  readonly #intents = new Map<string, Intended>();
  readonly #baselines = new Map<string, Map<string, Set<string>>>();
  readonly #runs = new Map<string, RunRecord>();
  readonly #ended = new Set<string>();
  readonly #begun = new Map<string, Begun>();
  readonly #owed = new Map<string, EndRecord>();
  /** By their URNs at the target. */
  readonly #displaced = new Map<string, Displaced>();
  #untold: readonly NoteRecord[] = [];

  /** `digest`: of the mapping as it is stored. */
  constructor(mapping: MappingTable, digest?: string) {
    this.#mapping = mapping;
    this.#digest = digest;
  }

  readonly feed = (record: JournalRecord): void => {
    switch (record.type) {
      case "run":
        this.#runs.set(record.run, record);
        break;
      case "end":
        this.#ended.add(record.run);
        this.#owed.set(record.run, record);
        // A command that starts something tells of no rows.
        if (!onlyStart.has(this.#runs.get(record.run)?.command ?? "")) this.#untold = [];
        break;
      case "note":
        this.#untold = [...this.#untold, record];
        break;
      case "baseline": {
        const kinds = this.#baselines.get(record.run) ?? new Map<string, Set<string>>();
        const known = kinds.get(record.kind) ?? new Set<string>();
        for (const uuid of record.uuids) known.add(uuid);
        this.#baselines.set(record.run, kinds.set(record.kind, known));
        break;
      }
      case "intent":
        this.#begin(record);
        if (effectOf(record) === "creates") this.#displace(record);
        this.#intents.set(record.op, {
          intent: record,
          open: new Map(
            record.items.map((item) => [item.source, { reason: "no answer to it was recorded" }]),
          ),
          by: new Map(
            record.items.flatMap(({ source, by }) => (by === undefined ? [] : [[source, by] as const])),
          ),
          parted: this.#parted(record),
        });
        break;
      case "outcome": {
        const known = this.#intents.get(record.op);
        for (const item of record.items) {
          if (item.result === "done" && known !== undefined && effectOf(known.intent) === "removes")
            this.#displaced.delete(item.source);
          if (item.result === "done" && known !== undefined && !known.parted.has(item.source)) {
            const { kind, run } = known.intent;
            const by = known.by.get(item.source);
            // What a later run has settled is by that one.
            const row = { ...item, run: item.entry?.run ?? run, kind, ...(by === undefined ? {} : { by }) };
            if (effectOf(known.intent) === "creates" && this.#isSecond(row)) {
              known.open.set(item.source, second);
              continue;
            }
            this.#set(row, effectOf(known.intent) === "creates");
          }
          if (known !== undefined && effectOf(known.intent) === "starts") this.#came(known.intent.run, item);
          if (item.result === "doubt")
            known?.open.set(item.source, lossOf(item, known.open.get(item.source)));
          else if (item.result === "accepted")
            known?.open.set(item.source, { reason: acceptedText, handle: item.handle });
          else known?.open.delete(item.source);
        }
        if (known?.open.size === 0) this.#intents.delete(record.op);
        break;
      }
      case "entry":
        this.#set(record, record.entry !== null && !this.#runs.has(record.run));
        break;
      // Rows have logs of their own, and no place in the mapping.
      case "table":
        this.#begun.set(record.run, written);
        break;
      case "rows":
      case "rows-done":
      case "rows-held":
        break;
    }
  };

  /**
   * The mapping travels with version control, and the journal does not: it may be found again beside one in which runs on other machines,
   * or people, have gone over the same objects since. What they wrote stands. Where nothing has come between, the clock is not asked:
   * neither where the mapping is as it was, nor where the row is still of the run that it was of (a run may have died between the
   * files of two kinds, and with something in doubt it saves what it has done). The clock of the machine that died may be ahead of the
   * others: what came after the row that its run has found, came after that run; and where it has found none, and made the object,
   * whatever row there is. A pair that a person has set or taken away is of no run: it was stored by the command that wrote it here, so
   * what is stored otherwise, and this journal knows nothing of, came after it.
   */
  #isOlder(
    { run, kind, source, by: before }: Pick<EntryRecord, "run" | "kind" | "source" | "by">,
    isMade = false,
  ): boolean {
    const begun = this.#runs.get(run);
    if (begun !== undefined && (begun.mapping === undefined || begun.mapping === this.#digest)) return false;
    const by = this.#mapping.row(kind, source)?.run;
    if (by === undefined || by === run || by === before || this.#runs.has(by)) return false;
    return by > run || (before === undefined ? isMade : by > before);
  }

  /** It was made, and elsewhere another one was, or was found, for the same source since. Of what a person has paired nobody asks. */
  #isSecond(record: Omit<EntryRecord, "type">): boolean {
    const row = this.#mapping.get(record.kind, record.source);
    if (row === undefined || row.origin === "explicit" || row.target === record.entry?.target) return false;
    return this.#isOlder(record, true);
  }

  /**
   * What had a row when it was to be changed, and has none in the mapping that the journal is found beside, has been parted since, with
   * the mapping of others: it does not come back. What was made is not among it: without its row it would be made once more.
   */
  #parted(intent: IntentRecord): ReadonlySet<string> {
    const effect = effectOf(intent);
    if (effect !== "changes" && effect !== "releases") return none;
    const parted = intent.items.filter(
      ({ source, was, by }) =>
        (was !== undefined || by !== undefined) &&
        this.#mapping.get(intent.kind, source) === undefined &&
        !this.#isToCome(intent.kind, source),
    );
    return parted.length === 0 ? none : new Set(parted.map(({ source }) => source));
  }

  /** Its row is of a request before, of which no outcome is recorded: a run that died in between had it in memory alone. */
  #isToCome(kind: string, source: string): boolean {
    return this.#intents
      .values()
      .some(({ intent, open, parted }) => intent.kind === kind && open.has(source) && !parted.has(source));
  }

  #set(record: Omit<EntryRecord, "type">, isMade = false): void {
    if (!this.#isOlder(record, isMade)) this.#mapping.set(record.kind, record.source, record.entry);
  }

  #displace({ run, kind, items }: IntentRecord): void {
    const there = this.#baselines.get(run)?.get(kind);
    for (const { source, was } of items) {
      const row = this.#mapping.get(kind, source);
      if (row === undefined) continue;
      // Where the run was stopped, the mapping is stored with the new one in it: the row of that tells of the former twin, too.
      const { name, origin, former } = row;
      const isMade = former !== undefined && origin === "created";
      const before = isMade ? [{ name, origin, target: former.target, ...was }] : [];
      for (const entry of [row, ...before])
        if (there?.has(uuidOf(entry.target)) === true)
          this.#displaced.set(entry.target, { kind, source, entry });
    }
  }

  #begin(intent: IntentRecord): void {
    const { writes, starts } = this.#begun.get(intent.run) ?? nothingBegun;
    const begun =
      effectOf(intent) === "starts"
        ? { writes, starts: new Set([...starts, ...intent.items.map(({ source }) => source)]) }
        : written;
    this.#begun.set(intent.run, begun);
  }

  /** What a start at the service has come to. */
  #came(run: string, { source, result }: OutcomeItem): void {
    if (result === "done")
      for (const [owing, { owes = [], ...record }] of this.#owed)
        this.#owed.set(owing, { ...record, owes: owes.filter((key) => key !== source) });
    if (result !== "not-done") return;
    const { writes, starts } = this.#begun.get(run) ?? nothingBegun;
    this.#begun.set(run, { writes, starts: new Set([...starts].filter((key) => key !== source)) });
  }

  result(): Replayed {
    const all = [...this.#intents.values()].flatMap(({ intent, open, parted }) =>
      intent.items.flatMap((item): Doubt[] => {
        const loss = open.get(item.source);
        if (loss === undefined) return [];
        // A later run elsewhere has seen what became of it, and its row tells that; what was made may still be there beside it.
        const effect = effectOf(intent);
        const isOlder = this.#isOlder({ ...item, run: intent.run, kind: intent.kind }, effect === "creates");
        const { isSecond, ...told } = loss;
        if ((effect === "changes" && isOlder) || parted.has(item.source)) return [];
        // That of a run of this journal: it has replaced what this one made, and knew it.
        if (isSecond === true && !isOlder) return [];
        return [
          {
            op: intent.op,
            run: intent.run,
            kind: intent.kind,
            step: intent.step,
            effect,
            item,
            at: Date.parse(intent.at),
            ...told,
            ...(effect === "creates" && isOlder ? { isOvertaken: true as const } : {}),
          },
        ];
      }),
    );
    const runs = [...this.#runs.values()];
    return {
      doubts: all.filter(({ effect }) => effect !== "starts"),
      starts: all.filter(({ effect }) => effect === "starts"),
      baselines: this.#baselines,
      runs,
      open: runs.filter((run) => !this.#ended.has(run.run)),
      begun: this.#begun,
      displaced: [...this.#displaced.values()],
      untold: this.#untold,
      owed: [...this.#owed.values()].flatMap(({ owes = [], ...record }): readonly Owing[] =>
        owes.length === 0 ? [] : [{ plan: this.#runs.get(record.run)?.plan ?? "", ...record, owes }],
      ),
    };
  }
}
