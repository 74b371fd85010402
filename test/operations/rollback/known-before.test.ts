import { expect, test } from "vitest";
import { killedAt } from "../../doubts/support.ts";
import { seedTerm } from "../../diff/support/content.ts";
import { apply, stage, type Stage, twinOf } from "../../diff/support/run.ts";
import { editTerm, removeTerm } from "../../diff/support/web.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { rollback, terms } from "./support.ts";

/** What was known of something that a run had deleted, once a rollback has brought it back, and the source has it again. */

const deleting = { allowDelete: true };

/** It is gone at the source, and by that at the target; gives how it comes back at the source. */
async function deleted(at: Stage, urn: Urn): Promise<() => void> {
  const there = at.source.tenant.terms.get(urn);
  removeTerm(at.source, urn);
  expect((await apply(at, terms, deleting)).summary).toMatchObject({ delete: 1 });
  return () => void (there !== undefined && at.source.tenant.terms.put(there));
}

test("what a colleague changes in it then is drift", async () => {
  const at = await stage();
  const [urn] = [seedTerm(at.source, "One"), seedTerm(at.source, "Zero")];
  await apply(at, terms);
  const restore = await deleted(at, urn);
  expect((await rollback(at, terms)).summary).toMatchObject({ create: 1 });
  restore();
  const twin = (await twinOf(at, urn)) as Urn;
  editTerm(at.target, twin, { description: "theirs" });
  expect((await apply(at, terms)).summary).toMatchObject({ drift: 1, update: 0 });
  expect(at.target.body(twin)["description"]).toBe("theirs");
});

test("what was changed and deleted in one run is brought to what the source says once more", async () => {
  const at = await stage();
  const urn = seedTerm(at.source, "One", { description: "first" });
  seedTerm(at.source, "Zero");
  await apply(at, terms);
  editTerm(at.source, urn, { description: "second" });
  await killedAt(at, terms, "outcome:after");
  const restore = await deleted(at, urn);
  expect((await rollback(at, terms)).summary).toMatchObject({ create: 1 });
  expect(at.target.body((await twinOf(at, urn)) as Urn)["description"]).toBe("first");
  restore();
  expect((await apply(at, terms)).exitCode).toBe(0);
  expect(at.target.body((await twinOf(at, urn)) as Urn)["description"]).toBe("second");
});
