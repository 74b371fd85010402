import type { RowTrouble } from "../../engine/records/written.ts";
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

  constructor(work: Pick<Work, "writeRows" | "readRows">, table: string) {
    this.#work = work;
    this.#table = refusedFile(table);
  }

  readonly add = ({ name, reason, key }: RowTrouble): void => {
    this.#writer ??= this.#work.writeRows(this.#table);
    const opened = this.#writer;
    this.#last = this.#last.then(async () => (await opened).add({ action: "refused", name, reason, key }));
    // Whoever ends it hears of a failure.
    this.#last.catch(() => undefined);
  };

  async end(): Promise<void> {
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
    for await (const _ of this.#work.readRows(this.#table)) return true;
    return false;
  }
}
