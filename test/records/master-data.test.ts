import { expect, test } from "vitest";
import type { MasterData } from "../../src/emulator/index.ts";
import { masterDataBooks as books } from "../../src/emulator/index.ts";
import type { JsonObject } from "../../src/emulator/json.ts";
import { exitCodes } from "../../src/model/result.ts";
import { address, adr, adrProd, crm, crmProd, party, put, stage } from "./masters-stage.ts";
import { countsOf } from "./support.ts";

const valuesOf = (data: MasterData): Readonly<Record<string, JsonObject>> =>
  Object.fromEntries(
    (data.instances("party")?.rows ?? []).map((row) => [`${row.origin}/${row.sourceId}`, row.source]),
  );

/** The server's own books of every entity, in the words of the target; when a record was made is its own. */
function booksOf(data: MasterData): unknown {
  const all = ["party", "address"].flatMap((entity) =>
    (data.instances(entity)?.rows ?? []).map((row) => {
      const { source_timestamp: _time, activity: _activity, ...book } = books.instanceBook(data, row);
      return JSON.stringify(book).replaceAll("#Dev", "#Prod");
    }),
  );
  return all.sort();
}

test("instances move under the target's origins, source columns only; a second run writes nothing", async () => {
  const here = await stage([party]);
  for (let number = 0; number < 120; number += 1)
    put(here.dev, `P${number}`, {
      src_name: `Name ${number}`,
      src_credit_limit: number,
      src_is_vip: number % 2 === 0,
    });
  put(here.dev, "other", { src_name: "of another origin" }, { origin: "erp#party#Dev" });
  const result = await here.apply();
  expect(result.diagnostics.filter(({ severity }) => severity !== "info")).toEqual([]);
  expect([result.exitCode, countsOf(result)]).toMatchObject([exitCodes.done, { create: 120, done: 120 }]);
  expect(here.prod.instances("party")?.size).toBe(120);
  expect(valuesOf(here.prod)[`${crmProd}/P7`]).toMatchObject({ src_name: "Name 7", src_credit_limit: 7 });
  here.made.emulator.log.clear();
  const again = await here.apply();
  expect([again.exitCode, again.summary.unchanged, here.writes()]).toEqual([exitCodes.done, 120, 0]);
});

test("a change is sent alone, drift is told, and a value below an override of the target is no difference", async () => {
  const here = await stage([party]);
  for (const id of ["A", "B", "C"]) put(here.dev, id, { src_name: id, src_note: "n" });
  await here.apply();
  put(here.dev, "A", { src_name: "A2", src_note: "n" });
  put(here.prod, "B", { src_name: "somebody" });
  put(here.prod, "C", {}, { overrides: { src_name: "a steward says so" } });
  const result = await here.diff();
  expect(result.summary).toMatchObject({ update: 1, drift: 1, unchanged: 1 });
  expect(result.changes[0]?.fields).toContainEqual({
    path: `/${crmProd} ~1 A/src_name`,
    from: "A",
    to: "A2",
  });
  await here.apply();
  expect(valuesOf(here.prod)).toMatchObject({
    [`${crmProd}/A`]: { src_name: "A2", src_note: "n" },
    [`${crmProd}/B`]: { src_name: "somebody" },
  });
});

test("relations are made when both ends are there, overrides and activity follow", async () => {
  const full = { ...party, relationships: ["addresses"], overrides: true, activity: true };
  const here = await stage([full, address]);
  here.plan = {
    ...here.plan,
    records: {
      ...here.plan.records,
      masterData: [{ ...full, origins: { [crm]: crmProd, [adr]: adrProd } }, address],
    },
  };
  const one = put(here.dev, "A", { src_name: "A" }, { overrides: { src_note: "by a steward" } });
  put(here.dev, "B", { src_name: "B" }, { active: false });
  const home = books.putInstance(here.dev, {
    entity: "address",
    origin: adr,
    sourceId: "A1",
    attributes: { src_city: "Bern" },
  });
  books.relate(here.dev, one, "addresses", home);
  const result = await here.apply();
  expect(result.changes.flatMap(({ diagnostics }) => diagnostics)).toEqual([]);
  expect(result.exitCode).toBe(exitCodes.done);
  const again = await here.diff();
  expect(again.summary).toMatchObject({ create: 0, update: 0, drift: 0, conflict: 0 });
  expect(booksOf(here.prod)).toEqual(booksOf(here.dev));
  here.made.emulator.log.clear();
  await here.apply();
  expect(here.writes()).toBe(0);
});

test("what no request can carry is blocked and named, and the others arrive", async () => {
  const here = await stage([party]);
  put(here.dev, "A", { src_name: "A" });
  put(here.dev, "B,C", { src_name: "comma" });
  put(here.dev, "D*", { src_name: "star" });
  const result = await here.apply();
  expect(result.exitCode).toBe(exitCodes.partial);
  expect(result.changes[0]?.diagnostics.map(({ summary }) => summary)).toEqual([
    `the row ${crmProd} / B,C: its source id holds a comma, which no request can carry`,
  ]);
  expect(Object.keys(valuesOf(here.prod)).sort()).toEqual([`${crmProd}/A`, `${crmProd}/D*`]);
});

test("a server that takes no write, and an entity or column that is missing, are found before any write", async () => {
  const here = await stage([
    { ...party, entity: "person" },
    { ...party, columns: ["src_nothing"] },
  ]);
  const result = await here.apply();
  expect(result.changes.map(({ reason }) => reason)).toEqual([
    'dev (master data) has no entity "person" in its instance layer',
    'dev (master data) has no column src_nothing in "party" that could be moved',
  ]);
  here.prod.quirks.rwmode = "RO";
  here.plan = { ...here.plan, records: { ...here.plan.records, masterData: [party] } };
  expect((await here.apply()).changes[0]?.reason).toBe("prod (master data) takes no write (rwmode RO)");
  expect(here.writes()).toBe(0);
});

test.each(["drop-before-commit", "drop-after-commit", "garbage", "truncate"] as const)(
  "an answer that is lost (%s) is sent again: each record is there once",
  async (type) => {
    const here = await stage([party]);
    for (const id of ["A", "B", "C"]) put(here.dev, id, { src_name: id });
    here.made.emulator.faults.add({ match: { method: "PUT" }, when: { times: 2 }, effect: { type } });
    for (let run = 0; run < 3; run += 1) await here.apply();
    expect(Object.keys(valuesOf(here.prod)).sort()).toEqual(["A", "B", "C"].map((id) => `${crmProd}/${id}`));
    expect((await here.diff()).summary).toMatchObject({ unchanged: 3, create: 0, update: 0, drift: 0 });
  },
);

test("a rollback writes old values back, and deactivates what was made", async () => {
  const here = await stage([party]);
  put(here.dev, "A", { src_name: "new" });
  put(here.dev, "B", { src_name: "B" });
  put(here.prod, "A", { src_name: "old" });
  await here.apply();
  const result = await here.back();
  expect(result.exitCode).toBe(exitCodes.done);
  expect(valuesOf(here.prod)).toMatchObject({ [`${crmProd}/A`]: { src_name: "old" } });
  const made = here.prod.byKey("party", crmProd, "B");
  expect(made === undefined ? undefined : books.instanceBook(here.prod, made).active).toBe(false);
});

test("a relation that an interrupted run did not come to is made by the next one", async () => {
  const full = { ...party, origins: { [crm]: crmProd, [adr]: adrProd }, relationships: ["addresses"] };
  const here = await stage([full, address]);
  const one = put(here.dev, "A", { src_name: "A" });
  const home = books.putInstance(here.dev, {
    entity: "address",
    origin: adr,
    sourceId: "A1",
    attributes: { src_city: "Bern" },
  });
  books.relate(here.dev, one, "addresses", home);
  here.made.emulator.faults.add({
    match: { method: "PUT", path: "/instance/address/" },
    when: { times: 1 },
    effect: { type: "status", code: 403 },
  });
  expect((await here.apply()).exitCode).toBe(exitCodes.permission);
  expect((await here.apply()).exitCode).toBe(exitCodes.done);
  expect(booksOf(here.prod)).toEqual(booksOf(here.dev));
  expect((await here.diff()).summary).toMatchObject({ unchanged: 2, update: 0, drift: 0, conflict: 0 });
});

test("a rollback takes back activity, also of what is inactive, and what was removed counts again", async () => {
  const here = await stage([{ ...party, activity: true }], true);
  for (const id of ["A", "B", "C"]) put(here.dev, id, { src_name: id });
  await here.apply();
  put(here.prod, "own", { src_name: "of prod alone" });
  put(here.dev, "A", { src_name: "A" }, { active: false });
  put(here.dev, "B", { src_name: "B2" }, { active: false });
  expect((await here.apply({ allowDelete: true })).exitCode).toBe(exitCodes.done);
  const active = (): readonly unknown[] =>
    (here.prod.instances("party")?.rows ?? []).map((row) => {
      const { source_id, active: isActive, source } = books.instanceBook(here.prod, row);
      return [source_id, isActive, source["src_name"]];
    });
  expect(active()).toEqual([
    ["A", false, "A"],
    ["B", false, "B2"],
    ["C", true, "C"],
    ["own", false, "of prod alone"],
  ]);
  expect((await here.back()).exitCode).toBe(exitCodes.done);
  const before = [
    ["A", true, "A"],
    ["B", true, "B"],
    ["C", true, "C"],
    ["own", true, "of prod alone"],
  ];
  expect(active()).toEqual(before);
  here.made.emulator.log.clear();
  const again = await here.back();
  expect([again.exitCode, here.writes()]).toEqual([exitCodes.done, 0]);
  expect(active()).toEqual(before);
});
