import { beforeEach, describe, expect, test } from "vitest";
import type { Urn } from "../../../src/model/urn.ts";
import { seedTerm } from "../../diff/support/content.ts";
import { written } from "../../diff/support/log.ts";
import type { Stage } from "../../diff/support/run.ts";
import { apply, entryOf, stage } from "../../diff/support/run.ts";
import { editTerm, removeTerm } from "../../diff/support/web.ts";
import type { PlanChanges } from "../../support/world.ts";
import { ended, killedAt, rollback, termNames, terms } from "./support.ts";

const never: PlanChanges = { ...terms, policy: { adopt: "never" } };
const description = (at: Stage, name: string): unknown => at.target.body(at.target.term(name))["description"];

describe("a run that deleted one thing and created another of the same natural key", () => {
  let at: Stage;
  let gone: Urn;

  beforeEach(async () => {
    at = await stage();
    gone = seedTerm(at.source, "N", { description: "old" });
    await apply(at, never);
    removeTerm(at.source, gone);
    seedTerm(at.source, "N", { description: "new" });
    await apply(at, never, { allowDelete: true });
    expect(termNames(at)).toEqual(["N"]);
  });

  test("without --allow-delete the old one is left, and the flag is named", async () => {
    const done = await rollback(at, never);
    expect(ended(done).toSorted()).toEqual(["delete terms withheld", "manual terms"]);
    const left = done.changes.find(({ action }) => action === "manual");
    expect(left?.reason).toContain("the same natural key");
    expect(left?.diagnostics[0]?.suggestion).toContain("--allow-delete");
    expect(written(at.world)).toEqual([]);
    expect(termNames(at)).toEqual(["N"]);
  });

  test("with it the new one goes first", async () => {
    expect((await rollback(at, never, { allowDelete: true })).exitCode).toBe(0);
    expect(written(at.world)).toEqual(["DELETE terms/:urn", "POST terms/bulk"]);
    expect(termNames(at)).toEqual(["N"]);
    expect(description(at, "N")).toBe("old");
    expect(await rollback(at, never, { allowDelete: true })).toMatchObject({ exitCode: 0, changes: [] });
  });

  test("nothing comes back beside one that could not be deleted", async () => {
    const { faults } = at.world.emulator;
    faults.add({ match: { tenant: "prod", method: "DELETE" }, effect: { type: "status", code: 400 } });
    const done = await rollback(at, never, { allowDelete: true });
    expect(ended(done).toSorted()).toEqual(["create terms blocked", "delete terms failed"]);
    expect(termNames(at)).toEqual(["N"]);
  });

  test.each([
    ["intent:after", 1],
    ["send:after", 1],
    ["outcome:after", 1],
    ["intent:after", 2],
    ["send:after", 2],
    ["outcome:after", 2],
  ] as const)("killed at %s %i and run again, the old one is there once", async (point, nth) => {
    const migration = killedAt(point, nth);
    await expect(rollback(at, never, { allowDelete: true, migration })).rejects.toThrow("killed");
    expect((await rollback(at, never, { allowDelete: true })).exitCode).toBe(0);
    expect(termNames(at)).toEqual(["N"]);
    expect(description(at, "N")).toBe("old");
  });
});

test("what uses the new one lets go of it before it goes", async () => {
  const at = await stage();
  const gone = seedTerm(at.source, "N");
  const user = seedTerm(at.source, "User");
  await apply(at, never);
  removeTerm(at.source, gone);
  const fresh = seedTerm(at.source, "N", { description: "new" });
  editTerm(at.source, user, { extraProperties: { relatedTerms: [fresh] } });
  await apply(at, never, { allowDelete: true });
  expect((await rollback(at, never, { allowDelete: true })).exitCode).toBe(0);
  expect(written(at.world).map((line) => line.split(" ")[0])).toEqual(["PATCH", "DELETE", "POST"]);
  expect(termNames(at)).toEqual(["N", "User"]);
});

test("one that takes the old one's place in a reference goes at the end: a circle is no deadlock", async () => {
  const at = await stage();
  const gone = seedTerm(at.source, "N", { description: "old" });
  const user = seedTerm(at.source, "User", { extraProperties: { relatedTerms: [gone] } });
  await apply(at, never);
  const fresh = seedTerm(at.source, "N", { description: "new" });
  editTerm(at.source, user, { extraProperties: { relatedTerms: [fresh] } });
  removeTerm(at.source, gone);
  await apply(at, never, { allowDelete: true });
  expect((await rollback(at, never, { allowDelete: true })).exitCode).toBe(0);
  expect(termNames(at)).toEqual(["N", "User"]);
  expect(at.target.body(at.target.term("User"))["extraProperties"]).toEqual({
    relatedTerms: [at.target.term("N")],
  });
});

test("an older run's work does not come back beside what a later run created", async () => {
  const at = await stage();
  const one = seedTerm(at.source, "N");
  await apply(at, never);
  removeTerm(at.source, one);
  const { run = "" } = await apply(at, never, { allowDelete: true });
  const later = seedTerm(at.source, "N");
  await apply(at, never);
  const done = await rollback(at, never, { run, allowDelete: true });
  expect(ended(done)).toEqual(["manual terms"]);
  expect(done.changes[0]?.reason).toContain((await entryOf(at, later))?.target);
  expect(termNames(at)).toEqual(["N"]);
});

test("what the run named like it gets its old name first", async () => {
  const at = await stage();
  const gone = seedTerm(at.source, "N", { description: "old" });
  const other = seedTerm(at.source, "X");
  await apply(at, never);
  removeTerm(at.source, gone);
  editTerm(at.source, other, { name: "N" });
  await apply(at, never, { allowDelete: true });
  expect(termNames(at)).toEqual(["N"]);
  expect((await rollback(at, never)).exitCode).toBe(0);
  expect(written(at.world).map((line) => line.split(" ")[0])).toEqual(["PATCH", "POST"]);
  expect(termNames(at)).toEqual(["N", "X"]);
});

test("two of the same natural key that the run deleted both come back, also after a kill", async () => {
  const at = await stage();
  const both = [seedTerm(at.source, "N"), seedTerm(at.source, "N")];
  await apply(at, never);
  for (const urn of both) removeTerm(at.source, urn);
  await apply(at, never, { allowDelete: true });
  await expect(rollback(at, never, { migration: killedAt("send:after") })).rejects.toThrow("killed");
  expect((await rollback(at, never)).exitCode).toBe(0);
  expect(termNames(at)).toEqual(["N", "N"]);
});
