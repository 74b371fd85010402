import { describe, expect, test } from "vitest";
import { masterDataBooks as books } from "../../src/emulator/index.ts";
import type { JsonObject } from "../../src/emulator/json.ts";
import { address, adr, author, authored, crm, party, put, segment, stage } from "./masters-stage.ts";
import { recordOf, rowsStage } from "./support.ts";

type Stage = Awaited<ReturnType<typeof stage>>;

/** What the target holds of parties, by the server's own books. */
function parties({ prod }: Stage): readonly JsonObject[] {
  const rows = prod.instances("party")?.rows ?? [];
  return rows.map((row) => books.instanceBook(prod, row) as unknown as JsonObject);
}

/** Gives what ends it. */
function refusing({ made }: Stage, method: string, path: string): () => void {
  return made.emulator.faults.add({
    match: { method, path },
    when: {},
    effect: { type: "status", code: 400 },
  });
}

describe("an override of the source that is not moved", () => {
  test("is not taken for the value below it: neither of a record that is there, nor of a new one", async () => {
    const here = await stage([party]);
    put(here.dev, "A", { src_name: "A", src_note: "base" }, { overrides: { src_note: "steward at dev" } });
    put(here.dev, "B", { src_name: "B", src_note: "base" }, { overrides: { src_note: "steward at dev" } });
    put(here.prod, "A", { src_name: "A", src_note: "base" });
    expect(await here.apply()).toMatchObject({ exitCode: 0, summary: { create: 1, unchanged: 1 } });
    expect(JSON.stringify(parties(here))).not.toContain("steward");
    expect(await here.apply()).toMatchObject({ exitCode: 0, summary: { unchanged: 2 } });
  });

  test("nor of a master", async () => {
    const here = await stage([segment]);
    const row = author(here.dev, { cmo_code: "A", cmo_name: "below" });
    books.overrideMaster(here.dev, row, { cmo_name: "steward at dev" });
    expect(await here.apply()).toMatchObject({ exitCode: 0, summary: { create: 1 } });
    expect(JSON.stringify(authored(here.prod))).toContain("below");
    expect(await here.apply()).toMatchObject({ exitCode: 0, summary: { unchanged: 1 } });
  });

  test("that hides a value behind none is told where overrides are moved: no request lays nothing", async () => {
    const here = await stage([{ ...party, overrides: true }]);
    put(here.dev, "A", { src_name: "A", src_note: "base" }, { overrides: { src_note: null } });
    put(here.prod, "A", { src_name: "A", src_note: "base" });
    const result = await here.apply();
    expect(result).toMatchObject({ exitCode: 4, summary: { manual: 1 } });
    expect(JSON.stringify(result)).toContain("the override of src_note");
  });
});

test("what is deactivated at the source is not made active at the target where activity is not moved: it is told", async () => {
  const here = await stage([party, segment]);
  put(here.dev, "A", { src_name: "A" }, { active: false });
  put(here.dev, "B", { src_name: "B" });
  books.setActivity(here.dev, author(here.dev, { cmo_code: "X", cmo_name: "X" }), false);
  const result = await here.apply();
  expect(result).toMatchObject({ exitCode: 4, summary: { create: 1, manual: 2 } });
  expect(JSON.stringify(result)).toContain("it is inactive at the source");
  expect(parties(here)).toHaveLength(1);
  expect(authored(here.prod)).toEqual({});
});

describe("a row of which a part was refused after another was written", () => {
  test("is told, and a rollback names it: it is not as it was sent, and is left to a person", async () => {
    const here = await stage([{ ...party, overrides: true }]);
    put(here.dev, "B", { src_name: "new" }, { overrides: { src_note: "s" } });
    put(here.prod, "B", { src_name: "old" });
    refusing(here, "PUT", "/override/");
    const result = await here.apply();
    expect(result.exitCode).toBe(4);
    expect(JSON.stringify(result)).toContain("a part of it was refused");
    expect(JSON.stringify(parties(here))).toContain("new");
    expect(await here.back()).toMatchObject({ exitCode: 4, summary: { blocked: 1 } });
  });

  test("so is a master that was made and could not be deactivated", async () => {
    const here = await stage([{ ...segment, activity: true }]);
    books.setActivity(here.dev, author(here.dev, { cmo_code: "A", cmo_name: "A" }), false);
    refusing(here, "PUT", "/deactivate/");
    const result = await here.apply();
    expect(result.exitCode).toBe(4);
    expect(JSON.stringify(result)).toContain("a part of it was refused");
    expect(Object.keys(authored(here.prod))).toHaveLength(1);
    expect(await here.back()).toMatchObject({ exitCode: 4, summary: { blocked: 1 } });
  });
});

describe("what was refused of a row is tried again by the next run, and the row counts once", () => {
  test("an override of an instance, also of one whose relations are written later", async () => {
    const here = await stage([{ ...party, overrides: true, relationships: ["addresses"] }, address]);
    const home = books.putInstance(here.dev, {
      entity: "address",
      origin: adr,
      sourceId: "H",
      attributes: { src_city: "Wien" },
    });
    for (const id of ["A", "B"]) put(here.dev, id, { src_name: id }, { overrides: { src_note: "steward" } });
    const related = here.dev.byKey("party", crm, "B");
    if (related !== undefined) books.relate(here.dev, related, "addresses", home);
    const heal = refusing(here, "PUT", "/override/");
    const result = await here.apply();
    expect(result.exitCode).toBe(4);
    expect(result.changes.map(({ records }) => [records?.done, records?.failed])).toEqual([
      [0, 2],
      [1, 0],
    ]);
    heal();
    expect((await here.diff()).summary).toMatchObject({ update: 2 });
    expect((await here.apply()).exitCode).toBe(0);
    expect(parties(here).map(({ overrides }) => overrides)).toEqual([
      { src_note: "steward" },
      { src_note: "steward" },
    ]);
    here.made.emulator.log.clear();
    expect((await here.apply()).summary.unchanged).toBe(3);
    expect(here.writes()).toBe(0);
  });

  test("the deactivation of a master", async () => {
    const here = await stage([{ ...segment, activity: true }]);
    books.setActivity(here.dev, author(here.dev, { cmo_code: "A", cmo_name: "A" }), false);
    const heal = refusing(here, "PUT", "/deactivate/");
    const result = await here.apply();
    expect(result.changes[0]?.records).toMatchObject({ done: 0, failed: 1 });
    heal();
    expect((await here.apply()).exitCode).toBe(0);
    expect(authored(here.prod)).toMatchObject({ A: { active: false } });
    expect((await here.apply()).summary.unchanged).toBe(1);
  });

  test.for(["send:after", "outcome:after"])("also where the run dies at %s", async (point) => {
    const here = await stage([{ ...party, overrides: true }]);
    here.plan = { ...here.plan, limits: { ...here.plan.limits, quietPeriodMs: 10 } };
    put(here.dev, "A", { src_name: "A" }, { overrides: { src_note: "steward" } });
    const heal = refusing(here, "PUT", "/override/");
    const reached = (at: string): void => {
      if (at === point) throw new Error("killed");
    };
    await expect(here.apply({}, { hooks: { reached } })).rejects.toThrow("killed");
    heal();
    for (let run = 1; run <= 3; run += 1) await here.apply();
    expect(parties(here)).toMatchObject([{ overrides: { src_note: "steward" } }]);
    expect((await here.apply()).summary.unchanged).toBe(1);
  });
});

test("a colleague's draft of the very attribute is left alone where drafts cannot be read", async () => {
  const here = await rowsStage({
    columns: { code: "STRING", name: "STRING" },
    source: [{ code: "A", name: "two" }],
    target: [{ code: "A", name: "one" }],
  });
  here.prod.quirks.draftFilter = "absent";
  const record = recordOf(here.target, "A");
  if (record === undefined) throw new Error("there is no such record");
  here.target.change(record, { name: "colleague's draft" });
  const result = await here.apply();
  expect(result.exitCode).toBe(4);
  expect(here.published()).toEqual({ A: { code: "A", name: "one" } });
  expect(JSON.stringify(recordOf(here.target, "A"))).toContain("colleague's draft");
});

test.each([400, 405, 403])("a history that answers %i explains nothing, and stops nothing", async (code) => {
  const here = await stage([party]);
  put(here.dev, "A", { src_name: "A" });
  here.made.emulator.faults.add({ match: { path: "/history/" }, when: {}, effect: { type: "status", code } });
  const result = await here.apply();
  expect(result).toMatchObject({ exitCode: 0, summary: { create: 1 } });
  expect(JSON.stringify(result.diagnostics)).toContain("when a row drifted cannot be told");
});

test("what one entity is denied keeps nothing else from being moved, and is told", async () => {
  const here = await stage([party, address]);
  put(here.dev, "A", { src_name: "A" });
  here.made.emulator.faults.add({
    match: { path: "/instance/address/" },
    when: {},
    effect: { type: "status", code: 403 },
  });
  const result = await here.apply();
  expect(result.exitCode).toBe(4);
  expect(parties(here)).toHaveLength(1);
  expect(JSON.stringify(result)).toContain("has no permission for this");
});

test("source ids that no address takes together are looked up in several", async () => {
  const here = await stage([party]);
  for (let number = 0; number < 60; number += 1)
    put(here.dev, `P${number}-`.padEnd(180, "x"), { src_name: `A${number}` });
  expect(await here.apply()).toMatchObject({ exitCode: 0, summary: { create: 60 } });
  expect(await here.apply()).toMatchObject({ exitCode: 0, summary: { unchanged: 60 } });
});
