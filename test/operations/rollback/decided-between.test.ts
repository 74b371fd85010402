import { expect, test } from "vitest";
import { resolveDoubts } from "../../../src/operations/resolve.ts";
import { planStatus } from "../../../src/operations/status.ts";
import { setMappings } from "../../../src/operations/mappings.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { loseBesideOthers } from "../../doubts/support.ts";
import { seedTerm } from "../../diff/support/content.ts";
import { apply, stage, twinOf } from "../../diff/support/run.ts";
import { editTerm, removeTerm } from "../../diff/support/web.ts";
import { decidedRollback, rollback, terms } from "./support.ts";

test("what a person has decided of a rollback goes on as that rollback by the word of status, too", async () => {
  const { at, decided } = await decidedRollback();
  expect(decided.next).toEqual(["ferry rollback test"]);
  const status = await planStatus(at.world.migration(terms));
  // An apply would bring all of it again.
  expect(status).toMatchObject({ exitCode: 5, next: ["ferry rollback test"], details: { interrupted: [] } });
  expect(status.headline).toContain("Something is left to do");
  const again = await resolveDoubts(at.world.migration(terms), { decisions: [] });
  expect(again.next).toEqual(["ferry rollback test"]);
  expect((await rollback(at, terms)).exitCode).toBe(0);
  expect(await planStatus(at.world.migration(terms))).toMatchObject({ exitCode: 0 });
});

test("what was the target's own in what a rollback made again stays so, also where a person has said which one that is", async () => {
  const at = await stage();
  seedTerm(at.source, "Stays");
  const term = seedTerm(at.source, "Term", { description: "before" });
  const theirs = seedTerm(at.target, "Term", { extraProperties: { owner: "Ada" } });
  await setMappings(at.world.migration(terms), [{ source: term, target: theirs }], { check: true });
  await apply(at, terms);
  const row = at.source.tenant.terms.get(term);
  removeTerm(at.source, term);
  await apply(at, terms, { allowDelete: true });
  loseBesideOthers(at, ["Term"]);
  expect((await rollback(at, terms)).exitCode).toBe(6);
  const made = [...at.target.tenant.terms.values()].find(
    ({ published }) => published?.description === "before",
  );
  const decisions = [{ decision: "take", source: term, target: made?.urn ?? "" }] as const;
  await resolveDoubts(at.world.migration(terms), { decisions });

  // It is at the source again, and is changed there.
  if (row !== undefined) at.source.tenant.terms.put(row);
  editTerm(at.source, term, { description: "after" });
  expect(await apply(at, terms)).toMatchObject({ exitCode: 0, summary: { update: 1 } });
  const twin = (await twinOf(at, term)) as Urn;
  expect(at.target.body(twin)).toMatchObject({ description: "after", extraProperties: { owner: "Ada" } });
});
