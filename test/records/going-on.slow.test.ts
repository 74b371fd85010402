import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import * as seed from "../../src/emulator/seed.ts";
import { exitCodes } from "../../src/model/result.ts";
import { planStatus } from "../../src/operations/status.ts";
import { countries, countsOf, cut, diesAt, recordOf, rowsStage } from "./support.ts";
import type { RowsStage } from "./support.ts";

const all = countries(3_000);

function requests(stage: RowsStage): {
  readonly pages: number;
  readonly lookUps: number;
  readonly writes: number;
} {
  const paths = stage.world.emulator.log.entries.map(({ tenant, path }) => `${tenant} ${path}`);
  const count = (pattern: RegExp): number => paths.filter((path) => pattern.test(path)).length;
  return {
    pages: count(/^dev .*published\/filter/),
    lookUps: count(/^prod .*published\/filter/),
    writes: count(/draft\/batch/),
  };
}

test("a run that goes on with an interrupted one reads no page of the source, and looks up what is left alone", async () => {
  const stage = await rowsStage({ source: all, plan: { limits: { concurrency: 2 } } });
  await cut(stage, 20);
  const before = stage.target.records().length;
  const shown = Object.keys(stage.published()).length;
  expect(shown).toBeGreaterThanOrEqual(1_000);
  expect(before).toBeLessThan(2_500);
  const { details } = await planStatus(stage.world.migration(stage.changes));
  expect(details.tables).toEqual([expect.objectContaining({ table: "Countries", total: 3_000, inDoubt: 0 })]);
  stage.world.emulator.log.clear();
  const result = await stage.apply({ verify: false });
  expect([result.exitCode, countsOf(result)]).toMatchObject([exitCodes.done, { create: 3_000, done: 3_000 }]);
  const { pages, lookUps, writes } = requests(stage);
  expect(pages).toBe(0);
  // What was sent and does not show yet is asked for what stands in its draft.
  expect(writes).toBe((3_000 - before) / 100 + Math.ceil((before - shown) / 100));
  // A look before what is left and one after it; two at what was sent and did not show.
  expect(lookUps).toBeLessThanOrEqual(2 * writes + (2 * (before - shown)) / 100 + 2);
  expect(Object.keys(stage.published())).toHaveLength(3_000);
  stage.world.emulator.log.clear();
  const again = await stage.apply();
  expect([again.exitCode, again.summary.unchanged, stage.writes()]).toEqual([exitCodes.done, 3_000, 0]);
  expect(requests(stage)).toMatchObject({ pages: 30, lookUps: 30 });
});

test("what was compared before is not said to be as it should be now", async () => {
  const stage = await rowsStage({ source: all.slice(0, 600), plan: { limits: { concurrency: 1 } } });
  await cut(stage, 2);
  const record = recordOf(stage.source, "C10");
  if (record !== undefined) seed.editRecord(stage.source, record, { name: "changed since" });
  const { headline } = await stage.apply();
  expect(headline).toContain(
    "Verified what was done. Rows of 1 table had been compared by an interrupted run:",
  );
  expect((await stage.apply()).headline).toBe("1 change made. Verified: the target is as it should be.");
});

test("what somebody has done at the target meanwhile is not overwritten, and the next run tells it", async () => {
  const stage = await rowsStage({
    source: all.slice(0, 600),
    target: [
      { code: "C500", name: "as it was" },
      { code: "C501", name: "as it was" },
    ],
    plan: { limits: { concurrency: 1 } },
  });
  await cut(stage, 2);
  const [changed, made] = [recordOf(stage.target, "C500"), "C599"];
  if (changed !== undefined) seed.editRecord(stage.target, changed, { name: "a colleague's word" });
  seed.seedRecord(stage.prod, stage.target, { code: made, name: "a colleague's row" });
  const result = await stage.apply({ verify: false });
  const told = result.changes[0]?.diagnostics.filter(({ code }) => code === "row-refused");
  expect(told?.map(({ summary }) => summary)).toEqual([
    "the row C500: somebody has changed it since it was compared: the next run looks at it",
    "the row C599: somebody has changed it since it was compared: the next run looks at it",
  ]);
  expect(stage.published()).toMatchObject({
    C500: { name: "a colleague's word" },
    C501: { name: "Country 501" },
    C599: { name: "a colleague's row" },
  });
  expect(stage.target.records()).toHaveLength(600);
});

test("rows that were known to be alike are known after an interrupted run, too: a colleague's edit is drift", async () => {
  const target = all.slice(0, 50);
  const stage = await rowsStage({ source: all, target, plan: { limits: { concurrency: 2 } } });
  await cut(stage, 20);
  for (const code of ["C10", "C60"]) {
    const record = recordOf(stage.target, code);
    expect(record, code).toBeDefined();
    if (record !== undefined) seed.editRecord(stage.target, record, { name: "a colleague's word" });
  }
  await stage.apply({ verify: false });
  expect((await stage.diff()).summary).toMatchObject({ drift: 2, update: 0, create: 0 });
});

test("a plan that was changed, or a file that a diff has written anew, is compared from the beginning", async () => {
  const stage = await rowsStage({ source: all.slice(0, 600), plan: { limits: { concurrency: 1 } } });
  await cut(stage, 2);
  await stage.diff();
  stage.world.emulator.log.clear();
  expect((await stage.apply({ verify: false })).exitCode).toBe(exitCodes.done);
  expect(requests(stage).pages).toBe(6);
  expect(stage.target.records()).toHaveLength(600);
});

test.for([
  ["is no JSON", "countries.plan.json", (text: string) => text.slice(0, text.length / 2)],
  [
    "says nothing of what was done",
    "countries.plan.json",
    (text: string) => text.replace('"done"', '"left"'),
  ],
  // Lines are not synced: what a power loss leaves of them has holes.
  ["has holes", "countries.ndjson", (text: string) => text.replace('"create"', '"cre\0\0\0\0')],
] as const)(
  "where what was kept of a comparison %s, it is said, and the rows are compared anew",
  async ([, name, damage]) => {
    const plan = { limits: { concurrency: 1 } };
    const stage = await rowsStage({ source: all.slice(0, 600), plan, kept: "files" });
    await cut(stage, 2);
    const file = join(stage.world.places(stage.changes).records, name);
    writeFileSync(file, damage(readFileSync(file, "utf8")));
    stage.world.emulator.log.clear();
    const result = await stage.apply({ verify: false });
    expect(result.exitCode).toBe(exitCodes.done);
    expect(requests(stage).pages).toBe(6);
    expect(stage.target.records()).toHaveLength(600);
    expect(result.diagnostics.map(({ summary }) => summary)).toContain(
      `what an interrupted run had compared is damaged (records/${name}): the rows were compared anew`,
    );
  },
);

test("whenever a run that asks for a review dies, the next one tells how many rows wait for it", async () => {
  const source = all.slice(0, 150);
  let waited = 0;
  for (const point of ["outcome:before", "outcome:after", "journal:after-write"]) {
    for (let nth = 1; nth <= 6; nth += 1) {
      const stage = await rowsStage({ source, publish: "review" });
      let seen = 0;
      const reached = (at: string): void => {
        if (at === point && (seen += 1) >= nth) throw new Error("dead");
      };
      await stage.apply({ verify: false }, { hooks: { reached } }).catch(() => undefined);
      const next = await stage.apply({ verify: false });
      const open = [...stage.prod.referenceData.reviews.values()].filter(({ records }) => records.size > 0);
      const rows = open.reduce((sum, { records }) => sum + records.size, 0);
      waited += Number(rows === 150);
      if (next.exitCode === exitCodes.inDoubt || rows === 0) continue;
      expect([next.exitCode, next.changes[0]?.records?.manual], `${point} ${nth}`).toEqual([
        exitCodes.partial,
        rows,
      ]);
    }
  }
  expect(waited).toBeGreaterThan(3);
});

/** A run that dies when its rows are published, and before it has looked at them. */
async function diesUnread(stage: RowsStage): Promise<void> {
  let outcomes = 0;
  const reached = (at: string): void => {
    // The first outcomes say that rows are in the draft, the next ones that they show.
    outcomes += Number(at === "outcome:before");
    if (outcomes > 1) throw new Error("killed");
  };
  await expect(stage.apply({ verify: false }, { hooks: { reached } })).rejects.toThrow("killed");
}

test.for([
  ["told as drift", {}, "drift", "a colleague's word"],
  ["overwritten where the policy says so", { policy: { drift: "overwrite" } }, "unchanged", "Country 1"],
] as const)(
  "what a colleague has changed in a row that was published and not read back is %s",
  async ([, plan, action, name]) => {
    const stage = await rowsStage({ source: all.slice(0, 5), plan });
    await diesUnread(stage);
    const record = recordOf(stage.target, "C1");
    expect(record?.published).toBeDefined();
    if (record !== undefined) seed.editRecord(stage.target, record, { name: "a colleague's word" });
    const result = await stage.apply({ verify: false });
    const told = result.changes[0]?.diagnostics.filter(({ code }) => code === "row-otherwise");
    expect([result.exitCode, told]).toEqual([action === "drift" ? exitCodes.partial : exitCodes.done, []]);
    expect(stage.published()["C1"]).toMatchObject({ name });
    const { summary } = await stage.diff();
    expect(summary).toMatchObject({
      create: 0,
      update: 0,
      drift: 0,
      conflict: 0,
      unchanged: 4,
      [action]: action === "drift" ? 1 : 5,
    });
  },
);

test("it is a conflict where the source has changed as well, and drift of what the run had changed", async () => {
  const stage = await rowsStage({ source: all.slice(0, 5), target: all.slice(0, 2) });
  await stage.apply({ verify: false });
  for (const code of ["C0", "C1"]) {
    const record = recordOf(stage.source, code);
    if (record !== undefined) seed.editRecord(stage.source, record, { area: 1 });
  }
  await diesUnread(stage);
  for (const [table, code] of [
    [stage.target, "C0"],
    [stage.target, "C1"],
    [stage.source, "C1"],
  ] as const) {
    const record = recordOf(table, code);
    const isSource = table === stage.source;
    if (record !== undefined) seed.editRecord(table, record, { area: isSource ? 2 : 3 });
  }
  await stage.apply({ verify: false });
  expect(stage.published()).toMatchObject({ C0: { area: 3 }, C1: { area: 3 } });
  const summary = (await stage.diff()).summary;
  expect(summary).toMatchObject({ create: 0, update: 0, unchanged: 3 });
  expect(summary.drift + summary.conflict).toBe(2);
});

test("what a run has finished for the one before it, and died, is told as done by the one that goes on with both", async () => {
  let deaths = 0;
  for (let nth = 1; nth <= 8; nth += 1) {
    const stage = await rowsStage();
    const dies = async (at: number): Promise<boolean | undefined> =>
      diesAt("outcome:after", at, (hooks) => stage.apply({}, { hooks }));
    expect(await dies(1)).toBe(true);
    if ((await dies(nth)) === undefined) break;
    deaths += 1;
    const last = await stage.apply();
    expect([last.exitCode, countsOf(last)]).toMatchObject([exitCodes.done, { create: 3, done: 3 }]);
  }
  expect(deaths).toBeGreaterThanOrEqual(2);
});

test("what a killed run has begun to delete counts against --max-deletes before it goes on", async () => {
  const s = await rowsStage({
    source: [],
    target: ["A", "B", "C"].map((code) => ({ code, name: "x" })),
    remove: true,
  });
  const reached = (at: string): void => {
    if (at === "intent:after") throw new Error("killed");
  };
  await expect(s.apply({ allowDelete: true, maxDeletes: 3 }, { hooks: { reached } })).rejects.toThrow(
    "killed",
  );
  s.world.emulator.log.clear();
  await expect(s.apply({ allowDelete: true, maxDeletes: 2 })).rejects.toThrow(
    "3 deletes would be made, more than --max-deletes 2; nothing was written",
  );
  expect(s.writes()).toBe(0);
  expect((await s.apply({ allowDelete: true, maxDeletes: 3 })).exitCode).toBe(exitCodes.done);
  expect(s.published()).toEqual({});
});

test("whoever refuses a run says what of a killed one was brought to its end before", async () => {
  const s = await rowsStage({
    source: [{ code: "DE", name: "a" }],
    plan: { limits: { badRows: 0.01, quietPeriodMs: 10 } },
  });
  const reached = (at: string): void => {
    if (at === "send:after") throw new Error("killed");
  };
  await expect(s.apply({}, { hooks: { reached } })).rejects.toThrow("killed");
  seed.seedRecord(s.dev, s.source, { code: null, name: "bad" });
  s.changes = { ...s.changes, policy: { drift: "overwrite" } };
  await expect(s.apply()).rejects.toThrow(
    "allows; what an interrupted run had left was brought to its end before, and nothing else was written",
  );
  expect(Object.keys(s.published())).toEqual(["DE"]);
});

test("rows that wait under one key are not made again under another one: the table waits", async () => {
  const s = await rowsStage({ publish: "review", key: ["code"], source: [{ code: "DE", name: "a" }] });
  await s.apply();
  const before = s.target.records().length;
  const { changes } = s;
  s.changes = {
    ...changes,
    records: { referenceData: [{ table: "Countries", key: ["code", "name"], publish: "review" }] } as never,
  };
  const other = await s.apply();
  expect(other.exitCode).toBe(exitCodes.partial);
  expect(other.changes[0]).toMatchObject({
    action: "blocked",
    reason: expect.stringContaining("they would be made a second time"),
  });
  expect(s.target.records()).toHaveLength(before);
  s.changes = changes;
  expect((await s.apply()).changes[0]?.records).toMatchObject({ manual: 1 });
});
