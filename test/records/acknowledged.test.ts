import { expect, test } from "vitest";
import { renderText } from "../../src/report/text.ts";
import * as seed from "../../src/emulator/seed.ts";
import { exitCodes } from "../../src/model/result.ts";
import type { Acknowledged } from "../../src/model/plan.ts";
import { acknowledgement, waitingInLastDiff } from "../../src/operations/acknowledge.ts";
import { needsPerson } from "../../src/operations/ending.ts";
import { verifyPlan } from "../../src/operations/verify.ts";
import type { RowsStage } from "./support.ts";
import { recordOf, rowsStage } from "./support.ts";

/** Rows that wait for a person, and may stay so: what the plan says of a table, as of anything else. */

function edit({ target }: RowsStage, code: string, name: string): void {
  const record = recordOf(target, code);
  if (record === undefined) throw new Error(`there is no record ${code}`);
  seed.editRecord(target, record, { name });
}

function france({ source }: RowsStage): NonNullable<ReturnType<typeof recordOf>> {
  const record = recordOf(source, "FR");
  if (record === undefined) throw new Error("there is no record FR");
  return record;
}

/** A colleague has changed DE at the target, which the plan reports. */
async function drifted(): Promise<RowsStage> {
  const s = await rowsStage({ plan: {} });
  await s.apply();
  edit(s, "DE", "theirs");
  expect((await s.apply()).exitCode).toBe(exitCodes.partial);
  return s;
}

async function known(s: RowsStage, action = "drift"): Promise<readonly Acknowledged[]> {
  await s.diff();
  const waiting = await waitingInLastDiff(s.world.migration(s.changes));
  expect(waiting).toMatchObject([{ kind: "reference-data", name: "Countries", action }]);
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

test("what was verified is told without the rows that wait, each of them counted", async () => {
  const s = await drifted();
  edit(s, "FR", "theirs");
  const { headline, summary } = await s.apply();
  expect(summary).toMatchObject({ drift: 2 });
  expect(headline).toContain("Verified what was done. Not part of it: 2 drift.");
});

test("rows that wait are not said to be decided one by one, also where others of their table are written", async () => {
  const s = await drifted();
  seed.editRecord(s.source, france(s), { name: "Francia" });
  for (const { next, changes } of [await s.diff(), await s.apply()]) {
    expect(next).not.toContain("ferry decide test");
    expect(changes[0]).toMatchObject({ action: "update" });
    const told = changes[0]?.diagnostics.find(({ code }) => code === "row-contested");
    expect(told?.summary).toMatch(/^1 row was changed or removed at the target/);
    expect(told?.suggestion).toContain("policy.drift: overwrite");
    expect(told?.suggestion).not.toContain("policy.conflict");
  }
});

test("what is left, and why, is told in brief as well, where others of their table are written, until it is acknowledged", async () => {
  const s = await drifted();
  seed.editRecord(s.source, france(s), { name: "Francia" });
  const lines = async (): Promise<readonly string[]> =>
    renderText(await s.apply(), { brief: true, width: 200 }).split("\n");
  const left = "1 row was changed or removed at the target since the last apply, and is left";
  expect((await lines()).filter((line) => line.includes(left))).toHaveLength(1);
  expect((await lines()).filter((line) => line.includes(left))).toHaveLength(1);
  s.changes = { ...s.changes, acknowledged: await known(s) };
  seed.editRecord(s.source, france(s), { name: "France" });
  expect((await lines()).filter((line) => line.includes(left))).toEqual([]);
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

test("it holds while other rows of the table are written, of which nothing is told that is not so", async () => {
  const s = await drifted();
  seed.editRecord(s.source, france(s), { name: "France, as of late" });
  // As `ferry ack` has it from a diff that writes as well.
  s.changes = { ...s.changes, acknowledged: await known(s, "update") };
  const told = { action: "update", acknowledged: { reason: "theirs is right" } };
  const diff = await s.diff();
  expect(diff).toMatchObject({ changes: [told], summary: { update: 1, acknowledged: 1, drift: 0 } });
  expect(diff.headline).toBe("1 change to make. Nothing was written. 1 object acknowledged.");
  const result = await s.apply();
  expect(result).toMatchObject({ exitCode: exitCodes.done, changes: [told] });
  for (const { diagnostics } of [diff, result])
    expect(diagnostics.filter(({ code }) => code.startsWith("acknowledged"))).toEqual([]);
  expect(s.published()["FR"]).toMatchObject({ name: "France, as of late" });
  expect(await s.apply()).toMatchObject({ exitCode: exitCodes.done, summary: { acknowledged: 1 } });
  const text = renderText(diff);
  expect(text.replaceAll(/\s+/g, " ")).toContain("what waits of it is acknowledged: theirs is right");

  // Another row that waits is told beside rows that are written, too.
  seed.editRecord(s.source, france(s), { name: "France" });
  edit(s, "CH", "theirs as well");
  expect(await s.apply()).toMatchObject({
    exitCode: exitCodes.partial,
    summary: { acknowledged: 0, drift: 2 },
  });
});

test("a row that was refused in the very run makes it red, whatever is known of the others", async () => {
  const s = await drifted();
  s.changes = { ...s.changes, acknowledged: await known(s) };
  seed.editRecord(s.source, france(s), { name: "refused" });
  s.world.emulator.faults.add({
    match: { tenant: "prod", method: "POST", path: "/\\/draft\\/batch$/" },
    effect: { type: "status", code: 422 },
  });
  expect(await s.apply()).toMatchObject({ exitCode: exitCodes.partial, summary: { failed: 1 } });
});

test("nor does it cover rows of an earlier run that this one has sent again, and that were refused", () => {
  const change = {
    id: "",
    kind: "",
    action: "drift",
    reason: "",
    fields: [],
    diagnostics: [],
    dependsOn: [],
  } as const;
  const acknowledged = { reason: "theirs is right" };
  const counts = {
    create: 0,
    update: 0,
    delete: 0,
    unchanged: 0,
    blocked: 0,
    drift: 1,
    conflict: 0,
    manual: 0,
  };
  const ends = {
    overwrites: 0,
    failed: 0,
    inDoubt: 0,
    done: 0,
    samples: [],
    file: "",
    digest: "",
    waiting: "",
  };
  const records = { ...counts, ...ends };
  expect(needsPerson({ ...change, acknowledged, records })).toBe(false);
  expect(needsPerson({ ...change, acknowledged, records: { ...records, failed: 1 } })).toBe(true);
});

test("a table that cannot be looked at is told again where that has another reason", async () => {
  const s = await rowsStage({ plan: {} });
  const keyedBy = (key: string): void => {
    s.changes = {
      ...s.changes,
      records: { referenceData: [{ table: "Countries", key: [key], publish: "direct" }] },
    };
  };
  keyedBy("gone");
  s.changes = { ...s.changes, acknowledged: await known(s, "blocked") };
  expect(await s.apply()).toMatchObject({ exitCode: exitCodes.done, summary: { acknowledged: 1 } });
  keyedBy("gone as well");
  expect(await s.apply()).toMatchObject({ exitCode: exitCodes.partial, summary: { acknowledged: 0 } });
});

test("an entry about a table in which nothing waits is named, once", async () => {
  const s = await drifted();
  s.changes = { ...s.changes, acknowledged: await known(s) };
  edit(s, "DE", "Germany");
  const { diagnostics } = await s.diff();
  expect(diagnostics.filter(({ code }) => code === "acknowledged-idle")).toHaveLength(1);
});
