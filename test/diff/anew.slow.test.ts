import { describe, expect, it } from "vitest";
import type { Urn } from "../../src/model/urn.ts";
import { removeMappings } from "../../src/operations/mappings.ts";
import type { PlanChanges } from "../support/world.ts";
import { rollback } from "../operations/rollback/support.ts";
import { seedDashboard, seedMonitor, seedRule, seedTerm } from "./support/content.ts";
import {
  apply,
  changeOf,
  diff,
  entryOf,
  expectAtRest,
  expectChange,
  type Stage,
  stage,
  twinOf,
} from "./support/run.ts";
import { editMonitor, editTerm, removeMonitor, removeRule, removeTerm } from "./support/web.ts";

const plan: PlanChanges = {
  select: { kinds: ["terms", "rules", "monitors", "dashboards"] },
  policy: { missingTarget: "recreate" },
};
const anew = "what it refers to is created anew";

interface Estate {
  readonly at: Stage;
  readonly term: Urn;
  readonly part: Urn;
  readonly rule: Urn;
  readonly monitor: Urn;
  readonly dashboard: Urn;
}

async function moved(): Promise<Estate> {
  const at = await stage();
  const term = seedTerm(at.source, "Customer");
  const part = seedTerm(at.source, "Address", { extraProperties: { partOf: term } });
  const rule = seedRule(at.source, "Email");
  const monitor = seedMonitor(at.source, rule, "Customers");
  const dashboard = seedDashboard(at.source, "Overview", {
    dqMonitorUrns: [monitor, at.source.primary("SALES_ORDER")],
  });
  expect((await apply(at, plan)).exitCode).toBe(0);
  return { at, term, part, rule, monitor, dashboard };
}

describe("what refers to an object that is created anew", () => {
  it("is updated for that, and is neither changed at the source nor in conflict", async () => {
    const { at, term, part, rule, monitor } = await moved();
    removeTerm(at.target, (await twinOf(at, term)) as Urn);
    removeRule(at.target, (await twinOf(at, rule)) as Urn);
    const done = await apply(at, plan);
    expect(done.exitCode).toBe(0);
    expectChange(done, part, "update", anew);
    expectChange(done, monitor, "update", anew);
    expect(at.target.body(await twinOf(at, part))).toMatchObject({
      extraProperties: { partOf: await twinOf(at, term) },
    });
    expect(JSON.stringify(at.target.body(await twinOf(at, monitor)))).toContain(await twinOf(at, rule));
    await expectAtRest(at, plan);
  });

  it("has drifted where somebody has removed more than that, also where nothing is left of the field", async () => {
    const at = await stage();
    const [term, other] = [seedTerm(at.source, "Customer"), seedTerm(at.source, "Order")];
    const user = seedTerm(at.source, "Address", { extraProperties: { relatedTerms: [term, other] } });
    await apply(at, plan);
    editTerm(at.target, (await twinOf(at, user)) as Urn, { extraProperties: { relatedTerms: null } });
    removeTerm(at.target, (await twinOf(at, term)) as Urn);
    expectChange(await apply(at, plan), user, "drift", "it was changed at the target");
    expect(at.target.body(await twinOf(at, user))).not.toHaveProperty("extraProperties.relatedTerms");
  });

  it("has drifted where somebody has taken out a text that mentions it: no service does that", async () => {
    const at = await stage();
    const term = seedTerm(at.source, "Customer");
    const user = seedTerm(at.source, "Address", { description: `Where a ${term} lives` });
    await apply(at, plan);
    expect(at.target.body(await twinOf(at, user))["description"]).toContain(await twinOf(at, term));
    removeTerm(at.target, (await twinOf(at, term)) as Urn);
    editTerm(at.target, (await twinOf(at, user)) as Urn, { description: null });
    expectChange(await apply(at, plan), user, "drift", "it was changed at the target");
    expect(at.target.body(await twinOf(at, user))).not.toHaveProperty("description");
  });

  it("is no conflict where the service has taken the reference out", async () => {
    const { at, monitor, dashboard, term, part } = await moved();
    removeMonitor(at.target, (await twinOf(at, monitor)) as Urn);
    removeTerm(at.target, (await twinOf(at, term)) as Urn);
    editTerm(at.target, (await twinOf(at, part)) as Urn, { extraProperties: { partOf: null } });
    const done = await diff(at, plan);
    expectChange(done, dashboard, "manual", `${anew}, and the service offers no way to change one`);
    expectChange(done, part, "update", anew);
    const replace: PlanChanges = { ...plan, policy: { ...plan.policy, replace: "allow" } };
    const replaced = await apply(at, replace);
    expectChange(replaced, dashboard, "replace", "the service offers no way to change one");
    await expectAtRest(at, replace);
  });

  it("is a conflict or drift where somebody changed it besides", async () => {
    const { at, term, part, rule, monitor } = await moved();
    removeTerm(at.target, (await twinOf(at, term)) as Urn);
    removeRule(at.target, (await twinOf(at, rule)) as Urn);
    editTerm(at.target, (await twinOf(at, part)) as Urn, { description: "theirs" });
    editMonitor(at.source, monitor, { name: "Ours" });
    editMonitor(at.target, (await twinOf(at, monitor)) as Urn, { name: "Theirs" });
    const done = await apply(at, plan);
    expectChange(done, part, "drift", "it was changed at the target since the last apply");
    expectChange(done, monitor, "conflict", "it changed on both sides since the last apply");
    expect(at.target.body(await twinOf(at, part))).toMatchObject({ description: "theirs" });
  });

  it("is changed at the target alone where a colleague did that, though a person took the pair of the other away", async () => {
    const { at, rule, monitor } = await moved();
    const wins: PlanChanges = { ...plan, policy: { adopt: "never", conflict: "source-wins" } };
    const twin = (await twinOf(at, monitor)) as Urn;
    await removeMappings(at.world.migration(wins), [rule]);
    editMonitor(at.target, twin, { name: "Theirs" });
    const done = await apply(at, wins);
    expectChange(done, rule, "create", "nothing at the target stands for it");
    expectChange(done, monitor, "drift", "it was changed at the target since the last apply");
    // Also once the other is there again, and what the source says then is a change on both sides.
    expectChange(
      await apply(at, wins),
      monitor,
      "drift",
      "it was changed at the target since the last apply",
    );
    expect(at.target.body(twin)).toMatchObject({ name: "Theirs" });
    editMonitor(at.source, monitor, { name: "Ours" });
    expectChange(await apply(at, plan), monitor, "conflict", "it changed on both sides since the last apply");
  });

  it("is changed at the target alone though the other is gone on both sides, and its pair forgotten", async () => {
    const at = await stage();
    const wins: PlanChanges = { ...plan, policy: { conflict: "source-wins" } };
    const [gone, other] = [seedTerm(at.source, "Gone"), seedTerm(at.source, "Other")];
    const user = seedTerm(at.source, "User", { description: `See ${gone}, and ${other}.` });
    await apply(at, wins);
    const twin = (await twinOf(at, user)) as Urn;
    removeTerm(at.target, (await twinOf(at, gone)) as Urn);
    removeTerm(at.source, gone);
    editTerm(at.target, twin, { name: "Theirs" });
    for (let run = 0; run < 2; run += 1) {
      const done = await apply(at, wins);
      expect(await entryOf(at, gone)).toBeUndefined();
      expectChange(done, user, "drift", "it was changed at the target since the last apply");
    }
    expect(at.target.body(twin)).toMatchObject({ name: "Theirs" });
    editTerm(at.source, user, { description: `See ${other}.` });
    expectChange(await diff(at, plan), user, "conflict", "it changed on both sides since the last apply");
  });

  it("is changed at the target alone where the other was created anew twice meanwhile", async () => {
    const { at, rule, monitor } = await moved();
    const wins: PlanChanges = { ...plan, policy: { ...plan.policy, conflict: "source-wins" } };
    const twin = (await twinOf(at, monitor)) as Urn;
    editMonitor(at.target, twin, { name: "Theirs" });
    for (let run = 0; run < 3; run += 1) {
      removeRule(at.target, (await twinOf(at, rule)) as Urn);
      const done = await apply(at, wins);
      expectChange(done, monitor, "drift", "it was changed at the target since the last apply");
    }
    expect(at.target.body(twin)).toMatchObject({ name: "Theirs" });
  });

  it("is updated for that where a person took the pair of the other away and nobody changed it", async () => {
    const { at, rule, monitor } = await moved();
    const never: PlanChanges = { ...plan, policy: { adopt: "never" } };
    await removeMappings(at.world.migration(never), [rule]);
    expectChange(await apply(at, never), monitor, "update", anew);
    await expectAtRest(at, never);
  });

  it("is told as changed at the source where it is that as well", async () => {
    const { at, term, part } = await moved();
    removeTerm(at.target, (await twinOf(at, term)) as Urn);
    editTerm(at.source, part, { description: "ours" });
    expectChange(await apply(at, plan), part, "update", "it changed at the source");
    await expectAtRest(at, plan);
  });

  it("is known for that by a later run, too", async () => {
    const { at, term, part } = await moved();
    removeTerm(at.target, (await twinOf(at, term)) as Urn);
    // This run makes the one and does not come to the other.
    const { faults } = at.world.emulator;
    faults.add({ match: { tenant: "prod", method: "PATCH" }, effect: { type: "status", code: 400 } });
    await apply(at, plan);
    faults.clear();
    expect((await entryOf(at, term))?.former?.target).not.toBe(await twinOf(at, term));
    editTerm(at.target, (await twinOf(at, part)) as Urn, { extraProperties: { partOf: null } });
    expectChange(await apply(at, plan), part, "update", anew);
    await expectAtRest(at, plan);
  });

  it("is no conflict after the run that created it was taken back", async () => {
    const at = await stage();
    const term = seedTerm(at.source, "Customer");
    const part = seedTerm(at.source, "Address");
    await apply(at, plan);
    const parent = seedTerm(at.source, "Parent");
    editTerm(at.source, part, { extraProperties: { partOf: parent } });
    await apply(at, plan);
    expect((await rollback(at, plan, { allowDelete: true })).exitCode).toBe(0);
    expectChange(await apply(at, plan), part, "update", "it changed at the source");
    expect(changeOf(await diff(at, plan), term)).toBeUndefined();
    await expectAtRest(at, plan);
  });
});
