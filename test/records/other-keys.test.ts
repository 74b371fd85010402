import { expect, test } from "vitest";
import type { JsonObject } from "../../src/emulator/json.ts";
import * as seed from "../../src/emulator/seed.ts";
import { exitCodes } from "../../src/model/result.ts";
import type { RowsStage } from "./support.ts";
import { countsOf, rowsStage } from "./support.ts";

const trimmed = (values: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, typeof value === "string" ? value.trim() : value]),
  );

/** A target that trims what it is given. */
async function trimming(
  source: readonly JsonObject[],
  draftFilter: "absent" | "offered",
  badRows = 1,
): Promise<RowsStage> {
  const stage = await rowsStage({
    source,
    plan: { limits: { publishWaitMs: 300, quietPeriodMs: 10, badRows } },
  });
  stage.prod.quirks.draftFilter = draftFilter;
  const create = stage.target.create.bind(stage.target);
  stage.target.create = (urn, order, values) => create(urn, order, trimmed(values));
  return stage;
}

test.for(["absent", "offered"] as const)(
  "a row that the service stores under another key is made once, and a person is asked (drafts: %s)",
  async (draftFilter) => {
    const stage = await trimming(
      [
        { code: "DE ", name: "Germany" },
        { code: "FR", name: "France" },
      ],
      draftFilter,
    );
    for (let run = 1; run <= 3; run += 1) {
      const result = await stage.apply();
      expect(result.exitCode).toBe(exitCodes.inDoubt);
      expect(result.changes[0]?.diagnostics.map(({ code, summary }) => `${code}: ${summary}`)).toContainEqual(
        expect.stringMatching(/^row-in-doubt: the row DE : the service has put it .* as "DE" \(urn:/),
      );
      expect(countsOf(result)).toMatchObject({ inDoubt: 1 });
      expect(stage.target.records().map(({ state, draft }) => [state, draft["code"]])).toEqual([
        ["NEW", "DE"],
        ["UNCHANGED", "FR"],
      ]);
    }
    expect(Object.keys(stage.published())).toEqual(["FR"]);
    expect((await stage.diff()).changes[0]?.diagnostics.map(({ summary }) => summary)).toContainEqual(
      expect.stringMatching(/^the row DE : it is in doubt: the service has put it .* another key/),
    );
  },
);

test("of rows that become one key nothing is sent again, and none of them is published", async () => {
  const stage = await trimming(
    [
      { code: "DE", name: "one" },
      { code: "DE ", name: "other" },
    ],
    "absent",
  );
  for (let run = 1; run <= 2; run += 1) {
    expect(countsOf(await stage.apply())).toMatchObject({ inDoubt: 2 });
    expect(stage.target.records()).toHaveLength(2);
  }
  expect(stage.published()).toEqual({});
});

test("such a row is no mistake of the source's that limits.badRows counts: the others go on", async () => {
  const stage = await trimming([{ code: "DE ", name: "Germany" }, { code: "FR" }], "absent", 0);
  expect((await stage.apply()).exitCode).toBe(exitCodes.inDoubt);
  seed.seedRecord(stage.dev, stage.source, { code: "CH" });
  const result = await stage.apply();
  expect([result.exitCode, countsOf(result)]).toMatchObject([exitCodes.inDoubt, { inDoubt: 1, create: 1 }]);
  expect(Object.keys(stage.published())).toEqual(["FR", "CH"]);
});
