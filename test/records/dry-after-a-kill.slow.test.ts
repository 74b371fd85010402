import { join } from "node:path";
import { expect, test } from "vitest";
import { openRows } from "../../src/engine/records/open-rows.ts";
import * as seed from "../../src/emulator/seed.ts";
import { diffPlan } from "../../src/operations/diff.ts";
import { verifyPlan } from "../../src/operations/verify.ts";
import type { RowsStage } from "./support.ts";
import type { InstanceEntity } from "./masters-stage.ts";
import { party, put, stage } from "./masters-stage.ts";
import { countries, countsOf, diesAt, recordOf, rowsStage } from "./support.ts";

/** What only looks, after a run over rows that was killed: it knows what that one has brought to its end, as the next apply does. */

/** Killed as soon as these rows show, before it has kept what it knew; then a colleague is at one of them. */
async function killed(options: Parameters<typeof rowsStage>[0] = {}): Promise<RowsStage> {
  const stage = await rowsStage({
    source: countries(50),
    plan: { limits: { concurrency: 1, quietPeriodMs: 10 } },
    kept: "files",
    ...options,
  });
  await dies(stage, "Country 49");
  edit(stage.target, "theirs");
  return stage;
}

async function dies(stage: RowsStage, name: string): Promise<void> {
  const reached = (at: string): void => {
    const isShown = stage.published()["C49"]?.["name"] === name && stage.target.open().length === 0;
    if (at === "outcome:after" && isShown) throw new Error("killed");
  };
  await expect(stage.apply({ verify: false }, { hooks: { reached } })).rejects.toThrow("killed");
}

function edit(table: RowsStage["target"], name: string, code = "C49"): void {
  const record = recordOf(table, code);
  if (record === undefined) throw new Error("it is not there");
  seed.editRecord(table, record, { name });
}

/** What a diff says of the table is what an apply that is bound to it says. */
async function agreed(stage: RowsStage): Promise<ReturnType<typeof countsOf>> {
  const out = join(stage.world.folder, "approved.json");
  const verified = await verifyPlan(stage.world.migration(stage.changes), {});
  const seen = countsOf(await diffPlan(stage.world.migration(stage.changes), { out }));
  expect(countsOf(verified)).toMatchObject({ digest: seen?.digest });
  const result = await stage.apply({ diff: out, verify: false });
  expect(countsOf(result)).toMatchObject({ digest: seen?.digest });
  return seen;
}

test.each(["files", "memory"] as const)(
  "what a colleague has changed of what a killed run had made is drift, and the diff that says so can be applied (%s)",
  async (kept) => {
    const stage = await killed({ kept });
    expect(await agreed(stage)).toMatchObject({ drift: 1, unchanged: 49, update: 0, overwrites: 0 });
    expect(stage.published()["C49"]).toMatchObject({ name: "theirs" });
  },
);

test("a dry run keeps nothing of it", async () => {
  const stage = await killed();
  const { state } = stage.world.migration(stage.changes).store;
  const before = await state.knownRows("countries");
  await stage.diff();
  expect([before, await state.knownRows("countries")]).toEqual([undefined, undefined]);
  expect((await state.rowLogs()).map(({ isOpen }) => isOpen)).toEqual([true]);
});

/** Rows that were known, and a run that dies once it has changed one of them. */
async function diedOverKnown(): ReturnType<typeof rowsStage> {
  const stage = await rowsStage({
    source: countries(50),
    kept: "files",
    plan: { limits: { quietPeriodMs: 10 } },
  });
  await stage.apply();
  edit(stage.source, "next");
  await dies(stage, "next");
  return stage;
}

test("so it is of what a killed run had changed, of rows that were known before", async () => {
  const stage = await diedOverKnown();
  edit(stage.target, "theirs");
  expect(await agreed(stage)).toMatchObject({ drift: 1, unchanged: 49, update: 0 });
  edit(stage.source, "after that");
  expect(countsOf(await stage.diff())).toMatchObject({ conflict: 1, update: 0 });
});

test("and where the colleague has put back what was there before the killed run, which is a word as well", async () => {
  const stage = await diedOverKnown();
  edit(stage.target, "Country 49");
  expect(await agreed(stage)).toMatchObject({ drift: 1, unchanged: 49, update: 0 });
});

test("and where the table was renamed since", async () => {
  const stage = await killed();
  Object.assign(stage.source, { name: "Lands" });
  Object.assign(stage.target, { name: "Lands" });
  const table = { table: "Lands", key: ["code"], publish: "direct" as const };
  stage.changes = { ...stage.changes, records: { referenceData: [table], remove: false } };
  expect(await agreed(stage)).toMatchObject({ drift: 1, unchanged: 49, update: 0 });
});

const [narrow, wide] = [["src_name"], ["src_name", "src_phone"]].map((columns) => ({
  ...party,
  columns,
})) as [InstanceEntity, InstanceEntity];

/** Of each what the dry run tells, and then the apply: records that a run of the first plan had written when it was killed. */
test.each([
  ["the same", narrow, narrow, { update: 1, drift: 1 }],
  ["more", narrow, wide, { update: 2, drift: 1 }],
  ["less", wide, narrow, { update: 2, drift: 0 }],
] as const)("records of master data, where the plan moves %s by then", async (_what, first, then, counts) => {
  const here = await stage([then]);
  const ids = ["nobody", "theirs", "source"];
  for (const id of ids) put(here.dev, id, { src_name: "a", src_phone: "1" });
  // The other plan has known them before.
  await here.apply();
  for (const id of ids) put(here.dev, id, { src_name: "b", src_phone: "2" });
  here.name(first);
  const { state } = here.made.migration({}, { plan: here.plan }).store;
  let rows = 0;
  const reached = async (at: string): Promise<void> => {
    const logs = (await state.rowLogs()).filter(({ isOpen }) => isOpen);
    rows = Math.max(rows, (await openRows(logs)).size);
    // All of them have come to their end, and what is known of them is not kept.
    if (at === "outcome:after" && rows === 3 && (await openRows(logs)).size === 0) throw new Error("killed");
  };
  await expect(here.apply({}, { hooks: { reached } })).rejects.toThrow("killed");
  put(here.prod, "theirs", { src_name: "theirs" });
  put(here.dev, "source", { src_name: "c" });
  here.name(then);
  const seenBefore = countsOf(await here.diff());
  expect(seenBefore).toMatchObject(counts);
  const { digest } = countsOf(await here.apply()) ?? {};
  expect(seenBefore).toMatchObject({ digest });
});

/** Killed with rows on their way: the first of them in the draft, others not sent yet. */
async function onTheWay(): Promise<RowsStage> {
  const stage = await rowsStage({
    source: countries(300),
    target: [{ code: "C5", name: "old" }],
    plan: { limits: { concurrency: 1, quietPeriodMs: 10 } },
    kept: "files",
  });
  expect(await diesAt("send:after", 1, async (hooks) => stage.apply({ verify: false }, { hooks }))).toBe(
    true,
  );
  return stage;
}

test("a diff that is made while rows are on their way can be applied: they are brought to their end first, as it says", async () => {
  const stage = await onTheWay();
  const out = join(stage.world.folder, "approved.json");
  const seen = countsOf(await diffPlan(stage.world.migration(stage.changes), { out }));
  expect(seen?.blocked).toBeGreaterThan(0);
  const result = await stage.apply({ diff: out, verify: false });
  expect(result.exitCode).toBe(0);
  expect(stage.published()).toEqual(Object.fromEntries(countries(300).map((row) => [row.code, row])));
  expect(stage.target.records()).toHaveLength(300);
});

test("also where these are all there is", async () => {
  const stage = await onTheWay();
  for (const { code } of countries(300).slice(200)) {
    const record = recordOf(stage.source, code);
    if (record !== undefined) seed.removeRecord(stage.source, record);
  }
  const out = join(stage.world.folder, "approved.json");
  const seen = countsOf(await diffPlan(stage.world.migration(stage.changes), { out }));
  expect(seen).toMatchObject({ create: 0, update: 0 });
  expect((await stage.apply({ diff: out, verify: false })).exitCode).toBe(0);
  expect(stage.target.publishedCount).toBe(200);
});

test.each([
  ["somebody has changed one of them", (stage: RowsStage) => edit(stage.target, "theirs", "C5")],
  ["the source says otherwise of one of them", (stage: RowsStage) => edit(stage.source, "next", "C5")],
  ["the source says otherwise of another row", (stage: RowsStage) => edit(stage.source, "next", "C250")],
] as const)("it is refused where %s since", async (_what, act) => {
  const stage = await onTheWay();
  const out = join(stage.world.folder, "approved.json");
  await diffPlan(stage.world.migration(stage.changes), { out });
  act(stage);
  await expect(stage.apply({ diff: out, verify: false })).rejects.toMatchObject({ code: "diff-moved" });
  expect(stage.published()["C250"]).toBeUndefined();
});
