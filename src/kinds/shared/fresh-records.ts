import type { JsonObject } from "../../model/json.ts";
import { text } from "../../model/json.ts";

/**
 * A list that others may change while it is read shows on a page again what a new record has pushed off the one before: that is one
 * record, and not two of one key. What comes is told from the last two pages alone, so that memory stays flat.
 */
export class FreshRecords {
  #before: ReadonlySet<string> = new Set();
  #last: ReadonlySet<string> = new Set();

  /** Those of the next page that have not come yet. */
  of(page: readonly JsonObject[]): readonly JsonObject[] {
    const came = new Set<string>();
    const fresh = page.filter((record) => {
      const urn = text(record, "urn");
      if (urn === undefined) return true;
      const isKnown = came.has(urn) || this.#last.has(urn) || this.#before.has(urn);
      came.add(urn);
      return !isKnown;
    });
    [this.#before, this.#last] = [this.#last, came];
    return fresh;
  }
}
