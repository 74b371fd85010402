import type { JournalRecord } from "../../model/journal.ts";
import { TextSet } from "../../model/packed/text-set.ts";
import { UuidPool } from "../../model/packed/uuid-pool.ts";
import { packed } from "./ended-rows.ts";
import { doneIn } from "./known-from-logs.ts";

type Logs = readonly { readonly records: () => AsyncIterable<JournalRecord> }[];

/**
 * Rows that runs, and rollbacks, have made, by what requests call each. Few rollbacks meet one that goes by another address than their
 * run has left it: until then nothing is read.
 */
export class MadeRows {
  readonly #logs: () => Promise<Logs>;
  #made: Promise<TextSet> | undefined;

  constructor(logs: () => Promise<Logs>) {
    this.#logs = logs;
  }

  async has(key: string, address: string): Promise<boolean> {
    this.#made ??= this.#read();
    return (await this.#made).has(packed(key, address));
  }

  async #read(): Promise<TextSet> {
    const made = new TextSet([], new UuidPool());
    for await (const { intent, target } of doneIn(await this.#logs()))
      if (intent.action === "create" && target !== undefined) made.add(packed(intent.key, target));
    return made;
  }
}
