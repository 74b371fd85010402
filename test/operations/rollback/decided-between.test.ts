import { expect, test } from "vitest";
import { resolveDoubts } from "../../../src/operations/resolve.ts";
import { planStatus } from "../../../src/operations/status.ts";
import { loseBesideOthers } from "../../doubts/support.ts";
import { seedTerm } from "../../diff/support/content.ts";
import { apply, stage, type Stage } from "../../diff/support/run.ts";
import { removeTerm } from "../../diff/support/web.ts";
import { rollback, terms } from "./support.ts";

/** A rollback that makes it again at the target, and does not know which of two it has made; a person has said so. */
async function decided(): Promise<Stage> {
  const at = await stage({ kept: "files" });
  const gone = seedTerm(at.source, "Gone");
  await apply(at, terms);
  removeTerm(at.source, gone);
  await apply(at, terms, { allowDelete: true });
  loseBesideOthers(at, ["Gone"]);
  expect((await rollback(at, terms)).exitCode).toBe(6);
  const [target = ""] = [...at.target.tenant.terms.values()].map(({ urn }) => urn as string);
  const decisions = [{ decision: "take", source: gone, target }] as const;
  const { next } = await resolveDoubts(at.world.migration(terms), { decisions });
  expect(next).toEqual(["ferry rollback test"]);
  return at;
}

test("what a person has decided of a rollback goes on as that rollback by the word of status, too", async () => {
  const at = await decided();
  const status = await planStatus(at.world.migration(terms));
  // An apply would bring all of it again.
  expect(status).toMatchObject({ exitCode: 5, next: ["ferry rollback test"], details: { interrupted: [] } });
  expect(status.headline).toContain("Something is left to do");
  const again = await resolveDoubts(at.world.migration(terms), { decisions: [] });
  expect(again.next).toEqual(["ferry rollback test"]);
  expect((await rollback(at, terms)).exitCode).toBe(0);
  expect(await planStatus(at.world.migration(terms))).toMatchObject({ exitCode: 0 });
});
