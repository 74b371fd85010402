import { expect, test } from "vitest";
import { applyPlan } from "../../../src/operations/apply.ts";
import { seedTerm } from "../../diff/support/content.ts";
import { written } from "../../diff/support/log.ts";
import { apply, stage } from "../../diff/support/run.ts";
import { editTerm } from "../../diff/support/web.ts";
import { ended, killedAt, rollback, terms } from "./support.ts";

test("what a killed run had changed, and the one that went on with it changed back, is not told as taken back", async () => {
  const at = await stage();
  const [one, two] = [seedTerm(at.source, "One"), seedTerm(at.source, "Two")];
  await apply(at, terms);
  editTerm(at.source, one, { description: "new" });
  const dying = at.world.migration(terms, killedAt("outcome:after"));
  await expect(applyPlan(dying, { confirm: async () => true })).rejects.toThrow("killed");
  editTerm(at.source, one, { description: "What One means" });
  editTerm(at.source, two, { description: "new" });
  await apply(at, terms);
  const done = await rollback(at, terms);
  expect([done.exitCode, ended(done)]).toEqual([0, ["update terms done"]]);
  expect(done.headline).toContain("1 object taken back, 0 left");
  expect(at.target.body(at.target.term("Two"))["description"]).toBe("What Two means");
  expect((await rollback(at, terms)).headline).toContain("nothing is left of it");
  expect(written(at.world)).toEqual([]);
});
