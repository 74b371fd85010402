import { z } from "zod";
import type { EarlierDone } from "../../engine/records/known-from-logs.ts";
import { lineDigest, lineJson, lineOf, rowActions } from "../../engine/records/line.ts";
import type { TableDiff } from "../../engine/records/tally.ts";
import { digest } from "../../model/canonical.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { JsonObject } from "../../model/json.ts";
import { child, isArray, isObject, own } from "../../model/json.ts";
import type { Work } from "../../store/index.ts";
import { StoreError } from "../../store/index.ts";
import type { Migration } from "../migration.ts";
import type { OpenedTable } from "./tables.ts";

/** What a run has compared and begun to write, and up to where it has come. */
export interface BegunPlan {
  readonly run: string;
  readonly diff: TableDiff;
  /** Lines of the table's file before this one have come to their end. */
  readonly line: number;
  /** What the runs before that one have done of it. */
  readonly done: EarlierDone;
}

const count = z.int().nonnegative();
const line = z.looseObject({ action: z.enum(rowActions), name: z.string() });
const planSchema = z.looseObject({
  basis: z.string(),
  run: z.string(),
  line: count,
  done: z.looseObject({ create: count, update: count, delete: count }),
  diff: z.looseObject({
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
    byHand: count,
    firstContact: count,
    overwrites: count,
    gone: count,
  }),
});

/** What a damaged file is found out by; anything else is no word about the file. */
const unreadable: ReadonlySet<string> = new Set(["bad-json", "bad-shape", "merge-conflict"]);

/**
 * Keeps beside the table's file what it came to, so that a run that goes on with a killed one compares nothing again. It
 * is of these very lines and of this very plan, or it is none.
 */
export class PlanFile {
  readonly #work: Work;
  readonly #id: string;
  readonly #basis: string;
  #last: Promise<void> = Promise.resolve();
  #isDamaged = false;

  constructor({ plan, store }: Migration, { table }: OpenedTable) {
    this.#work = store.work;
    this.#id = table.id;
    const { policy, records } = plan;
    this.#basis = digest(JSON.stringify([table.sense, table.removes, policy, records]));
  }

  /** Undefined where there is none that holds; `damaged` is why, where it was there. */
  async begun(): Promise<BegunPlan | undefined> {
    const saved = await this.#saved();
    const read = planSchema.safeParse(saved);
    if (saved === undefined || !read.success) return undefined;
    const { basis, run, line, done, diff } = read.data;
    if (basis !== this.#basis) return undefined;
    let sum = "";
    for await (const one of this.#work.readRows(this.#id)) sum = lineDigest(sum, JSON.stringify(one));
    if (sum !== diff.digest) return undefined;
    // As they were read: a schema would put their fields in another order.
    const samples = own(child(saved, "diff") ?? {}, "samples");
    const lines = (isArray(samples) ? samples : []).filter((one) => isObject(one));
    return { run, diff: { ...diff, samples: lines.map(lineOf) }, line, done };
  }

  /** What was kept cannot be read: everything is compared anew, and whoever asks is told. */
  get isDamaged(): boolean {
    return this.#isDamaged;
  }

  async #saved(): Promise<JsonObject | undefined> {
    try {
      const saved = await this.#work.rowsPlan(this.#id);
      this.#isDamaged = saved !== undefined && !planSchema.safeParse(saved).success;
      return saved;
    } catch (error) {
      if (!(error instanceof StoreError) || !unreadable.has(error.code)) throw error;
      this.#isDamaged = true;
      return undefined;
    }
  }

  /** One after the other; whoever goes on from an older line looks at more rows, and nothing else. */
  async save({ run, diff, line, done }: BegunPlan): Promise<void> {
    const samples = diff.samples.map(lineJson);
    const saved = {
      basis: this.#basis,
      run,
      line,
      done: { ...done },
      diff: { ...diff, counts: { ...diff.counts }, samples },
    };
    this.#last = this.#last.catch(() => undefined).then(() => this.#work.saveRowsPlan(this.#id, saved));
    return this.#last;
  }

  async drop(): Promise<void> {
    await this.#last.catch(() => undefined);
    await this.#work.saveRowsPlan(this.#id, undefined);
  }
}

/** Said where what a run before has kept cannot be read. */
export function comparedAnew({ kind, table }: OpenedTable): Diagnostic {
  return {
    severity: "info",
    code: "row-note",
    coordinate: { kind: kind.name, urn: table.id, name: table.name },
    summary: `what an interrupted run had compared is damaged (records/${table.id}.plan.json): the rows were compared anew`,
  };
}
