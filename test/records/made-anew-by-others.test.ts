import { expect, test } from "vitest";
import { approve } from "../../src/emulator/reference-data/reviews.ts";
import * as seed from "../../src/emulator/seed.ts";
import { exitCodes } from "../../src/model/result.ts";
import { author, authored, segment, stage } from "./masters-stage.ts";
import type { Stage } from "./masters-stage.ts";
import { countsOf, diesAt, recordOf, rowsStage } from "./support.ts";
import type { RowsStage } from "./support.ts";

/** Somebody has removed a row that a run was to change, and made one with its key and its values: requests call that one otherwise. */

const old = { code: "DE", name: "old" };

function madeAnew({ prod, target }: RowsStage): void {
  const record = recordOf(target, "DE");
  if (record !== undefined) seed.removeRecord(target, record);
  seed.seedRecord(prod, target, old);
}

test.each([
  ["intent:after", "absent"],
  ["send:after", "offered"],
  ["outcome:after", "absent"],
] as const)("a row that a killed run has begun to change rests (%s, drafts %s)", async (point, drafts) => {
  const here = await rowsStage({
    source: [{ code: "DE", name: "new" }],
    target: [old],
    plan: { limits: { quietPeriodMs: 10, publishWaitMs: 200 } },
  });
  here.prod.quirks.draftFilter = drafts;
  expect(await diesAt(point, 1, async (hooks) => here.apply({ verify: false }, { hooks }))).toBe(true);
  madeAnew(here);
  for (let run = 1; run <= 2; run += 1) {
    const before = here.writes();
    const result = await here.apply();
    expect([result.exitCode, countsOf(result), here.writes()]).toMatchObject([
      exitCodes.partial,
      { drift: 1, blocked: 0, inDoubt: 0 },
      before,
    ]);
  }
  here.changes = { ...here.changes, policy: { drift: "overwrite" } };
  expect((await here.apply()).exitCode).toBe(exitCodes.done);
  expect(here.target.records().map(({ published }) => published)).toEqual([{ code: "DE", name: "new" }]);
});

test.each(["absent", "offered"] as const)(
  "nothing is published of a change that was approved, and nothing counts as overwritten (drafts %s)",
  async (drafts) => {
    const here = await rowsStage({
      source: [{ code: "DE", name: "new" }],
      target: [old],
      publish: "review",
      plan: { limits: { quietPeriodMs: 10, publishWaitMs: 200 } },
    });
    here.prod.quirks.draftFilter = drafts;
    await here.apply({ verify: false });
    for (const review of here.prod.referenceData.reviews.values()) approve(here.prod, review, () => true);
    madeAnew(here);
    const published = (): number =>
      here.world.emulator.log.entries.filter(({ path }) => path.endsWith("/draft/publish")).length;
    const result = await here.apply({ verify: false });
    expect([result.exitCode, countsOf(result), published()]).toMatchObject([
      exitCodes.partial,
      { drift: 1, done: 0, overwritten: 0 },
      0,
    ]);
    expect(here.target.records().map((record) => record.published)).toEqual([old]);
  },
);

async function masters(): Promise<Stage> {
  const here = await stage([segment]);
  author(here.dev, { cmo_code: "A", cmo_name: "new" });
  author(here.prod, { cmo_code: "A", cmo_name: "old" });
  return here;
}

function masterMadeAnew({ prod }: Stage): void {
  const table = prod.masters("segment");
  const row = table?.rows.find((one) => one.authored?.values["cmo_code"] === "A");
  if (row !== undefined) table?.delete(row);
  author(prod, { cmo_code: "A", cmo_name: "old" });
}

/** A PUT to an id that is gone may make another record (document 3, "Modify"). */
const puts = ({ made }: Stage): number =>
  made.emulator.log.entries.filter(({ method, path }) => method === "PUT" && path.includes("/master/"))
    .length;

test("nothing is sent to the id of a master that is gone: before its turn, and where a killed run had begun", async () => {
  const here = await masters();
  const confirm = async (): Promise<boolean> => {
    masterMadeAnew(here);
    return true;
  };
  const asked = await here.apply({ confirm });
  expect([asked.exitCode, puts(here)]).toEqual([exitCodes.partial, 0]);
  expect((await here.apply()).exitCode).toBe(exitCodes.done);
  expect(authored(here.prod)).toMatchObject({ A: { cmo_name: "new" } });
  const killed = await masters();
  expect(await diesAt("intent:after", 1, async (hooks) => killed.apply({}, { hooks }))).toBe(true);
  masterMadeAnew(killed);
  const next = await killed.apply();
  expect([next.exitCode, puts(killed)]).toEqual([exitCodes.partial, 0]);
  expect(countsOf(next)).toMatchObject({ drift: 1, inDoubt: 0 });
});
