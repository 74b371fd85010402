import { expect, test } from "vitest";
import { seedTerm } from "../diff/support/content.ts";
import { apply, stage } from "../diff/support/run.ts";
import { editTerm } from "../diff/support/web.ts";
import { killedAt, terms } from "./support.ts";

test("a change that arrived, beside one of a colleague, is known by a run of other kinds as by one of its own", async () => {
  const at = await stage();
  const urn = seedTerm(at.source, "One", { description: "before" });
  await apply(at, terms);
  editTerm(at.source, urn, { description: "after" });
  await killedAt(at, terms, "send:after");
  editTerm(at.target, at.target.term("One"), { extraProperties: { owner: "theirs" } });
  const other = { ...terms, select: { kinds: ["rules"] }, limits: { quietPeriodMs: 200 } } as const;
  expect((await apply(at, other)).exitCode).toBe(0);
  expect((await apply(at, terms)).summary).toMatchObject({ drift: 1, conflict: 0, update: 0 });
});
