import { expect, test } from "vitest";
import { notMeantToGo } from "../../../src/engine/records/not-meant.ts";
import type { OpenRow } from "../../../src/engine/records/open-rows.ts";
import { apartFromOthers, isDone, openRows, plannedFrom } from "../../../src/engine/records/open-rows.ts";
import { keyDigest } from "../../../src/engine/records/prints.ts";
import type { OpenTable, Row } from "../../../src/kinds/kind.ts";
import type { JournalRecord, RowIntent, RowOutcome } from "../../../src/model/journal.ts";

const key = keyDigest("A");
const at = "2026-01-05T08:00:00.000Z";
const review = { urn: "urn:review", name: "a review" };

/** Operations are numbered within their run: `r/1`. */
const intents = (op: string): JournalRecord => ({
  type: "rows",
  run: op.split("/")[0] ?? "",
  op,
  at,
  rows: [{ key, name: "A", action: "create", values: { name: "a" } }],
});
const ends = (op: string, ...rows: readonly RowOutcome[]): JournalRecord => ({
  type: "rows-done",
  op,
  at,
  rows,
});
const held: JournalRecord = { type: "rows-held", at, review, keys: [key] };
const sent: RowOutcome = { key, result: "sent", target: "1" };

async function after(...records: readonly JournalRecord[]): Promise<OpenRow | undefined> {
  const log = {
    async *records() {
      yield* records;
    },
  };
  return (await openRows([log])).get(key);
}

test("what is in a review stays there when a run carries it on, and dies before it says so again", async () => {
  const put = [intents("r/1"), ends("r/1", sent), held] as const;
  expect(await after(...put)).toMatchObject({ state: "held", review });
  expect(await after(...put, intents("later/1"))).toMatchObject({ state: "held", review });
  expect(await after(...put, intents("later/1"), ends("later/1", sent))).toMatchObject({
    state: "held",
    review,
  });
});

test("what a person has to decide about is so still when a run carries it on", async () => {
  const asked: RowOutcome = { key, result: "doubt", reason: "two are there", asks: true };
  expect(await after(intents("r/1"), ends("r/1", asked), intents("later/1"))).toMatchObject({
    state: "doubt",
    asks: true,
    reason: "two are there",
  });
});

test("what a run sends once more has no answer until there is one, whatever became of it before", async () => {
  const again = [intents("r/1"), intents("later/1"), ends("later/1", sent), intents("later/2")] as const;
  expect(await after(...again)).toMatchObject({ state: "doubt", reason: "no answer to it was recorded" });
  expect(await after(...again, ends("later/2", sent))).toMatchObject({ state: "sent" });
});

const table = (there: readonly Partial<Row>[]): OpenTable =>
  ({
    perLookUp: 10,
    text: (_name: string, value: unknown) => JSON.stringify(value),
    lookUp: async () => there.map((row) => ({ key: "A", address: "1", ...row })),
    atSource: async () => [],
  }) as never;

const open = (intent: Pick<RowIntent, "action"> & Partial<RowIntent>): OpenRow => ({
  state: "sent",
  run: "r",
  intent: { key, name: "A", target: "1", ...intent },
});

/** Whose a change that was begun is, where the target shows these. */
async function whose(row: OpenRow, there: readonly Partial<Row>[], more: object = {}): Promise<string> {
  const { ours, others } = await apartFromOthers(new Map([[key, row]]), { ...table(there), ...more });
  return others.length === 0 && ours.has(key) ? "ours" : "others";
}

test("a change that was begun is gone on with where each value is as it was, or as it was to be", async () => {
  const change = open({ action: "update", values: { name: "b" }, before: { name: "a" } });
  expect(await whose(change, [{ values: { name: "a" } }])).toBe("ours");
  expect(await whose(change, [{ values: { name: "b" } }])).toBe("ours");
  expect(await whose(change, [{ values: { name: "c" } }])).toBe("others");
  expect(await whose(change, [])).toBe("others");
  expect(await whose(change, [{ values: { name: "a" }, address: "2" }])).toBe("others");
  const twice = [{ values: { name: "a" } }, { values: { name: "a" }, address: "2" }];
  expect(await whose(change, twice)).toBe("others");
  // Of what has no old values nothing tells.
  expect(await whose(open({ action: "update", values: { name: "b" } }), [{ values: { name: "a" } }])).toBe(
    "others",
  );
});

test("a deletion likewise; what does not count any more is gone, whatever it says", async () => {
  const deletion = open({ action: "delete", before: { name: "a" } });
  expect(await whose(deletion, [{ values: { name: "a" } }])).toBe("ours");
  expect(await whose(deletion, [])).toBe("ours");
  expect(await whose(deletion, [{ values: { name: "c" } }])).toBe("others");
  expect(await whose(deletion, [{ values: { name: "c" }, isGone: true }])).toBe("ours");
});

test("of deletions that nobody asks for any more those that are done are done", async () => {
  const rows = new Map([[key, open({ action: "delete", before: { name: "a" } })]]);
  const left = async (there: readonly Partial<Row>[]): Promise<number> =>
    (await notMeantToGo(rows, { removes: false }, table(there), () => false)).length;
  expect(await left([{ values: { name: "a" } }])).toBe(1);
  expect(await left([{ values: { name: "a" }, isGone: true }])).toBe(0);
  expect(await left([])).toBe(0);
});

test("what is to be made in the place of what does not count any more is not new", () => {
  const values = { name: "a" };
  const { isNew } = plannedFrom({ ...open({ action: "create", values }), target: "1" });
  expect(isNew).toBeUndefined();
  expect(plannedFrom({ state: "sent", run: "r", intent: { key, name: "A", action: "create" } }).isNew).toBe(
    true,
  );
});

test("whose a change is nothing tells where no old values are kept, or where what it names is not read", async () => {
  const change = { action: "update", values: { name: "b" } } as const;
  expect(await whose(open({ ...change, before: { name: "a" } }), [{ values: { name: "a" } }])).toBe("ours");
  expect(await whose(open(change), [{ values: { name: "b" } }])).toBe("others");
  const unread = { isRead: () => false };
  // It looks as if nothing stood there, as before.
  expect(await whose(open({ ...change, before: {} }), [{ values: {} }])).toBe("ours");
  expect(await whose(open({ ...change, before: {} }), [{ values: {} }], unread)).toBe("others");
});

test("that it does not count any more may be the change itself", async () => {
  const change = { action: "update", values: { name: "b" }, before: { name: "a" } } as const;
  expect(await whose(open(change), [{ values: { name: "b" }, isGone: true }])).toBe("ours");
});

test("a deletion has come to its end where nothing shows, and a change where what was sent shows", () => {
  const gone = { action: "delete", before: { name: "a" } } as const;
  expect(isDone(open(gone), table([]))).toBe(true);
  expect(isDone({ ...open(gone), there: { name: "a" } }, table([]))).toBe(false);
  const change = { action: "update", values: { name: "b" }, before: { name: "a" } } as const;
  expect(isDone({ ...open(change), there: { name: "b" } }, table([]))).toBe(true);
  expect(isDone({ ...open(change), there: { name: "a" } }, table([]))).toBe(false);
  expect(isDone(open(change), table([]))).toBe(false);
});

test("what somebody has put beside a change since stands when that is gone on with", () => {
  const change = { action: "update", values: { name: "b" }, before: { name: "a", note: "n" } } as const;
  const { task } = plannedFrom({ ...open(change), there: { name: "b", note: "theirs" } });
  expect(task.before).toEqual({ name: "a", note: "theirs" });
});

test("what a run asked a person, and sends once more itself, is asked no more", async () => {
  const asked: RowOutcome = { key, result: "doubt", reason: "two are there", asks: true };
  const again = await after(intents("r/1"), ends("r/1", asked), intents("r/2"));
  expect(again).toMatchObject({ state: "doubt", reason: "no answer to it was recorded" });
  expect(again?.asks).toBeUndefined();
});
