import type { JournalRecord } from "../../model/journal.ts";
import { digest } from "../../model/canonical.ts";
import { TextSet } from "../../model/packed/text-set.ts";
import { UuidPool } from "../../model/packed/uuid-pool.ts";
import type { Done } from "./known-from-logs.ts";
import { doneIn } from "./known-from-logs.ts";
import type { PlannedRow } from "./line.ts";
import { asUuid } from "./prints.ts";

/**
 * Rows that runs have brought to what was compared, in little room: there may be a million. What is on record as done and does
 * not stand at the target any more was taken back by somebody, however much it looks like before.
 */
export class EndedRows {
  readonly #keys = new TextSet([], new UuidPool());
  /** Keys of those of which a part was refused, or that are open: a few. */
  readonly #parts: Set<string>;

  /** `open`: keys of rows that were begun, and of which a part may be there. */
  constructor(open: Iterable<string> = []) {
    this.#parts = new Set(open);
  }

  /** What was brought to something else, by a run that went on with an older comparison, is not meant. */
  has({ task, print }: Pick<PlannedRow, "task" | "print">): boolean {
    return print !== undefined && this.#keys.has(packed(task.key, print[0]));
  }

  /** What was begun, and not brought to its end as a whole by any of them. */
  hasPart({ task }: Pick<PlannedRow, "task">): boolean {
    return this.#parts.has(task.key);
  }

  /** What a part was refused of is sent again. */
  add({ intent: { key, print }, isShort }: Done): void {
    if (isShort) this.#parts.add(key);
    else this.#parts.delete(key);
    if (!isShort && print !== undefined) this.#keys.add(packed(key, print[0]));
  }

  async learn(logs: readonly { readonly records: () => AsyncIterable<JournalRecord> }[]): Promise<void> {
    for await (const done of doneIn(logs)) this.add(done);
  }
}

/** A key with a word about it, in little room. */
export function packed(key: string, word: string): string {
  return asUuid(digest(`${key} ${word}`));
}
