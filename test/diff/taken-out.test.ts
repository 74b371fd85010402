import { expect, test } from "vitest";
import type { Urn } from "../../src/model/urn.ts";
import type { PlanChanges } from "../support/world.ts";
import { seedDashboard, seedMonitor, seedRule, seedTerm } from "./support/content.ts";
import { apply, diff, expectAtRest, expectChange, type Stage, stage, twinOf } from "./support/run.ts";
import { editDashboard, editTerm, removeMonitor, removeTerm } from "./support/web.ts";

/**
 * What is deleted at the target the service takes out of whatever refers to it there. Nobody has changed that: what the source says
 * next is a change of the source alone.
 */

const plan: PlanChanges = { select: { kinds: ["rules", "monitors", "dashboards", "terms"] } };

interface Shown extends Stage {
  readonly dashboard: Urn;
  readonly shown: Urn;
  readonly other: Urn;
}

async function twin(at: Stage, source: Urn): Promise<Urn> {
  return (await twinOf(at, source)) as Urn;
}

/** A dashboard shows a monitor that a colleague deletes at the target; at the source it shows another one since. */
async function lost(): Promise<Shown> {
  const at = await stage();
  const rule = seedRule(at.source, "R");
  const [shown, other] = [seedMonitor(at.source, rule, "Shown"), seedMonitor(at.source, rule, "Other")];
  const dashboard = seedDashboard(at.source, "D", { dqMonitorUrns: [shown] });
  expect((await apply(at, plan)).exitCode).toBe(0);
  removeMonitor(at.target, await twin(at, shown));
  editDashboard(at.source, dashboard, { dqMonitorUrns: [other] });
  return { ...at, dashboard, shown, other };
}

test("a dashboard that has lost a monitor is not changed on both sides when the source shows another one", async () => {
  const at = await lost();
  const { dashboard, shown } = at;
  const result = await diff(at, plan);
  expectChange(result, shown, "manual", "its twin was removed at the target");
  expectChange(
    result,
    dashboard,
    "manual",
    "it changed at the source, and the service offers no way to change one",
  );
});

test("it is where somebody has changed it besides", async () => {
  const at = await lost();
  editDashboard(at.target, await twin(at, at.dashboard), { description: "theirs" });
  expectChange(
    await diff(at, plan),
    at.dashboard,
    "conflict",
    "it changed on both sides since the last apply",
  );
});

test("it is where somebody has taken out what is there still", async () => {
  const at = await stage();
  const rule = seedRule(at.source, "R");
  const [one, two] = [seedMonitor(at.source, rule, "One"), seedMonitor(at.source, rule, "Two")];
  const dashboard = seedDashboard(at.source, "D", { dqMonitorUrns: [one, two] });
  await apply(at, plan);
  editDashboard(at.target, await twin(at, dashboard), { dqMonitorUrns: [await twin(at, two)] });
  editDashboard(at.source, dashboard, { description: "ours" });
  expectChange(await diff(at, plan), dashboard, "conflict", "it changed on both sides since the last apply");
});

test("what the source says of a term that has lost a reference is brought", async () => {
  const at = await stage();
  const [whole, next] = [seedTerm(at.source, "Whole"), seedTerm(at.source, "Next")];
  const part = seedTerm(at.source, "Part", { extraProperties: { partOf: whole } });
  expect((await apply(at, plan)).exitCode).toBe(0);
  const there = await twin(at, part);
  removeTerm(at.target, await twin(at, whole));
  editTerm(at.target, there, { extraProperties: { partOf: null } });
  editTerm(at.source, part, { extraProperties: { partOf: next } });
  expectChange(await apply(at, plan), part, "update", "it changed at the source");
  expect(at.target.body(there)).toMatchObject({ extraProperties: { partOf: await twin(at, next) } });
  removeTerm(at.target, await twin(at, next));
  removeTerm(at.source, next);
  removeTerm(at.source, whole);
  editTerm(at.target, there, { extraProperties: { partOf: null } });
  editTerm(at.source, part, { description: "ours", extraProperties: { partOf: null } });
  expectChange(await apply(at, plan), part, "update", "it changed at the source");
  await expectAtRest(at, plan);
});

test("what has lost a reference, and is gone at the source, goes under --allow-delete; but not where somebody has changed it", async () => {
  for (const isChanged of [false, true]) {
    const at = await stage();
    const whole = seedTerm(at.source, "Whole");
    const part = seedTerm(at.source, "Part", { extraProperties: { partOf: whole } });
    await apply(at, plan);
    const there = await twin(at, part);
    removeTerm(at.target, await twin(at, whole));
    const theirs = isChanged ? { description: "theirs" } : {};
    editTerm(at.target, there, { extraProperties: { partOf: null }, ...theirs });
    removeTerm(at.source, part);
    const result = await apply(at, plan, { allowDelete: true });
    if (isChanged)
      expectChange(
        result,
        part,
        "manual",
        "it is gone at the source, and it was changed at the target since the last apply",
      );
    else expectChange(result, part, "delete", "it is gone at the source");
    expect(at.target.tenant.terms.has(there)).toBe(isChanged);
  }
});
