import { expect, test } from "vitest";
import type { TableRecord } from "../../src/emulator/reference-data/table.ts";
import * as seed from "../../src/emulator/seed.ts";
import { exitCodes } from "../../src/model/result.ts";
import { countsOf, recordOf, rowsStage } from "./support.ts";
import type { RowsStage } from "./support.ts";

/**
 * What a run has asked for, and a person has published by hand: it shows, and what stands in its draft since is somebody's
 * next word, which the run that goes on does not publish.
 */

const words: readonly [string, (s: RowsStage, record: TableRecord) => void][] = [
  ["a change", ({ target }, record) => target.change(record, { name: "theirs, not ready" })],
  ["a deletion", ({ target }, record) => target.setState(record, "DELETED")],
];

/** A person publishes what is in the draft of the table. */
function publishByHand(s: RowsStage): void {
  for (const urn of s.prod.referenceData.reviews.keys()) seed.decideReview(s.prod, urn, "approve");
  s.prod.referenceData.publish(s.target, s.target.open(), "at-once");
}

async function expectKept(s: RowsStage, draft: (s: RowsStage, record: TableRecord) => void): Promise<void> {
  const record = recordOf(s.target, "DE");
  if (record === undefined) throw new Error("the row is not there");
  draft(s, record);
  const before = { state: record.state, draft: record.draft };
  expect((await s.apply()).exitCode).toBe(exitCodes.done);
  expect(s.published()["DE"]?.["name"]).toBe(s.source.records()[0]?.published?.["name"]);
  expect({ state: record.state, draft: record.draft }).toEqual(before);
  expect(s.target.open()).toEqual([record]);
  expect((await s.apply()).exitCode).toBe(exitCodes.done);
}

test.each(words)("%s of a row that was made through a review", async (_word, draft) => {
  const s = await rowsStage({ source: [{ code: "DE", name: "a" }], publish: "review" });
  expect((await s.apply()).exitCode).toBe(exitCodes.partial);
  publishByHand(s);
  await expectKept(s, draft);
});

test.each(words)("%s of a row that was changed through a review", async (_word, draft) => {
  const s = await rowsStage({ source: [{ code: "DE", name: "a" }], publish: "review" });
  await s.apply();
  publishByHand(s);
  await s.apply();
  const [row] = s.source.records();
  if (row !== undefined) seed.editRecord(s.source, row, { name: "b" });
  expect((await s.apply()).exitCode).toBe(exitCodes.partial);
  publishByHand(s);
  await expectKept(s, draft);
});

test.each(words)("%s of a row that a killed run had in the draft", async (_word, draft) => {
  const s = await rowsStage({ source: [{ code: "DE", name: "a" }] });
  const hooks = {
    reached(at: string): void {
      if (at === "outcome:after") throw new Error("killed");
    },
  };
  await expect(s.apply({}, { hooks })).rejects.toThrow("killed");
  publishByHand(s);
  await expectKept(s, draft);
});

test("the source's next word on a row that a review has brought is a change of the source alone", async () => {
  const s = await rowsStage({ source: [{ code: "DE", name: "a" }], publish: "review" });
  const edit = (name: string): void => {
    const [row] = s.source.records();
    if (row !== undefined) seed.editRecord(s.source, row, { name });
  };
  await s.apply();
  publishByHand(s);
  edit("b");
  // It brings the first word to its end, and asks for a review of the second.
  expect((await s.apply()).exitCode).toBe(exitCodes.partial);
  publishByHand(s);
  edit("c");
  expect(countsOf(await s.apply())).toMatchObject({ update: 1, conflict: 0 });
  publishByHand(s);
  expect((await s.apply()).exitCode).toBe(exitCodes.done);
  expect(s.published()["DE"]?.["name"]).toBe("c");
});
