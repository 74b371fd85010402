import * as fc from "fast-check";
import { expect, test } from "vitest";
import { TableLog } from "../../../src/engine/records/log.ts";
import { openRows } from "../../../src/engine/records/open-rows.ts";
import type { JournalRecord, RowOutcome } from "../../../src/model/journal.ts";

const target = "urn:data:prod:reference-data:record:1";

function outcomeOf(key: string, result: RowOutcome["result"]): RowOutcome {
  if (result === "done" || result === "sent") return { key, result, target };
  return { key, result, reason: "because" };
}

const rows = fc.uniqueArray(fc.constantFrom("A", "B", "C", "D"), { minLength: 1 });
const acts = fc.array(
  fc.oneof(
    fc.record({ does: fc.constant("intent" as const), keys: rows }),
    fc.record({ does: fc.constant("held" as const), keys: rows }),
    fc.record({
      does: fc.constant("outcome" as const),
      keys: rows,
      result: fc.constantFrom("done", "sent", "not-done", "doubt"),
    }),
  ),
  { maxLength: 20 },
);

test("a log knows without being read whether a row in it is open", async () => {
  await fc.assert(
    fc.asyncProperty(acts, async (all) => {
      const records: JournalRecord[] = [];
      const journal = {
        bytes: 0,
        append: async (record: JournalRecord) => void records.push(record),
        close: async () => undefined,
      };
      const log = new TableLog({
        journal: journal as never,
        run: "run",
        now: () => 0,
        hooks: undefined,
        naming: "by code",
        sense: "all",
      });
      for (const act of all) {
        if (act.does === "intent")
          await log.carried(act.keys.map((key) => ({ key, name: key, action: "create", values: {} })));
        else if (act.does === "held") await log.held({ urn: "urn:review", name: "a review" }, act.keys);
        else
          await log.outcome(
            "run/1",
            act.keys.map((key) => outcomeOf(key, act.result)),
          );
        const read = {
          records: async function* () {
            yield* records;
          },
        };
        expect(log.isSettled).toBe((await openRows([read])).size === 0);
      }
    }),
  );
});
