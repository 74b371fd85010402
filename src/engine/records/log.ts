import type { RowIntent, RowOutcome } from "../../model/journal.ts";
import type { Journal } from "../../store/index.ts";
import type { EngineHooks } from "../apply/recorder.ts";
import type { PlannedRow } from "./line.ts";

/** Old values are kept for a rollback up to this size of a log; bytes. */
export const mostKept = 1 << 30;
/** Of so many rows that wait for their end it is remembered which they are: they are those in flight, unless a review holds them. */
const mostWaiting = 20_000;

/** What a run does to the rows of a table: an intent is durable before its request is sent. */
export class TableLog {
  readonly #journal: Journal;
  readonly #run: string;
  readonly #now: () => number;
  readonly #hooks: EngineHooks | undefined;
  readonly #naming: string;
  readonly #sense: string;
  readonly #place: string | undefined;
  /** Of what these rows' prints are nobody will know: they are carried without. */
  #arePrintsOthers = false;
  #count = 0;
  #left = 0;
  /** Rows that have not come to their end, by key; undefined where there are too many. */
  #waiting: Set<string> | undefined = new Set();

  constructor(options: {
    readonly journal: Journal;
    readonly run: string;
    readonly now: () => number;
    readonly hooks: EngineHooks | undefined;
    /** Of the table. */
    readonly naming: string;
    readonly sense: string;
    /** What the target calls it. */
    readonly place?: string;
  }) {
    this.#journal = options.journal;
    this.#run = options.run;
    this.#now = options.now;
    this.#hooks = options.hooks;
    this.#naming = options.naming;
    this.#sense = options.sense;
    this.#place = options.place;
  }

  /** Rows whose old values found no room: a rollback cannot take them back. */
  get withoutOldValues(): number {
    return this.#left;
  }

  /** All that is in it came to its end, as far as it is known without reading it. */
  get isSettled(): boolean {
    return this.#waiting?.size === 0;
  }

  /** Whether prints of what comes from now on are of another sense than the table's. */
  takes(sense: string): void {
    this.#arePrintsOthers = sense !== this.#sense;
  }

  /** Gives its name when it is durable. */
  async intent(rows: readonly PlannedRow[], isBack: boolean): Promise<string> {
    const intents = rows.map((row) => this.#intentOf(row, isBack || row.isBack === true));
    await this.#hooks?.reached("intent:before");
    const op = await this.carried(intents);
    await this.#hooks?.reached("intent:after");
    return op;
  }

  /** Of an earlier run: it is this one's from now on. */
  async carried(rows: readonly RowIntent[]): Promise<string> {
    this.#count += 1;
    const op = `${this.#run}/${this.#count}`;
    const place = this.#place === undefined ? {} : { place: this.#place };
    const of = { naming: this.#naming, sense: this.#sense, ...place };
    for (const { key } of rows) this.#waiting?.add(key);
    if ((this.#waiting?.size ?? 0) > mostWaiting) this.#waiting = undefined;
    const own = this.#arePrintsOthers ? rows.map(withoutPrints) : rows;
    await this.#journal.append({ type: "rows", run: this.#run, op, at: this.#at(), ...of, rows: own });
    return op;
  }

  async outcome(op: string, rows: readonly RowOutcome[]): Promise<void> {
    if (rows.length === 0) return;
    await this.#hooks?.reached("outcome:before");
    await this.#journal.append({ type: "rows-done", op, at: this.#at(), rows });
    for (const { key, result } of rows)
      if (result === "done" || result === "not-done") this.#waiting?.delete(key);
    await this.#hooks?.reached("outcome:after");
  }

  async held(
    review: { readonly urn: string; readonly name: string },
    keys: readonly string[],
  ): Promise<void> {
    await this.#journal.append({ type: "rows-held", at: this.#at(), review, keys });
  }

  async sent(): Promise<void> {
    await this.#hooks?.reached("send:after");
  }

  async close(): Promise<void> {
    await this.#journal.close();
  }

  #intentOf({ task, compared, print, was, stood }: PlannedRow, isBack: boolean): RowIntent {
    const { action, key, name, values, unmoved, address } = task;
    const before = compared ?? task.before;
    const hasRoom = this.#journal.bytes < mostKept;
    if (!hasRoom && before !== undefined) this.#left += 1;
    // One object a row, field by field in the order in which they are written: there may be a million.
    const intent: Writable<RowIntent> = { key, name, action };
    if (address !== undefined) intent.target = address;
    if (action !== "delete" || Object.keys(values).length > 0) intent.values = values;
    if (before !== undefined && hasRoom) intent.before = before;
    if (unmoved !== undefined && hasRoom) intent.unmoved = unmoved;
    if (print !== undefined) intent.print = print;
    if (was !== undefined) intent.was = was;
    if (stood !== undefined) intent.stood = stood;
    if (isBack) intent.back = true;
    return intent;
  }

  #at(): string {
    return new Date(this.#now()).toISOString();
  }
}

type Writable<T> = { -readonly [Field in keyof T]: T[Field] };

function withoutPrints({ print: _print, was: _was, stood: _stood, ...intent }: RowIntent): RowIntent {
  return intent;
}
