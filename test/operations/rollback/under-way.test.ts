import { expect, test } from "vitest";
import type { Progress } from "../../../src/engine/progress.ts";
import { exitCodes } from "../../../src/model/result.ts";
import { seedTerm } from "../../diff/support/content.ts";
import { apply, diff, stage } from "../../diff/support/run.ts";
import { editTerm, removeTerm } from "../../diff/support/web.ts";
import { held, killedAt, late, lose, routes } from "../../doubts/support.ts";
import { ended, rollback, termNames, terms } from "./support.ts";

/**
 * A run is killed while the target is at work on what it was sent, somebody does just that by hand, and the run is taken back at once:
 * what is there looks like what was sent, which comes after that.
 */

const quiet = { ...terms, limits: { quietPeriodMs: 400 } };

/** What was under way arrives as soon as somebody waits for it, and in any case before the test looks. */
function arriving(arrive: () => void): { readonly report: (progress: Progress) => void } {
  return { report: ({ type }) => void (type === "waiting" && arrive()) };
}

test("a creation: neither of two is deleted, and a person is asked which is whose", async () => {
  const at = await stage();
  const urn = seedTerm(at.source, "One");
  lose(at, routes.createTerms, late);
  const arrive = held(at);
  await killedAt(at, quiet, "send:after");
  const theirs = seedTerm(at.target, "One");
  const migration = arriving(arrive);
  await expect(rollback(at, quiet, { allowDelete: true, migration })).rejects.toMatchObject({
    code: "in-doubt",
  });
  arrive();
  await at.world.emulator.idle();
  expect(at.target.tenant.terms.has(theirs)).toBe(true);
  expect(termNames(at)).toEqual(["One", "One"]);
  // Once theirs is gone, ours is known, and taken back.
  removeTerm(at.target, theirs);
  const done = await rollback(at, quiet, { allowDelete: true });
  expect([done.exitCode, ended(done)]).toEqual([exitCodes.done, ["delete terms done"]]);
  expect(termNames(at)).toEqual([]);
  expect((await diff(at, quiet)).changes).toMatchObject([{ action: "create", source: { urn } }]);
});

test("a change: it comes before what takes it back, and not after that", async () => {
  const at = await stage();
  const urn = seedTerm(at.source, "One");
  await apply(at, quiet);
  const twin = at.target.term("One");
  const before = at.target.body(twin)["description"];
  editTerm(at.source, urn, { description: "other" });
  lose(at, routes.patchTerm, late);
  const arrive = held(at);
  await killedAt(at, quiet, "send:after");
  editTerm(at.target, twin, { description: "other" });
  const done = await rollback(at, quiet, { migration: arriving(arrive) });
  arrive();
  await at.world.emulator.idle();
  expect([done.exitCode, ended(done)]).toEqual([exitCodes.done, ["update terms done"]]);
  expect(at.target.body(twin)["description"]).toEqual(before);
});

test("a deletion that has arrived is not waited for", async () => {
  const at = await stage();
  const urn = seedTerm(at.source, "One");
  seedTerm(at.source, "Zero");
  await apply(at, quiet);
  removeTerm(at.source, urn);
  await killedAt(at, quiet, "send:after", 1, { allowDelete: true });
  let waits = 0;
  const report = ({ type }: Progress): void => void (type === "waiting" && (waits += 1));
  expect((await rollback(at, quiet, { migration: { report } })).exitCode).toBe(exitCodes.done);
  expect([termNames(at), waits]).toEqual([["One", "Zero"], 0]);
});
