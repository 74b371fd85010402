import { expect, test } from "vitest";
import { exitCodes } from "../../src/model/result.ts";
import { author, masterParty, stage } from "./masters-stage.ts";
import type { MasterEntity, Stage } from "./masters-stage.ts";

/** Masters that go do so when all else of the run is written. */

const house: MasterEntity = { ...masterParty, filter: {}, authored: "all" };
const places: MasterEntity = { ...house, entity: "address", key: ["cmo_street", "cmo_zip"] };

/** Ten masters of each on both sides; of each entity half are gone at the source. */
async function halved(badRows = 1): Promise<Stage> {
  const here = await stage([house, places], true);
  for (let number = 0; number < 10; number += 1) {
    author(here.dev, { cmo_code: `P${number}` }, "party");
    author(here.dev, { cmo_street: `${number} Market`, cmo_zip: "1" }, "address");
  }
  expect((await here.apply()).exitCode).toBe(exitCodes.done);
  for (const entity of ["party", "address"])
    for (const row of [...(here.dev.masters(entity)?.rows ?? [])].slice(0, 5))
      here.dev.masters(entity)?.delete(row);
  here.plan = { ...here.plan, limits: { ...here.plan.limits, badRows, concurrency: 1 } };
  return here;
}

function refuse({ made }: Stage, method: string, entity: string, times?: number): void {
  made.emulator.faults.add({
    match: { method, path: `/${entity}/` },
    when: times === undefined ? {} : { times },
    effect: { type: "status", code: 400 },
  });
}

const left = ({ prod }: Stage): readonly number[] =>
  ["party", "address"].map((entity) => prod.masters(entity)?.size ?? 0);

test("where one table is refused more than the plan puts up with, none of another one goes", async () => {
  const here = await halved(0.1);
  refuse(here, "DELETE", "address");
  const result = await here.apply({ allowDelete: true });
  expect([result.exitCode, left(here)]).toEqual([exitCodes.failed, [10, 10]]);
  expect(result.changes.map(({ outcome }) => outcome)).toEqual(["not-started", "failed"]);
  here.made.emulator.faults.clear();
  expect((await here.apply({ allowDelete: true })).exitCode).toBe(exitCodes.done);
  expect(left(here)).toEqual([5, 5]);
});

test("what was refused before counts with the deletions that are", async () => {
  // Of the nine rows of the source one may be refused.
  const here = await halved(0.2);
  for (let number = 20; number < 24; number += 1) author(here.dev, { cmo_code: `P${number}` }, "party");
  refuse(here, "POST", "party$", 1);
  refuse(here, "DELETE", "party", 1);
  const result = await here.apply({ allowDelete: true });
  expect(result.exitCode).toBe(exitCodes.failed);
  expect(result.changes[0]?.reason).toContain("2 refused");
});
