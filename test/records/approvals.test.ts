import { expect, test } from "vitest";
import { exitCodes } from "../../src/model/result.ts";
import { rowsStage, untilDone } from "./support.ts";
import type { RowsStage } from "./support.ts";

/** A plan that approves its reviews itself, and what comes of it where the approval is refused, or has no answer. */

const approvals = { tenant: "prod", method: "POST", path: "/\\/approve$/" } as const;

function whatThereIs(s: RowsStage): unknown {
  return [
    Object.keys(s.published()).sort(),
    s.target.records().length,
    s.target.open().length,
    [...s.prod.referenceData.reviews.values()].filter(({ records }) => records.size > 0).length,
  ];
}
const all = [["CH", "DE", "FR"], 3, 0, 0];

test.each([400, 403, 404, 409])(
  "a review whose approval is refused (%i) is the one that its rows are in, and is approved by a later run",
  async (code) => {
    const s = await rowsStage({ publish: "approve" });
    const { faults } = s.world.emulator;
    faults.add({ match: approvals, when: { times: 2 }, effect: { type: "status", code } });
    expect((await s.apply()).exitCode).toBe(code === 403 ? exitCodes.permission : exitCodes.partial);
    expect(s.prod.referenceData.reviews.size).toBe(1);
    // The run that goes on is refused, too: it says so, by name, and does the rest of what it has to do.
    const { exitCode, diagnostics } = await s.apply();
    expect(exitCode).toBe(exitCodes.partial);
    const told = diagnostics.filter(({ code: what }) => what === "row-refused").map(({ summary }) => summary);
    expect(told).toHaveLength(3);
    for (const line of told) expect(line).toContain("which could not be approved");
    expect(await untilDone(async () => s.apply())).toEqual([exitCodes.done]);
    expect(whatThereIs(s)).toEqual(all);
  },
);

test("a review that is gone once its approval had no answer was approved by that", async () => {
  const s = await rowsStage({ publish: "approve" });
  s.prod.quirks.decidedReview = "404";
  const { faults } = s.world.emulator;
  faults.add({ match: approvals, when: { times: 1 }, effect: { type: "drop-after-commit" } });
  expect((await s.apply()).exitCode).toBe(exitCodes.done);
  expect(whatThereIs(s)).toEqual(all);
});
