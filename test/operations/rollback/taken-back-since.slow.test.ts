import { expect, test } from "vitest";
import { seedTerm } from "../../diff/support/content.ts";
import { apply, stage } from "../../diff/support/run.ts";
import { editTerm } from "../../diff/support/web.ts";
import type { PlanChanges } from "../../support/world.ts";
import { ended, killedAt, rollback, terms } from "./support.ts";
import { applyPlan } from "../../../src/operations/apply.ts";

test("what a run has created, a later one changed and a colleague took back to what it was is theirs: it stays", async () => {
  const at = await stage({ kept: "files" });
  const term = seedTerm(at.source, "Term", { description: "first" });
  const { run = "" } = await apply(at, terms);
  editTerm(at.source, term, { description: "second" });
  await apply(at, terms);
  editTerm(at.target, at.target.term("Term"), { description: "first" });
  const done = await rollback(at, terms, { run, allowDelete: true });
  expect(ended(done)).toEqual(["manual terms"]);
  expect(done.exitCode).toBe(4);
  expect(at.target.body(at.target.term("Term"))).toMatchObject({ description: "first" });
});

test("what a run has changed so is left as the colleague has it", async () => {
  const at = await stage({ kept: "files" });
  const term = seedTerm(at.source, "Term", { description: "first" });
  await apply(at, terms);
  editTerm(at.source, term, { description: "second" });
  const { run = "" } = await apply(at, terms);
  editTerm(at.source, term, { description: "third" });
  await apply(at, terms);
  editTerm(at.target, at.target.term("Term"), { description: "second" });
  const done = await rollback(at, terms, { run });
  expect(ended(done)).toEqual(["manual terms"]);
  expect(at.target.body(at.target.term("Term"))).toMatchObject({ description: "second" });
});

test.each([true, false])(
  "of two runs of which one went on with the other: what a colleague changed between them keeps it from being deleted (changed: %s)",
  async (isChanged) => {
    const at = await stage({ kept: "files" });
    const plan: PlanChanges = { ...terms, policy: { conflict: "merge" } };
    const term = seedTerm(at.source, "Term", { description: "first" });
    const dying = at.world.migration(plan, killedAt("mapping:before-rename"));
    await expect(applyPlan(dying, { confirm: async () => true })).rejects.toThrow("killed");
    if (isChanged) editTerm(at.target, at.target.term("Term"), { abbreviation: "T" });
    editTerm(at.source, term, { description: "second" });
    expect(await apply(at, plan)).toMatchObject({ exitCode: 0, summary: { update: 1 } });
    const done = await rollback(at, plan, { allowDelete: true });
    expect(done.headline).toContain("of which one goes on with the other");
    expect(ended(done)).toEqual([isChanged ? "manual terms" : "delete terms done"]);
    expect(at.target.tenant.counts()).toMatchObject({ terms: isChanged ? 1 : 0 });
  },
);

test.each([
  ["what it had changed", { description: "theirs" }, "manual terms"],
  ["something else", { note: "T" }, "update terms done"],
  ["nothing", {}, "update terms done"],
] as const)(
  "of two runs of which one went on with the other, what a colleague changed between them (%s) is not overwritten",
  async (_what, theirs, ending) => {
    const at = await stage({ kept: "files" });
    const plan: PlanChanges = { ...terms, policy: { conflict: "merge" } };
    const term = seedTerm(at.source, "Term", { description: "before" });
    await apply(at, plan);
    editTerm(at.source, term, { description: "after" });
    const dying = at.world.migration(plan, killedAt("mapping:before-rename"));
    await expect(applyPlan(dying, { confirm: async () => true })).rejects.toThrow("killed");
    editTerm(at.target, at.target.term("Term"), theirs);
    editTerm(at.source, term, { abbreviation: "A" });
    expect(await apply(at, plan)).toMatchObject({ exitCode: 0, summary: { update: 1 } });
    expect(at.target.body(at.target.term("Term"))).toMatchObject({ description: "after", ...theirs });
    const done = await rollback(at, plan);
    expect(done.headline).toContain("of which one goes on with the other");
    expect(ended(done)).toEqual([ending]);
    const isTakenBack = ending === "update terms done";
    expect(at.target.body(at.target.term("Term"))).toMatchObject({
      ...(isTakenBack ? { description: "before" } : {}),
      ...theirs,
    });
  },
);
