import { expect, test } from "vitest";
import { learnFrom } from "../../../src/engine/records/known-from-logs.ts";
import { keyDigest } from "../../../src/engine/records/prints.ts";
import type { JournalRecord } from "../../../src/model/journal.ts";
import type { RowPrint } from "../../../src/model/row-print.ts";

const row = keyDigest("C4");

/** A run that wrote the row once for each word, and what was known of it when the run died. */
async function knownAfter(words: readonly string[], known: string | undefined): Promise<string | undefined> {
  let last = known;
  const written = words.flatMap((word, at): JournalRecord[] => [
    {
      type: "rows",
      run: "r",
      op: `r/${at}`,
      at: "2026-01-05T08:00:00.000Z",
      rows: [{ key: row, name: "C4", action: "update", values: {}, print: [word, word] }],
    } as unknown as JournalRecord,
    {
      type: "rows-done",
      op: `r/${at}`,
      at: "2026-01-05T08:00:00.000Z",
      rows: [{ key: row, result: "done" }],
    } as unknown as JournalRecord,
  ]);
  const log = {
    async *records() {
      yield* written;
    },
  };
  const already = {
    get: (key: string) =>
      key === row && known !== undefined ? { key, source: known, target: known } : undefined,
  };
  const sorter = {
    add: ({ source }: RowPrint): void => {
      last = source;
    },
  };
  await learnFrom(log, false, already, sorter as never);
  return last;
}

test("of several words that one run has written for a row the last one is known, also where that was kept already", async () => {
  expect(await knownAfter(["first", "second"], undefined)).toBe("second");
  expect(await knownAfter(["first", "second"], "second")).toBe("second");
  expect(await knownAfter(["first", "second"], "first")).toBe("second");
  expect(await knownAfter(["first", "second", "first"], "first")).toBe("first");
  expect(await knownAfter([], "first")).toBe("first");
});
