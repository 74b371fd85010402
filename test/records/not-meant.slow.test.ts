import { describe, expect, test } from "vitest";
import { masterDataBooks as books } from "../../src/emulator/index.ts";
import * as seed from "../../src/emulator/seed.ts";
import { exitCodes } from "../../src/model/result.ts";
import { previewRollback } from "../../src/operations/rollback.ts";
import { resolveDoubts } from "../../src/operations/resolve.ts";
import { author, authored, crmProd, party, put, segment, stage as recordsStage } from "./masters-stage.ts";
import { countsOf, diesAt, recordOf, rowsStage } from "./support.ts";
import type { RowsStage } from "./support.ts";

/** A killed run has begun to delete a row, and the plan of now does not want it to go: it removes nothing, or the source has the row. */

type Point = Parameters<typeof diesAt>[0];

/** X is at the target alone. */
async function killed(
  point: Point,
  draftFilter: RowsStage["prod"]["quirks"]["draftFilter"] = "absent",
  publish: "direct" | "approve" = "direct",
): Promise<RowsStage> {
  const s = await rowsStage({
    source: [{ code: "A", name: "a" }],
    target: [
      { code: "A", name: "a" },
      { code: "X", name: "x" },
    ],
    remove: true,
    publish,
  });
  s.prod.quirks.draftFilter = draftFilter;
  expect(await diesAt(point, 1, async (hooks) => s.apply({ allowDelete: true }, { hooks }))).toBe(true);
  expect(Object.keys(s.published())).toContain("X");
  return s;
}

const ways = {
  "the plan removes nothing any more": (s: RowsStage) => {
    s.changes = { ...s.changes, records: { ...s.changes.records, remove: false } };
  },
  "the source has it by now": (s: RowsStage) => {
    seed.seedRecord(s.dev, s.source, { code: "X", name: "x" });
  },
};

describe.each(["absent", "offered", "whole"] as const)("drafts %s", (draftFilter) => {
  describe.each(["intent:after", "send:after", "outcome:after"] as const)("killed at %s", (point) => {
    test.each(Object.entries(ways))("%s: it stays, and nothing stands in the draft", async (_way, change) => {
      for (const allowDelete of [true, false]) {
        const s = await killed(point, draftFilter);
        change(s);
        expect(countsOf(await s.diff())?.samples).toContainEqual(
          expect.objectContaining({
            name: "X",
            action: "blocked",
            reason: expect.stringMatching(
              /^an interrupted run has begun to delete it, .*not ask for any more/,
            ),
          }),
        );
        const result = await s.apply({ allowDelete, maxDeletes: 0 });
        expect([result.exitCode, s.published()["X"], s.target.open()]).toEqual([
          exitCodes.done,
          { code: "X", name: "x" },
          [],
        ]);
        expect(result.diagnostics.map(({ summary }) => summary)).toContainEqual(
          expect.stringMatching(
            /^an interrupted run had begun to delete 1 row \(X\), .*nothing was deleted$/,
          ),
        );
        const before = s.writes();
        expect((await s.apply({ allowDelete })).exitCode).toBe(exitCodes.done);
        expect(s.writes()).toBe(before);
      }
    });
  });
});

test("what has gone before the run was killed is gone", async () => {
  const s = await rowsStage({ source: [], target: [{ code: "X" }], remove: true });
  const reached = (at: string): void => {
    if (at === "outcome:before" && s.target.publishedCount === 0) throw new Error("killed");
  };
  await expect(s.apply({ allowDelete: true }, { hooks: { reached } })).rejects.toThrow("killed");
  ways["the plan removes nothing any more"](s);
  expect((await s.apply()).exitCode).toBe(exitCodes.done);
  expect((await s.world.migration(s.changes).store.state.rowLogs()).some(({ isOpen }) => isOpen)).toBe(false);
});

test("what a colleague has drafted of it stays in their draft", async () => {
  const s = await killed("intent:after");
  ways["the plan removes nothing any more"](s);
  const record = recordOf(s.target, "X");
  if (record !== undefined) s.target.change(record, { name: "theirs" });
  expect((await s.apply({ allowDelete: true })).exitCode).toBe(exitCodes.done);
  expect(record).toMatchObject({ state: "CHANGED", draft: { name: "theirs" }, published: { name: "x" } });
});

test.each(["absent", "offered"] as const)(
  "where a change leaves it marked (drafts: %s) a person is asked, and nothing is published",
  async (draftFilter) => {
    const s = await killed("send:after", draftFilter);
    s.prod.quirks.deletedDrafts = "kept";
    ways["the plan removes nothing any more"](s);
    for (let run = 0; run < 2; run += 1) {
      const before = s.writes();
      const result = await s.apply({ allowDelete: true });
      expect([result.exitCode, countsOf(result)]).toMatchObject([exitCodes.inDoubt, { inDoubt: 1, done: 0 }]);
      expect(recordOf(s.target, "X")).toMatchObject({ state: "DELETED", published: { name: "x" } });
      if (run > 0) expect(s.writes()).toBe(before);
    }
    const record = recordOf(s.target, "X");
    if (record !== undefined) s.target.setState(record, "UNCHANGED");
    const decision = { decision: "abandon", source: "reference-data:Countries" } as const;
    await resolveDoubts(s.world.migration(s.changes), { decisions: [decision] });
    expect((await s.apply({ allowDelete: true })).exitCode).toBe(exitCodes.done);
    expect(s.published()["X"]).toEqual({ code: "X", name: "x" });
  },
);

test.each(["absent", "offered"] as const)(
  "where the run approves reviews by itself, it does so (drafts: %s)",
  async (draftFilter) => {
    for (const point of ["intent:after", "send:after"] as const) {
      const s = await killed(point, draftFilter, "approve");
      ways["the plan removes nothing any more"](s);
      expect((await s.apply({ allowDelete: true })).exitCode).toBe(exitCodes.done);
      expect([s.published()["X"], s.target.open()]).toEqual([{ code: "X", name: "x" }, []]);
    }
  },
);

test("where a person has to, that person is asked", async () => {
  const s = await killed("send:after", "absent", "approve");
  s.changes = {
    ...s.changes,
    records: { referenceData: [{ table: "Countries", key: ["code"], publish: "review" }], remove: false },
  };
  expect((await s.apply({ allowDelete: true })).exitCode).toBe(exitCodes.inDoubt);
  expect(s.published()["X"]).toEqual({ code: "X", name: "x" });
});

test("nor is it lost where the answer that names such a review is", async () => {
  const s = await killed("send:after", "absent", "approve");
  ways["the plan removes nothing any more"](s);
  s.world.emulator.faults.add({
    match: { tenant: "prod", path: "/request-review$/" },
    when: { times: 1 },
    effect: { type: "drop-after-commit" },
  });
  expect((await s.apply()).exitCode).toBe(exitCodes.inDoubt);
  expect(s.published()["X"]).toEqual({ code: "X", name: "x" });
});

test("a rollback that waits for it does not ask for --allow-delete", async () => {
  const s = await killed("send:after");
  ways["the plan removes nothing any more"](s);
  await expect(previewRollback(s.world.migration(s.changes))).rejects.toMatchObject({
    suggestion: expect.stringMatching(/^Run: ferry apply \S+$/) as unknown,
  });
});

describe.each([["an instance", party] as const, ["a master", segment] as const])("%s", (_what, entity) => {
  test.each(Object.keys(ways))("stays as well: %s", async (way) => {
    const s = await recordsStage([entity], true);
    const isMaster = entity.layer === "master";
    const make = (on: typeof s.prod): unknown =>
      isMaster ? author(on, { cmo_code: "X", cmo_name: "x" }) : put(on, "X", { src_name: "x" });
    make(s.prod);
    expect(await diesAt("intent:after", 1, async (hooks) => s.apply({ allowDelete: true }, { hooks }))).toBe(
      true,
    );
    if (way === "the source has it by now") make(s.dev);
    else s.plan = { ...s.plan, records: { ...s.plan.records, remove: false } };
    expect((await s.apply({ allowDelete: true })).exitCode).toBe(exitCodes.done);
    if (isMaster) expect(authored(s.prod)["X"]).toMatchObject({ active: true });
    else expect(books.findInstance(s.prod, "party", crmProd, "X")?.activity ?? true).toBe(true);
    const before = s.writes();
    expect((await s.apply({ allowDelete: true })).exitCode).toBe(exitCodes.done);
    expect(s.writes()).toBe(before);
  });
});

test("so does an instance whose source id holds a *, which stands for anything in a list", async () => {
  const s = await recordsStage([party], true);
  for (const id of ["X*", "XY"]) put(s.prod, id, { src_name: "x" });
  put(s.dev, "XY", { src_name: "x" });
  expect(await diesAt("intent:after", 1, async (hooks) => s.apply({ allowDelete: true }, { hooks }))).toBe(
    true,
  );
  put(s.dev, "X*", { src_name: "x" });
  s.made.emulator.log.clear();
  expect((await s.apply({ allowDelete: true })).exitCode).toBe(exitCodes.done);
  expect(s.writes()).toBe(0);
  expect(books.findInstance(s.prod, "party", crmProd, "X*")?.activity ?? true).toBe(true);
});
