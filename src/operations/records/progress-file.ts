import { z } from "zod";
import type { JsonObject } from "../../model/json.ts";
import type { Work } from "../../store/index.ts";

/** How far a run has come with the rows of a table. */
export interface RowsProgress {
  readonly state: "comparing" | "writing" | "done";
  /** Rows of the source that were compared. */
  readonly compared: number;
  /** Rows that have come to their end, of those that were to be written. */
  readonly done: number;
  readonly total: number;
  readonly perSecond?: number;
  readonly secondsLeft?: number;
}

const saved = z.looseObject({
  state: z.enum(["comparing", "writing", "done"]),
  compared: z.number(),
  done: z.number(),
  total: z.number(),
  /** Rows that had come to their end when the stage began. */
  from: z.number(),
  since: z.iso.datetime(),
  at: z.iso.datetime(),
});

const everyMs = 1_000;

/** For whoever asks meanwhile; not for what is relied on. */
export class ProgressFile {
  readonly #work: Pick<Work, "saveRowsDone">;
  readonly #table: string;
  readonly #now: () => number;
  #state: RowsProgress["state"] = "done";
  #since = 0;
  #from = 0;
  #told = Number.NEGATIVE_INFINITY;
  #compared = 0;
  #done = 0;
  #total = 0;
  #last: Promise<void> = Promise.resolve();

  constructor(work: Pick<Work, "saveRowsDone">, table: string, now: () => number) {
    this.#work = work;
    this.#table = table;
    this.#now = now;
  }

  /** Gives whether it was written down. */
  compared(rows: number): boolean {
    this.#enter("comparing", 0);
    this.#compared = rows;
    return this.#save(false);
  }

  /** `from`: rows that an earlier run has done already. */
  wrote(done: number, total: number, from: number): boolean {
    this.#enter("writing", from);
    [this.#done, this.#total] = [done, total];
    return this.#save(false);
  }

  /** The run writes nothing more of it. */
  async end(done: number, total: number, isOver: boolean): Promise<void> {
    // What was not begun has no rate.
    if (this.#state !== "writing") this.#enter("done", done);
    if (isOver) this.#state = "done";
    [this.#done, this.#total] = [done, total];
    this.#save(true);
    await this.#last;
  }

  #enter(state: RowsProgress["state"], from: number): void {
    if (this.#state === state) return;
    this.#state = state;
    this.#since = this.#now();
    this.#from = from;
    this.#told = Number.NEGATIVE_INFINITY;
  }

  #save(isLast: boolean): boolean {
    const at = this.#now();
    if (!isLast && at - this.#told < everyMs) return false;
    this.#told = at;
    const iso = (time: number): string => new Date(time).toISOString();
    const progress: JsonObject = {
      state: this.#state,
      compared: this.#compared,
      done: this.#done,
      total: this.#total,
      from: this.#from,
      since: iso(this.#since),
      at: iso(at),
    };
    const save = async (): Promise<void> => this.#work.saveRowsDone(this.#table, progress);
    this.#last = this.#last.then(save).catch(() => undefined);
    return true;
  }
}

/** Undefined for what another version, or nobody, has written there. */
export function progressOf(file: JsonObject): RowsProgress | undefined {
  const read = saved.safeParse(file);
  if (!read.success) return undefined;
  const { state, compared, done, total, from, since, at } = read.data;
  const seconds = (Date.parse(at) - Date.parse(since)) / 1_000;
  const came = state === "comparing" ? compared : done - from;
  const standing = { state, compared, done, total };
  if (!(seconds > 0) || came <= 0) return standing;
  const perSecond = Math.round(came / seconds);
  if (state !== "writing") return { ...standing, perSecond };
  return { ...standing, perSecond, secondsLeft: Math.ceil(((total - done) * seconds) / came) };
}
