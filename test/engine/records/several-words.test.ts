import { expect, test } from "vitest";
import type { DoneRow } from "../../../src/engine/records/done-row.ts";
import { keyDigest } from "../../../src/engine/records/prints.ts";
import { SeveralWords } from "../../../src/engine/records/several-words.ts";
import type { JournalRecord, RowIntent } from "../../../src/model/journal.ts";

const key = keyDigest("A");
const at = "2026-01-05T08:00:00.000Z";

type Word = Pick<RowIntent, "action"> & Partial<RowIntent>;

/** What is left of two words about one row, each by a run of its own. */
async function whole(
  words: readonly [Word, Word],
  also: readonly [Partial<DoneRow>, Partial<DoneRow>] = [{}, {}],
): Promise<readonly DoneRow[]> {
  const intents = words.map((word): RowIntent => ({ key, name: "A", ...word }));
  const logs = intents.map((intent, index) => ({
    async *records(): AsyncGenerator<JournalRecord> {
      const op = `r/${index}`;
      yield { type: "rows", run: "r", op, at, rows: [intent] };
      yield { type: "rows-done", op, at, rows: [{ key, result: "done", target: "1" }] };
    },
  }));
  const text = (_name: string, value: unknown): string => JSON.stringify(value);
  const several = await SeveralWords.of(logs, { text });
  // From the newest log to the oldest one.
  for (const index of [1, 0]) {
    const intent = intents[index];
    if (intent === undefined) continue;
    expect(several.takes({ intent, ...also[index] })).toBe(true);
    several.nextLog();
  }
  return several.rows;
}

const made: Word = { action: "create", values: { name: "a" } };
const gone: Word = { action: "delete", before: { name: "a" } };
const changed: Word = { action: "update", values: { name: "b" }, before: { name: "a" } };

test("of what was made and removed nothing is left to be taken back", async () => {
  expect(await whole([made, gone])).toEqual([]);
});

test("what was made anew where somebody had removed it is what was made, and nothing of the first word", async () => {
  const again: Word = { action: "create", values: { name: "c" } };
  for (const first of [
    { ...made, values: { name: "a", area: 1 } },
    { ...changed, values: { area: 1 } },
  ])
    expect((await whole([first, again])).map(({ intent }) => intent)).toEqual([{ key, name: "A", ...again }]);
});

test("what was changed where somebody had made again what was removed is that change", async () => {
  expect((await whole([gone, changed])).map(({ intent }) => intent)).toEqual([
    { key, name: "A", ...changed },
  ]);
});

test("two changes are one, from what was there before the first", async () => {
  const second: Word = { action: "update", values: { name: "c" }, before: { name: "b" } };
  expect((await whole([changed, second]))[0]?.intent).toMatchObject({
    action: "update",
    values: { name: "c" },
    before: { name: "a" },
  });
  // What somebody has written between them is theirs.
  const theirs: Word = { ...second, before: { name: "theirs" } };
  expect((await whole([changed, theirs]))[0]?.intent.before).toEqual({ name: "theirs" });
  // The service shows what it was sent in words of its own: nobody has been there.
  expect((await whole([changed, theirs], [{ shown: "print" }, {}]))[0]?.intent.before).toEqual({ name: "a" });
});

test("where the old values of either were not kept, nobody knows what there was", async () => {
  const { before: _before, ...without } = changed;
  const second: Word = { action: "update", values: { name: "c" }, before: { name: "b" } };
  expect((await whole([without, second]))[0]?.intent.before).toBeUndefined();
  expect(
    (await whole([changed, { ...second, before: undefined } as never]))[0]?.intent.before,
  ).toBeUndefined();
});

test("what keeps a person from either of them, and what was refused of either, is so of both", async () => {
  const second: Word = { action: "update", values: { name: "c" }, before: { name: "b" } };
  for (const one of [{ otherwise: "the plan told rows apart otherwise" }, { isShort: true }] as const)
    for (const also of [
      [one, {}],
      [{}, one],
    ] as const)
      expect((await whole([changed, second], also))[0]).toMatchObject(one);
});
