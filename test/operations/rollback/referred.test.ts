import { expect, test } from "vitest";
import type { Urn } from "../../../src/model/urn.ts";
import { applyPlan } from "../../../src/operations/apply.ts";
import { seedAssignment } from "../../../src/emulator/seed.ts";
import { seedTerm } from "../../diff/support/content.ts";
import { written } from "../../diff/support/log.ts";
import { apply, stage, twinOf } from "../../diff/support/run.ts";
import { editTerm } from "../../diff/support/web.ts";
import type { PlanChanges } from "../../support/world.ts";
import { ended, killedAt, rollback, termNames, terms } from "./support.ts";

test("what the run created stays while something that was touched since refers to it", async () => {
  const at = await stage();
  const base = seedTerm(at.source, "Base");
  const below = seedTerm(at.source, "Below", { extraProperties: { relatedTerms: [base] } });
  const user = seedTerm(at.source, "User", { extraProperties: { relatedTerms: [below] } });
  await apply(at, terms);
  editTerm(at.target, (await twinOf(at, user)) as Urn, { description: "theirs" });
  const done = await rollback(at, terms, { allowDelete: true });
  expect(done.exitCode).toBe(4);
  expect(ended(done).toSorted()).toEqual(["manual terms", "manual terms", "manual terms"]);
  expect(done.changes.find(({ source }) => source?.name === "Below")?.reason).toContain(
    'terms "User" at the target still refers to it',
  );
  expect(written(at.world)).toEqual([]);
  expect(termNames(at)).toEqual(["Base", "Below", "User"]);
});

test("what the run created stays when what refers to it cannot be changed back", async () => {
  const at = await stage();
  const user = seedTerm(at.source, "User");
  await apply(at, terms);
  const fresh = seedTerm(at.source, "Fresh");
  editTerm(at.source, user, { extraProperties: { relatedTerms: [fresh] } });
  await apply(at, terms);
  at.world.emulator.faults.add({
    match: { tenant: "prod", method: "PATCH" },
    effect: { type: "status", code: 400 },
  });
  const done = await rollback(at, terms, { allowDelete: true });
  expect(done.exitCode).toBe(4);
  expect(ended(done).toSorted()).toEqual(["delete terms blocked", "update terms failed"]);
  expect(termNames(at)).toEqual(["Fresh", "User"]);
  at.world.emulator.faults.clear();
  expect((await rollback(at, terms, { allowDelete: true })).exitCode).toBe(0);
  expect(termNames(at)).toEqual(["User"]);
});

test("a term that the run has made and assigned stays where somebody has assigned it to another column since", async () => {
  const at = await stage();
  const plan = { select: { kinds: ["terms", "term-assignments"] } };
  const termUrn = seedTerm(at.source, "Personal");
  seedAssignment(at.source.tenant, { attributeUrn: at.source.attribute("CUSTOMER", "EMAIL"), termUrn });
  expect((await apply(at, plan)).exitCode).toBe(0);
  const twin = (await twinOf(at, termUrn)) as Urn;
  const [phone, email] = ["PHONE", "EMAIL"].map((name) => at.target.attribute("CUSTOMER", name));
  if (phone === undefined || email === undefined) throw new Error("the columns are missing");
  seedAssignment(at.target.tenant, { attributeUrn: phone, termUrn: twin });
  const left = await rollback(at, plan, { allowDelete: true });
  expect(left.exitCode).toBe(4);
  expect(left.changes.find(({ kind }) => kind === "terms")?.reason).toContain(
    "at the target still refers to it",
  );
  expect(termNames(at)).toEqual(["Personal"]);
  // Of the run's own assignment no request takes it away: it goes with the term.
  const column = at.target.tenant.attributes.get(phone);
  if (column === undefined) throw new Error("the column is missing");
  at.target.tenant.attributes.put({ ...column, termAssignments: [] });
  await rollback(at, plan, { allowDelete: true });
  expect(termNames(at)).toEqual([]);
});

test("nor is it deleted where what somebody had refer to it meanwhile comes back", async () => {
  const at = await stage();
  const plan: PlanChanges = { ...terms, policy: { conflict: "source-wins" } };
  const [one, two] = [seedTerm(at.source, "One"), seedTerm(at.source, "Two")];
  const user = seedTerm(at.source, "User", { extraProperties: { relatedTerms: [one] } });
  await apply(at, plan);
  const fresh = seedTerm(at.source, "Fresh");
  const dying = at.world.migration(plan, killedAt("outcome:after"));
  await expect(applyPlan(dying, { confirm: async () => true })).rejects.toThrow("killed");
  const theirs = { extraProperties: { relatedTerms: [(await twinOf(at, fresh)) as Urn] } };
  editTerm(at.target, at.target.term("User"), theirs);
  editTerm(at.source, user, { extraProperties: { relatedTerms: [two] } });
  expect((await apply(at, plan)).summary).toMatchObject({ update: 1 });
  const done = await rollback(at, plan, { allowDelete: true });
  expect([done.exitCode, ended(done).toSorted()]).toEqual([4, ["manual terms", "update terms done"]]);
  expect(done.changes.find(({ source }) => source?.name === "Fresh")?.reason).toContain(
    'terms "User" refers to it again',
  );
  expect(at.target.body(at.target.term("User"))).toMatchObject(theirs);
});
