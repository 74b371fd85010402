import { join } from "node:path";
import { expect, test } from "vitest";
import * as seed from "../../src/emulator/seed.ts";
import { exitCodes } from "../../src/model/result.ts";
import { diffPlan } from "../../src/operations/diff.ts";
import type { PlanChanges } from "../support/world.ts";
import { columns, countries, diesAt, recordOf, rowsStage } from "./support.ts";
import type { RowsStage } from "./support.ts";

class Killed extends Error {}

const many = countries(350);
const there = [
  { code: "C300", name: "old" },
  { code: "X", name: "only here" },
];

/** A run of an approved diff that died after its first batches. */
async function interrupted(
  kept: "memory" | "files" = "memory",
  policy: NonNullable<PlanChanges["policy"]> = {},
): Promise<{ stage: RowsStage; file: string }> {
  const stage = await rowsStage({
    source: many,
    target: there,
    remove: true,
    plan: { limits: { concurrency: 1 }, policy },
    kept,
  });
  const file = join(stage.world.folder, "approved.json");
  await diffPlan(stage.world.migration(stage.changes), { out: file });
  let seen = 0;
  const hooks = {
    reached(at: string): void {
      if (at === "intent:before") seen += 1;
      if (seen > 2) throw new Killed();
    },
  };
  await expect(stage.apply({ diff: file, allowDelete: true }, { hooks })).rejects.toThrow(Killed);
  const done = Object.keys(stage.published()).length;
  expect(done).toBeGreaterThan(there.length - 1);
  expect(done).toBeLessThan(many.length);
  return { stage, file };
}

test.each(["memory", "files"] as const)(
  "an approved diff whose run died goes on with the rows that are left (%s)",
  async (kept) => {
    const { stage, file } = await interrupted(kept);
    expect((await stage.apply({ diff: file, allowDelete: true })).exitCode).toBe(exitCodes.done);
    expect(stage.published()).toEqual(Object.fromEntries(many.map((row) => [row.code, row])));
  },
);

const moves: readonly (readonly [what: string, change: (stage: RowsStage) => void, why: RegExp])[] = [
  [
    "a row that is left says otherwise at the source",
    ({ source }) => edit(source, "C320", { name: "other" }),
    /the row C320: the source says otherwise than was approved/,
  ],
  [
    "somebody has changed a row that is left at the target",
    ({ target }) => edit(target, "C300", { name: "somebody's" }),
    /the row C300: somebody has changed it at the target since/,
  ],
  [
    "a row that would be deleted is another one",
    ({ target }) => edit(target, "X", { name: "kept, please" }),
    /the row X: somebody has changed it at the target since/,
  ],
];

function edit(table: RowsStage["source"], code: string, values: { readonly name: string }): void {
  const record = recordOf(table, code);
  if (record === undefined) throw new Error(code);
  seed.editRecord(table, record, values);
}

test.each(moves)("it is refused when %s, and nothing is written", async (_what, change, why) => {
  const { stage, file } = await interrupted();
  change(stage);
  // What the run that died had begun is brought to its end by whoever comes next.
  await stage.apply({ diff: file, allowDelete: true }).catch(() => undefined);
  stage.world.emulator.log.clear();
  const { message, details } = await stage.apply({ diff: file, allowDelete: true }).then(
    () => ({ message: "taken", details: [] }),
    (error: unknown) => error as { readonly message: string; readonly details: readonly string[] },
  );
  expect(message).toContain("no longer fits");
  expect(details.join("\n")).toMatch(why);
  expect(stage.writes()).toBe(0);
});

test("a row that is new at the source was not approved", async () => {
  const { stage, file } = await interrupted();
  const record = seed.draftRecord(stage.dev, stage.source, { code: "NEW", name: "new" });
  stage.source.show(record, record.draft);
  await expect(stage.apply({ diff: file, allowDelete: true })).rejects.toMatchObject({
    details: [expect.stringMatching(/the row NEW: it was not among those that were approved/)],
  });
});

test.each(["changed", "removed"] as const)(
  "what an interrupted run has done of it, and somebody has %s since, is not brought back, whatever the policy says",
  async (what) => {
    const { stage, file } = await interrupted("memory", {
      drift: "overwrite",
      conflict: "source-wins",
      missingTarget: "recreate",
    });
    // Whoever comes next brings the rows to their end that the dead run had begun.
    edit(stage.source, "C349", { name: "other" });
    await stage.apply({ diff: file, allowDelete: true }).catch(() => undefined);
    edit(stage.source, "C349", { name: many.find(({ code }) => code === "C349")?.name ?? "" });
    const code = Object.keys(stage.published()).find((one) => one !== "C300" && one !== "X") ?? "";
    const record = recordOf(stage.target, code);
    if (record === undefined) throw new Error(code);
    if (what === "changed") edit(stage.target, code, { name: "somebody's" });
    else seed.removeRecord(stage.target, record);
    stage.world.emulator.log.clear();
    await expect(stage.apply({ diff: file, allowDelete: true })).rejects.toMatchObject({
      details: [expect.stringContaining(`the row ${code}: somebody has ${what} it at the target since`)],
    });
    expect(stage.writes()).toBe(0);
  },
);

/** The diff of a stage, approved. */
async function approvedOf(stage: RowsStage): Promise<string> {
  const file = join(stage.world.folder, "approved.json");
  await diffPlan(stage.world.migration(stage.changes), { out: file });
  return file;
}

test("a row that was refused before the run died is still approved", async () => {
  const stage = await rowsStage({ source: many, plan: { limits: { concurrency: 1 } } });
  stage.prod.quirks.draftFilter = "offered";
  seed.draftRecord(stage.prod, stage.target, { code: "C5", name: "a colleague's" });
  const file = await approvedOf(stage);
  expect(await diesAt("intent:before", 3, (hooks) => stage.apply({ diff: file }, { hooks }))).toBe(true);
  expect((await stage.apply({ diff: file })).exitCode).toBe(exitCodes.partial);
  expect(Object.keys(stage.published())).toHaveLength(many.length - 1);
});

test("a row that waits for its review is no word of somebody when the diff is applied again", async () => {
  const stage = await rowsStage({
    source: [{ code: "DE", name: "b" }],
    target: [{ code: "DE", name: "a" }],
    publish: "review",
  });
  const file = await approvedOf(stage);
  for (const _run of ["the first", "the next"])
    expect((await stage.apply({ diff: file })).exitCode).toBe(exitCodes.partial);
  for (const { urn } of stage.prod.referenceData.reviews.values())
    seed.decideReview(stage.prod, urn, "approve");
  expect((await stage.apply({ diff: file })).exitCode).toBe(exitCodes.done);
});

test("what was done of one table says nothing of a row of another that has its key", async () => {
  const some = countries(150);
  const stage = await rowsStage({ source: some, plan: { limits: { concurrency: 1 } } });
  const theirs = some.map(({ code }) => ({ code, name: "of another table" }));
  seed.seedReferenceTable(stage.dev, { name: "Currencies", columns, rows: theirs });
  seed.seedReferenceTable(stage.prod, { name: "Currencies", columns, rows: [] });
  const [first] = stage.changes.records?.referenceData ?? [];
  if (first === undefined) throw new Error("the plan has no table");
  stage.changes = {
    ...stage.changes,
    records: { ...stage.changes.records, referenceData: [first, { ...first, table: "Currencies" }] },
  };
  const file = await approvedOf(stage);
  expect(await diesAt("intent:before", 4, (hooks) => stage.apply({ diff: file }, { hooks }))).toBe(true);
  expect(Object.keys(stage.published())).toHaveLength(some.length);
  expect((await stage.apply({ diff: file })).exitCode).toBe(exitCodes.done);
});
