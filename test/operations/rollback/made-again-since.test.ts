import { expect, test } from "vitest";
import type { Urn } from "../../../src/model/urn.ts";
import { removeMappings } from "../../../src/operations/mappings.ts";
import { seedTerm } from "../../diff/support/content.ts";
import { apply, changeOf, stage, twinOf } from "../../diff/support/run.ts";
import { removeTerm } from "../../diff/support/web.ts";
import { rollback, termNames, terms } from "./support.ts";

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
