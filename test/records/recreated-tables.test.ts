import { expect, test } from "vitest";
import * as seed from "../../src/emulator/seed.ts";
import { columns, countries, countsOf, diesAt, rowsStage } from "./support.ts";

test("what a killed run has compared is of the table that had the name then", async () => {
  const stage = await rowsStage({
    source: countries(250),
    target: countries(10),
    plan: { limits: { concurrency: 1, quietPeriodMs: 10 } },
  });
  expect(await diesAt("intent:after", 1, async (hooks) => stage.apply({}, { hooks }))).toBe(true);
  Object.assign(stage.target, { name: "Old" });
  const another = seed.seedReferenceTable(stage.prod, { name: "Countries", columns });
  const result = await stage.apply();
  // Ten were alike in the other one: here they are missing, and that is told.
  expect([result.exitCode, countsOf(result)]).toMatchObject([4, { drift: 10 }]);
  expect(another.publishedCount).toBe(240);
});
