import type { RowTrouble, Written } from "../../engine/records/written.ts";
import type { RowsWriter, Work } from "../../store/index.ts";

/** Names the file of the rows of a table that the service refused, each with its reason; no table is called so. */
export function refusedFile(table: string): string {
  return `${table}--refused`;
}

/** Writes down what a run was refused; a run that was refused nothing leaves nothing of an earlier one there. */
export class RefusedRows {
  readonly #work: Pick<Work, "writeRows" | "readRows">;
  readonly #table: string;
  #writer: Promise<RowsWriter> | undefined;
  #last: Promise<void> = Promise.resolve();
  /** What earlier runs have left, by key. */
  readonly #left = new Map<string, RowTrouble>();
  readonly #twice = new Set<string>();

  constructor(work: Pick<Work, "writeRows" | "readRows">, table: string) {
    this.#work = work;
    this.#table = refusedFile(table);
  }

  /** Refused as it was brought to its end; it is compared after that. */
  leave(row: RowTrouble): void {
    this.#left.set(row.key, row);
  }

  /** What was refused as an earlier run's, and once more since it was compared, is one row. */
  onceIn(resumed: Written | undefined): Written | undefined {
    if (resumed === undefined || this.#twice.size === 0) return resumed;
    const refusals = resumed.refusals.filter(({ key }) => !this.#twice.has(key));
    return { ...resumed, refused: resumed.refused - this.#twice.size, refusals };
  }

  readonly add = (row: RowTrouble): void => {
    if (this.#left.delete(row.key)) this.#twice.add(row.key);
    this.#write(row);
  };

  #write({ name, reason, key }: RowTrouble): void {
    this.#writer ??= this.#work.writeRows(this.#table);
    const opened = this.#writer;
    this.#last = this.#last.then(async () => (await opened).add({ action: "refused", name, reason, key }));
    // Whoever ends it hears of a failure.
    this.#last.catch(() => undefined);
  }

  async end(): Promise<void> {
    for (const row of this.#left.values()) this.#write(row);
    this.#left.clear();
    const opened = this.#writer ?? ((await this.#isAny()) ? this.#work.writeRows(this.#table) : undefined);
    const writer = await opened;
    try {
      await this.#last;
      await writer?.finish();
    } finally {
      await writer?.abandon();
    }
  }

  async #isAny(): Promise<boolean> {
    for await (const rows of this.#work.readRows(this.#table)) if (rows.length > 0) return true;
    return false;
  }
}
