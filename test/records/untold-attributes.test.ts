import { expect, test } from "vitest";
import * as seed from "../../src/emulator/seed.ts";
import { exitCodes } from "../../src/model/result.ts";
import { rollbackRun } from "../../src/operations/rollback.ts";
import { countsOf, recordOf, rowsStage } from "./support.ts";
import type { RowsStage } from "./support.ts";

/** A service that does not tell the attributes of its tables: whoever goes on, or takes back, has to know them before it prints a row. */

async function bare(options: Parameters<typeof rowsStage>[0]): Promise<RowsStage> {
  const here = await rowsStage(options);
  for (const { quirks } of [here.dev, here.prod]) quirks.tableFields = "bare";
  return here;
}

function approveAll({ prod, target }: RowsStage): void {
  for (const urn of prod.referenceData.reviews.keys()) seed.decideReview(prod, urn, "approve");
  prod.referenceData.publish(target, target.open(), "at-once");
}

function edit(table: RowsStage["source"], code: string, values: Record<string, string>): void {
  const record = recordOf(table, code);
  if (record === undefined) throw new Error(code);
  seed.editRecord(table, record, values);
}

test("what was approved and has changed at the source meanwhile is a change, and no conflict", async () => {
  const here = await bare({
    source: [{ code: "FR", name: "new" }],
    target: [{ code: "FR", name: "old" }],
    publish: "review",
  });
  expect((await here.apply()).exitCode).toBe(exitCodes.partial);
  edit(here.source, "FR", { name: "newer" });
  approveAll(here);
  await here.apply();
  expect(countsOf(await here.diff())).toMatchObject({ conflict: 0, drift: 0 });
  approveAll(here);
  expect((await here.apply()).exitCode).toBe(exitCodes.done);
  expect(here.published()["FR"]?.["name"]).toBe("newer");
});

test("what a colleague has changed since is theirs, also for a rollback of what was approved", async () => {
  const here = await bare({
    source: [{ code: "FR", name: "new" }],
    target: [{ code: "FR", name: "old" }],
    publish: "review",
  });
  await here.apply();
  approveAll(here);
  expect((await here.apply()).exitCode).toBe(exitCodes.done);
  edit(here.target, "FR", { name: "theirs" });
  await rollbackRun(here.world.migration(here.changes), { confirm: async () => true }).catch(() => undefined);
  approveAll(here);
  await rollbackRun(here.world.migration(here.changes), { confirm: async () => true }).catch(() => undefined);
  expect(here.published()["FR"]?.["name"]).toBe("theirs");
  expect(countsOf(await here.diff())).toMatchObject({ drift: 1 });
});
