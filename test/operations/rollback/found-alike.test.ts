import { expect, test } from "vitest";
import { exitCodes } from "../../../src/model/result.ts";
import { resolveDoubts } from "../../../src/operations/resolve.ts";
import { seedTerm } from "../../diff/support/content.ts";
import { apply, stage } from "../../diff/support/run.ts";
import { removeTerm } from "../../diff/support/web.ts";
import { held, killedAt, late, lose, onArrival, routes } from "../../doubts/support.ts";
import { ended, rollback, termNames, terms } from "./support.ts";

/**
 * A run is killed while the target is at work on a creation, somebody makes just the same by hand, the next run takes that for what was
 * sent, and what was sent comes after that.
 */

const quiet = { ...terms, limits: { quietPeriodMs: 30 } };

async function taken() {
  const at = await stage();
  seedTerm(at.source, "One");
  lose(at, routes.createTerms, late);
  const arrive = held(at);
  await killedAt(at, quiet, "send:after");
  const theirs = seedTerm(at.target, "One");
  expect((await apply(at, quiet)).exitCode).toBe(exitCodes.done);
  return { at, theirs, arrive };
}

test("a rollback deletes neither of the two, and names both", async () => {
  const { at, theirs, arrive } = await taken();
  arrive();
  await at.world.emulator.idle();
  expect(termNames(at)).toEqual(["One", "One"]);
  const ours = [...at.target.tenant.terms.values()].find(({ urn }) => urn !== theirs)?.urn;
  if (ours === undefined) throw new Error("it did not come");
  const result = await rollback(at, quiet, { allowDelete: true });
  expect(result.exitCode).toBe(exitCodes.partial);
  expect(JSON.stringify(result.changes)).toContain(
    `another one that looks just like it stands there, which nobody has paired (${ours})`,
  );
  expect(termNames(at)).toEqual(["One", "One"]);
  // Once a person has seen to that, the one that is left is taken back.
  removeTerm(at.target, ours);
  const done = await rollback(at, quiet, { allowDelete: true });
  expect([done.exitCode, ended(done)]).toEqual([exitCodes.done, ["delete terms done"]]);
});

test("nor where the run that lost the answer took it itself", async () => {
  const at = await stage();
  seedTerm(at.source, "One");
  lose(at, routes.createTerms, late);
  onArrival(at, routes.createTerms, () => void seedTerm(at.target, "One"));
  expect((await apply(at, quiet)).exitCode).toBe(exitCodes.done);
  await at.world.emulator.idle();
  expect((await rollback(at, quiet, { allowDelete: true })).exitCode).toBe(exitCodes.partial);
  expect(termNames(at)).toEqual(["One", "One"]);
});

test("what a person has said to be the run's own is deleted, and so is what was answered, whatever looks like it", async () => {
  const at = await stage();
  const source = seedTerm(at.source, "One");
  lose(at, routes.createTerms, { type: "drop-after-commit" });
  await killedAt(at, quiet, "send:after");
  const [ours] = [...at.target.tenant.terms.values()];
  seedTerm(at.target, "One");
  expect((await apply(at, quiet)).exitCode).toBe(exitCodes.inDoubt);
  if (ours === undefined) throw new Error("it did not come");
  const target = ours.urn;
  await resolveDoubts(at.world.migration(quiet), { decisions: [{ decision: "take", source, target }] });
  await apply(at, quiet);
  const done = await rollback(at, quiet, { allowDelete: true });
  expect([done.exitCode, ended(done)]).toEqual([exitCodes.done, ["delete terms done"]]);
  expect(at.target.tenant.terms.has(target)).toBe(false);

  const other = await stage();
  seedTerm(other.source, "One");
  await apply(other, quiet);
  seedTerm(other.target, "One");
  const taken = await rollback(other, quiet, { allowDelete: true });
  expect([taken.exitCode, ended(taken)]).toEqual([exitCodes.done, ["delete terms done"]]);
});
