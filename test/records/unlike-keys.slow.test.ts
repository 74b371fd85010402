import { expect, test } from "vitest";
import type { Json } from "../../src/emulator/json.ts";
import type { ColumnType } from "../../src/emulator/master-data/model.ts";
import * as seed from "../../src/emulator/seed.ts";
import { exitCodes } from "../../src/model/result.ts";
import { author, authored, codesAre, segment, stage } from "./masters-stage.ts";
import { countsOf, rowsStage } from "./support.ts";

/** A key of one type at the source and of another one at the target: no row of one side is found among those of the other. */

const pairs: readonly (readonly [ColumnType, Json, ColumnType, Json])[] = [
  ["STRING", "1", "INTEGER", 1],
  ["INTEGER", 1, "STRING", "1"],
  ["STRING", "true", "BOOLEAN", true],
  ["DATE", "2020-01-01", "DATETIME", "2020-01-01T00:00:00Z"],
  ["DATETIME", "2020-01-01T00:00:00Z", "DATE", "2020-01-01"],
];

test.each(pairs)(
  "masters whose key is %s (%s) and %s (%s) are told, and none is removed",
  async (...pair) => {
    const [type, value, other, there] = pair;
    const here = await stage([segment], true);
    codesAre(here.dev, type);
    codesAre(here.prod, other);
    author(here.dev, { cmo_code: value, cmo_name: "s" });
    author(here.prod, { cmo_code: there, cmo_name: "s" });
    expect((await here.diff()).changes[0]).toMatchObject({
      action: "blocked",
      reason: `the column cmo_code, which is part of the key of codes/segment, is ${type} in dev (master data) and ${other} in prod (master data): no record of one side is a record of the other`,
    });
    const { exitCode } = await here.apply({ allowDelete: true });
    expect([exitCode, here.writes()]).toEqual([exitCodes.partial, 0]);
  },
);

test.each(pairs)("so it is where no metadata tells types: %s (%s) and %s (%s)", async (...pair) => {
  const [type, value, other, there] = pair;
  const here = await stage([segment], true);
  for (const { quirks } of [here.dev, here.prod]) quirks.metadata = "absent";
  codesAre(here.dev, type);
  codesAre(here.prod, other);
  author(here.dev, { cmo_code: value, cmo_name: "s" });
  author(here.prod, { cmo_code: there, cmo_name: "s" });
  const result = await here.apply({ allowDelete: true });
  expect([result.exitCode, countsOf(result)]).toMatchObject([exitCodes.partial, { delete: 0, manual: 1 }]);
  expect(JSON.stringify(result.changes)).toContain("so whether the source has it cannot be told");
  const codes = (here.prod.masters("segment")?.rows ?? []).map((row) => row.authored?.values["cmo_code"]);
  expect(codes).toContain(there);
});

test.each(pairs)(
  "so it is of a table whose types nobody tells: %s (%s) and %s (%s)",
  async (type, value, other, there) => {
    const at = await rowsStage({
      columns: { code: type === "FLOAT" ? "NUMBER" : type, name: "STRING" },
      source: [{ code: value, name: "s" }],
      remove: true,
    });
    Object.assign(at.target, { columns: [{ name: "code", type: other }, ...at.target.columns.slice(1)] });
    seed.seedRecord(at.prod, at.target, { code: there, name: "t" });
    for (const { quirks } of [at.dev, at.prod]) quirks.tableFields = "bare";
    await at.apply({ allowDelete: true }).catch(() => undefined);
    expect(at.target.records().filter(({ published }) => published?.["code"] === there)).toHaveLength(1);
  },
);

test("what only the target has goes as before, where its keys are of the same sort", async () => {
  const here = await stage([segment], true);
  for (const code of ["2020-01-01", "A"]) author(here.dev, { cmo_code: code });
  for (const code of ["2020-01-01T00:00:00Z", "2021-01-01", "B"]) author(here.prod, { cmo_code: code });
  expect((await here.apply({ allowDelete: true })).exitCode).toBe(exitCodes.done);
  expect(Object.keys(authored(here.prod)).sort()).toEqual(["2020-01-01", "A"]);
});

test("nor is any removed where both sides say that a key is text, and one of them shows a number", async () => {
  const here = await stage([segment], true);
  for (const tenant of [here.dev, here.prod]) codesAre(tenant, "STRING");
  author(here.dev, { cmo_code: "1", cmo_name: "s" });
  author(here.prod, { cmo_code: 1, cmo_name: "s" });
  const result = await here.apply({ allowDelete: true });
  expect([result.exitCode, countsOf(result)]).toMatchObject([exitCodes.partial, { delete: 0, manual: 1 }]);
  const codes = (here.prod.masters("segment")?.rows ?? []).map((row) => row.authored?.values["cmo_code"]);
  expect(codes).toContain(1);
});

test("of what both sides say that it is text a day is as much a key as an instant", async () => {
  const here = await stage([segment], true);
  const [day, instant] = ["2020-01-01", "2020-01-01T00:00:00Z"];
  author(here.dev, { cmo_code: day });
  author(here.prod, { cmo_code: instant });
  expect((await here.apply({ allowDelete: true })).exitCode).toBe(exitCodes.done);
  expect(Object.keys(authored(here.prod))).toEqual([day]);
  const at = await rowsStage({
    columns: { code: "STRING", name: "STRING" },
    source: [{ code: day, name: "a" }],
    target: [{ code: instant, name: "x" }],
    remove: true,
  });
  expect((await at.apply({ allowDelete: true })).exitCode).toBe(exitCodes.done);
  expect(Object.keys(at.published())).toEqual([day]);
});
