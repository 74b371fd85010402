import { expect, test } from "vitest";
import * as seed from "../../src/emulator/seed.ts";
import type { FaultRule } from "../../src/emulator/index.ts";
import { exitCodes } from "../../src/model/result.ts";
import { rollbackRun } from "../../src/operations/rollback.ts";
import { failureOf } from "../../src/operations/failure.ts";
import { diesAt, recordOf, rowsStage } from "./support.ts";
import type { RowsStage } from "./support.ts";

/** Rows that a rollback has left open, and that the next one cannot bring to their end: it says why, and whether to run again helps. */

const reviewing = { path: "/request-review$/", tenant: "prod" };

async function left(fault: FaultRule): Promise<RowsStage> {
  const here = await rowsStage({ source: [{ code: "FR", name: "old" }], publish: "review" });
  const decided = async (): Promise<void> => {
    await here.apply();
    approve(here);
    expect((await here.apply()).exitCode).toBe(exitCodes.done);
  };
  await decided();
  const record = recordOf(here.source, "FR");
  if (record !== undefined) seed.editRecord(here.source, record, { name: "new" });
  await decided();
  here.world.emulator.faults.add(fault);
  const first = await rollbackRun(here.world.migration(here.changes), { confirm: async () => true });
  expect(first.exitCode).not.toBe(exitCodes.done);
  here.world.emulator.faults.clear();
  return here;
}

function approve({ prod }: RowsStage): void {
  for (const urn of prod.referenceData.reviews.keys()) seed.decideReview(prod, urn, "approve");
  prod.referenceData.settle();
}

async function refusedWith(here: RowsStage): Promise<unknown> {
  const migration = here.world.migration(here.changes);
  const error: unknown = await rollbackRun(migration, { confirm: async () => true }).catch(
    (thrown: unknown) => thrown,
  );
  const { exitCode, diagnostics } = failureOf(error, true) ?? {};
  return [exitCode, diagnostics?.[0]?.summary, diagnostics?.[0]?.suggestion];
}

test("a review that waits is named, and is a person's to decide", async () => {
  const here = await left({ match: { path: "/nothing/" }, effect: { type: "garbage" } });
  expect(await refusedWith(here)).toEqual([
    exitCodes.interrupted,
    expect.stringMatching(
      /^the rollback \S+ has left rows of "Countries" open, .*: 1 row of it in the review "/,
    ),
    expect.stringMatching(
      /^Approve or reject it in the web application of the target, and run: ferry rollback/,
    ),
  ]);
});

test("a review of the run that is to be taken back is named as well, and what is decided of it counts", async () => {
  const here = await rowsStage({ source: [{ code: "FR", name: "old" }], publish: "review" });
  await here.apply();
  // No apply brings them to their end, however often it is run.
  await here.apply();
  const refused = [
    exitCodes.interrupted,
    expect.stringMatching(/^the run \S+ has left rows of "Countries" open, .*: 1 row of it in the review "/),
    expect.stringMatching(/^Approve or reject it in the web application of the target, and run: ferry apply/),
  ];
  expect(await refusedWith(here)).toEqual(refused);
  approve(here);
  expect((await here.apply()).exitCode).toBe(exitCodes.done);
  const back = rollbackRun(here.world.migration(here.changes), { confirm: async () => true });
  await expect(back).resolves.toMatchObject({ command: "rollback" });
});

test("what cannot be told is for a person, and not to be run again", async () => {
  const here = await left({ match: { path: "/nothing/" }, effect: { type: "garbage" } });
  here.prod.quirks.decidedReview = "404";
  approve(here);
  for (let run = 0; run < 2; run += 1)
    expect(await refusedWith(here)).toEqual([
      exitCodes.inDoubt,
      expect.stringMatching(/ is gone: whether it was approved or rejected cannot be told$/),
      expect.stringMatching(/^Decide: ferry resolve /),
    ]);
});

test("what was decided of a review that nobody can name is put up for one that has a name", async () => {
  const here = await left({
    match: reviewing,
    when: { times: 1 },
    effect: { type: "drop-after-commit" },
  });
  approve(here);
  expect(await refusedWith(here)).toEqual([
    exitCodes.interrupted,
    expect.stringContaining("1 row of it in the review"),
    expect.stringMatching(/^Approve or reject it /),
  ]);
});

test("what is not allowed is told as that", async () => {
  const here = await rowsStage({
    source: [{ code: "FR", name: "new" }],
    target: [{ code: "FR", name: "old" }],
  });
  await here.apply();
  const back = async (hooks: { reached(at: string): void }): Promise<unknown> =>
    rollbackRun(here.world.migration(here.changes, { hooks }), { confirm: async () => true });
  expect(await diesAt("outcome:after", 1, back)).toBe(true);
  here.world.emulator.faults.add({
    match: { path: "/\\/draft\\/batch$/", tenant: "prod" },
    effect: { type: "status", code: 403 },
  });
  expect(await refusedWith(here)).toEqual([
    exitCodes.permission,
    expect.stringMatching(/has left rows of "Countries" open, .*no permission/),
    expect.stringMatching(/^Run: ferry doctor /),
  ]);
});
