import { expect, test } from "vitest";
import type { EnginePoint } from "../../src/engine/apply/recorder.ts";
import { applyWith } from "../doubts/support.ts";
import { arrange } from "./support/arrange.ts";
import { seedRule } from "./support/content.ts";
import { apply, diff, expectAtRest, stage, twinOf, type Stage } from "./support/run.ts";
import { setMappings } from "../../src/operations/mappings.ts";
import type { Urn } from "../../src/model/urn.ts";
import { editRule, removeRule } from "./support/web.ts";
import { subjectOf } from "./support/wire.ts";

/**
 * A run that has made what takes the place of something (`policy.replace: allow`) dies before it deletes that: the next one knows it by the
 * journal.
 */

const plan = { select: { kinds: ["rules"] }, policy: { replace: "allow" } } as const;
const deleting = { allowDelete: true };

/** A rule that has changed at the source, and that the target does not let anybody change. */
async function changed(): Promise<{ readonly at: Stage; readonly rule: Urn; readonly old: Urn }> {
  const at = await stage();
  const rule = seedRule(at.source, "Postcode");
  await apply(at, plan);
  const old = (await twinOf(at, rule)) as Urn;
  editRule(at.source, rule, { description: "another" });
  at.world.emulator.faults.add({
    match: { tenant: "prod", method: "PATCH" },
    effect: { type: "status", code: 405 },
  });
  expect((await apply(at, plan, deleting)).exitCode).toBe(4);
  return { at, rule, old };
}

async function killed(
  point: EnginePoint,
  nth = 1,
): Promise<{ readonly at: Stage; readonly rule: Urn; readonly old: Urn }> {
  const { at, rule, old } = await changed();
  let [seen, isDead] = [0, false];
  const reached = (here: string): void => {
    if (here === point) seen += 1;
    // What a dead process would have done after this never happens.
    isDead ||= seen >= nth;
    if (isDead) throw new Error("killed");
  };
  await expect(applyWith(at, plan, { hooks: { reached } }, deleting)).rejects.toThrow("killed");
  expect(at.target.tenant.rules.size).toBe(2);
  return { at, rule, old };
}

const rulesOf = ({ target }: Stage): readonly string[] =>
  [...target.tenant.rules.values()].map(({ urn }) => urn);

test.each([
  ["send:after", 1],
  ["outcome:before", 1],
  ["outcome:after", 1],
  ["intent:before", 2],
  ["intent:after", 2],
] as const)("the old one goes with --allow-delete (killed at %s, %d)", async (point, nth) => {
  const { at, rule, old } = await killed(point, nth);
  const result = await apply(at, plan, deleting);
  expect([
    result.exitCode,
    result.changes.map(({ action, target, outcome }) => [action, target?.urn, outcome]),
  ]).toEqual([0, [["delete", old, "done"]]]);
  expect(rulesOf(at)).toEqual([await twinOf(at, rule)]);
  await expectAtRest(at, plan, deleting);
});

test("it goes as well where that run was stopped, and has stored what it had made", async () => {
  const { at, rule, old } = await changed();
  const stop = new AbortController();
  const reached = (here: string): void => {
    if (here === "outcome:after") stop.abort();
  };
  const stopped = await applyWith(at, plan, { hooks: { reached }, stop: stop.signal }, deleting);
  expect([stopped.exitCode, stopped.changes.map(({ outcome }) => outcome)]).toEqual([
    5,
    ["done", "not-started"],
  ]);
  expect(rulesOf(at)).toContain(old);
  expect((await diff(at, plan)).changes).toMatchObject([{ action: "delete", target: { urn: old } }]);
  expect((await apply(at, plan, deleting)).exitCode).toBe(0);
  expect(rulesOf(at)).toEqual([await twinOf(at, rule)]);
  await expectAtRest(at, plan, deleting);
});

test("without it is told, by the diff as well, and that no later run deletes it", async () => {
  const { at, old } = await killed("outcome:after");
  expect((await diff(at, plan)).changes).toMatchObject([{ action: "delete", target: { urn: old } }]);
  const result = await apply(at, plan);
  expect(result.changes).toMatchObject([{ action: "delete", outcome: "withheld" }]);
  expect(result.next).toEqual([`Delete by hand at prod, since no later run does: ${old}`]);
  expect(rulesOf(at)).toContain(old);
});

test("it goes also where a person has set a pair in between", async () => {
  const { at, rule, old } = await killed("outcome:after");
  const target = (await twinOf(at, rule)) as Urn;
  await setMappings(at.world.migration(plan), [{ kind: "rules", source: rule, target }]);
  expect((await apply(at, plan, deleting)).changes).toMatchObject([
    { action: "delete", target: { urn: old }, outcome: "done" },
  ]);
  await expectAtRest(at, plan, deleting);
});

test("one that somebody has changed since is left, and named", async () => {
  const { at, old } = await killed("outcome:after");
  editRule(at.target, old, { description: "theirs" });
  const result = await apply(at, plan, deleting);
  expect(result.exitCode).toBe(4);
  expect(result.changes).toMatchObject([
    {
      action: "manual",
      target: { urn: old },
      reason: "a new object has taken its place, and it was changed at the target since",
    },
  ]);
  expect(rulesOf(at)).toContain(old);
});

test("one that is gone by now is nothing to anybody, nor is one that was not there when the new one was made", async () => {
  const { at, old } = await killed("outcome:after");
  removeRule(at.target, old);
  expect((await apply(at, plan, deleting)).changes).toEqual([]);
  await expectAtRest(at, plan, deleting);
});

test("a run that does not look at it does not delete it, and names it", async () => {
  const { at, old } = await killed("outcome:after");
  seedRule(at.source, "Other");
  const result = await apply(
    at,
    { ...plan, select: { kinds: ["rules"], include: [{ kind: "rules", name: "Other" }] } },
    deleting,
  );
  expect(result.exitCode).toBe(4);
  expect(result.changes.map(({ action, reason }) => [action, reason])).toContainEqual([
    "manual",
    "a new object has taken its place, and this run does not select it",
  ]);
  expect(rulesOf(at)).toContain(old);
});

test("both old ones go where the new one gives way to another one as well", async () => {
  const { at, rule } = await killed("outcome:after");
  editRule(at.source, rule, { description: "yet another" });
  const result = await apply(at, plan, deleting);
  expect(result.changes.map(({ action, outcome }) => [action, outcome])).toEqual([
    ["replace", "done"],
    ["delete", "done"],
    ["delete", "done"],
  ]);
  expect(rulesOf(at)).toEqual([await twinOf(at, rule)]);
});

test.each([
  [400, 4],
  [500, 5],
] as const)("the old one stays where the new one is answered with %d", async (code, exitCode) => {
  const { at, rule, old } = await changed();
  const match = { tenant: "prod", route: "POST /api/data-quality/v1/rules/batch/create" };
  const works = at.world.emulator.faults.add({ match, effect: { type: "status", code } });
  const result = await apply(at, plan, deleting);
  expect(result.exitCode).toBe(exitCode);
  expect(result.changes.map(({ action, outcome }) => [action, outcome])).toEqual([
    ["replace", code === 400 ? "failed" : "in-doubt"],
    ["delete", "blocked"],
  ]);
  expect(rulesOf(at)).toEqual([old]);

  works();
  expect((await apply(at, plan, deleting)).exitCode).toBe(0);
  expect(rulesOf(at)).toEqual([await twinOf(at, rule)]);
  await expectAtRest(at, plan, deleting);
});

const told = (result: Awaited<ReturnType<typeof apply>>): readonly unknown[] =>
  result.diagnostics.flatMap(({ code, severity, coordinate }) =>
    code === "old-one-left" ? [[severity, coordinate?.urn]] : [],
  );

test("one that was left is named by each later run, until it is gone", async () => {
  const { at, old } = await changed();
  // Nobody allows that it goes.
  expect((await apply(at, plan)).changes).toMatchObject([{ outcome: "done" }, { outcome: "withheld" }]);
  for (const run of [diff, apply, apply]) {
    const result = await run(at, plan);
    expect([result.exitCode, result.changes, told(result)]).toEqual([0, [], [["warning", old]]]);
  }
  removeRule(at.target, old);
  expect(told(await apply(at, plan))).toEqual([]);
});

test("so is one that was left since the new one could not be published", async () => {
  const at = await stage();
  const subject = subjectOf("dashboards");
  const select = { kinds: subject.select };
  const { urn, twin } = await arrange(at, subject, { source: "changed", target: "same" }, { select });
  const { faults } = at.world.emulator;
  faults.add({
    match: { tenant: "prod", path: "/dq-dashboards.*publish/" },
    effect: { type: "status", code: 422 },
  });
  const dashboards = { select, policy: { replace: "allow" } } as const;
  expect((await apply(at, dashboards)).changes).toMatchObject([{ action: "replace", outcome: "failed" }]);
  faults.clear();
  await apply(at, dashboards);
  expect(await twinOf(at, urn)).not.toBe(twin);
  expect(told(await apply(at, dashboards))).toEqual([["warning", twin]]);
});
