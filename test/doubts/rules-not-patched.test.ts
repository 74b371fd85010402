import { expect, test } from "vitest";
import type { EnginePoint } from "../../src/engine/apply/recorder.ts";
import { apply, diff, expectAtRest, expectChange, type Stage, twinOf } from "../diff/support/run.ts";
import { editRule, removeRule } from "../diff/support/web.ts";
import { killedAt, more, movedRule, partNames, rules } from "./support.ts";

/** The target offers no PATCH of rules, or does not any more, and a run has died as it changed one. */

const patchOfRules = "PATCH /api/data-quality/v1/rules/";

function withoutPatch({ target }: Stage): void {
  target.tenant.quirks.absent = [patchOfRules];
}

/** `isOffered`: as the run dies; by the next one it is not. */
async function killed(point: EnginePoint, nth: number, isOffered: boolean): ReturnType<typeof movedRule> {
  const moved = await movedRule();
  const { at, urn } = moved;
  editRule(at.source, urn, more);
  if (!isOffered) withoutPatch(at);
  await killedAt(at, rules, point, nth);
  withoutPatch(at);
  return moved;
}

test("what was asked for is settled: it did not happen, and the next diff plans without", async () => {
  const { at, urn, twin } = await killed("send:after", 1, false);
  expect(await apply(at, rules)).toMatchObject({ exitCode: 4, changes: [{ outcome: "failed" }] });
  expectChange(await diff(at, rules), urn, "manual", "the service offers no way to change one");
  // A new one takes its place where the plan allows that.
  const plan = { ...rules, policy: { replace: "allow" } } as const;
  expect((await apply(at, plan, { allowDelete: true })).exitCode).toBe(0);
  expect([...at.target.tenant.rules.values()].map((rule) => rule.urn)).toEqual([await twinOf(at, urn)]);
  expect(await twinOf(at, urn)).not.toBe(twin);
  await expectAtRest(at, plan);
});

test("it is settled where somebody has deleted the rule meanwhile", async () => {
  const { at, urn, twin } = await killed("send:after", 1, false);
  removeRule(at.target, twin);
  const plan = { ...rules, policy: { missingTarget: "recreate" } } as const;
  expect((await apply(at, plan)).exitCode).toBe(0);
  expect(partNames(at.target.body((await twinOf(at, urn)) ?? "")["parameters"])).toContain("more");
  await expectAtRest(at, plan);
});

test("a publish of what no request shows any more is asked about, and not sent", async () => {
  const { at, twin } = await killed("intent:after", 2, true);
  const before = at.target.tenant.rules.get(twin);
  expect(before?.draft).toBeDefined();
  expect(await apply(at, rules)).toMatchObject({ exitCode: 6, changes: [{ action: "blocked" }] });
  expect(at.target.tenant.rules.get(twin)).toEqual(before);
});
