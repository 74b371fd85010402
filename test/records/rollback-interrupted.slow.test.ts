import { describe, expect, test } from "vitest";
import { asText } from "../../src/emulator/json.ts";
import * as seed from "../../src/emulator/seed.ts";
import type { EnginePoint } from "../../src/engine/apply/recorder.ts";
import type { Result } from "../../src/model/result.ts";
import { exitCodes } from "../../src/model/result.ts";
import { previewRollback, rollbackRun } from "../../src/operations/rollback.ts";
import { planStatus } from "../../src/operations/status.ts";
import type { PlanChanges } from "../support/world.ts";
import { recordOf, rows, rowsStage, untilDone } from "./support.ts";
import type { RowsStage } from "./support.ts";

const before = [
  { code: "FR", name: "Frankreich", area: 1 },
  { code: "XX", name: "gone at the source" },
];
const asBefore = Object.fromEntries(before.map((row) => [row.code, row]));
const asMoved = Object.fromEntries(rows.map((row) => [asText(row["code"]), row]));

/** A run has created DE and CH, changed FR and deleted XX; a colleague has something new in the draft. */
async function moved(plan: PlanChanges = {}): Promise<RowsStage> {
  const stage = await rowsStage({ target: before, remove: true, plan });
  expect((await stage.apply({ allowDelete: true })).exitCode).toBe(exitCodes.done);
  seed.draftRecord(stage.prod, stage.target, { code: "THEIRS" });
  return stage;
}

async function back(
  stage: RowsStage,
  allowDelete = true,
  hooks?: { reached(at: string): void },
): Promise<Result> {
  const migration = stage.world.migration(stage.changes, { hooks });
  return rollbackRun(migration, { allowDelete, confirm: async () => true });
}

class Killed extends Error {}

/** A rollback that dies when it comes to this point for the n-th time; false when it never does. */
async function killed(stage: RowsStage, point: EnginePoint, nth: number): Promise<boolean> {
  let seen = 0;
  const reached = (at: string): void => {
    if (at === point) seen += 1;
    // What a dead process would have done after this never happens.
    if (seen >= nth) throw new Killed();
  };
  return back(stage, true, { reached }).then(
    () => false,
    (error: unknown) => error instanceof Killed,
  );
}

/** Of ours: what has no place among the drafts of a colleague. */
function drafts(stage: RowsStage): readonly string[] {
  return stage.target
    .open()
    .map(({ draft }) => asText(draft["code"]))
    .filter((code) => code !== "THEIRS")
    .sort();
}

function expectAs(stage: RowsStage, wanted: object): void {
  stage.prod.referenceData.settle();
  expect(stage.published()).toEqual(wanted);
  expect(drafts(stage)).toEqual([]);
  expect(stage.target.records()).toHaveLength(Object.keys(wanted).length + 1);
  expect(recordOf(stage.target, "THEIRS")?.state).toBe("NEW");
}

/** Rows that are told as left by the rollback. */
function told({ changes }: Result): readonly string[] {
  return changes
    .flatMap(({ records }) => records?.samples ?? [])
    .filter(({ reason }) => typeof reason === "string" && reason.startsWith("an interrupted rollback has"))
    .map(({ name }) => (typeof name === "string" ? name : ""))
    .sort();
}

const points = ["intent:before", "intent:after", "send:after", "outcome:before", "outcome:after"] as const;
const ways = {
  "an apply": {
    finish: async (stage: RowsStage) => untilDone(async () => stage.apply({ allowDelete: true })),
    wanted: asMoved,
  },
  "the rollback, made again": {
    finish: async (stage: RowsStage) => untilDone(async () => back(stage)),
    wanted: asBefore,
  },
};

describe.each(Object.entries(ways))("%s", (_, { finish, wanted }) => {
  test.each(points)("brings to its end what a rollback that died at %s has left", async (point) => {
    let [deaths, nth, left] = [0, 1, 0];
    for (; ; nth += 1) {
      const stage = await moved();
      if (!(await killed(stage, point, nth))) break;
      deaths += 1;
      const inDraft = drafts(stage);
      left += inDraft.length;
      // Whatever of it stands in the draft is told, by everybody who looks.
      expect(told(await stage.diff())).toEqual(expect.arrayContaining([...inDraft]));
      if (inDraft.length > 0) {
        const { headline, exitCode } = await planStatus(stage.world.migration(stage.changes));
        expect(headline).toMatch(/the table "Countries" has \d row.* a rollback/);
        expect(exitCode).toBe(exitCodes.interrupted);
        await expect(previewRollback(stage.world.migration(stage.changes))).rejects.toThrow(
          /the rollback \S+ has left rows of "Countries" open/,
        );
      }
      expect((await finish(stage)).at(-1)).toBe(exitCodes.done);
      expectAs(stage, wanted);
    }
    expect(deaths).toBeGreaterThanOrEqual(3);
    expect(left).toBeGreaterThan(0);
  });
});

test("deletions that stand in the draft wait for a run that may delete, and are named until then", async () => {
  const stage = await moved();
  expect(await killed(stage, "outcome:after", 1)).toBe(true);
  expect(drafts(stage)).toEqual(["CH", "DE", "FR", "XX"]);
  for (let run = 0; run < 2; run += 1) {
    const result = await stage.apply();
    expect(result.exitCode).toBe(exitCodes.partial);
    expect(result.changes[0]?.records?.samples).toEqual(
      expect.arrayContaining(
        ["DE", "CH"].map((name) =>
          expect.objectContaining({
            name,
            action: "blocked",
            reason: expect.stringMatching(
              /^an interrupted run has (its deletion in the draft|begun to delete it); .*, with --allow-delete$/,
            ) as unknown,
          }),
        ),
      ),
    );
    expect(drafts(stage)).toEqual(["CH", "DE"]);
    expect(stage.published()).toMatchObject({ DE: asMoved["DE"], FR: asMoved["FR"] });
  }
  await expect(back(stage)).rejects.toMatchObject({
    suggestion: expect.stringMatching(/^Run: ferry apply .* --allow-delete$/) as unknown,
  });
  expect((await untilDone(async () => stage.apply({ allowDelete: true }))).at(-1)).toBe(exitCodes.done);
  expectAs(stage, asMoved);
});

test("where a colleague has been meanwhile nothing more is sent, and it is said", async () => {
  for (const again of [async (stage: RowsStage) => stage.apply(), async (stage: RowsStage) => back(stage)]) {
    const stage = await moved();
    expect(await killed(stage, "outcome:after", 1)).toBe(true);
    const record = recordOf(stage.target, "FR");
    if (record !== undefined) seed.editRecord(stage.target, record, { name: "a colleague's word" });
    const result = await again(stage);
    expect(stage.published()["FR"]).toMatchObject({ name: "a colleague's word" });
    expect(result.diagnostics.map(({ summary }) => summary)).toEqual(
      expect.arrayContaining([
        expect.stringContaining("somebody has changed it since: nothing more was sent"),
      ]),
    );
  }
});

test("a draft that a colleague has written into is not published, and is told until it is his no more", async () => {
  const stage = await moved();
  expect(await killed(stage, "outcome:after", 1)).toBe(true);
  const record = recordOf(stage.target, "FR");
  if (record !== undefined) stage.target.change(record, { member: true });
  for (let run = 0; run < 2; run += 1) {
    const result = await stage.apply({ allowDelete: true });
    expect(result.exitCode).toBe(exitCodes.partial);
    expect(result.changes[0]?.records?.samples).toContainEqual(
      expect.objectContaining({ name: "FR", action: "blocked" }),
    );
    expect(recordOf(stage.target, "FR")).toMatchObject({ published: asMoved["FR"], state: "CHANGED" });
  }
  if (record !== undefined) stage.target.change(record, { member: null });
  expect((await untilDone(async () => stage.apply({ allowDelete: true }))).at(-1)).toBe(exitCodes.done);
  expectAs(stage, asMoved);
});

test("a row whose review was asked for by a rollback that died is told until somebody decides", async () => {
  const stage = await rowsStage({ target: [before[0] ?? {}], publish: "review" });
  await stage.apply();
  const decide = (): void => {
    for (const urn of stage.prod.referenceData.reviews.keys()) seed.decideReview(stage.prod, urn, "approve");
    stage.prod.referenceData.settle();
  };
  decide();
  expect((await stage.apply()).exitCode).toBe(exitCodes.done);
  expect(stage.published()["FR"]).toEqual(asMoved["FR"]);
  const known = new Set(stage.prod.referenceData.reviews.keys());
  // It dies as it is about to write the name of the review down.
  const now = (): number => {
    if ([...stage.prod.referenceData.reviews.keys()].some((urn) => !known.has(urn))) throw new Killed();
    return Date.now();
  };
  const migration = stage.world.migration(stage.changes, { now });
  await expect(rollbackRun(migration, { confirm: async () => true })).rejects.toThrow(Killed);
  for (let run = 0; run < 2; run += 1) {
    const result = await stage.apply();
    expect(result.exitCode).toBe(exitCodes.partial);
    expect(result.changes[0]?.records?.samples).toContainEqual(
      expect.objectContaining({
        name: "FR",
        action: "blocked",
        reason: expect.stringContaining("under review") as unknown,
      }),
    );
  }
  // Once it is decided the rollback is brought to its end, and what the source says is brought there anew: each by a review.
  const seen: unknown[] = [];
  const codes = await untilDone(async () => {
    decide();
    const result = await stage.apply();
    seen.push(stage.published()["FR"]);
    return result;
  });
  expect(codes.at(-1)).toBe(exitCodes.done);
  expect(seen).toContainEqual(before[0]);
  expect(seen.at(-1)).toEqual(asMoved["FR"]);
});

test("rows of a table that the plan does not select go on by the rollback that was interrupted, which needs no selection", async () => {
  const stage = await moved();
  expect(await killed(stage, "outcome:after", 1)).toBe(true);
  const { changes } = stage;
  stage.changes = { ...changes, select: { kinds: ["terms"] } };
  const left = ({ diagnostics }: Result): unknown =>
    diagnostics.find(({ code }) => code === "row-left-behind")?.suggestion;
  expect(left(await stage.diff())).toBe("Run: ferry rollback test");
  const { details } = await planStatus(stage.world.migration(stage.changes));
  expect(details.tables.map(({ todo }) => todo)).toEqual(["Run: ferry rollback test"]);
  // Where it has to be put back, it is that as well.
  stage.changes = { ...changes, records: { referenceData: [], remove: false } };
  expect(left(await stage.diff())).toContain("as it was, and run again: ferry rollback test. Or");
  // What is advised is true.
  stage.changes = { ...changes, select: { kinds: ["terms"] } };
  expect((await untilDone(async () => back(stage))).at(-1)).toBe(exitCodes.done);
  stage.changes = changes;
  expectAs(stage, asBefore);
});
