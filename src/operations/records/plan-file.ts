import type { EarlierDone } from "../../engine/records/known-from-logs.ts";
import type { RowLine } from "../../engine/records/line.ts";
import { lineDigest, lineJson } from "../../engine/records/line.ts";
import { lineOf } from "../../engine/records/repeated.ts";
import type { TableDiff } from "../../engine/records/tally.ts";
import { digest } from "../../model/canonical.ts";
import type { JsonObject } from "../../model/json.ts";
import { isArray, isObject, own, plainNumber, text } from "../../model/json.ts";
import type { Work } from "../../store/index.ts";
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

/**
 * Keeps beside the table's file what it came to, so that a run that goes on with a killed one compares nothing again. It
 * is of these very lines and of this very plan, or it is none.
 */
export class PlanFile {
  readonly #work: Work;
  readonly #id: string;
  readonly #basis: string;
  #last: Promise<void> = Promise.resolve();

  constructor({ plan, store }: Migration, { table }: OpenedTable) {
    this.#work = store.work;
    this.#id = table.id;
    const { policy, records } = plan;
    this.#basis = digest(JSON.stringify([table.sense, table.removes, policy, records]));
  }

  async begun(): Promise<BegunPlan | undefined> {
    const saved = await this.#work.rowsPlan(this.#id);
    const diff = saved === undefined ? undefined : own(saved, "diff");
    if (saved === undefined || !isObject(diff) || text(saved, "basis") !== this.#basis) return undefined;
    let lines = "";
    for await (const line of this.#work.readRows(this.#id)) lines = lineDigest(lines, JSON.stringify(line));
    if (lines !== text(diff, "digest")) return undefined;
    const samples = own(diff, "samples");
    const read: readonly RowLine[] = (isArray(samples) ? samples : [])
      .filter((one) => isObject(one))
      .map(lineOf);
    return {
      run: text(saved, "run") ?? "",
      diff: { ...(diff as unknown as TableDiff), samples: read },
      line: Number(plainNumber(own(saved, "line")) ?? 0),
      done: own(saved, "done") as unknown as EarlierDone,
    };
  }

  /** One after the other; whoever goes on from an older line looks at more rows, and nothing else. */
  async save({ run, diff, line, done }: BegunPlan): Promise<void> {
    const samples = diff.samples.map(lineJson);
    const saved = {
      basis: this.#basis,
      run,
      line,
      done: { ...done },
      diff: { ...diff, samples } as unknown as JsonObject,
    };
    this.#last = this.#last.catch(() => undefined).then(() => this.#work.saveRowsPlan(this.#id, saved));
    return this.#last;
  }

  async drop(): Promise<void> {
    await this.#last.catch(() => undefined);
    await this.#work.saveRowsPlan(this.#id, undefined);
  }
}
