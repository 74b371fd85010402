import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import * as seed from "../../src/emulator/seed.ts";
import { masterDataBooks as books } from "../../src/emulator/index.ts";
import type { JsonObject } from "../../src/model/json.ts";
import { exitCodes } from "../../src/model/result.ts";
import type { Plan } from "../../src/model/plan.ts";
import { doctorPlan } from "../../src/operations/doctor/index.ts";
import { author, masterParty, party, put, segment, stage } from "./masters-stage.ts";
import type { Stage } from "./masters-stage.ts";
import { countsOf, recordOf, rowsStage } from "./support.ts";
import { inWhole } from "../support/whole.ts";

async function fileOf({ made, plan }: Stage, table: string): Promise<readonly JsonObject[]> {
  const lines: JsonObject[] = [];
  for await (const some of made.migration({}, { plan }).store.work.readRows(table)) lines.push(...some);
  return lines;
}

/** The model of the target, other than that of the source in the type of a column, and without another one. */
async function otherModel(): Promise<Stage> {
  const here = await stage([party]);
  const model = here.prod.entityModel("party");
  const columns = model?.columns.filter(({ name }) => name !== "src_note");
  books.remodel(
    here.prod,
    "party",
    [...(columns ?? [])].map((column) =>
      column.name === "src_phone" ? { ...column, type: "INTEGER" as const } : column,
    ),
  );
  return here;
}

describe("rows that cannot be sent are blocked, named, counted and listed, and the others arrive:", () => {
  test("a comma in a source id, a value of another type, a value in a column that is not there", async () => {
    const here = await otherModel();
    put(here.dev, "A", { src_name: "a, b" });
    put(here.dev, "B,C", { src_name: "comma" });
    put(here.dev, "D", { src_phone: "+41" });
    put(here.dev, "E", { src_note: "no place" });
    const result = await here.apply();
    expect(result.exitCode).toBe(exitCodes.partial);
    expect(countsOf(result)).toMatchObject({ create: 1, done: 1, blocked: 3, failed: 0 });
    const reasons = [
      ["crm#party#Prod / B,C", "its source id holds a comma, which no request can carry"],
      ["crm#party#Prod / D", "its src_phone is no INTEGER"],
      ["crm#party#Prod / E", "the target has no column src_note, and the record has a value in it"],
    ];
    const blocked = (await fileOf(here, "party-instances")).filter(({ action }) => action === "blocked");
    expect(blocked.map(({ name, reason }) => [name, reason])).toEqual(reasons);
    expect(result.changes[0]?.diagnostics.map(({ summary }) => summary)).toEqual(
      reasons.map(([name, reason]) => `the row ${name}: ${reason}`),
    );
    expect(here.prod.instances("party")?.rows.map(({ sourceId }) => sourceId)).toEqual(["A"]);
  });

  test.for([
    ["a comma", "h,1"],
    ["half a character", "h\ud800"],
  ] as const)("%s in what records are known by, which no address holds", async ([what, odd]) => {
    const here = await stage([party, segment, { ...masterParty, relationships: ["addresses"] }], true);
    for (const id of ["A", odd]) {
      put(here.dev, id, { src_name: odd });
      author(here.dev, { cmo_code: id, cmo_name: odd });
      author(here.dev, { cmo_code: id }, "party");
    }
    // Whether the source has what is theirs cannot be asked.
    put(here.prod, `${odd}, theirs`, { src_name: "theirs" });
    author(here.prod, { cmo_code: `${odd} theirs` });
    const result = await here.apply({ allowDelete: true });
    expect(result.exitCode).toBe(exitCodes.partial);
    const reason = `holds ${what}, which no request can carry`;
    const untold = "so whether the source has it cannot be told, and it is not removed";
    expect(result.changes.flatMap(({ diagnostics }) => diagnostics.map(({ summary }) => summary))).toEqual([
      `the row crm#party#Prod / ${odd}: its source id ${reason}`,
      `the row crm#party#Prod / ${odd}, theirs: its source id holds a comma, which no request can carry, ${untold}`,
      `the row ${odd}: its key column cmo_code ${reason}`,
      `the row ${odd} theirs: its key column cmo_code ${reason}, ${untold}`,
      `the row ${odd}: its key column cmo_code ${reason}`,
    ]);
    expect(result.changes.map(({ records }) => [records?.create, records?.done])).toEqual([
      [1, 1],
      [1, 1],
      [1, 1],
    ]);
    expect([here.prod.instances("party")?.size, here.prod.masters("segment")?.size]).toEqual([2, 2]);
  });

  test("a source id that an address takes for a way, found before any write; at the target it can go", async () => {
    const here = await stage([party], true);
    for (const id of [".", "..."]) put(here.dev, id, { src_name: id });
    put(here.prod, "..", { src_name: "of the target alone" });
    for (const result of [await here.diff(), await here.apply({ allowDelete: true })]) {
      expect(countsOf(result)).toMatchObject({ create: 1, delete: 1, blocked: 1, failed: 0 });
      expect(result.changes[0]?.diagnostics.map(({ summary }) => summary)).toEqual([
        `the row crm#party#Prod / .: its source id is ".", which no address of a record can end with`,
      ]);
    }
    const active = here.prod.instances("party")?.rows.map((row) => [row.sourceId, row.activity ?? true]);
    expect(active).toEqual([
      ["..", false],
      ["...", true],
    ]);
  });

  test("what the target's own word does not tell, the service refuses one by one", async () => {
    const here = await otherModel();
    here.prod.quirks.metadata = "absent";
    for (let number = 0; number < 120; number += 1)
      put(here.dev, `P${number}`, { src_name: `n${number}`, ...(number === 60 ? { src_phone: "x" } : {}) });
    const result = await here.apply();
    expect(result.exitCode).toBe(exitCodes.partial);
    expect(countsOf(result)).toMatchObject({ create: 120, done: 119, failed: 1 });
    expect(result.changes[0]?.diagnostics.map(({ summary }) => summary)).toEqual([
      expect.stringMatching(/^the row crm#party#Prod \/ P60: .*src_phone is of type INTEGER/),
    ]);
    expect((await fileOf(here, "party-instances--refused")).map(({ name }) => name)).toEqual([
      "crm#party#Prod / P60",
    ]);
  });

  test("of reference data too; a run that is refused nothing leaves nothing of an earlier one there", async () => {
    const here = await rowsStage({
      source: [{ code: "DE" }, { code: "FR", since: "yesterday" }],
      columns: { code: "STRING", since: "STRING" },
      kept: "files",
    });
    seed.seedReferenceTable(here.prod, { name: "Dated", columns: { code: "STRING", since: "DATE" } });
    here.prod.quirks.tableFields = "bare";
    const table = { table: "Countries", targetTable: "Dated", key: ["code"], publish: "direct" as const };
    here.changes = { ...here.changes, records: { referenceData: [table] } };
    const result = await here.apply();
    const [change] = result.changes;
    const file = (change?.records?.file ?? "").replace(".ndjson", "--refused.ndjson");
    expect(change?.reason).toContain(`what was refused in ${file}`);
    const path = join(here.world.folder, "plans", "test", file);
    expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject({
      action: "refused",
      name: "FR",
      reason: expect.stringContaining("since must be of type DATE"),
    });
    const record = recordOf(here.source, "FR");
    if (record !== undefined) seed.editRecord(here.source, record, { since: "2026-01-01" });
    expect((await here.apply()).exitCode).toBe(exitCodes.done);
    expect(readFileSync(path, "utf8")).toBe("");
  });

  inWhole("beyond a limit the run stops: before it writes, or when so many were refused", async () => {
    const here = await stage([party, segment]);
    put(here.dev, "A", { src_name: "a" });
    put(here.dev, "B,C", { src_name: "comma" });
    const limited = (badRows: number): Plan => ({ ...here.plan, limits: { ...here.plan.limits, badRows } });
    here.plan = limited(0.4);
    await expect(here.apply()).rejects.toThrow(/1 row of 2 of "party" cannot be sent/);
    expect(here.writes()).toBe(0);
    here.plan = limited(0.5);
    expect((await here.apply()).exitCode).toBe(exitCodes.partial);

    here.plan = { ...limited(0.01), limits: { ...here.plan.limits, badRows: 0.01, concurrency: 2 } };
    here.name(segment);
    for (let number = 0; number < 300; number += 1) author(here.dev, { cmo_code: `C${number}` });
    here.made.emulator.faults.add({
      match: { method: "POST", path: "/segment$/" },
      when: {},
      effect: { type: "status", code: 400 },
    });
    const result = await here.apply();
    expect(result.exitCode).toBe(exitCodes.failed);
    expect(here.prod.masters("segment")?.size).toBe(0);
    // So many are in flight when it stops; the rest was never sent.
    expect(countsOf(result)?.failed).toBeLessThan(300);
  });
});

describe("found by doctor and by the diff, before any write:", () => {
  const anyEntity = [party, masterParty];

  test.each(["source", "target"] as const)("wrong credentials of the %s", async (side) => {
    const here = await stage(anyEntity);
    put(here.dev, "A", { src_name: "a" });
    const environment = here.plan[side];
    if (environment.masterData === undefined) throw new Error(side);
    here.plan = {
      ...here.plan,
      [side]: { ...environment, masterData: { ...environment.masterData, password: "no longer" } },
    };
    const refused = { kind: "sign-in", message: expect.stringContaining("not accepted") };
    await expect(here.diff()).rejects.toMatchObject(refused);
    await expect(here.apply()).rejects.toMatchObject(refused);
    const doctor = await doctorPlan(here.made.migration({}, { plan: here.plan }));
    expect(doctor.exitCode).toBe(exitCodes.permission);
    expect(JSON.stringify(doctor)).not.toContain("no longer");
    expect(here.writes()).toBe(0);
  });

  test("a read-only target, a missing entity and a missing column of instances", async () => {
    const here = await stage([
      { ...party, entity: "person" },
      { ...party, columns: ["src_nothing"] },
    ]);
    here.made.emulator.log.clear();
    const reasons = [
      'dev (master data) has no entity "person" in its instance layer',
      'dev (master data) has no column src_nothing in "party" that could be moved',
    ];
    const summaries = async (): Promise<readonly string[]> => {
      const doctor = await doctorPlan(here.made.migration({}, { plan: here.plan }));
      expect(doctor.exitCode).toBe(exitCodes.failed);
      return doctor.diagnostics.filter(({ code }) => code === "table-unusable").map(({ summary }) => summary);
    };
    expect((await here.diff()).changes.map(({ reason }) => reason)).toEqual(reasons);
    expect(await summaries()).toEqual(reasons);
    here.name(...anyEntity);
    here.prod.quirks.rwmode = "RO";
    const closed = Array.from({ length: 2 }, () => "prod (master data) takes no write (rwmode RO)");
    expect((await here.diff()).changes.map(({ reason }) => reason)).toEqual(closed);
    expect(await summaries()).toEqual(closed);
    expect(here.writes()).toBe(0);
  });

  test("a directory without history, by doctor once", async () => {
    const here = await stage(anyEntity);
    const doctor = await doctorPlan(here.made.migration({}, { plan: here.plan }));
    const { checks } = doctor.details as { readonly checks: readonly { readonly detail: string }[] };
    expect(checks.filter(({ detail }) => detail.includes("cannot be told"))).toHaveLength(2);
    expect(doctor.exitCode).toBe(exitCodes.done);
  });
});
