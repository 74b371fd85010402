import { expect, test } from "vitest";
import { address, author, authored, crm, crmProd, party, put, segment, stage } from "./masters-stage.ts";
import type { Result } from "../../src/model/result.ts";
import * as seed from "../../src/emulator/seed.ts";
import { columns, countries, countsOf, rowsStage } from "./support.ts";

/** Somebody edits by what the plan tells rows apart (origins, key, the table of the target), after rows were brought by other words. */

const [erp, erpProd] = ["erp#party#Dev", "erp#party#Prod"];

test.each([
  ["no relations", []],
  ["relations", ["addresses"]],
] as const)(
  "a plan that names one more origin knows the rows of the others still (%s)",
  async (_what, relationships) => {
    const here = await stage([{ ...party, relationships: [...relationships] }]);
    put(here.dev, "1", { src_name: "a" });
    put(here.dev, "2", { src_name: "b" }, { origin: erp });
    await here.apply();
    put(here.prod, "1", { src_name: "theirs" });
    here.name({ ...party, relationships: [...relationships], origins: { [crm]: crmProd, [erp]: erpProd } });
    for (const create of [1, 0]) {
      expect(countsOf(await here.diff())).toMatchObject({ drift: 1, update: 0, create });
      expect(countsOf(await here.apply())).toMatchObject({ drift: 1, update: 0, create });
      expect(here.prod.byKey("party", crmProd, "1")?.source).toMatchObject({ src_name: "theirs" });
    }
  },
);

test("so it does where it names the origins of another entity as well, to which its records are related", async () => {
  const named = { ...party, relationships: ["addresses"] };
  const here = await stage([named]);
  for (const id of ["1", "2", "3"]) put(here.dev, id, { src_name: "a" });
  await here.apply();
  put(here.prod, "1", { src_name: "theirs" });
  put(here.dev, "2", { src_name: "b" });
  here.name(named, address);
  expect(countsOf(await here.diff())).toMatchObject({ drift: 1, update: 1, unchanged: 1 });
  expect(countsOf(await here.apply())).toMatchObject({ drift: 1, update: 1, unchanged: 1 });
});

function told({ diagnostics }: Result): readonly string[] {
  return diagnostics.filter(({ code }) => code === "row-known-otherwise").map(({ summary }) => summary);
}

test("records that were brought under another origin are counted, by the diff and by the apply, until the plan's own are known", async () => {
  const here = await stage([party]);
  for (const id of ["1", "2"]) put(here.dev, id, { src_name: "a" });
  await here.apply();
  here.name({ ...party, origins: { [crm]: erpProd } });
  for (const result of [await here.diff(), await here.apply()]) {
    expect(countsOf(result)).toMatchObject({ create: 2 });
    expect(told(result)).toEqual([
      `2 rows that were moved, told apart as ["party",{"${crm}":"${crmProd}"}], are none of those that the plan looks at by now, as ["party",{"${crm}":"${erpProd}"}]: what the target has of them stays, unless it is told to be deleted, and what it does not have by the plan's words is made beside that`,
    ]);
  }
  for (const origin of [crmProd, erpProd]) expect(here.prod.byKey("party", origin, "1")).toBeDefined();
  expect(told(await here.diff())).toEqual([]);
  // Put back it knows its own.
  here.name(party);
  expect(told(await here.diff())).toEqual([]);
});

test("of origins that the plan names still nothing is told", async () => {
  const here = await stage([{ ...party, origins: { [crm]: crmProd, [erp]: erpProd } }]);
  put(here.dev, "1", { src_name: "a" });
  for (const id of ["2", "3"]) put(here.dev, id, { src_name: "b" }, { origin: erp });
  await here.apply();
  here.name(party);
  expect(told(await here.diff())).toEqual([expect.stringMatching(/^2 rows that were moved/)]);
  here.name({ ...party, origins: { [crm]: crmProd, [erp]: erpProd, other: "other" } });
  expect(told(await here.diff())).toEqual([]);
});

test("so are masters under another key", async () => {
  const here = await stage([segment]);
  const row = author(here.dev, { cmo_code: "1", cmo_name: "a" });
  await here.apply();
  here.name({ ...segment, key: ["cmo_code", "cmo_name"] });
  expect(told(await here.diff())).toEqual([
    expect.stringMatching(
      /^1 row that was moved, told apart as \["codes","segment",\["cmo_code"\]\], is none/,
    ),
  ]);
  expect(row.id).toBeDefined();
  expect(Object.keys(authored(here.prod))).toEqual(["1"]);
});

test("and rows of reference data, also those of a killed run", async () => {
  const s = await rowsStage({ source: countries(3) });
  const reached = (at: string): void => {
    if (at === "outcome:after" && s.target.publishedCount === 3 && s.target.open().length === 0)
      throw new Error("killed");
  };
  await expect(s.apply({}, { hooks: { reached } })).rejects.toThrow("killed");
  const table = { table: "Countries", key: ["code", "name"], publish: "direct" as const };
  s.changes = { ...s.changes, records: { referenceData: [table], remove: false } };
  for (const result of [await s.diff(), await s.apply()])
    expect(told(result)).toEqual([
      expect.stringMatching(
        /^3 rows that were moved, told apart as \["Countries","Countries",\["code"\]\], are none/,
      ),
    ]);
  expect(told(await s.diff())).toEqual([]);
});

test("and those that were brought to another table of the target", async () => {
  const s = await rowsStage({ source: countries(3) });
  await s.apply();
  const other = seed.seedReferenceTable(s.prod, { name: "Lands", columns, rows: [] });
  const table = { table: "Countries", targetTable: "Lands", key: ["code"], publish: "direct" as const };
  s.changes = { ...s.changes, records: { referenceData: [table], remove: false } };
  for (const result of [await s.diff(), await s.apply()])
    expect(told(result)).toEqual([
      '3 rows of it were moved to "Countries", another table of the target: what that has of them stays, and what "Lands" does not have is made there',
    ]);
  expect([other.publishedCount, s.target.publishedCount]).toEqual([3, 3]);
  expect(told(await s.diff())).toEqual([]);
});
