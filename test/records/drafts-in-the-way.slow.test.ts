import { describe, expect, test } from "vitest";
import * as seed from "../../src/emulator/seed.ts";
import { exitCodes } from "../../src/model/result.ts";
import { recordOf, rowsStage } from "./support.ts";
import type { RowsStage } from "./support.ts";

/** A row that a run has moved, and that the source says otherwise since. */
async function moved(): Promise<RowsStage> {
  const s = await rowsStage({ source: [{ code: "DE", name: "a" }] });
  await s.apply();
  const record = recordOf(s.source, "DE");
  if (record !== undefined) seed.editRecord(s.source, record, { name: "b" });
  return s;
}

function markDeleted({ target }: RowsStage): void {
  const [record] = target.records();
  if (record !== undefined) target.setState(record, "DELETED");
}

test("what is published stays in the draft dataset, and a list that shows it there shows nobody's draft", async () => {
  const s = await moved();
  s.prod.quirks.draftFilter = "whole";
  expect((await s.apply()).exitCode).toBe(exitCodes.done);
  expect(s.published()["DE"]?.["name"]).toBe("b");
});

test.each(["offered", "whole"] as const)(
  "a row that a colleague has marked as deleted in the draft is not changed where drafts can be read (%s)",
  async (offered) => {
    const s = await moved();
    s.prod.quirks.draftFilter = offered;
    markDeleted(s);
    const result = await s.apply();
    expect(result.exitCode).toBe(exitCodes.partial);
    expect(s.target.records()).toMatchObject([{ state: "DELETED", published: { name: "a" } }]);
  },
);

test("nor is one that a killed run has changed, and a colleague has marked as deleted since", async () => {
  const s = await moved();
  s.prod.quirks.draftFilter = "offered";
  const reached = (at: string): void => {
    if (at === "outcome:after") throw new Error("killed");
  };
  await expect(s.apply({}, { hooks: { reached } })).rejects.toThrow("killed");
  expect(s.target.records()).toMatchObject([{ state: "CHANGED", draft: { name: "b" } }]);
  markDeleted(s);
  await s.apply();
  expect(s.target.records()).toMatchObject([{ state: "DELETED", published: { name: "a" } }]);
});

test("where drafts cannot be read, and a change leaves a deletion in the draft, the answer tells: nothing is published", async () => {
  const s = await moved();
  s.prod.quirks.deletedDrafts = "kept";
  markDeleted(s);
  const result = await s.apply();
  expect(result.exitCode).toBe(exitCodes.partial);
  expect(s.target.records()).toMatchObject([{ state: "DELETED", published: { name: "a" } }]);
});

test("nothing of ours is put into what stands in the draft as deleted, and is left so, by any run", async () => {
  const s = await moved();
  s.prod.quirks.deletedDrafts = "kept";
  markDeleted(s);
  for (const _run of [1, 2]) {
    const { exitCode, diagnostics } = await s.apply();
    expect(exitCode).toBe(exitCodes.partial);
    expect(JSON.stringify(diagnostics)).toContain("somebody has marked it as deleted in the draft");
    expect(s.target.records()).toMatchObject([
      { state: "DELETED", published: { name: "a" }, draft: { name: "a" } },
    ]);
  }
});

describe.each(["absent", "offered", "whole"] as const)(
  "the key that a colleague has changed in a draft stays in it (drafts: %s)",
  (offered) => {
    const rename = ({ prod, target }: RowsStage): void => {
      prod.quirks.draftFilter = offered;
      const [record] = target.records();
      if (record !== undefined) target.change(record, { code: "D2" });
    };
    const isTheirs = { state: "CHANGED", draft: { code: "D2" }, published: { code: "DE", name: "a" } };

    test("where the row is to be changed", async () => {
      const s = await moved();
      rename(s);
      expect((await s.apply()).exitCode).toBe(exitCodes.partial);
      expect(s.target.records()).toMatchObject([{ ...isTheirs, draft: { code: "D2", name: "a" } }]);
    });

    test("where it is to be removed", async () => {
      const s = await rowsStage({ source: [], target: [{ code: "DE", name: "a" }], remove: true });
      rename(s);
      expect((await s.apply({ allowDelete: true })).exitCode).toBe(exitCodes.partial);
      expect(s.target.records()).toMatchObject([isTheirs]);
    });
  },
);

test.each(["refused", "silent"] as const)(
  "of a service that takes no change of nothing (%s) a colleague's draft is looked at all the same",
  async (emptyChange) => {
    const s = await rowsStage({
      source: [{ code: "FR", name: "b" }],
      target: [
        { code: "DE", name: "a" },
        { code: "FR", name: "a" },
      ],
      remove: true,
    });
    s.prod.quirks.emptyChange = emptyChange;
    for (const record of s.target.records()) s.target.change(record, { name: "theirs" });
    expect((await s.apply({ allowDelete: true })).exitCode).toBe(exitCodes.partial);
    for (const { draft, published } of s.target.records())
      expect([draft["name"], published?.["name"]]).toEqual(["theirs", "a"]);
  },
);

test("a service whose drafts are found by no URN is asked for them by their keys", async () => {
  const s = await moved();
  s.prod.quirks.draftFilter = "offered";
  s.world.emulator.faults.add({
    match: { tenant: "prod", path: "/draft.filter$/" },
    when: { times: 1 },
    effect: { type: "status", code: 400 },
  });
  expect((await s.apply()).exitCode).toBe(exitCodes.done);
  expect(s.published()["DE"]?.["name"]).toBe("b");
});

test("a complaint about one row of a request is not taken for one about the row in the place of what a draft keeps out of it", async () => {
  const source = ["A", "B", "C", "D"].map((code) => ({ code, name: code }));
  const s = await rowsStage({ source, target: [{ code: "B", name: "before" }] });
  for (const tenant of [s.dev, s.prod]) tenant.quirks.tableFields = "bare";
  s.prod.quirks.draftFilter = "offered";
  const [inTheWay, bad] = [recordOf(s.target, "B"), recordOf(s.source, "D")];
  if (inTheWay !== undefined) s.target.change(inTheWay, { name: "theirs" });
  // The service alone knows that it is none.
  if (bad !== undefined) seed.editRecord(s.source, bad, { area: "much" });
  const result = await s.apply();
  expect(result.exitCode).toBe(exitCodes.partial);
  expect(Object.keys(s.published()).toSorted()).toEqual(["A", "B", "C"]);
  const told = result.diagnostics.filter(({ code }) => code === "row-refused");
  expect(told.map(({ summary }) => summary)).toEqual([
    expect.stringContaining("the row B: somebody has a draft of it"),
    expect.stringContaining("area must be of type NUMBER"),
  ]);
});
