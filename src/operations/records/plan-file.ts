import { z } from "zod";
import type { EarlierDone } from "../../engine/records/known-from-logs.ts";
import type { RowLine } from "../../engine/records/line.ts";
import { lineDigest, lineJson, lineOf, rowActions } from "../../engine/records/line.ts";
import type { TableDiff } from "../../engine/records/tally.ts";
import { digest } from "../../model/canonical.ts";
import type { JsonObject } from "../../model/json.ts";
import { child, isArray, isObject, own } from "../../model/json.ts";
import type { Work } from "../../store/index.ts";
import { StoreError } from "../../store/index.ts";
import type { Migration } from "../migration.ts";
import type { OpenedTable } from "./tables.ts";

/** What a run has compared and begun to write, and up to where it has come. */
export interface BegunPlan {
  readonly run: string;
  /** That one and those before it. */
  readonly runs: readonly string[];
  readonly diff: TableDiff;
  /** Lines of the table's file before this one have come to their end. */
  readonly line: number;
  /** What the runs before that one have done of it. */
  readonly done: EarlierDone;
}

const count = z.int().nonnegative();
const line = z.looseObject({ action: z.enum(rowActions), name: z.string() });
/** What a comparison came to, as it is kept. */
export const tallySchema = z.looseObject({
  counts: z.looseObject({
    create: count,
    update: count,
    delete: count,
    unchanged: count,
    blocked: count,
    manual: count,
    drift: count,
    conflict: count,
  }),
  rows: count,
  samples: z.array(line),
  digest: z.string(),
  besideLeft: z.string().optional(),
  waiting: z.string().default(""),
  byHand: count,
  firstContact: count,
  overwrites: count,
  taking: count.default(0),
  revived: count.default(0),
  moved: count.default(0),
  movedGone: count.default(0),
  staying: count.default(0),
  blameless: count.default(0),
});
const planSchema = z.looseObject({
  basis: z.string(),
  run: z.string(),
  runs: z.array(z.string()).optional(),
  before: z.array(z.string()).optional(),
  line: count,
  done: z.looseObject({ create: count, update: count, delete: count }),
  diff: tallySchema.extend({ gone: count }),
});

/** What a damaged file is found out by; anything else is no word about the file. */
const unreadable: ReadonlySet<string> = new Set(["bad-json", "bad-shape", "merge-conflict"]);

/**
 * Keeps beside the table's file what it came to, so that a run that goes on with a killed one compares nothing again. It
 * is of these very lines and of this very plan, or it is none.
 */
export class PlanFile {
  readonly #work: Work;
  readonly #state: Migration["store"]["state"];
  readonly #id: string;
  readonly #basis: string;
  #last: Promise<void> = Promise.resolve();
  /** Those that have worked on what is saved. */
  #runs: readonly string[] = [];
  /** Those that had written rows of the table when it was compared. */
  #before: readonly string[] | undefined;
  /** Which of the two files. */
  #damaged: string | undefined;

  constructor({ plan, store }: Migration, opened: OpenedTable) {
    [this.#work, this.#state] = [store.work, store.state];
    this.#id = opened.table.id;
    this.#basis = basisOf(plan, opened);
  }

  /** Undefined where there is none that holds; `isDamaged` tells of one that was there. */
  async begun(): Promise<BegunPlan | undefined> {
    this.#damaged = undefined;
    const saved = await this.#readable(this.#planName, async () => this.#work.rowsPlan(this.#id));
    if (saved === undefined) return undefined;
    const read = planSchema.safeParse(saved);
    if (!read.success) {
      this.#damaged = this.#planName;
      return undefined;
    }
    const { basis, run, runs = [run], before, line, done, diff } = read.data;
    if (basis !== this.#basis) return undefined;
    // Another plan has brought rows since, or they were taken back: what was to be made then may have come, and gone again.
    const known = new Set([...runs, ...(before ?? [])]);
    if (before === undefined || (await this.#writers()).some((one) => !known.has(one))) return undefined;
    // A row that came to the source meanwhile would be taken for one that only the target has.
    if ((diff.counts.delete ?? 0) > 0) return undefined;
    if ((await this.#digest()) !== diff.digest) return undefined;
    [this.#runs, this.#before] = [runs, before];
    return {
      run,
      runs,
      diff: { ...diff, samples: samplesIn(child(saved, "diff")), isEarlier: true },
      line,
      done,
    };
  }

  /** What was kept cannot be read: everything is compared anew, and whoever asks is told. */
  get isDamaged(): boolean {
    return this.#damaged !== undefined;
  }

  /** What is to be told of that. */
  get damage(): string {
    return `what an interrupted run had compared is damaged (records/${this.#damaged ?? this.#planName}): the rows were compared anew`;
  }

  /** Of the lines as they are found: the power may have gone before they were on the disk. */
  async #digest(): Promise<string | undefined> {
    return this.#readable(`${this.#id}.ndjson`, async () => {
      let sum = "";
      for await (const rows of this.#work.readRows(this.#id))
        for (const one of rows) sum = lineDigest(sum, JSON.stringify(one));
      return sum;
    });
  }

  get #planName(): string {
    return `${this.#id}.plan.json`;
  }

  async #readable<T>(file: string, read: () => Promise<T>): Promise<T | undefined> {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof StoreError) || !unreadable.has(error.code)) throw error;
      this.#damaged = file;
      return undefined;
    }
  }

  /** One after the other; whoever goes on from an older line looks at more rows, and nothing else. */
  async save({ run, diff, line, done }: Omit<BegunPlan, "runs">): Promise<void> {
    if (!this.#runs.includes(run)) this.#runs = [...this.#runs, run];
    const [runs, before] = [[...this.#runs], this.#before ?? (await this.#writers())];
    this.#before = before;
    const saved = {
      basis: this.#basis,
      run,
      runs,
      before,
      line,
      done: { ...done },
      diff: tallyJson(diff),
    };
    this.#last = this.#last.catch(() => undefined).then(() => this.#work.saveRowsPlan(this.#id, saved));
    return this.#last;
  }

  /** Runs, of whichever plan, that have written rows of the table. */
  async #writers(): Promise<readonly string[]> {
    return (await this.#state.rowLogs()).flatMap(({ table, run }) => (table === this.#id ? [run] : []));
  }

  async drop(): Promise<void> {
    await this.#last.catch(() => undefined);
    [this.#runs, this.#before] = [[], undefined];
    await this.#work.saveRowsPlan(this.#id, undefined);
  }
}

/** Of what a comparison is: of another plan none holds, nor of another table that has the name by now. */
export function basisOf({ policy, records }: Migration["plan"], { table, open }: OpenedTable): string {
  const { sense, removes } = table;
  const places = [open?.source.urn, open?.target.urn];
  return digest(JSON.stringify([sense, removes, policy, records, places]));
}

export function tallyJson({ besideLeft, ...diff }: Omit<TableDiff, "gone">): JsonObject {
  return {
    ...diff,
    ...(besideLeft === undefined ? {} : { besideLeft }),
    counts: { ...diff.counts },
    samples: diff.samples.map(lineJson),
  };
}

/** As they were read: a schema would put their fields in another order. */
export function samplesIn(tally: JsonObject | undefined): readonly RowLine[] {
  const samples = own(tally ?? {}, "samples");
  return (isArray(samples) ? samples : []).filter((one) => isObject(one)).map(lineOf);
}
