import { join } from "node:path";
import { expect, test } from "vitest";
import { child } from "../../src/emulator/json.ts";
import type { Urn } from "../../src/model/urn.ts";
import { instanceOf, seedMonitor, seedRule } from "./support/content.ts";
import { written } from "./support/log.ts";
import { plan, update } from "./support/monitors.ts";
import type { Stage } from "./support/run.ts";
import {
  apply,
  changeOf,
  diff,
  expectAtRest,
  expectChange,
  keepTarget,
  stage,
  twinOf,
} from "./support/run.ts";
import { keyOf, onlyKey, type Side } from "./support/side.ts";
import { stopAfter } from "./support/approved.ts";
import { contested, decide } from "../../src/operations/decide.ts";
import { applyWith } from "../doubts/support.ts";
import { editMonitor, editRule } from "./support/web.ts";

/**
 * A rule that is moved, whose input a colleague takes out at the target; the source gets a monitor that maps it after that, or had it
 * before.
 */
async function takenOut(
  when: "before" | "after" = "after",
): Promise<Stage & { readonly rule: Urn; readonly monitor: Urn }> {
  const at = await stage();
  const rule = seedRule(at.source, "Email");
  const before = when === "before" ? seedMonitor(at.source, rule, "Customers") : undefined;
  await apply(at, plan);
  const twin = (await twinOf(at, rule)) as Urn;
  const group = onlyKey(at.target.body(twin)["inputGroups"]);
  const inputs = child(child(child(at.target.body(twin), "inputGroups"), group), "inputs");
  editRule(at.target, twin, {
    inputGroups: {
      [group]: { inputs: { [onlyKey(inputs)]: null, phone: { name: "phone", dataType: "STRING" } } },
    },
  });
  return { ...at, rule, monitor: before ?? seedMonitor(at.source, rule, "Customers") };
}

test("what maps an input that somebody has taken out at the target waits for a person, and is not sent to be refused", async () => {
  const at = await takenOut();
  const done = await apply(at, plan);
  expect(done.exitCode).toBe(4);
  expectChange(done, at.monitor, "blocked", 'it waits for rules "Email", which is drift');
  expect(written(at.world)).toEqual([]);
});

test("it waits for the change that brings the input back, and refers to it", async () => {
  const at = await takenOut();
  const overwriting = { ...plan, policy: { drift: "overwrite" as const } };
  const done = await apply(at, overwriting);
  expect(done.exitCode).toBe(0);
  expect(written(at.world)).toEqual([
    "PATCH rules/:urn",
    "POST rules/:urn/publish",
    "POST dq-monitors/batch/create",
  ]);
  await expectAtRest(at, overwriting);
});

test("an instance of it that comes to a monitor waits as well; what does not name it is changed", async () => {
  const { rule, monitor, ...at } = await takenOut("before");
  editMonitor(at.source, monitor, { name: "All customers" });
  const renamed = await apply(at, plan);
  expectChange(renamed, monitor, "update", "changed at the source");
  expect(written(at.world)).toEqual(update);
  editMonitor(at.source, monitor, {
    manualRuleInstances: { more: instanceOf(at.source, rule, "More") },
  });
  const done = await apply(at, plan);
  expectChange(done, monitor, "blocked", 'it waits for rules "Email", which is drift');
  expect(written(at.world)).toEqual([]);
  const overwriting = { ...plan, policy: { drift: "overwrite" as const } };
  expect((await apply(at, overwriting)).exitCode).toBe(0);
  expect(written(at.world)).toEqual(["PATCH rules/:urn", "POST rules/:urn/publish", ...update]);
  expectLed(at, await twinOf(at, rule), await twinOf(at, monitor));
  await expectAtRest(at, overwriting);
});

test("what mapped it before follows in the run that brings it back, though nothing else is to be changed", async () => {
  const { rule, monitor, ...at } = await takenOut("before");
  const overwriting = { ...plan, policy: { drift: "overwrite" as const } };
  const done = await apply(at, overwriting);
  expect(done.exitCode).toBe(0);
  expectChange(done, monitor, "update", "what it refers to is created anew");
  expect(written(at.world)).toEqual(["PATCH rules/:urn", "POST rules/:urn/publish", ...update]);
  expectLed(at, await twinOf(at, rule), await twinOf(at, monitor), "Email");
  await expectAtRest(at, overwriting);
});

test("so it is where the diff was approved, and its run died in between", async () => {
  const { rule, monitor, ...at } = await takenOut("before");
  editMonitor(at.source, monitor, { manualRuleInstances: { more: instanceOf(at.source, rule, "More") } });
  const overwriting = { ...plan, policy: { drift: "overwrite" as const } };
  const out = join(at.world.folder, "approved.json");
  await diff(at, overwriting, out);
  const stop = stopAfter(at, 1, "POST", "publish");
  expect((await applyWith(at, overwriting, { stop }, { diff: out })).exitCode).toBe(5);
  expect((await apply(at, overwriting, { diff: out })).exitCode).toBe(0);
  expectLed(at, await twinOf(at, rule), await twinOf(at, monitor));
  await expectAtRest(at, overwriting);
});

test("what nobody brings back, since the plan leaves the rule out, is not sent", async () => {
  const { rule, monitor, ...at } = await takenOut("before");
  editMonitor(at.source, monitor, { manualRuleInstances: { more: instanceOf(at.source, rule, "More") } });
  const fresh = seedMonitor(at.source, rule, "Others");
  const without = { ...plan, select: { ...plan.select, exclude: [{ kind: "rules", name: "Email" }] } };
  const why = 'it leads to a part of rules "Email" that somebody has taken out at the target';
  const done = await apply(at, without);
  expectChange(done, monitor, "blocked", why);
  expectChange(done, fresh, "blocked", why);
  expect(written(at.world)).toEqual([]);
});

test.each([
  ["the source has changed the rule", (at: Stage, rule: Urn) => editRule(at.source, rule, { name: "Mail" })],
  [
    "they have changed more of the rule",
    (at: Stage, _rule: Urn, twin: Urn) => editRule(at.target, twin, { description: "theirs" }),
  ],
] as const)(
  "an input that a colleague has made anew under its name is named by what is new with the same run: %s",
  async (_how, change) => {
    const { at, twin, monitor } = await madeAnew(change);

    const overwriting = { ...plan, policy: { drift: "overwrite" as const } };
    const done = await apply(at, overwriting);
    expect(done.exitCode).toBe(0);
    expect([...written(at.world)].sort()).toEqual([
      "PATCH rules/:urn",
      "POST dq-monitors/batch/create",
      "POST rules/:urn/publish",
    ]);
    expectLed(at, twin, await twinOf(at, monitor), "Email");
    await expectAtRest(at, overwriting);
  },
);

test.each([
  [
    "they have changed more of the rule, which is left to a person",
    (at: Stage, _rule: Urn, twin: Urn) => editRule(at.target, twin, { description: "theirs" }),
    plan,
  ],
  [
    "both sides have changed more of it",
    (at: Stage, rule: Urn, twin: Urn) => {
      editRule(at.target, twin, { description: "theirs" });
      editRule(at.source, rule, { description: "ours" });
    },
    plan,
  ],
  [
    "the source has the rule made in the condition builder by now",
    (at: Stage, rule: Urn) => editRule(at.source, rule, { implementation: { stringExpression: "" } }),
    plan,
  ],
  [
    "the plan leaves the rule out",
    () => undefined,
    { ...plan, select: { ...plan.select, exclude: [{ kind: "rules", name: "Email" }] } },
  ],
] as const)(
  "nor is the one that is gone named where the rule is not written: %s",
  async (_how, change, how) => {
    const { at, twin, monitor } = await madeAnew(change);
    await apply(at, how);
    expect(written(at.world)).toEqual(["POST dq-monitors/batch/create"]);
    expectLed(at, twin, await twinOf(at, monitor), "Email");
    await apply(at, how);
    expect(written(at.world)).toEqual([]);
  },
);

test.each([
  [
    "is made by hand",
    (at: Stage, rule: Urn) => editRule(at.source, rule, { implementation: { stringExpression: "" } }),
  ],
  [
    "is left to a person",
    (at: Stage, _rule: Urn, twin: Urn) => editRule(at.target, twin, { description: "theirs" }),
  ],
] as const)(
  "what is new names an input that both sides have got since, where the rule %s",
  async (_how, change) => {
    const at = await stage();
    const rule = seedRule(at.source, "Email");
    await apply(at, plan);
    const twin = (await twinOf(at, rule)) as Urn;
    const inputs = { city: { name: "city", dataType: "STRING" } };
    for (const [side, urn] of [[at.source, rule] as const, [at.target, twin] as const])
      editRule(side, urn, { inputGroups: { [onlyKey(side.body(urn)["inputGroups"])]: { inputs } } });
    change(at, rule, twin);
    const mapping = {
      catalogItemAttributeUrn: at.source.attribute("CUSTOMER", "EMAIL"),
      ruleAttributeUrn: at.source.part(rule, "city"),
    };
    const monitor = seedMonitor(at.source, rule, "Customers", {
      manualRuleInstances: { more: instanceOf(at.source, rule, "More", { mappings: { city: mapping } }) },
    });
    expect((await apply(at, plan)).changes.find(({ kind }) => kind === "monitors")?.outcome).toBe("done");
    expect(written(at.world)).toEqual(["POST dq-monitors/batch/create"]);
    expectLed(at, twin, await twinOf(at, monitor), "More", "city");
    await apply(at, plan);
    expect(written(at.world)).toEqual([]);
  },
);

/** Its input, under its name. */
function makeAnew(side: Side, rule: Urn): void {
  const group = onlyKey(side.body(rule)["inputGroups"]);
  const key = onlyKey(child(child(child(side.body(rule), "inputGroups"), group), "inputs"));
  const anew = { name: "email", dataType: "STRING" };
  editRule(side, rule, { inputGroups: { [group]: { inputs: { [key]: null, anew } } } });
}

/** Its input was made so, something else has changed as well, and a monitor that maps it is new at the source. */
async function madeAnew(
  change: (at: Stage, rule: Urn, twin: Urn) => unknown,
): Promise<{ readonly at: Stage; readonly twin: Urn; readonly monitor: Urn }> {
  const at = await stage();
  const rule = seedRule(at.source, "Email");
  await apply(at, plan);
  const twin = (await twinOf(at, rule)) as Urn;
  makeAnew(at.target, twin);
  change(at, rule, twin);
  return { at, twin, monitor: seedMonitor(at.source, rule, "Customers") };
}

/** Every mapping of the instance names an input that the rule has. */
function expectLed({ target }: Stage, rule: string, monitor: string, name = "More", input = "email"): void {
  const instances = child(target.body(monitor), "manualRuleInstances");
  const more = child(instances, keyOf(instances, "ruleInstanceName", name));
  const mapping = child(more, "mappings");
  expect(child(mapping, onlyKey(mapping))["ruleAttributeUrn"]).toBe(target.part(rule as Urn, input));
}

test("what is to stay taken out does not come back with another change, and what maps it is not written for that", async () => {
  const at = await takenOut("before");
  expect(await keepTarget(at, plan)).toBe("rules");
  expect((await apply(at, plan)).exitCode).toBe(0);
  editRule(at.source, at.rule, { description: "Another one" });
  const done = await apply(at, plan);
  expect(done.exitCode).toBe(0);
  expect(changeOf(done, at.monitor)).toBeUndefined();
  expect(written(at.world)).toEqual(["PATCH rules/:urn", "POST rules/:urn/publish"]);
  await expectAtRest(at, plan);
});

test("what is new and maps an input that is to stay taken out is not sent to be refused: who waits for what is told", async () => {
  const at = await takenOut("before");
  const fresh = seedMonitor(at.source, at.rule, "Others");
  await apply(at, plan);
  expect(await keepTarget(at, plan)).toBe("rules");
  for (const change of [() => undefined, () => undefined, describe(at.source, at.rule)]) {
    change();
    const done = await apply(at, plan);
    const why = 'it leads to a part of rules "Email" that somebody has taken out at the target';
    expectChange(done, fresh, "blocked", why);
    expect(done.exitCode).toBe(4);
    expect(written(at.world).filter((request) => request.includes("monitors"))).toEqual([]);
  }
});

function describe(side: Side, rule: Urn): () => void {
  return () => {
    editRule(side, rule, { description: "Another one" });
  };
}

test("nor is what maps an input that the rule at the target is to stay without; what is to stay as well is at rest", async () => {
  const at = await stage();
  const rule = seedRule(at.source, "Email");
  const [monitor, other] = ["Customers", "Others"].map((name) => seedMonitor(at.source, rule, name)) as [
    Urn,
    Urn,
  ];
  await apply(at, plan);
  for (const [urn, edit] of [[rule, editRule] as const, [monitor, editMonitor] as const])
    edit(at.target, (await twinOf(at, urn)) as Urn, { description: "theirs" });
  const inputs = { city: { name: "city", dataType: "STRING" } };
  editRule(at.source, rule, { inputGroups: { [onlyKey(at.source.body(rule)["inputGroups"])]: { inputs } } });
  const city = {
    catalogItemAttributeUrn: at.source.attribute("CUSTOMER", "EMAIL"),
    ruleAttributeUrn: at.source.part(rule, "city"),
  };
  const more = instanceOf(at.source, rule, "More", { mappings: { city } });
  editMonitor(at.source, monitor, { manualRuleInstances: { more } });
  const migration = at.world.migration(plan);
  await diff(at, plan);
  await decide(
    migration,
    (await contested(migration)).map((of) => ({ of, choice: "keep-target" as const })),
  );
  await migration.close();
  expect((await apply(at, plan)).exitCode).toBe(0);
  await expectAtRest(at, plan);

  editMonitor(at.source, other, { manualRuleInstances: { more } });
  const fresh = seedMonitor(at.source, rule, "New", { manualRuleInstances: { more } });
  const done = await apply(at, plan);
  const why =
    'it leads to a part of rules "Email" that the one at the target does not have, and does not get';
  for (const urn of [other, fresh]) expectChange(done, urn, "blocked", why);
  expect([done.exitCode, written(at.world)]).toEqual([4, []]);
});
