import type { JournalRecord } from "../../model/journal.ts";
import { TextSet } from "../../model/packed/text-set.ts";
import { UuidPool } from "../../model/packed/uuid-pool.ts";
import { packed } from "./ended-rows.ts";
import { doneIn } from "./known-from-logs.ts";

type Logs = readonly { readonly records: () => AsyncIterable<JournalRecord> }[];

interface Found {
  readonly addresses: TextSet;
  readonly prints: TextSet;
}

/**
 * What runs, and rollbacks, have made and written of rows. Few rollbacks meet one that is otherwise than their run has left it: until
 * then nothing is read.
 */
export class MadeRows {
  readonly #logs: () => Promise<Logs>;
  #found: Promise<Found> | undefined;

  constructor(logs: () => Promise<Logs>) {
    this.#logs = logs;
  }

  /** Whether one of them has made the row that requests call so. */
  async has(key: string, address: string): Promise<boolean> {
    return (await this.#all()).addresses.has(packed(key, address));
  }

  /** Whether one of them has brought the row to what has this print. */
  async wrote(key: string, print: string): Promise<boolean> {
    return (await this.#all()).prints.has(packed(key, print));
  }

  async #all(): Promise<Found> {
    this.#found ??= this.#read();
    return this.#found;
  }

  async #read(): Promise<Found> {
    const [addresses, prints] = [new TextSet([], new UuidPool()), new TextSet([], new UuidPool())];
    for await (const { intent, target } of doneIn(await this.#logs())) {
      const { action, key, print } = intent;
      if (action === "create" && target !== undefined) addresses.add(packed(key, target));
      if (print !== undefined) prints.add(packed(key, print[0]));
    }
    return { addresses, prints };
  }
}
