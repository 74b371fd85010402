import { expect, test } from "vitest";
import { seedTerm } from "../../diff/support/content.ts";
import { written } from "../../diff/support/log.ts";
import { apply, stage } from "../../diff/support/run.ts";
import { editTerm, removeTerm } from "../../diff/support/web.ts";
import { ended, rollback, termNames, terms } from "./support.ts";

test("what led to something that does not come back, since another one stands in its place, is left as well", async () => {
  const at = await stage();
  const gone = seedTerm(at.source, "N");
  const user = seedTerm(at.source, "User", { extraProperties: { relatedTerms: [gone] } });
  const changed = seedTerm(at.source, "Changed", { extraProperties: { relatedTerms: [gone] } });
  await apply(at, terms);
  removeTerm(at.source, gone);
  removeTerm(at.source, user);
  editTerm(at.source, changed, { extraProperties: { relatedTerms: [] } });
  await apply(at, terms, { allowDelete: true });
  seedTerm(at.target, "N", { description: "theirs" });
  const done = await rollback(at, terms);
  expect([done.exitCode, ended(done)]).toEqual([4, ["manual terms", "manual terms", "manual terms"]]);
  expect(
    done.changes.map(({ reason }) => reason).filter((reason) => reason?.startsWith("it led to")),
  ).toHaveLength(2);
  expect(written(at.world)).toEqual([]);
  expect(termNames(at)).toEqual(["Changed", "N"]);
});

test("nor does what that was to make room for come back", async () => {
  const at = await stage();
  const gone = seedTerm(at.source, "N");
  const renamed = seedTerm(at.source, "X", { extraProperties: { relatedTerms: [gone] } });
  const last = seedTerm(at.source, "Y");
  await apply(at, terms);
  removeTerm(at.source, gone);
  removeTerm(at.source, last);
  editTerm(at.source, renamed, { name: "Y", extraProperties: { relatedTerms: [] } });
  await apply(at, terms, { allowDelete: true });
  seedTerm(at.target, "N", { description: "theirs" });
  const done = await rollback(at, terms);
  expect([done.exitCode, ended(done)]).toEqual([4, ["manual terms", "manual terms", "manual terms"]]);
  expect(written(at.world)).toEqual([]);
  expect(termNames(at)).toEqual(["N", "Y"]);
});

test("what has come back under another name since is in the way like any other", async () => {
  const at = await stage();
  const gone = seedTerm(at.source, "N");
  const other = seedTerm(at.source, "B");
  seedTerm(at.source, "Stays");
  await apply(at, terms);
  const there = at.source.tenant.terms.get(other);
  removeTerm(at.source, gone);
  removeTerm(at.source, other);
  const { run = "" } = await apply(at, terms, { allowDelete: true });
  if (there !== undefined) at.source.tenant.terms.put(there);
  editTerm(at.source, other, { name: "N" });
  await apply(at, terms);
  const done = await rollback(at, terms, { run });
  expect([done.exitCode, ended(done)]).toEqual([4, ["manual terms"]]);
  expect(done.changes[0]?.reason).toContain("the same natural key");
  expect(termNames(at)).toEqual(["N", "Stays"]);
});
