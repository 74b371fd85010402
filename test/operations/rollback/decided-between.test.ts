import { expect, test } from "vitest";
import { resolveDoubts } from "../../../src/operations/resolve.ts";
import { planStatus } from "../../../src/operations/status.ts";
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
