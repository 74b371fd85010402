import { expect, test } from "vitest";
import type { Urn } from "../../src/model/urn.ts";
import { seedTerm } from "./support/content.ts";
import { writes } from "./support/log.ts";
import { apply, changeOf, decideOne, stage } from "./support/run.ts";
import type { Stage } from "./support/run.ts";
import { editTerm } from "./support/web.ts";
import { killedAt, lose, routes, terms } from "../doubts/support.ts";

/** A person took the source's version of a term that somebody had described at the target. */
async function taken(): Promise<{ readonly at: Stage; readonly here: Urn; readonly there: Urn }> {
  const at = await stage({ kept: "files" });
  const here = seedTerm(at.source, "Customer", { description: "ours" });
  seedTerm(at.source, "Order");
  await apply(at, terms);
  const there = at.target.term("Customer");
  editTerm(at.target, there, { description: "theirs" });
  await decideOne(at, terms, "take-source");
  return { at, here, there };
}

/** Somebody has put it back since, and nobody has been asked about that. */
async function expectAskedAgain({ at, here, there }: Awaited<ReturnType<typeof taken>>): Promise<void> {
  editTerm(at.target, there, { description: "theirs" });
  const result = await apply(at, terms);
  expect(changeOf(result, here)).toMatchObject({ action: "drift" });
  expect(writes(at.world)).toEqual([]);
  expect(at.target.body(there)).toMatchObject({ description: "theirs" });
  await decideOne(at, terms, "take-source");
  expect(changeOf(await apply(at, terms), here)).toMatchObject({ action: "update", outcome: "done" });
  expect(at.target.body(there)).toMatchObject({ description: "ours" });
}

test("what was decided is done once: of a run that died with it done nothing is left that overwrites somebody's next word", async () => {
  const made = await taken();
  await killedAt(made.at, terms, "outcome:after");
  expect(made.at.target.body(made.there)).toMatchObject({ description: "ours" });
  await apply(made.at, terms);
  await expectAskedAgain(made);
});

test("what was decided is done once: also where the answer to it was lost, and a later run has found it done", async () => {
  const made = await taken();
  lose(made.at, routes.patchTerm, { type: "drop-after-commit" });
  await apply(made.at, terms);
  await apply(made.at, terms);
  expect(made.at.target.body(made.there)).toMatchObject({ description: "ours" });
  await expectAskedAgain(made);
});
