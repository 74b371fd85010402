import { expect, test } from "vitest";
import type { Urn } from "../../../src/model/urn.ts";
import { removeMappings } from "../../../src/operations/mappings.ts";
import { seedTerm } from "../../diff/support/content.ts";
import { apply, changeOf, stage, twinOf } from "../../diff/support/run.ts";
import { editTerm, removeTerm } from "../../diff/support/web.ts";
import { ended, killedAt, rollback, termNames, terms } from "./support.ts";

test("what a run deleted, and a later one made again, is not made a third time where somebody has removed that one", async () => {
  const at = await stage();
  seedTerm(at.source, "Stays");
  const urn = seedTerm(at.source, "One");
  await apply(at, terms);
  const term = at.source.tenant.terms.get(urn);
  removeTerm(at.source, urn);
  const deleting = await apply(at, terms, { allowDelete: true });
  if (term !== undefined) at.source.tenant.terms.put(term);
  expect((await apply(at, terms)).exitCode).toBe(0);
  const second = (await twinOf(at, urn)) as Urn;
  removeTerm(at.target, second);
  const result = await rollback(at, terms, { run: deleting.run ?? "" });
  expect(result.exitCode).toBe(4);
  expect(changeOf(result, urn)).toMatchObject({
    action: "manual",
    reason: `it was created again since, and that one (${second}) was removed at the target`,
    diagnostics: [{ suggestion: expect.stringContaining(`ferry mappings test remove ${urn}`) }],
  });
  expect(termNames(at)).toEqual(["Stays"]);
  // As its advice says; a run of `apply` alone would leave it to a person.
  expect(changeOf(await apply(at, terms), urn)).toMatchObject({ action: "manual" });
  await removeMappings(at.world.migration(terms), [urn]);
  expect((await rollback(at, terms, { run: deleting.run ?? "" })).exitCode).toBe(0);
  expect(termNames(at)).toEqual(["One", "Stays"]);
});

test("what a later run made again without its references does not get them from a rollback: the source has it so", async () => {
  const at = await stage();
  const two = seedTerm(at.source, "Two");
  const one = seedTerm(at.source, "One", { extraProperties: { relatedTerms: [two] } });
  seedTerm(at.source, "Stays");
  await apply(at, terms);
  const there = at.source.tenant.terms.get(one);
  for (const urn of [one, two]) removeTerm(at.source, urn);
  const { run = "" } = await apply(at, terms, { allowDelete: true });
  if (there !== undefined) at.source.tenant.terms.put(there);
  editTerm(at.source, one, { extraProperties: { relatedTerms: [] } });
  expect((await apply(at, terms)).summary).toMatchObject({ create: 1 });
  const done = await rollback(at, terms, { run });
  expect([done.exitCode, ended(done)]).toEqual([0, ["create terms done"]]);
  expect(at.target.body(at.target.term("One"))["extraProperties"] ?? {}).not.toHaveProperty("relatedTerms.0");
  expect(termNames(at)).toEqual(["One", "Stays", "Two"]);
});

test("what a killed rollback had made again, and an apply settled, gets its references from the next rollback", async () => {
  const at = await stage();
  const two = seedTerm(at.source, "Two");
  const one = seedTerm(at.source, "One", { extraProperties: { relatedTerms: [two] } });
  seedTerm(at.source, "Stays");
  await apply(at, terms);
  for (const urn of [one, two]) removeTerm(at.source, urn);
  const { run = "" } = await apply(at, terms, { allowDelete: true });
  const dying = rollback(at, terms, { run, migration: killedAt("send:after") });
  await expect(dying).rejects.toThrow("killed");
  // It settles what was made, and leaves it: the source has it no more.
  expect((await apply(at, terms)).summary).toMatchObject({ delete: 2 });
  const done = await rollback(at, terms, { run });
  expect([done.exitCode, ended(done)]).toEqual([0, ["update terms done"]]);
  const { extraProperties } = at.target.body(at.target.term("One"));
  expect(extraProperties).toMatchObject({ relatedTerms: [at.target.term("Two")] });
});
