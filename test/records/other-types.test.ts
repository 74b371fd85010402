import { expect, test } from "vitest";
import * as seed from "../../src/emulator/seed.ts";
import { exitCodes } from "../../src/model/result.ts";
import { rowsStage } from "./support.ts";

/** Where the key is of one type at the source and of another one at the target, no row of one side is a row of the other. */

test.each([
  ["STRING", "1", "NUMBER", 1],
  ["NUMBER", 1, "STRING", "1"],
  ["STRING", "true", "BOOLEAN", true],
] as const)(
  "a table whose key is %s (%s) and %s (%s) is told, and not touched",
  async (type, value, other, there) => {
    for (const remove of [true, false]) {
      const stage = await rowsStage({
        columns: { code: type, name: "STRING" },
        source: [{ code: value, name: "s" }],
        remove,
      });
      Object.assign(stage.target, {
        columns: stage.target.columns.map((one) => (one.name === "code" ? { ...one, type: other } : one)),
      });
      seed.seedRecord(stage.prod, stage.target, { code: there, name: "s" });
      expect((await stage.diff()).changes[0]).toMatchObject({
        action: "blocked",
        reason: `the attribute code, which is part of the key of the table "Countries", is ${type} in dev and ${other} in prod: no row of one side is a row of the other`,
      });
      const result = await stage.apply({ allowDelete: true });
      expect([result.exitCode, stage.writes()]).toEqual([exitCodes.partial, 0]);
      expect(stage.target.records()).toHaveLength(1);
    }
  },
);

test("what both sides hold as text is one key, whatever else they say of it", async () => {
  const code = "2020-01-01T00:00:00Z";
  const stage = await rowsStage({
    columns: { code: "STRING", name: "STRING" },
    source: [{ code, name: "s" }],
    remove: true,
  });
  Object.assign(stage.target, {
    columns: stage.target.columns.map((one) => (one.name === "code" ? { ...one, type: "DATETIME" } : one)),
  });
  seed.seedRecord(stage.prod, stage.target, { code, name: "t" });
  expect((await stage.diff()).changes[0]?.records).toMatchObject({ update: 1, delete: 0 });
});
