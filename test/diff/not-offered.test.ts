import { expect, test } from "vitest";
import { seedRule, seedTerm } from "./support/content.ts";
import { apply, diff, expectAtRest, expectChange, stage, twinOf } from "./support/run.ts";
import { editRule, editTerm } from "./support/web.ts";

/** What the service is seen not to offer: only of what no document shows is that believed. */

const plan = { select: { kinds: ["terms", "rules"] }, policy: { replace: "allow" } } as const;
const noWay = "the service offers no way to change one";

test("a rule whose PATCH is not there is planned without: another one takes its place where the plan allows that", async () => {
  const at = await stage();
  const rule = seedRule(at.source, "Postcode");
  await apply(at, plan);
  editRule(at.source, rule, { description: "another" });
  at.world.emulator.faults.add({
    match: { tenant: "prod", method: "PATCH" },
    effect: { type: "status", code: 405 },
  });
  const failed = await apply(at, plan);
  expect(failed).toMatchObject({ exitCode: 4, changes: [{ outcome: "failed" }] });
  expect(JSON.stringify(failed)).toContain("The next diff plans without");
  expectChange(await diff(at, plan), rule, "replace", noWay);
});

test.each([
  ["a page of a gateway", { type: "status", code: 404, page: true }],
  ["a method that is not allowed", { type: "status", code: 405 }],
] as const)(
  "what the documents offer is there, whatever stands in between answers: %s",
  async (_what, effect) => {
    const at = await stage();
    const term = seedTerm(at.source, "Customer");
    await apply(at, plan);
    const twin = await twinOf(at, term);
    editTerm(at.source, term, { description: "another" });
    at.world.emulator.faults.add({ match: { tenant: "prod", method: "PATCH" }, effect });
    const failed = await apply(at, plan);
    expect(failed).toMatchObject({ exitCode: 4, changes: [{ outcome: "failed" }] });
    expect(JSON.stringify(failed)).not.toContain("plans without");
    at.world.emulator.faults.clear();
    // Nothing takes its place: it is changed as soon as it can be.
    expectChange(await apply(at, plan), term, "update", "it changed at the source");
    expect(await twinOf(at, term)).toBe(twin);
    await expectAtRest(at, plan);
  },
);
