import { expect, test } from "vitest";
import type { Urn } from "../../../src/model/urn.ts";
import { seedTerm } from "../../diff/support/content.ts";
import { written } from "../../diff/support/log.ts";
import { apply, stage, twinOf } from "../../diff/support/run.ts";
import { editTerm, removeTerm } from "../../diff/support/web.ts";
import { ended, rollback, terms } from "./support.ts";

const allowDelete = { allowDelete: true };

test("what the run let go of, and is gone since, is not referred to again", async () => {
  const at = await stage();
  const old = seedTerm(at.source, "Old");
  const user = seedTerm(at.source, "User", { extraProperties: { relatedTerms: [old] } });
  const other = seedTerm(at.source, "Other");
  await apply(at, terms);
  const gone = (await twinOf(at, old)) as Urn;
  editTerm(at.source, user, { extraProperties: { relatedTerms: [] } });
  editTerm(at.source, other, { description: "new" });
  await apply(at, terms);
  removeTerm(at.target, gone);
  const done = await rollback(at, terms);
  expect([done.exitCode, ended(done).toSorted()]).toEqual([4, ["manual terms", "update terms done"]]);
  expect(done.changes.find(({ source }) => source?.name === "User")?.reason).toBe(
    `it led to ${gone}, which is gone at the target`,
  );
  expect(JSON.stringify(at.world.emulator.log.entries.map(({ body }) => body ?? null))).not.toContain(gone);
});

test("nor is what does not come back, by what does not come back for that", async () => {
  const at = await stage();
  const old = seedTerm(at.source, "Old");
  const middle = seedTerm(at.source, "Middle", { extraProperties: { relatedTerms: [old] } });
  seedTerm(at.source, "User", { extraProperties: { relatedTerms: [middle] } });
  await apply(at, terms);
  const gone = (await twinOf(at, old)) as Urn;
  const user = [...at.source.tenant.terms.values()].find(({ published }) => published?.name === "User");
  editTerm(at.source, user?.urn as Urn, { extraProperties: { relatedTerms: [] } });
  removeTerm(at.source, middle);
  await apply(at, terms, { allowDelete: true });
  removeTerm(at.target, gone);
  const done = await rollback(at, terms, allowDelete);
  expect(ended(done).toSorted()).toEqual(["manual terms", "manual terms"]);
  expect(written(at.world)).toEqual([]);
});

test("what comes back with it is no reason to leave it", async () => {
  const at = await stage();
  const old = seedTerm(at.source, "Old");
  const user = seedTerm(at.source, "User", { extraProperties: { relatedTerms: [old] } });
  await apply(at, terms);
  editTerm(at.source, user, { extraProperties: { relatedTerms: [] } });
  removeTerm(at.source, old);
  await apply(at, terms, { allowDelete: true });
  const done = await rollback(at, terms, allowDelete);
  expect([done.exitCode, ended(done).toSorted()]).toEqual([0, ["create terms done", "update terms done"]]);
});

test("what has lost a reference to what is gone at the target is as the run has left it, and what somebody has changed is not", async () => {
  for (const isChanged of [false, true]) {
    const at = await stage();
    const whole = seedTerm(at.source, "Whole");
    await apply(at, terms);
    const made = seedTerm(at.source, "Made", { extraProperties: { partOf: whole } });
    await apply(at, terms);
    removeTerm(at.target, (await twinOf(at, whole)) as Urn);
    const there = (await twinOf(at, made)) as Urn;
    // The service takes it out.
    const theirs = isChanged ? { description: "theirs" } : {};
    editTerm(at.target, there, { extraProperties: { partOf: null }, ...theirs });
    const done = await rollback(at, terms, allowDelete);
    expect([done.exitCode, ended(done)]).toEqual(
      isChanged ? [4, ["manual terms"]] : [0, ["delete terms done"]],
    );
  }
});

test("nor is what the run has changed, and has lost one since: that is taken back, and the reference stays out", async () => {
  const at = await stage();
  const whole = seedTerm(at.source, "Whole");
  const part = seedTerm(at.source, "Part", { extraProperties: { partOf: whole } });
  await apply(at, terms);
  editTerm(at.source, part, { description: "new" });
  await apply(at, terms);
  const there = (await twinOf(at, part)) as Urn;
  removeTerm(at.target, (await twinOf(at, whole)) as Urn);
  editTerm(at.target, there, { extraProperties: { partOf: null } });
  const done = await rollback(at, terms);
  expect([done.exitCode, ended(done)]).toEqual([0, ["update terms done"]]);
  expect(at.target.body(there)["description"]).toBe("What Part means");
  expect(at.target.body(there)["extraProperties"] ?? {}).not.toHaveProperty("partOf");
  expect((await rollback(at, terms)).headline).toContain("nothing is left of it");
  editTerm(at.target, there, { description: "theirs" });
  const theirs = await rollback(at, terms);
  expect([theirs.exitCode, ended(theirs)]).toEqual([4, ["manual terms"]]);
});
