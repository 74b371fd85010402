import { expect, test } from "vitest";
import * as seed from "../../src/emulator/seed.ts";
import { exitCodes } from "../../src/model/result.ts";
import { doctorPlan } from "../../src/operations/doctor/index.ts";
import { countsOf, diesAt, recordOf, rows, rowsStage } from "./support.ts";

test("a diff counts rows, shows the first changes, and writes nothing", async () => {
  const stage = await rowsStage({
    target: [
      { code: "FR", name: "Frankreich" },
      { code: "CH", name: "Switzerland", member: false },
    ],
  });
  const result = await stage.diff();
  expect(result.summary).toMatchObject({ create: 1, update: 1, unchanged: 1, delete: 0 });
  const [change] = result.changes;
  expect(change).toMatchObject({
    action: "update",
    kind: "reference-data",
    source: { name: "Countries" },
    records: { create: 1, update: 1, unchanged: 1, blocked: 0, file: "records/countries.ndjson" },
  });
  expect(change?.fields).toContainEqual({ path: "/FR/name", from: "Frankreich", to: "France" });
  expect(change?.fields).toContainEqual({ path: "/FR/area", to: 551_500 });
  expect(change?.fields.find(({ path }) => path === "/DE")?.to).toMatchObject({ name: "Germany" });
  expect(stage.writes()).toBe(0);
});

test("rows arrive once, published; a second run writes nothing", async () => {
  const stage = await rowsStage();
  const result = await stage.apply();
  expect(result.diagnostics).toEqual([]);
  expect(result.exitCode).toBe(exitCodes.done);
  expect(countsOf(result)).toMatchObject({ create: 3, done: 3, failed: 0 });
  expect(stage.published()).toEqual(Object.fromEntries(rows.map((row) => [row["code"], row])));
  expect(stage.target.open()).toEqual([]);
  stage.world.emulator.log.clear();
  const again = await stage.apply();
  expect([again.exitCode, again.summary.unchanged, stage.writes()]).toEqual([exitCodes.done, 3, 0]);
});

test("publishing that takes its time is awaited", async () => {
  const stage = await rowsStage();
  stage.prod.quirks.publishing = { afterReads: 3 };
  const result = await stage.apply();
  expect(result.exitCode).toBe(exitCodes.done);
  expect(Object.keys(stage.published())).toEqual(["DE", "FR", "CH"]);
});

test("so is what a change and a deletion come to", async () => {
  const stage = await rowsStage({
    target: [
      { code: "FR", name: "Frankreich" },
      { code: "XX", name: "gone at the source" },
    ],
    remove: true,
  });
  stage.prod.quirks.publishing = { afterReads: 4 };
  const result = await stage.apply({ allowDelete: true, verify: false });
  expect([result.exitCode, countsOf(result)]).toMatchObject([exitCodes.done, { done: 4, inDoubt: 0 }]);
  expect(stage.published()).toMatchObject({ FR: { name: "France" } });
  expect(Object.keys(stage.published()).sort()).toEqual(["CH", "DE", "FR"]);
});

test("values are compared as values: numbers, dates, truth values, and null is absent", async () => {
  const stage = await rowsStage({
    source: [
      { code: "DE", area: 1, since: "1958-01-01T00:00:00Z", member: false, name: null },
      { code: "FR", area: 2, member: true },
    ],
    target: [
      { code: "DE", area: 1.0, since: "1958-01-01T01:00:00.000+01:00", member: false },
      { code: "FR", area: 2, member: false },
    ],
  });
  const result = await stage.diff();
  expect(result.summary).toMatchObject({ unchanged: 1, update: 1 });
  expect(result.changes[0]?.fields).toEqual([{ path: "/FR/member", from: false, to: true }]);
});

test("what people have set at the target is told before it is overwritten, at first contact and whenever it is", async () => {
  const stage = await rowsStage({
    target: [
      { code: "FR", name: "Frankreich" },
      { code: "CH", name: "Switzerland", member: false },
      { code: "XX", name: "only here" },
    ],
    remove: true,
  });
  const contact = "first contact: 2 rows are at the target already; of 1 what stands there is overwritten";
  const told = async (): Promise<readonly unknown[]> => {
    const { changes, consequences = [], headline } = await stage.diff();
    return [
      changes.flatMap(({ diagnostics }) => diagnostics).map(({ summary }) => summary),
      consequences.map(({ key, count, names }) => [key, count, ...names]),
      /At prod .*/.exec(headline ?? "")?.[0],
    ];
  };
  const table = 'reference-data "Countries" (1 row)';
  expect(await told()).toEqual([
    [contact],
    [
      ["delete", 1, table],
      ["overwrite", 1, table],
    ],
    "At prod 1 object is deleted under --allow-delete, what people set in 1 object is overwritten.",
  ]);
  // Nothing was done: it is news as before.
  expect((await told())[0]).toEqual([contact]);
  await stage.apply({ allowDelete: true });
  expect(await told()).toEqual([[], [], undefined]);
  const record = recordOf(stage.target, "FR");
  if (record !== undefined) seed.editRecord(stage.target, record, { name: "somebody's" });
  stage.changes = { ...stage.changes, policy: { drift: "overwrite" } };
  expect((await told()).slice(0, 2)).toEqual([[], [["overwrite", 1, table]]]);
});

test("what is cleared at the source is cleared at the target; what only the target's table has stays", async () => {
  const stage = await rowsStage({ source: [{ code: "DE", area: 2 }], target: [] });
  const wide = seed.seedReferenceTable(stage.prod, {
    name: "Wide",
    columns: {
      code: "STRING",
      name: "STRING",
      area: "NUMBER",
      member: "BOOLEAN",
      since: "DATETIME",
      own: "STRING",
    },
    rows: [{ code: "DE", name: "Germany", area: 1, own: "kept" }],
  });
  stage.changes = {
    ...stage.changes,
    records: {
      referenceData: [{ table: "Countries", targetTable: "Wide", key: ["code"], publish: "direct" }],
    },
  };
  expect((await stage.apply()).exitCode).toBe(exitCodes.done);
  expect(recordOf(wide, "DE")?.published).toEqual({ code: "DE", area: 2, own: "kept" });
});

test("drafts that others have left are never published", async () => {
  const stage = await rowsStage({ target: [{ code: "FR", name: "Frankreich" }] });
  const theirs = seed.draftRecord(stage.prod, stage.target, { code: "XX", name: "not ready" });
  const result = await stage.apply();
  expect(result.exitCode).toBe(exitCodes.done);
  expect(Object.keys(stage.published()).sort()).toEqual(["CH", "DE", "FR"]);
  expect(stage.target.open()).toEqual([theirs]);
});

test("a row that somebody is changing is not published with our values in it, and is named", async () => {
  const stage = await rowsStage({
    target: [
      { code: "FR", name: "Frankreich", area: 5 },
      { code: "DE", name: "?" },
    ],
  });
  const record = recordOf(stage.target, "FR");
  if (record !== undefined) stage.target.change(record, { member: true });
  const result = await stage.apply();
  expect(result.exitCode).toBe(exitCodes.partial);
  expect(result.changes[0]?.diagnostics.map(({ summary }) => summary)).toEqual([
    "first contact: 2 rows are at the target already; of 2 what stands there is overwritten",
    expect.stringContaining("the row FR: somebody has changed it at the target, in a draft or published"),
  ]);
  expect(stage.published()["FR"]).toEqual({ code: "FR", name: "Frankreich", area: 5 });
  expect(stage.published()["DE"]).toMatchObject({ name: "Germany" });
});

test("where drafts can be looked at, a row that somebody is changing is not touched at all", async () => {
  const stage = await rowsStage({ target: [{ code: "FR", name: "Frankreich" }] });
  stage.prod.quirks.draftFilter = "offered";
  const record = recordOf(stage.target, "FR");
  if (record !== undefined) stage.target.change(record, { name: "in the making" });
  const own = seed.draftRecord(stage.prod, stage.target, { code: "CH", name: "theirs" });
  const result = await stage.apply();
  expect(result.exitCode).toBe(exitCodes.partial);
  expect(countsOf(result)).toMatchObject({ failed: 2, done: 1 });
  expect([record?.draft["name"], own.draft["name"]]).toEqual(["in the making", "theirs"]);
  expect(Object.keys(stage.published()).sort()).toEqual(["DE", "FR"]);
});

test("rows that cannot be sent are blocked and named, and the others arrive", async () => {
  const stage = await rowsStage({
    source: [
      { code: "DE", name: "Germany" },
      { name: "no key" },
      { code: "FR", name: "one" },
      { code: "FR", name: "two" },
      { code: "IT", capital: "Rome" },
    ],
    columns: { code: "STRING", name: "STRING", capital: "STRING" },
  });
  const narrow = seed.seedReferenceTable(stage.prod, {
    name: "Narrow",
    columns: { code: "STRING", name: "STRING" },
  });
  stage.changes = {
    ...stage.changes,
    records: {
      referenceData: [{ table: "Countries", targetTable: "Narrow", key: ["code"], publish: "direct" }],
    },
  };
  const result = await stage.apply();
  expect(result.exitCode).toBe(exitCodes.partial);
  expect(countsOf(result)).toMatchObject({ create: 1, done: 1, blocked: 4 });
  expect(result.changes[0]?.diagnostics.map(({ summary }) => summary).sort()).toEqual([
    "the row FR: its key occurs 2 times at the source",
    "the row FR: its key occurs 2 times at the source",
    "the row IT: the target's table has no attribute capital, and the row has a value in it",
    expect.stringMatching(/: its key attribute code is empty$/),
  ]);
  expect(narrow.records().map(({ published }) => published?.["code"])).toEqual(["DE"]);
});

test("one row that the service refuses does not take its batch along", async () => {
  const source = Array.from({ length: 250 }, (_, index) => ({
    code: `C${index}`,
    ...(index === 120 ? { since: "yesterday" } : {}),
  }));
  const stage = await rowsStage({
    source,
    columns: { code: "STRING", since: "STRING" },
  });
  const dated = seed.seedReferenceTable(stage.prod, {
    name: "Dated",
    columns: { code: "STRING", since: "DATE" },
  });
  stage.prod.quirks.tableFields = "bare";
  stage.changes = {
    ...stage.changes,
    records: {
      referenceData: [{ table: "Countries", targetTable: "Dated", key: ["code"], publish: "direct" }],
    },
  };
  const result = await stage.apply();
  expect(result.exitCode).toBe(exitCodes.partial);
  expect(countsOf(result)).toMatchObject({ create: 250, done: 249, failed: 1 });
  expect(result.changes[0]?.diagnostics[0]?.summary).toMatch(/^the row C120: .*since must be of type DATE/);
  expect(dated.publishedCount).toBe(249);
});

test("a share of bad rows beyond the limit stops the run before anything is written", async () => {
  const stage = await rowsStage({ source: [...rows, { name: "no key" }] });
  stage.changes = { ...stage.changes, limits: { badRows: 0.2 } };
  const { next, diagnostics } = await stage.diff();
  expect(next).toEqual(["ferry diff test"]);
  const told = expect.objectContaining({
    code: "bad-rows",
    summary: expect.stringMatching(/^1 row of 4 .* \(20%\) allows: an apply writes nothing$/),
  });
  expect(diagnostics).toContainEqual(told);
  await expect(stage.apply()).rejects.toThrow(/1 row of 4 of "Countries" cannot be sent/);
  expect(stage.writes()).toBe(0);
  const wider = await stage.diff({ limits: { badRows: 0.25 } });
  expect(wider.next).toEqual(["ferry apply test"]);
  expect(wider.diagnostics).not.toContainEqual(told);
});

test("deletes of rows that nobody has allowed are not told as if all were as it should be", async () => {
  const stage = await rowsStage({ target: [...rows, { code: "XX", name: "only here" }], remove: true });
  await stage.apply();
  // What is advised does something: without the flag nothing would be done.
  expect((await stage.diff()).next).toEqual(["ferry apply test --allow-delete"]);
  const result = await stage.apply({ command: "sync", verify: true });
  expect(result).toMatchObject({
    exitCode: exitCodes.done,
    headline: "Nothing to do without --allow-delete. Verified what was done.",
    next: ["ferry sync test --allow-delete"],
  });
  expect(stage.target.publishedCount).toBe(rows.length + 1);
  // Beside what is written without it, both are advised.
  const record = recordOf(stage.source, "DE");
  if (record !== undefined) seed.editRecord(stage.source, record, { name: "Allemagne" });
  expect((await stage.diff()).next).toEqual(["ferry apply test", "ferry apply test --allow-delete"]);
});

test("rows that only the target has, twice under one key, are no bad rows: they were not to be sent", async () => {
  const stage = await rowsStage({
    target: [
      { code: "XX", name: "one" },
      { code: "XX", name: "other" },
    ],
    remove: true,
  });
  stage.changes = { ...stage.changes, limits: { badRows: 0 } };
  const result = await stage.apply({ allowDelete: true });
  expect(countsOf(result)).toMatchObject({ blocked: 2, done: rows.length, failed: 0 });
  expect(stage.target.publishedCount).toBe(rows.length + 2);
});

test("rows that share a key at the source count as bad, and not those of the target beside them", async () => {
  const stage = await rowsStage({
    source: [...rows, { code: "DE", name: "once more" }],
    target: [
      { code: "XX", name: "one" },
      { code: "XX", name: "other" },
    ],
    remove: true,
  });
  stage.changes = { ...stage.changes, limits: { badRows: 0.1 } };
  await expect(stage.apply()).rejects.toThrow(/2 rows of 4 of "Countries" cannot be sent/);
  stage.changes = { ...stage.changes, limits: { badRows: 0.5 } };
  expect(countsOf(await stage.apply())).toMatchObject({ blocked: 4, done: 2 });
  expect(countsOf(await stage.apply())).toMatchObject({ blocked: 4, unchanged: 2 });
});

test("drift and conflict are known row by row, once rows have been moved", async () => {
  const stage = await rowsStage();
  await stage.apply();
  for (const [code, table] of [
    ["DE", stage.target],
    ["FR", stage.source],
    ["CH", stage.source],
    ["CH", stage.target],
  ] as const) {
    const record = recordOf(table, code);
    if (record !== undefined)
      seed.editRecord(table, record, { name: `${code} at ${table === stage.target ? "prod" : "dev"}` });
  }
  const result = await stage.diff();
  expect(result.summary).toMatchObject({ update: 1, drift: 1, conflict: 1 });
  const applied = await stage.apply();
  expect(applied.exitCode).toBe(exitCodes.partial);
  expect(stage.published()).toMatchObject({
    DE: { name: "DE at prod" },
    FR: { name: "FR at dev" },
    CH: { name: "CH at prod" },
  });
  stage.changes = { ...stage.changes, policy: { drift: "overwrite", conflict: "source-wins" } };
  expect((await stage.apply()).exitCode).toBe(exitCodes.done);
  expect(stage.published()).toMatchObject({ DE: { name: "Germany" }, CH: { name: "CH at dev" } });
});

test("a row that somebody has removed at the target is told, and made again where the plan says so", async () => {
  const stage = await rowsStage();
  await stage.apply();
  const record = recordOf(stage.target, "DE");
  if (record !== undefined) stage.target.show(record, undefined);
  expect((await stage.diff()).summary).toMatchObject({ drift: 1, create: 0 });
  stage.changes = { ...stage.changes, policy: { missingTarget: "recreate" } };
  expect((await stage.diff()).summary).toMatchObject({ drift: 0, create: 1 });
});

test("rows that only the target has go where the plan and a flag say so, and not beyond a number", async () => {
  const stage = await rowsStage({ target: [...rows, { code: "XX" }, { code: "YY" }], remove: true });
  expect((await stage.diff()).summary).toMatchObject({ delete: 2, unchanged: 3 });
  await stage.apply();
  expect(Object.keys(stage.published())).toHaveLength(5);
  await expect(stage.apply({ allowDelete: true, maxDeletes: 1 })).rejects.toThrow(/2 deletes would be made/);
  const result = await stage.apply({ allowDelete: true });
  expect([result.exitCode, countsOf(result)?.done]).toEqual([exitCodes.done, 2]);
  expect(Object.keys(stage.published())).toEqual(["DE", "FR", "CH"]);
});

test("a deletion that no review would show is left to a person", async () => {
  const stage = await rowsStage({ target: [...rows, { code: "XX" }], remove: true, publish: "review" });
  const diff = await stage.diff();
  expect(diff.summary).toMatchObject({ delete: 0, blocked: 0, manual: 1, unchanged: 3 });
  const told = {
    code: "row-by-hand",
    summary: expect.stringMatching(/^the row XX: .*review takes no deletion/),
  };
  expect(diff.changes[0]?.diagnostics).toContainEqual(expect.objectContaining(told));
  const result = await stage.apply({ allowDelete: true });
  expect(result.exitCode).toBe(exitCodes.partial);
  expect(Object.keys(stage.published())).toContain("XX");
  expect(stage.writes()).toBe(0);
});

test("rows of the target alone are no bad rows of the source", async () => {
  const others = ["A", "B", "C", "D"].map((code) => ({ code }));
  const stage = await rowsStage({ target: [...rows, ...others], remove: true, publish: "review" });
  expect((await stage.apply()).exitCode).toBe(exitCodes.partial);
});

test("rows that are gone at the source stay, and that is said", async () => {
  const stage = await rowsStage();
  await stage.apply();
  const record = recordOf(stage.source, "FR");
  if (record !== undefined) stage.source.show(record, undefined);
  const result = await stage.diff();
  expect(result.diagnostics.map(({ summary }) => summary)).toEqual([
    "1 row that was moved once is gone at the source; what the target has of it stays",
  ]);
});

test("a key of several attributes of several types", async () => {
  const source = [
    { code: "DE", area: 1, name: "a" },
    { code: "DE", area: 2, name: "b" },
    { code: "FR", area: 1, name: "c" },
  ];
  const stage = await rowsStage({
    source,
    target: [{ code: "DE", area: 2, name: "old" }],
    key: ["code", "area"],
  });
  const result = await stage.apply();
  expect([result.exitCode, countsOf(result)]).toMatchObject([exitCodes.done, { create: 2, update: 1 }]);
  expect(stage.target.records().map(({ published }) => published)).toEqual([
    { code: "DE", area: 2, name: "b" },
    { code: "DE", area: 1, name: "a" },
    { code: "FR", area: 1, name: "c" },
  ]);
});

test("a table that is missing, or lacks an attribute of the key, is found before any write", async () => {
  const stage = await rowsStage();
  stage.changes = {
    ...stage.changes,
    records: {
      referenceData: [
        { table: "Nowhere", key: ["code"], publish: "direct" },
        { table: "Countries", key: ["iso"], publish: "direct" },
      ],
    },
  };
  const result = await stage.apply();
  expect(result.exitCode).toBe(exitCodes.partial);
  expect(result.changes.map(({ reason }) => reason)).toEqual([
    'dev has no reference-data table "Nowhere"',
    'the table "Countries" of dev has no attribute iso, which is part of its key',
  ]);
  expect(stage.writes()).toBe(0);
  const doctor = await doctorPlan(stage.world.migration(stage.changes));
  expect(doctor.exitCode).toBe(exitCodes.failed);
  expect(doctor.diagnostics.filter(({ code }) => code === "table-unusable")).toHaveLength(2);
});

test.each(["absent", "offered"] as const)(
  "what a colleague has published with all drafts since a run was killed, and is changing, is not published with that (drafts %s)",
  async (drafts) => {
    const stage = await rowsStage({ source: rows.slice(0, 1), plan: { limits: { quietPeriodMs: 10 } } });
    stage.prod.quirks.draftFilter = drafts;
    const killed = await diesAt("send:after", 1, async (hooks) => stage.apply({ verify: false }, { hooks }));
    expect(killed).toBe(true);
    const record = recordOf(stage.target, "DE");
    if (record === undefined) throw new Error("nothing was sent");
    seed.editRecord(stage.target, record, {});
    stage.target.change(record, { name: "not ready" });
    expect((await stage.apply()).exitCode).toBe(exitCodes.done);
    expect(stage.published()).toEqual({ DE: rows[0] });
    expect([record.state, record.draft["name"]]).toEqual(["CHANGED", "not ready"]);
  },
);

test("what a colleague has published with all drafts while its answer was lost is not sent again", async () => {
  const stage = await rowsStage({ plan: { limits: { quietPeriodMs: 60 } } });
  const { emulator } = stage.world;
  emulator.faults.add({
    match: { tenant: "prod", method: "POST", path: "/draft/batch" },
    when: { times: 1 },
    effect: { type: "drop-after-commit" },
  });
  const off = emulator.on(({ phase, entry }) => {
    if (phase !== "received" || !entry.path.endsWith("/draft/request-review")) return;
    off();
    stage.prod.referenceData.publish(stage.target, stage.target.open(), "at-once");
  });
  expect((await stage.apply()).exitCode).toBe(exitCodes.done);
  expect(stage.target.records().map(({ published }) => published?.["code"])).toEqual(["DE", "FR", "CH"]);
  emulator.log.clear();
  expect((await stage.apply()).exitCode).toBe(exitCodes.done);
  expect(stage.writes()).toBe(0);
});
