import { expect, test } from "vitest";
import { leaveRuleDraft } from "../../src/emulator/seed.ts";
import type { Urn } from "../../src/model/urn.ts";
import { applyPlan } from "../../src/operations/apply.ts";
import { world } from "../support/world.ts";
import { seedRule, seedTerm } from "./support/content.ts";
import { apply, diff, expectAtRest, expectChange, stage, twinOf } from "./support/run.ts";
import { editRule, editTerm } from "./support/web.ts";

/** What the service is seen not to offer: only of what no document shows is that believed. */

const plan = { select: { kinds: ["terms", "rules"] }, policy: { replace: "allow" } } as const;
const noWay = "the service offers no way to change one";

/** A rule that was moved and has changed since, and a target that offers no way to change one. */
async function changedWithoutPatch() {
  const at = await stage();
  const rule = seedRule(at.source, "Postcode");
  await apply(at, plan);
  const old = await twinOf(at, rule);
  editRule(at.source, rule, { description: "another" });
  at.world.emulator.faults.add({
    match: { tenant: "prod", method: "PATCH" },
    effect: { type: "status", code: 405 },
  });
  return { at, rule, old };
}

test("a rule whose PATCH is not there is planned without: another one takes its place where the plan allows that", async () => {
  const { at, rule } = await changedWithoutPatch();
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

test.each(["ignored", "refused"] as const)(
  "a rule is changed where the parameter that would show its draft is %s, also when the answer is lost",
  async (unknownParameters) => {
    const at = await stage();
    const rule = seedRule(at.source, "Postcode");
    await apply(at, plan);
    at.target.tenant.quirks.unknownParameters = unknownParameters;
    editRule(at.source, rule, { description: "another" });
    at.world.emulator.faults.add({
      match: { tenant: "prod", method: "PATCH" },
      when: { skip: 1, times: 1 },
      effect: { type: "drop-after-commit" },
    });
    expect(expectChange(await diff(at, plan), rule, "update", "it changed").diagnostics).toEqual([]);
    expect(await apply(at, plan)).toMatchObject({ exitCode: 0, changes: [{ outcome: "done" }] });
    await expectAtRest(at, plan);
  },
);

test("a draft of somebody else is seen where the parameter that would show it is refused", async () => {
  const at = await stage();
  const rule = seedRule(at.source, "Postcode");
  await apply(at, plan);
  at.target.tenant.quirks.unknownParameters = "refused";
  const twin = (await twinOf(at, rule)) as Urn;
  const { draft } = leaveRuleDraft(at.target.tenant, twin, "CHANGE", { name: "Theirs" });
  editRule(at.source, rule, { description: "another" });
  expect(await apply(at, plan)).toMatchObject({ exitCode: 4, changes: [{ outcome: "failed" }] });
  expect(at.target.tenant.rules.get(twin)?.draft).toEqual(draft);
});

test("no request of a run over the demo has a parameter that no document has there", async () => {
  const demo = await world("demo");
  const { emulator } = demo;
  for (const name of ["dev", "prod"]) emulator.tenant(name).quirks.unknownParameters = "refused";
  emulator.log.clear();
  const { changes } = await applyPlan(demo.migration(), { confirm: async () => true });
  const refused = emulator.log.entries.filter(({ status }) => status === 400);
  expect(refused).toEqual([]);
  expect(changes.filter(({ outcome }) => outcome === "done").length).toBeGreaterThan(100);
  await demo.close();
});

test("what a new one took the place of without --allow-delete is to be deleted by hand: no later run does", async () => {
  const { at, old } = await changedWithoutPatch();
  await apply(at, plan);
  const replaced = await apply(at, plan);
  expect(replaced.changes.map(({ action, outcome }) => [action, outcome])).toEqual([
    ["replace", "done"],
    ["delete", "withheld"],
  ]);
  expect(replaced.next).toEqual([`Delete by hand at prod, since no later run does: ${old}`]);
  // It is nobody's twin any more.
  await expectAtRest(at, plan, { allowDelete: true });
  expect(at.target.tenant.rules.get(old)).toBeDefined();
});

test("where the new one could not be made it is still to be deleted with that", async () => {
  const { at } = await changedWithoutPatch();
  await apply(at, plan);
  at.world.emulator.faults.add({
    match: { tenant: "prod", route: "POST /api/data-quality/v1/rules/batch/create" },
    effect: { type: "status", code: 400 },
  });
  const { next } = await apply(at, plan);
  expect(next?.join("\n")).not.toContain("by hand");
});
