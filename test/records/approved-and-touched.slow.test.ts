import { join } from "node:path";
import { expect, test } from "vitest";
import * as seed from "../../src/emulator/seed.ts";
import type { Result } from "../../src/model/result.ts";
import { diffPlan } from "../../src/operations/diff.ts";
import type { RowsStage } from "./support.ts";
import { countries, diesAt, recordOf, rowsStage } from "./support.ts";

/** A run of an approved diff that is killed, and a colleague who is at a row that it has begun, before it is gone on with. */

const points = ["intent:after", "send:after"] as const;

interface Begun extends RowsStage {
  goOn(): Promise<Result>;
}

/** `nth`: the changes come first, and then the deletion. */
async function killed(point: (typeof points)[number], nth: number): Promise<Begun> {
  const old = [{ code: "C0", name: "old" }, { code: "X" }];
  const stage = await rowsStage({
    source: countries(1),
    target: old,
    remove: true,
    kept: "files",
    plan: { limits: { concurrency: 1, quietPeriodMs: 10, publishWaitMs: 200 } },
  });
  const diff = join(stage.world.folder, "approved.json");
  await diffPlan(stage.world.migration(stage.changes), { out: diff });
  const how = { diff, allowDelete: true, verify: false };
  expect(await diesAt(point, nth, async (hooks) => stage.apply(how, { hooks }))).toBe(true);
  return { ...stage, goOn: async () => stage.apply(how) };
}

function edit({ target }: RowsStage, code: string): void {
  const record = recordOf(target, code);
  if (record === undefined) throw new Error(`no ${code}`);
  seed.editRecord(target, record, { name: "theirs" });
}

test.each([
  ["C0", 1],
  ["X", 2],
] as const)("what the colleague has made of %s was not approved: the diff is refused", async (code, nth) => {
  const stage = await killed("intent:after", nth);
  edit(stage, code);
  await expect(stage.goOn()).rejects.toMatchObject({
    details: [expect.stringMatching(`the row ${code}: somebody has changed it at the target since`)],
  });
  expect(stage.published()[code]).toMatchObject({ name: "theirs" });
});

test.each(points)("what nobody has touched is done (%s)", async (point) => {
  for (const nth of [1, 2]) {
    const stage = await killed(point, nth);
    expect((await stage.goOn()).exitCode).toBe(0);
    expect(stage.published()).toEqual({ C0: { code: "C0", name: "Country 0" } });
  }
});

test.each(["changed", "removed"] as const)(
  "nor what the colleague has %s of a row that was known before",
  async (how) => {
    const stage = await rowsStage({ source: countries(2), kept: "files" });
    await stage.apply();
    for (const record of stage.source.records()) seed.editRecord(stage.source, record, { name: "next" });
    const diff = join(stage.world.folder, "approved.json");
    await diffPlan(stage.world.migration(stage.changes), { out: diff });
    const apply = { diff, verify: false };
    expect(await diesAt("intent:after", 1, async (hooks) => stage.apply(apply, { hooks }))).toBe(true);
    const record = recordOf(stage.target, "C0");
    if (how === "changed") edit(stage, "C0");
    else if (record !== undefined) seed.removeRecord(stage.target, record);
    await expect(stage.apply(apply)).rejects.toMatchObject({
      details: [expect.stringMatching(`the row C0: somebody has ${how} it at the target since`)],
    });
    expect(stage.published()["C0"]?.["name"]).toBe(how === "changed" ? "theirs" : undefined);
  },
);
