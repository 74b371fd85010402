import { expect, test } from "vitest";
import type { PlannedRow } from "../../src/engine/records/line.ts";
import { mostKept, TableLog } from "../../src/engine/records/log.ts";
import { undoLine } from "../../src/engine/records/undo.ts";
import type { JournalRecord, RowIntent } from "../../src/model/journal.ts";
import type { Journal } from "../../src/store/index.ts";

const changed: PlannedRow = {
  task: {
    action: "update",
    key: "k",
    name: "DE",
    values: { name: "new" },
    before: { code: "DE", name: "old" },
  },
  print: ["s", "t"],
  was: undefined,
};
const created: PlannedRow = {
  task: { action: "create", key: "n", name: "FR", values: { code: "FR" } },
  print: ["s", "t"],
  was: undefined,
};

/** A log that has come to this size. */
async function intentsAt(
  bytes: number,
): Promise<{ readonly intents: readonly RowIntent[]; readonly log: TableLog }> {
  const records: JournalRecord[] = [];
  const journal = { bytes, append: async (record: JournalRecord) => void records.push(record) };
  const log = new TableLog({
    naming: "",
    sense: "",
    journal: journal as unknown as Journal,
    run: "run",
    now: () => 0,
    hooks: undefined,
  });
  await log.intent([changed, created], false);
  return { intents: records.flatMap((record) => (record.type === "rows" ? record.rows : [])), log };
}

const there = { key: "k", name: "DE", values: { code: "DE", name: "new" }, address: "urn" };
const text = (_name: string, value: unknown): string => JSON.stringify(value);
const reading = { text, isOurs: () => true };

test("old values are kept up to a size of the log, and taken back", async () => {
  const { intents, log } = await intentsAt(mostKept - 1);
  expect(log.withoutOldValues).toBe(0);
  expect(intents[0] && undoLine({ intent: intents[0] }, [there], reading)).toMatchObject({
    action: "update",
    fields: [{ name: "name", from: "new", to: "old" }],
  });
});

test("beyond it what a row was is not written down; that is counted, and said when it is to be taken back", async () => {
  const { intents, log } = await intentsAt(mostKept);
  expect(intents.map(({ before }) => before)).toEqual([undefined, undefined]);
  // What was created was nothing before: it can be taken back all the same.
  expect(log.withoutOldValues).toBe(1);
  expect(intents[0] && undoLine({ intent: intents[0] }, [there], reading)).toMatchObject({
    action: "blocked",
    reason: "what it held was not kept, for want of room",
  });
  const made = { key: "n", name: "FR", values: { code: "FR" }, address: "urn" };
  expect(intents[1] && undoLine({ intent: intents[1] }, [made], reading)).toMatchObject({ action: "delete" });
});
