import { expect, test } from "vitest";
import type { Urn } from "../../src/model/urn.ts";
import { exitCodes } from "../../src/model/result.ts";
import type { PlanChanges } from "../support/world.ts";
import { instanceOf, seedDashboard, seedMonitor, seedRule, seedTerm } from "./support/content.ts";
import { written } from "./support/log.ts";
import { apply, changeOf, decideOne, expectAtRest, expectChange, keepTarget, stage } from "./support/run.ts";
import type { Stage } from "./support/run.ts";
import { namePair } from "./support/pairs.ts";
import { keyOf } from "./support/side.ts";
import { editMonitor, editRule, removeMonitor, removeRule, removeTerm } from "./support/web.ts";

const plan: PlanChanges = { select: { kinds: ["rules", "monitors"] } };
const leave = { allowDelete: true } as const;
const asked = "and with what is to go would go parts that somebody has added to it at the target";

const uuid = (number: number): string => `0f8fad5b-d9cb-469f-a165-70867728950${number}`;

interface Moved {
  readonly at: Stage;
  readonly rule: Urn;
  readonly here: Urn;
  readonly there: Urn;
}

async function moved(wanted: PlanChanges = plan): Promise<Moved> {
  const at = await stage();
  const rule = seedRule(at.source, "Email");
  const here = seedMonitor(at.source, rule, "Daily");
  await apply(at, wanted);
  return { at, rule, here, there: at.target.monitor("Daily") };
}

/** Somebody has added a threshold to our instance at the target, and a run has left it to them. */
async function withThreshold(wanted: PlanChanges = plan): Promise<Moved> {
  const made = await moved(wanted);
  const { at, there } = made;
  const key = keyOf(at.target.body(there)["manualRuleInstances"], "ruleInstanceName", "Email");
  const theirs = { value: 55, severity: "CRITICAL" };
  editMonitor(at.target, there, { manualRuleInstances: { [key]: { dqThresholds: { theirs } } } });
  await expectAtRest(at, wanted);
  return made;
}

function takeOutHere({ at, here }: Moved): void {
  const key = keyOf(at.source.body(here)["manualRuleInstances"], "ruleInstanceName", "Email");
  editMonitor(at.source, here, { manualRuleInstances: { [key]: null } });
}

const isThere = ({ at, there }: Moved): boolean =>
  JSON.stringify(at.target.body(there)["manualRuleInstances"] ?? {}).includes("CRITICAL");

test("what is gone at the source stays where somebody has added a part to it at the target", async () => {
  const { at, here, there } = await moved();
  const theirs = instanceOf(at.target, at.target.rule("Email"), "Theirs");
  editMonitor(at.target, there, { manualRuleInstances: { theirs } });
  await expectAtRest(at, plan);
  removeMonitor(at.source, here);
  const result = await apply(at, plan, leave);
  expectChange(result, here, "manual", "somebody has added parts to it at the target");
  expect(result.exitCode).toBe(exitCodes.partial);
  expect(written(at.world)).toEqual([]);
  expect(at.target.tenant.monitors.has(there)).toBe(true);

  // Where the plan says that such parts go, they are nobody's to keep.
  expectChange(await apply(at, { ...plan, policy: { targetOnly: "remove" } }, leave), here, "delete", "gone");
  expect(at.target.tenant.monitors.has(there)).toBe(false);
});

test("what is gone at the source goes with the parts that came from there", async () => {
  const { at, here, there } = await moved();
  removeMonitor(at.source, here);
  expectChange(await apply(at, plan, leave), here, "delete", "gone");
  expect(at.target.tenant.monitors.has(there)).toBe(false);
});

test("what the service takes for no part keeps the name that it was sent by, and is nobody's", async () => {
  const at = await stage();
  const open = { [uuid(1)]: { [uuid(2)]: { enabled: true } } };
  const here = seedTerm(at.source, "Customer", { attributeToCatalogItemTermRules: open });
  const terms: PlanChanges = { select: { kinds: ["terms"] } };
  await apply(at, terms);
  await expectAtRest(at, terms);
  removeTerm(at.source, here);
  expectChange(await apply(at, terms, leave), here, "delete", "gone");
  expect(at.target.tenant.terms.size).toBe(0);
});

test.each(["report", "merge"] as const)(
  "a part that the source takes out is not taken away with what somebody has added to it (conflict: %s)",
  async (conflict) => {
    const made = await withThreshold();
    const { at, here } = made;
    takeOutHere(made);
    expectChange(await apply(at, { ...plan, policy: { conflict } }), here, "conflict", asked);
    expect(written(at.world)).toEqual([]);
    expect(isThere(made)).toBe(true);

    await keepTarget(at, plan);
    await apply(at, plan);
    await expectAtRest(at, plan);
    expect(isThere(made)).toBe(true);
  },
);

test("it is where somebody takes the source's version, or the plan says that the source wins", async () => {
  const decided = await withThreshold();
  takeOutHere(decided);
  await decideOne(decided.at, plan, "take-source");
  await apply(decided.at, plan);
  const winning = await withThreshold();
  takeOutHere(winning);
  const won = await apply(winning.at, { ...plan, policy: { conflict: "source-wins" } });
  expect(won.headline).toContain("what people set in 1 object was overwritten");
  expect(changeOf(won, winning.here)?.diagnostics.map(({ code }) => code)).toEqual(["overwrites"]);
  for (const made of [decided, winning]) {
    expect(isThere(made)).toBe(false);
    await expectAtRest(made.at, plan);
  }
});

test("an instance whose rule is made again is not replaced with what somebody has added to it", async () => {
  const again: PlanChanges = { ...plan, policy: { missingTarget: "recreate" } };
  const made = await withThreshold(again);
  const { at, here } = made;
  removeRule(at.target, at.target.rule("Email"));
  expectChange(await apply(at, again), here, "conflict", asked);
  expect(isThere(made)).toBe(true);
});

test("a new object does not take the place of one to which somebody has added a part", async () => {
  const { at, rule } = await moved();
  const route = "PATCH /api/data-quality/v1/rules/:urn";
  at.world.emulator.faults.add({ match: { tenant: "prod", route }, effect: { type: "status", code: 405 } });
  editRule(at.target, at.target.rule("Email"), {
    parameters: { theirs: { name: "limit", dataType: "INTEGER" } },
  });
  const replacing: PlanChanges = { ...plan, policy: { replace: "allow" } };
  await expectAtRest(at, replacing);
  editRule(at.source, rule, { description: "changed" });
  // The first one finds out that the service offers no update.
  await apply(at, replacing, leave);
  const there = at.target.rule("Email");
  expectChange(await apply(at, replacing, leave), rule, "conflict", "would be lost");
  expect(at.target.tenant.rules.has(there)).toBe(true);
  expect(changeOf(await apply(at, replacing, leave), rule)?.action).toBe("conflict");
});

test("nor of one of which the source says less, and the rest was left to the target", async () => {
  const at = await stage();
  const here = seedDashboard(at.source, "Overview", { description: null });
  const there = seedDashboard(at.target, "Overview", { dqMonitorUrns: [at.target.primary("CUSTOMER")] });
  await namePair(at, "dashboards", here, there);
  const replacing: PlanChanges = { select: { kinds: ["dashboards"] }, policy: { replace: "allow" } };
  expectChange(await apply(at, replacing), here, "conflict", "would be lost");
  expect(written(at.world)).toEqual([]);
});
