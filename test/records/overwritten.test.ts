import { expect, test } from "vitest";
import * as seed from "../../src/emulator/seed.ts";
import { masterDataBooks as books } from "../../src/emulator/index.ts";
import { exitCodes } from "../../src/model/result.ts";
import { address, adr, party, put, stage } from "./masters-stage.ts";
import { countsOf, diesAt, recordOf, rowsStage } from "./support.ts";
import type { RowsStage } from "./support.ts";

/** What is told of what people had set is what was written over it, and not what was to be. */

const codes = ["A", "B", "C"];

async function met(publish: "direct" | "review" = "direct"): Promise<RowsStage> {
  return rowsStage({
    source: codes.map((code) => ({ code, name: `ours ${code}` })),
    target: codes.map((code) => ({ code, name: `theirs ${code}` })),
    publish,
    plan: { limits: { quietPeriodMs: 10 } },
  });
}

test("a row that somebody has touched since it was compared is left, and is not among them", async () => {
  const here = await met();
  const confirm = async (): Promise<boolean> => {
    const record = recordOf(here.target, "B");
    if (record !== undefined) seed.editRecord(here.target, record, { name: "theirs by now" });
    return true;
  };
  const result = await here.apply({ confirm });
  expect([result.exitCode, countsOf(result)?.failed]).toEqual([exitCodes.partial, 1]);
  expect(here.published()["B"]?.["name"]).toBe("theirs by now");
  expect(result.headline).toContain("what people set in 2 objects was overwritten");
});

test("what waits for a review is not overwritten yet; it is told by the run that publishes it", async () => {
  const here = await met("review");
  const first = await here.apply();
  expect(first.headline).not.toContain("overwritten");
  expect(here.published()["A"]?.["name"]).toBe("theirs A");
  for (const urn of here.prod.referenceData.reviews.keys()) seed.decideReview(here.prod, urn, "approve");
  here.prod.referenceData.settle();
  const second = await here.apply();
  expect(second.headline).toContain("what people set in 3 objects was overwritten");
  expect(here.published()["A"]?.["name"]).toBe("ours A");
});

test("what a killed run has overwritten is told by the one that goes on with it", async () => {
  const here = await met();
  expect(await diesAt("send:after", 1, async (hooks) => here.apply({}, { hooks }))).toBe(true);
  const result = await here.apply();
  expect(result.exitCode).toBe(exitCodes.done);
  expect(result.headline).toContain("what people set in 3 objects was overwritten");
});

test("nor is what an earlier run has related, and the source does not any more, anything that people had set", async () => {
  const here = await stage([{ ...party, relationships: ["addresses"] }, address]);
  const row = put(here.dev, "A", { src_name: "a" });
  const at = { entity: "address", origin: adr };
  const [home, shop] = ["HOME", "SHOP"].map((id) => put(here.dev, id, { src_street: "1" }, at));
  for (const end of [home, shop]) if (end !== undefined) books.relate(here.dev, row, "addresses", end);
  await here.apply();
  if (shop !== undefined) here.dev.instances("address")?.delete(shop);
  put(here.dev, "A", { src_name: "b" });
  const result = await here.apply();
  expect([result.exitCode, countsOf(result)?.update]).toEqual([exitCodes.done, 1]);
  expect(result.headline).not.toContain("overwritten");
});
