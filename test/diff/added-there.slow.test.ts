import { expect, test } from "vitest";
import { child, type JsonObject } from "../../src/emulator/json.ts";
import type { Urn } from "../../src/model/urn.ts";
import { exitCodes } from "../../src/model/result.ts";
import { applyPlan } from "../../src/operations/apply.ts";
import { rollbackRun } from "../../src/operations/rollback.ts";
import { diesAt } from "../records/support.ts";
import type { PlanChanges } from "../support/world.ts";
import { instanceOf, seedMonitor, seedRule } from "./support/content.ts";
import { written } from "./support/log.ts";
import { apply, changeOf, decideOne, expectAtRest, expectChange, keepTarget, stage } from "./support/run.ts";
import type { Stage } from "./support/run.ts";
import { keyOf } from "./support/side.ts";
import { editMonitor } from "./support/web.ts";

const plan: PlanChanges = { select: { kinds: ["rules", "monitors"] } };
const asked = "both sides have added a part of the same name, and the two differ";

interface Moved {
  readonly at: Stage;
  readonly here: Urn;
  readonly there: Urn;
}

/** A monitor is moved, and somebody has added an instance "Theirs" at the target, which is left to it. */
async function added(more: JsonObject = {}): Promise<Moved> {
  const at = await stage({ kept: "files" });
  const rule = seedRule(at.source, "Email");
  const here = seedMonitor(at.source, rule, "Daily");
  await apply(at, plan);
  const there = at.target.monitor("Daily");
  const theirs = instanceOf(at.target, at.target.rule("Email"), "Theirs", more);
  editMonitor(at.target, there, { manualRuleInstances: { theirs } });
  await expectAtRest(at, plan);
  return { at, here, there };
}

/** The source gets one of that name, too. */
function addHere({ at, here }: Moved, more: JsonObject = {}): void {
  const ours = instanceOf(at.source, at.source.rule("Email"), "Theirs", more);
  editMonitor(at.source, here, { manualRuleInstances: { ours } });
}

const instances = ({ at, there }: Moved): readonly JsonObject[] =>
  Object.values(child(at.target.body(there), "manualRuleInstances")) as JsonObject[];

const theirs = (moved: Moved): JsonObject | undefined =>
  instances(moved).find(({ ruleInstanceName }) => ruleInstanceName === "Theirs");

const differing: JsonObject = { enabled: false };

test.each(["report", "merge"] as const)(
  "a part that somebody added at the target is not made like one that the source gets later: it is asked about (conflict: %s)",
  async (conflict) => {
    const moved = await added();
    const { at, here } = moved;
    addHere(moved, differing);
    const asking = { ...plan, policy: { conflict } };
    const result = await apply(at, asking);
    expect(result.exitCode).toBe(exitCodes.partial);
    const change = expectChange(result, here, "conflict", asked);
    expect(change.fields).toMatchObject([{ from: true, to: false }]);
    expect(written(at.world)).toEqual([]);
    expect(theirs(moved)).toMatchObject({ enabled: true });

    await keepTarget(at, plan);
    await apply(at, plan);
    await expectAtRest(at, plan);
    expect(theirs(moved)).toMatchObject({ enabled: true });

    // Nor is it taken away with that of the source.
    const { source } = at;
    const key = keyOf(source.body(here)["manualRuleInstances"], "ruleInstanceName", "Theirs");
    editMonitor(source, here, { manualRuleInstances: { [key]: null } });
    expect(changeOf(await apply(at, plan), here)?.action).toBe("conflict");
    expect(theirs(moved)).toMatchObject({ enabled: true });
  },
);

test("whoever takes the source's version, or says that the source wins, has it overwritten", async () => {
  const decided = await added();
  addHere(decided, differing);
  await apply(decided.at, plan);
  await decideOne(decided.at, plan, "take-source");
  await apply(decided.at, plan);
  const winning = await added();
  addHere(winning, differing);
  const result = await apply(winning.at, { ...plan, policy: { conflict: "source-wins" } });
  expect(changeOf(result, winning.here)).toMatchObject({ action: "update", outcome: "done" });
  expect(result.headline).toContain("what people set in 1 object was overwritten");
  for (const moved of [decided, winning]) {
    expect(instances(moved)).toHaveLength(2);
    expect(theirs(moved)).toMatchObject({ enabled: false });
    await expectAtRest(moved.at, plan);
  }
});

type Does = (hooks?: Hooks) => Promise<unknown>;
interface Hooks {
  reached(at: string): void;
}

const ways: readonly (readonly [string, (does: Does) => Promise<unknown>])[] = [
  ["and it was seen to happen", async (does) => does()],
  [
    "and the run died before it saw that it had happened",
    async (does) => {
      expect(await diesAt("outcome:before", 1, does)).toBe(true);
    },
  ],
];

/** Whoever was asked has decided for the source's version, which is brought to the target in this way. */
async function taken(way: (does: Does) => Promise<unknown>): Promise<Moved> {
  const moved = await added();
  const { at } = moved;
  addHere(moved, differing);
  await apply(at, plan);
  await decideOne(at, plan, "take-source");
  await way(async (hooks) => applyPlan(at.world.migration(plan, { hooks }), { confirm: async () => true }));
  return moved;
}

test.each(ways)("what was taken of the source, %s, is not asked about again", async (_way, way) => {
  const moved = await taken(way);
  const { at, here } = moved;
  const { source } = at;
  const key = keyOf(source.body(here)["manualRuleInstances"], "ruleInstanceName", "Theirs");
  editMonitor(source, here, { manualRuleInstances: { [key]: { enabled: true } } });
  expectChange(await apply(at, plan), here, "update", "it changed at the source");
  expect(theirs(moved)).toMatchObject({ enabled: true });
  await expectAtRest(at, plan);
});

test.each(ways)("it is once that is taken back, %s", async (_way, way) => {
  const moved = await taken(async (does) => does());
  const { at, here } = moved;
  const back = async (hooks?: Hooks): Promise<unknown> =>
    rollbackRun(at.world.migration(plan, { hooks }), { confirm: async () => true });
  await way(back);
  // What is left of it, if anything.
  await back();
  expect(theirs(moved)).toMatchObject({ enabled: true });
  expectChange(await apply(at, plan), here, "conflict", asked);
  expect(theirs(moved)).toMatchObject({ enabled: true });
});

test("one that says the same is taken for its twin, and nobody is asked", async () => {
  const moved = await added();
  addHere(moved);
  expect((await apply(moved.at, plan)).exitCode).toBe(0);
  expect(instances(moved)).toHaveLength(2);
  await expectAtRest(moved.at, plan);
});

test("a part of ours that was made anew at the source is changed as it says, and nobody is asked", async () => {
  const moved = await added();
  const { at, here } = moved;
  const key = keyOf(at.source.body(here)["manualRuleInstances"], "ruleInstanceName", "Email");
  const anew = instanceOf(at.source, at.source.rule("Email"), "Email", differing);
  editMonitor(at.source, here, { manualRuleInstances: { [key]: null } });
  editMonitor(at.source, here, { manualRuleInstances: { anew } });
  expectChange(await apply(at, plan), here, "update", "it changed at the source");
  expect(instances(moved)).toHaveLength(2);
  await expectAtRest(at, plan);
});
