import { expect, test } from "vitest";
import * as seed from "../../src/emulator/seed.ts";
import type { Progress } from "../../src/engine/progress.ts";
import type { Result } from "../../src/model/result.ts";
import { exitCodes } from "../../src/model/result.ts";
import { startFlow } from "../../src/operations/flow.ts";
import { removeMappings } from "../../src/operations/mappings.ts";
import { previewRollback, rollbackRun } from "../../src/operations/rollback.ts";
import type { RollbackOptions } from "../../src/operations/rollback.ts";
import { held } from "../doubts/support.ts";
import type { RowsStage } from "./support.ts";
import { diesAt, recordOf, rowsStage } from "./support.ts";
import { allOr } from "../support/whole.ts";

/** What a run has found out about rows, and no later look finds, is told until one has come to its end. */

const quietPeriodMs = 300;
const mayStand =
  "the row DE: somebody has changed it since it was sent; what was sent may stand in its draft at the target: look for it in the web application";

/** So often it is told. */
function told({ diagnostics }: Pick<Result, "diagnostics">): number {
  return diagnostics.filter(({ code, summary }) => code === "row-note" && summary === mayStand).length;
}

function change(at: RowsStage, table: "source" | "target", code: string, name: string): void {
  const record = recordOf(at[table], code);
  if (record === undefined) throw new Error(`there is no ${code}`);
  seed.editRecord(at[table], record, { name });
}

/** The n-th time that the outcome of a row is written down: what an earlier run has left is taken over before anything is known of it. */
const found = 2;

interface Found extends RowsStage {
  /** One that wrote nothing of tables. */
  readonly termsRun: string;
}

/**
 * A run is killed while its change of DE is on its way, and that arrives behind a colleague's. Who waits for it finds that out, and is
 * killed at this point as it is on record, so that nobody looks again. FR is done before, and the term GDP.
 */
async function foundOut(
  end: "outcome:before" | "outcome:after" | "refused" = "outcome:after",
): Promise<Found> {
  const at = await rowsStage({
    source: [
      { code: "DE", name: "a" },
      { code: "FR", name: "a" },
    ],
    target: [{ code: "DE", name: "a" }],
    plan: { limits: { quietPeriodMs }, select: { kinds: ["reference-data", "terms"] } },
  });
  at.prod.quirks.draftFilter = "offered";
  const all = at.changes;
  seed.seedTerm(at.dev, { name: "GDP" });
  at.changes = { ...all, select: { kinds: ["terms"] } };
  const { run = "" } = await at.apply();
  at.changes = all;
  expect((await at.apply()).exitCode).toBe(exitCodes.done);
  const { emulator } = at.world;
  change(at, "source", "DE", "b");
  emulator.faults.add({
    match: { tenant: "prod", method: "POST", path: "/draft/batch$/" },
    when: { times: 1 },
    effect: { type: "late-commit", ms: 0 },
  });
  const arrive = held(at);
  expect(await diesAt("send:after", 1, (hooks) => at.apply({}, { hooks }))).toBe(true);
  const report = ({ type }: Progress): void => {
    if (type !== "waiting") return;
    change(at, "target", "DE", "theirs");
    arrive();
  };
  if (end === "refused") {
    change(at, "source", "FR", "b");
    await expect(at.apply({ confirm: async () => false }, { report })).rejects.toThrow(/not confirmed/);
    change(at, "source", "FR", "a");
  } else expect(await diesAt(end, found, (hooks) => at.apply({}, { hooks, report }))).toBe(true);
  await emulator.idle();
  // It stands there, behind theirs.
  expect(at.published()["DE"]).toEqual({ code: "DE", name: "theirs" });
  expect(at.target.open()).toMatchObject([{ draft: { name: "b" } }]);
  return Object.assign(at, { termsRun: run });
}

async function back(
  at: RowsStage,
  options: Partial<RollbackOptions> = {},
  more: object = {},
): Promise<Result> {
  return rollbackRun(at.world.migration(at.changes, more), {
    allowDelete: true,
    confirm: async () => true,
    ...options,
  });
}

test("the next apply tells it, and none after that", async () => {
  const at = await foundOut();
  expect(told(await at.diff())).toBe(1);
  const result = await at.apply();
  expect([result.exitCode, told(result)]).toEqual([exitCodes.partial, 1]);
  const after = await at.apply();
  expect([after.exitCode, told(after)]).toEqual([exitCodes.partial, 0]);
});

test("also one that is narrowed to nothing of tables", async () => {
  const at = await foundOut();
  const narrow = { ...at.changes, select: { kinds: ["terms"] } };
  expect(told(await at.diff(narrow))).toBe(1);
  at.changes = narrow;
  expect(told(await at.apply())).toBe(1);
  expect(told(await at.apply())).toBe(0);
});

test("an apply that comes to no end leaves it to the next one", async () => {
  const at = await foundOut();
  change(at, "source", "FR", "b");
  await expect(at.apply({ confirm: async () => false })).rejects.toThrow(/not confirmed/);
  expect(await diesAt("send:after", 1, (hooks) => at.apply({}, { hooks }))).toBe(true);
  expect(told(await at.apply())).toBe(1);
  expect(told(await at.apply())).toBe(0);
});

test("it is told once where the row is looked at again", async () => {
  const at = await foundOut("outcome:before");
  expect(told(await at.apply())).toBe(1);
  expect(told(await at.apply())).toBe(0);
});

/** The same found out by a run that is not confirmed: it has closed what it had open, and a rollback may begin. */
async function refused(): Promise<Found> {
  return foundOut("refused");
}

test("the next rollback tells it, and no apply after that", async () => {
  const at = await refused();
  expect(told(await back(at))).toBe(1);
  expect(told(await at.apply())).toBe(0);
});

test("a dry run of a rollback tells it as well, and leaves it to the rollback", async () => {
  const at = await refused();
  for (const run of [undefined, at.termsRun])
    expect(told(await previewRollback(at.world.migration(at.changes), { run }))).toBe(1);
  expect(told(await back(at))).toBe(1);
});

test("also one of a run that wrote nothing of tables", async () => {
  const at = await foundOut();
  const run = at.termsRun;
  expect(told(await back(at, { run }))).toBe(1);
  expect(told(await at.apply())).toBe(0);
});

test.each(
  allOr(
    ["intent:before", "intent:after", "send:after", "outcome:before", "outcome:after"] as const,
    (_point, index) => index % 3 === 0,
  ),
)("a rollback that is killed at %s leaves it to whoever comes next", async (point) => {
  const at = await refused();
  expect(await diesAt(point, 1, (hooks) => back(at, { run: at.termsRun }, { hooks }))).toBe(true);
  expect(told(await at.apply({ allowDelete: true }))).toBe(1);
});

async function started(at: RowsStage): Promise<void> {
  const wanted = { configuration: "Import", connection: "prod-wh", wait: true };
  at.prod.quirks.workflowRetryAfter = 0;
  expect((await startFlow(at.world.migration(at.changes), wanted)).exitCode).toBe(exitCodes.done);
}

test("a flow of the service that is started in between tells nothing of rows, and takes nothing off the record", async () => {
  const at = await foundOut();
  await started(at);
  expect(told(await at.apply())).toBe(1);
});

test("nor does a pair that is taken out of the mapping, also behind a rollback that was killed", async () => {
  const at = await refused();
  expect(await diesAt("intent:before", 1, (hooks) => back(at, { run: at.termsRun }, { hooks }))).toBe(true);
  const [term] = at.dev.terms.values();
  if (term === undefined) throw new Error("the source has no term");
  await removeMappings(at.world.migration(at.changes), [term.urn]);
  await started(at);
  expect(told(await at.apply({ allowDelete: true }))).toBe(1);
  expect(told(await at.apply({ allowDelete: true }))).toBe(0);
});

test("an apply that has nothing else to do tells it for the last time", async () => {
  const at = await refused();
  const [term] = at.dev.terms.values();
  if (term === undefined) throw new Error("the source has no term");
  // What was on record of runs is put away with it.
  await removeMappings(at.world.migration(at.changes), [term.urn]);
  at.changes = { ...at.changes, select: { kinds: ["reference-data"] } };
  expect(told(await at.apply())).toBe(1);
  expect(told(await at.apply())).toBe(0);
});

const isTold = ({ diagnostics }: Result): boolean =>
  diagnostics.some(
    ({ code, summary }) => code === "row-note" && summary.includes("somebody has changed it since"),
  );

/** A rollback of the change of DE is killed, and a colleague changes that. */
async function leftByRollback(terms: readonly string[]): Promise<RowsStage> {
  const at = await rowsStage({
    source: [{ code: "DE", name: "b" }],
    target: [{ code: "DE", name: "a" }],
    plan: { select: { kinds: ["reference-data", "terms"] } },
  });
  for (const name of terms) seed.seedTerm(at.dev, { name });
  expect((await at.apply()).exitCode).toBe(exitCodes.done);
  expect(await diesAt("outcome:after", 1, (hooks) => back(at, {}, { hooks }))).toBe(true);
  change(at, "target", "DE", "theirs");
  return at;
}

test("what a rollback has found out itself, and was killed behind, is told by the next one", async () => {
  let deaths = 0;
  for (let nth = 1; ; nth += 1) {
    const at = await leftByRollback(["GDP"]);
    if ((await diesAt("intent:before", nth, (hooks) => back(at, {}, { hooks }))) !== true) break;
    deaths += 1;
    expect([nth, isTold(await back(at))]).toEqual([nth, true]);
    expect(at.published()).toEqual({ DE: { code: "DE", name: "theirs" } });
    expect(isTold(await at.apply())).toBe(false);
  }
  expect(deaths).toBeGreaterThan(0);
});

test("and where nothing else is taken back, by that one alone", async () => {
  const at = await leftByRollback([]);
  expect(isTold(await back(at))).toBe(true);
  expect(isTold(await at.apply())).toBe(false);
});
