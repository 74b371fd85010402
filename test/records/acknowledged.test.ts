import { expect, test } from "vitest";
import * as seed from "../../src/emulator/seed.ts";
import { exitCodes } from "../../src/model/result.ts";
import type { Acknowledged } from "../../src/model/plan.ts";
import { acknowledgement, waitingInLastDiff } from "../../src/operations/acknowledge.ts";
import { verifyPlan } from "../../src/operations/verify.ts";
import type { RowsStage } from "./support.ts";
import { recordOf, rowsStage } from "./support.ts";

/** Rows that wait for a person, and may stay so: what the plan says of a table, as of anything else. */

function edit({ target }: RowsStage, code: string, name: string): void {
  const record = recordOf(target, code);
  if (record === undefined) throw new Error(`there is no record ${code}`);
  seed.editRecord(target, record, { name });
}

/** A colleague has changed DE at the target, which the plan reports. */
async function drifted(): Promise<RowsStage> {
  const s = await rowsStage({ plan: {} });
  await s.apply();
  edit(s, "DE", "theirs");
  expect((await s.apply()).exitCode).toBe(exitCodes.partial);
  return s;
}

async function known(s: RowsStage): Promise<readonly Acknowledged[]> {
  await s.diff();
  const waiting = await waitingInLastDiff(s.world.migration(s.changes));
  expect(waiting).toMatchObject([{ kind: "reference-data", name: "Countries", action: "drift" }]);
  return waiting.map((one) => acknowledgement(one, { reason: "theirs is right" }));
}

test("what waits in a table and is acknowledged is told as that, by every command, and ends with 0", async () => {
  const s = await drifted();
  s.changes = { ...s.changes, acknowledged: await known(s) };
  const told = { action: "drift", acknowledged: { reason: "theirs is right" } };
  const result = await s.apply();
  expect(result).toMatchObject({ exitCode: exitCodes.done, changes: [told] });
  expect(await s.diff()).toMatchObject({ changes: [told], summary: { acknowledged: 1, drift: 0 } });
  expect(await verifyPlan(s.world.migration(s.changes))).toMatchObject({ exitCode: exitCodes.done });
  expect(result.diagnostics.filter(({ code }) => code.startsWith("acknowledged"))).toEqual([]);
  expect(s.published()["DE"]).toMatchObject({ name: "theirs" });
});

test.each(["DE", "FR"])("what changes in it later (%s) is told again", async (code) => {
  const s = await drifted();
  s.changes = { ...s.changes, acknowledged: await known(s) };
  edit(s, code, "theirs as well");
  const result = await s.apply();
  expect(result.exitCode).toBe(exitCodes.partial);
  expect(result.changes).toMatchObject([{ action: "drift" }]);
  expect(result.changes[0]).not.toHaveProperty("acknowledged");
  expect(JSON.stringify(result.changes)).toContain("it was acknowledged as it was before it changed");
});

test("an entry about a table in which nothing waits is named, once", async () => {
  const s = await drifted();
  s.changes = { ...s.changes, acknowledged: await known(s) };
  edit(s, "DE", "Germany");
  const { diagnostics } = await s.diff();
  expect(diagnostics.filter(({ code }) => code === "acknowledged-idle")).toHaveLength(1);
});
