import { describe, expect, test } from "vitest";
import { masterDataBooks as books } from "../../src/emulator/index.ts";
import { exitCodes } from "../../src/model/result.ts";
import { doctorPlan } from "../../src/operations/doctor/index.ts";
import { author, authored, masterParty, put, segment, stage } from "./masters-stage.ts";
import { countsOf } from "./support.ts";

test("masters that people authored arrive once, those that are merged stay behind; a second run writes nothing", async () => {
  const here = await stage([masterParty, segment]);
  put(here.dev, "P1", { src_name: "Merged Of Instances", src_email: "m@example.org" });
  author(here.dev, { cmo_code: "HOUSE", cmo_name: "The Grocer Ltd" }, "party");
  for (const code of ["RETAIL", "STAFF"]) author(here.dev, { cmo_code: code, cmo_name: `Name of ${code}` });
  const diff = await here.diff();
  expect([diff.summary.create, here.writes()]).toEqual([3, 0]);
  const result = await here.apply();
  expect(result.diagnostics.filter(({ severity }) => severity !== "info")).toEqual([]);
  expect(result.exitCode).toBe(exitCodes.done);
  expect(authored(here.prod, "party")).toEqual({
    HOUSE: { cmo_code: "HOUSE", cmo_name: "The Grocer Ltd", active: true },
  });
  expect(authored(here.prod)).toEqual(authored(here.dev));
  expect(here.prod.instances("party")?.size).toBe(0);
  here.made.emulator.log.clear();
  const again = await here.apply();
  expect([again.exitCode, again.summary.unchanged, here.writes()]).toEqual([exitCodes.done, 3, 0]);
});

test("a change is sent alone; what both sides have is paired by its key, and drift and conflict are told", async () => {
  const here = await stage([segment]);
  for (const code of ["A", "B", "C", "D"]) author(here.dev, { cmo_code: code, cmo_name: code });
  const old = author(here.prod, { cmo_code: "A", cmo_name: "old" });
  await here.apply();
  expect(here.prod.masters("segment")?.get(old.id)?.authored?.values).toEqual({
    cmo_code: "A",
    cmo_name: "A",
  });
  const edit = (data: typeof here.dev, code: string, name: string): void => {
    const [row] = books.findMasters(data, "segment", "cmo_code", code);
    if (row?.authored === undefined) throw new Error(code);
    books.writeMaster(data, row, { cmo_name: name });
  };
  edit(here.dev, "B", "B2");
  edit(here.prod, "C", "somebody's");
  edit(here.dev, "D", "D2");
  edit(here.prod, "D", "somebody's");
  const result = await here.diff();
  expect(result.summary).toMatchObject({ update: 1, drift: 1, conflict: 1, unchanged: 1 });
  here.made.emulator.log.clear();
  expect((await here.apply()).exitCode).toBe(exitCodes.partial);
  const [sent, ...more] = here.made.emulator.log.entries.filter(({ method }) => method === "PUT");
  expect([sent?.body, more]).toEqual([{ attributes: { cmo_name: "B2" } }, []]);
  expect(authored(here.prod)).toMatchObject({
    B: { cmo_name: "B2" },
    C: { cmo_name: "somebody's" },
    D: { cmo_name: "somebody's" },
  });
});

test("keys of several columns; one that is empty, twice or holds a comma is blocked, and the others arrive", async () => {
  const here = await stage([{ ...segment, key: ["cmo_code", "cmo_name"] }]);
  for (const [code, name] of [
    ["A", "1"],
    ["A", "2"],
    ["B*", "1"],
    ["C", "1, 2"],
    ["D", ""],
    ["E", "1"],
    ["E", "1"],
  ] as const)
    author(here.dev, { cmo_code: code, cmo_name: name });
  author(here.prod, { cmo_code: "A", cmo_name: "3" });
  author(here.prod, { cmo_code: "Bx", cmo_name: "1" });
  const result = await here.apply();
  expect(result.exitCode).toBe(exitCodes.partial);
  expect(countsOf(result)).toMatchObject({ create: 3, blocked: 4, done: 3 });
  expect(result.changes[0]?.diagnostics.map(({ summary }) => summary).sort()).toEqual([
    "the row C / 1, 2: its key column cmo_name holds a comma, which no request can carry",
    "the row D / : its key column cmo_name is empty",
    "the row E / 1: its key occurs 2 times at the source",
    "the row E / 1: its key occurs 2 times at the source",
  ]);
  expect(here.prod.masters("segment")?.size).toBe(5);
  expect((await here.diff()).summary).toMatchObject({ create: 0, update: 0, unchanged: 3 });
});

test("a key that the target has twice is blocked, and what is merged there is refused by name", async () => {
  const here = await stage([{ ...masterParty, key: ["cmo_name"] }]);
  author(here.dev, { cmo_name: "Twice", cmo_code: "T" }, "party");
  author(here.dev, { cmo_name: "Merged There", cmo_code: "M" }, "party");
  for (const _ of [1, 2]) author(here.prod, { cmo_name: "Twice" }, "party");
  put(here.prod, "P1", { src_name: "Merged There", src_email: "m@example.org" });
  const result = await here.apply();
  expect(result.exitCode).toBe(exitCodes.partial);
  expect(result.changes[0]?.diagnostics.map(({ summary }) => summary)).toEqual([
    "the row Twice: its key occurs 2 times at the target",
    "first contact: 1 row is at the target already; of 1 what stands there is overwritten",
    expect.stringMatching(/^the row Merged There: .*is merged from instances, not authored/),
  ]);
  expect(here.prod.masters("party")?.size).toBe(3);
});

test("activity follows, both ways", async () => {
  const here = await stage([{ ...segment, activity: true }]);
  const [one, other] = ["A", "B"].map((code) => author(here.dev, { cmo_code: code, cmo_name: code }));
  if (one === undefined || other === undefined) throw new Error("not there");
  books.setActivity(here.dev, one, false);
  expect((await here.apply()).exitCode).toBe(exitCodes.done);
  expect(authored(here.prod)).toMatchObject({ A: { active: false }, B: { active: true } });
  here.made.emulator.log.clear();
  await here.apply();
  expect(here.writes()).toBe(0);
  books.setActivity(here.dev, one, undefined);
  books.setActivity(here.dev, other, false);
  expect((await here.apply()).exitCode).toBe(exitCodes.done);
  expect(authored(here.prod)).toMatchObject({ A: { active: true }, B: { active: false } });
  // Active as it was made, not by an override over it.
  const [there] = books.findMasters(here.prod, "segment", "cmo_code", "A");
  expect(there?.activity).toBeUndefined();
});

test("what only the target has goes where the plan and a flag say so, for good, and comes back by a rollback", async () => {
  const here = await stage([segment], true);
  author(here.dev, { cmo_code: "A", cmo_name: "new" });
  author(here.dev, { cmo_code: "N", cmo_name: "made" });
  author(here.prod, { cmo_code: "A", cmo_name: "old" });
  author(here.prod, { cmo_code: "X", cmo_name: "only here" });
  const before = authored(here.prod);
  expect((await here.diff()).summary).toMatchObject({ create: 1, update: 1, delete: 1 });
  expect((await here.apply({ allowDelete: true })).exitCode).toBe(exitCodes.done);
  expect(authored(here.prod)).toEqual(authored(here.dev));
  expect((await here.back()).exitCode).toBe(exitCodes.done);
  expect(authored(here.prod)).toEqual(before);
});

describe("overrides of masters", () => {
  test("can be read and not set: the value below moves, the override is left to a person and told", async () => {
    const here = await stage([{ ...segment, overrides: true }]);
    const row = author(here.dev, { cmo_code: "A", cmo_name: "below" });
    books.overrideMaster(here.dev, row, { cmo_name: "over it" });
    const told = 'the row A: no request brings over the override of cmo_name ("over it"): a person has to';
    const result = await here.apply();
    expect(result.changes[0]?.diagnostics.map(({ summary }) => summary)).toEqual([told]);
    expect(authored(here.prod)).toMatchObject({ A: { cmo_name: "below" } });
    here.made.emulator.log.clear();
    const again = await here.apply();
    expect([again.exitCode, again.summary.manual, here.writes()]).toEqual([exitCodes.partial, 1, 0]);
    const [there] = books.findMasters(here.prod, "segment", "cmo_code", "A");
    if (there !== undefined) books.overrideMaster(here.prod, there, { cmo_name: "over it" });
    const done = await here.apply();
    expect([done.exitCode, done.summary.unchanged, here.writes()]).toEqual([exitCodes.done, 1, 0]);
  });

  test("of the target hide nothing: what is below them is compared", async () => {
    const here = await stage([segment]);
    author(here.dev, { cmo_code: "A", cmo_name: "below" });
    await here.apply();
    const [there] = books.findMasters(here.prod, "segment", "cmo_code", "A");
    if (there !== undefined) books.overrideMaster(here.prod, there, { cmo_name: "a steward's" });
    expect((await here.diff()).summary).toMatchObject({ unchanged: 1, drift: 0, update: 0 });
  });
});

test("what the target lacks or has no place for is found before any write, by doctor and diff", async () => {
  const here = await stage([
    { ...segment, view: "nowhere" },
    { ...segment, entity: "nothing" },
    { ...segment, entity: "segment", key: ["cmo_number"] },
    { ...masterParty, filter: { cmo_nothing: "x" } },
    { ...masterParty, view: "masters", entity: "address", key: ["cmo_zip"], relationships: ["cousins"] },
  ]);
  const reasons = [
    'dev (master data) has no master view "nowhere"',
    'dev (master data) has no entity "nothing" in its master view "codes"',
    'dev (master data) has no column cmo_number in "segment" that could be moved',
    expect.stringMatching(
      /^dev \(master data\) does not list "party" as the plan says: .*no column cmo_nothing/,
    ),
    'dev (master data) has no relationship cousins at "address"',
  ];
  const result = await here.apply();
  expect(result.changes.map(({ reason }) => reason)).toEqual(reasons);
  const doctor = await doctorPlan(here.made.migration({}, { plan: here.plan }));
  expect(doctor.exitCode).toBe(exitCodes.failed);
  const found = doctor.diagnostics.filter(({ code }) => code === "table-unusable");
  expect(found.map(({ summary }) => summary)).toEqual(reasons);
  here.prod.quirks.rwmode = "RO";
  here.name(segment);
  expect((await here.apply()).changes[0]?.reason).toBe("prod (master data) takes no write (rwmode RO)");
  expect(here.writes()).toBe(0);
});
