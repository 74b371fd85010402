import { expect, test } from "vitest";
import * as seed from "../../src/emulator/seed.ts";
import { exitCodes } from "../../src/model/result.ts";
import { resolveDoubts } from "../../src/operations/resolve.ts";
import { rollbackRun } from "../../src/operations/rollback.ts";
import type { RowsStage } from "./support.ts";
import { diesAt, recordOf, rowsStage } from "./support.ts";

/** A row is in the draft and not published, and somebody (a colleague, a plan of another source) publishes one of its key. */

const ours = { code: "DE", name: "ours" };

async function drafted(
  draftFilter: "absent" | "offered" | "whole",
  point: "outcome:after" | "send:after",
): Promise<RowsStage> {
  const stage = await rowsStage({
    source: [ours],
    plan: { limits: { quietPeriodMs: 10, publishWaitMs: 200 } },
  });
  stage.prod.quirks.draftFilter = draftFilter;
  expect(await diesAt(point, 1, async (hooks) => stage.apply({ verify: false }, { hooks }))).toBe(true);
  expect(stage.target.records().map(({ state }) => state)).toEqual(["NEW"]);
  return stage;
}

const shown = ({ target }: RowsStage): readonly unknown[] =>
  target.records().flatMap(({ published }) => (published === undefined ? [] : [published["name"]]));

test.each([
  ["outcome:after", "absent", "theirs"],
  ["outcome:after", "offered", "theirs"],
  ["outcome:after", "whole", "theirs"],
  ["outcome:after", "absent", "ours"],
  ["outcome:after", "offered", "ours"],
  ["send:after", "absent", "theirs"],
  ["send:after", "offered", "theirs"],
  ["send:after", "absent", "ours"],
] as const)(
  "theirs is neither doubled nor counted as ours (killed at %s, drafts: %s, it says: %s)",
  async (point, draftFilter, name) => {
    const stage = await drafted(draftFilter, point);
    const theirs = seed.seedRecord(stage.prod, stage.target, { ...ours, name });
    for (let run = 1; run <= 2; run += 1) {
      const result = await stage.apply();
      expect(result.exitCode).toBe(exitCodes.inDoubt);
      expect(JSON.stringify(result.diagnostics)).toContain(
        "a row of its key that is not known to be this one",
      );
      expect(shown(stage)).toEqual([name]);
    }
    const draft = stage.target.records().find(({ state }) => state === "NEW");
    if (draft === undefined) throw new Error("nothing is in the draft");
    seed.removeRecord(stage.target, draft);
    const decision = { decision: "abandon", source: "reference-data:Countries" } as const;
    await resolveDoubts(stage.world.migration(stage.changes), { decisions: [decision] });
    expect((await stage.apply()).exitCode).toBe(exitCodes.done);
    expect(shown(stage)).toEqual(["ours"]);
    // Nothing of it was made by a run: a rollback deletes it not, and gives back what was written over.
    const back = { allowDelete: true, confirm: async () => true };
    if (name !== "ours") await rollbackRun(stage.world.migration(stage.changes), back);
    expect(shown(stage)).toEqual([name]);
    expect(stage.target.records().map(({ urn }) => urn)).toEqual([theirs.urn]);
  },
);

test("once theirs is gone, ours takes its place", async () => {
  const stage = await drafted("absent", "send:after");
  const theirs = seed.seedRecord(stage.prod, stage.target, { code: "DE", name: "theirs" });
  expect((await stage.apply()).exitCode).toBe(exitCodes.inDoubt);
  seed.removeRecord(stage.target, theirs);
  expect((await stage.apply()).exitCode).toBe(exitCodes.done);
  expect(shown(stage)).toEqual(["ours"]);
});

test("what was approved is not published beside theirs", async () => {
  const stage = await rowsStage({ source: [ours], publish: "review" });
  await stage.apply();
  const [review = ""] = stage.prod.referenceData.reviews.keys();
  seed.decideReview(stage.prod, review as Parameters<typeof seed.decideReview>[1], "approve");
  seed.seedRecord(stage.prod, stage.target, { code: "DE", name: "theirs" });
  expect((await stage.apply()).exitCode).toBe(exitCodes.inDoubt);
  expect(shown(stage)).toEqual(["theirs"]);
  expect(recordOf(stage.target, "DE")?.state).toBe("NEW");
});

test.each(["absent", "offered"] as const)(
  "theirs is not counted as ours where ours was discarded, and no rollback deletes it (drafts: %s)",
  async (draftFilter) => {
    const stage = await drafted(draftFilter, "outcome:after");
    const [draft] = stage.target.records();
    if (draft !== undefined) seed.removeRecord(stage.target, draft);
    const theirs = seed.seedRecord(stage.prod, stage.target, { ...ours, name: "theirs" });
    const result = await stage.apply();
    expect(result.exitCode).toBe(exitCodes.inDoubt);
    expect(JSON.stringify(result.diagnostics)).toContain("a row of its key that is not known to be this one");
    const back = { allowDelete: true, confirm: async () => true };
    await rollbackRun(stage.world.migration(stage.changes), back).catch(() => undefined);
    expect([shown(stage), stage.target.records().map(({ urn }) => urn)]).toEqual([["theirs"], [theirs.urn]]);
  },
);
