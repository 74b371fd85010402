import { expect, test } from "vitest";
import type { Progress } from "../../../src/engine/progress.ts";
import { rollbackRun } from "../../../src/operations/rollback.ts";
import { seedTerm } from "../../diff/support/content.ts";
import { apply, entryOf, stage } from "../../diff/support/run.ts";
import { applyWith, held, late, lose } from "../../doubts/support.ts";
import { killedAt, rollback, termNames, terms } from "./support.ts";

const plan = { ...terms, limits: { quietPeriodMs: 10 } };

/** A rollback that dies as it deletes, and an apply after it, which has the source's word again. */
test.each(["intent:after", "send:after"])(
  "what a rollback that died at %s has deleted, or not, is nobody else's work",
  async (point) => {
    const at = await stage();
    seedTerm(at.source, "A");
    await apply(at, plan);
    const migration = at.world.migration(plan, killedAt(point));
    await expect(rollbackRun(migration, { allowDelete: true, confirm: async () => true })).rejects.toThrow(
      "killed",
    );
    expect(termNames(at)).toEqual(point === "intent:after" ? ["A"] : []);
    expect((await apply(at, plan, { verify: true })).exitCode).toBe(0);
    expect(termNames(at)).toEqual(["A"]);
  },
);

test("nor is what it has deleted only while that was waited for", async () => {
  const at = await stage();
  for (const name of ["A", "B"]) seedTerm(at.source, name);
  const slow = { ...terms, limits: { quietPeriodMs: 450 } };
  await apply(at, slow);
  lose(at, "DELETE /api/catalog/v1/terms/:urn", late);
  const arrive = held(at);
  await expect(rollback(at, slow, { migration: killedAt("send:after"), allowDelete: true })).rejects.toThrow(
    "killed",
  );
  const report = ({ type }: Progress): void => {
    if (type === "waiting") arrive();
  };
  expect(await applyWith(at, slow, { report })).toMatchObject({ exitCode: 0, summary: { manual: 0 } });
  expect(termNames(at)).toEqual(["A", "B"]);
});

test("what the list of the target does not show then, and is there, is not made once more", async () => {
  const at = await stage();
  const urn = seedTerm(at.source, "A");
  await apply(at, plan);
  const before = await entryOf(at, urn);
  const migration = at.world.migration(plan, killedAt("intent:after"));
  await expect(rollbackRun(migration, { allowDelete: true, confirm: async () => true })).rejects.toThrow();
  const lists = { tenant: "prod", method: "GET", path: "/\\/terms$/" } as const;
  at.world.emulator.faults.add({ match: lists, effect: { type: "stale-list", ms: 60_000 } });
  expect((await apply(at, plan)).summary.create).toBe(0);
  expect(termNames(at)).toEqual(["A"]);
  expect((await entryOf(at, urn))?.target).toBe(before?.target);
});
