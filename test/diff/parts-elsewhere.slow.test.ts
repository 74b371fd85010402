import { expect, test } from "vitest";
import { asText, child, type JsonObject } from "../../src/emulator/json.ts";
import { entriesOf } from "../../src/emulator/quality/sub-entities.ts";
import type { Monitor, Rule } from "../../src/emulator/state.ts";
import type { Urn } from "../../src/model/urn.ts";
import { applyPlan } from "../../src/operations/apply.ts";
import { ended, killedAt, rollback } from "../operations/rollback/support.ts";
import type { Surroundings } from "../support/world.ts";
import { instanceOf, seedMonitor, seedRule } from "./support/content.ts";
import { written } from "./support/log.ts";
import { plan, update } from "./support/monitors.ts";
import type { Stage } from "./support/run.ts";
import { apply, changeOf, decideOne, expectAtRest, expectChange, stage, twinOf } from "./support/run.ts";
import { keyOf, onlyKey, type Side } from "./support/side.ts";
import { editRule, removeMonitor, removeRule } from "./support/web.ts";

/** In the web application a part may keep its key and get another name, or another place. */

const overwriting = { ...plan, policy: { drift: "overwrite" as const } };
const ruleUpdate = ["PATCH rules/:urn", "POST rules/:urn/publish"];

/** A rule with two groups and the inputs `email` and `phone` in one of them, and a monitor that maps both; moved. */
async function moved(
  surroundings: Surroundings = {},
): Promise<Stage & { readonly rule: Urn; readonly monitor: Urn }> {
  const at = await stage(surroundings);
  const { source } = at;
  const input = (name: string): JsonObject => ({ [name]: { name, dataType: "STRING" } });
  const rule = seedRule(source, "Contact", {
    inputGroups: {
      main: { joined: false, inputs: { ...input("email"), ...input("phone") } },
      other: { joined: true, inputs: input("city") },
    },
  });
  const mapped = (column: string, name: string): JsonObject => ({
    catalogItemAttributeUrn: source.attribute("CUSTOMER", column),
    ruleAttributeUrn: source.part(rule, name),
  });
  const mappings = { email: mapped("EMAIL", "email"), phone: mapped("PHONE", "phone") };
  const monitor = seedMonitor(source, rule, "Customers", {
    manualRuleInstances: {
      both: instanceOf(source, rule, "Both", { mappings }),
      more: instanceOf(source, rule, "More", { mappings: { email: mapped("EMAIL", "email") } }),
    },
  });
  expect((await apply(at, plan)).exitCode).toBe(0);
  return { ...at, rule, monitor };
}

function putRule({ tenant }: Side, urn: Urn, body: JsonObject): void {
  tenant.rules.put({ urn, published: body as Rule, draftType: "NONE" });
}

function swapNames(side: Side, rule: Urn, one = "email", other = "phone"): void {
  const named = (name: string): string => `"name":"${name}"`;
  const text = JSON.stringify(side.body(rule)).replaceAll(/"name":"[a-z]+"/g, (found) => {
    if (found === named(one)) return named(other);
    return found === named(other) ? named(one) : found;
  });
  putRule(side, rule, JSON.parse(text) as JsonObject);
}

/** From one map to another of the same body, under the key that it has. */
function carry(from: JsonObject, to: JsonObject, key: string): void {
  Object.assign(to, { [key]: from[key] });
  Reflect.deleteProperty(from, key);
}

/** Which column each mapping leads to which input, by name. */
function readsOf(side: Side, rule: string, monitor: string): readonly string[] {
  const groups = entriesOf(side.body(rule), "inputGroups");
  const inputs = groups.flatMap(([, group]) => entriesOf(group, "inputs").map(([, input]) => input));
  const names = new Map(inputs.map(({ urn = "", name = "" }) => [asText(urn), asText(name)]));
  return entriesOf(side.body(monitor), "manualRuleInstances")
    .flatMap(([, instance]) => entriesOf(instance, "mappings"))
    .map(([, { catalogItemAttributeUrn = "", ruleAttributeUrn = "" }]) => {
      const column = side.tenant.attributes.get(asText(catalogItemAttributeUrn))?.name;
      return `${column} as ${names.get(asText(ruleAttributeUrn))}`;
    })
    .sort();
}

async function expectReads(
  at: Stage & { readonly rule: Urn; readonly monitor: Urn },
  reads: readonly string[],
): Promise<void> {
  expect(readsOf(at.source, at.rule, at.monitor)).toEqual(reads);
  expect(readsOf(at.target, await twinOf(at, at.rule), await twinOf(at, at.monitor))).toEqual(reads);
}

test("inputs that have swapped their names are not the same ones: what maps them is led to the one of the name", async () => {
  const at = await moved();
  swapNames(at.source, at.rule);
  expectChange(await apply(at, plan), at.monitor, "update", "what the target has for what it refers to");
  expect(written(at.world)).toEqual(update);
  await expectReads(at, ["EMAIL as phone", "EMAIL as phone", "PHONE as email"]);
  await expectAtRest(at, plan);
  swapNames(at.source, at.rule);
  expect((await apply(at, plan)).exitCode).toBe(0);
  await expectReads(at, ["EMAIL as email", "EMAIL as email", "PHONE as phone"]);
});

test("where the rule is changed otherwise, too, they change their names there", async () => {
  const at = await moved();
  swapNames(at.source, at.rule);
  editRule(at.source, at.rule, { description: "Another one" });
  expect((await apply(at, plan)).exitCode).toBe(0);
  expect(written(at.world)).toEqual(ruleUpdate);
  await expectReads(at, ["EMAIL as phone", "EMAIL as phone", "PHONE as email"]);
  await expectAtRest(at, plan);
});

test("an input that goes to another group is a new one there, and what maps it follows in the same run", async () => {
  const at = await moved();
  const body = at.source.body(at.rule);
  const [main = {}, other = {}] = ["email", "city"].map((name) => {
    const inputs = entriesOf(body, "inputGroups").map(([, group]) => child(group, "inputs"));
    return inputs.find((map) =>
      Object.values(map).some((input) => JSON.stringify(input).includes(`"${name}"`)),
    );
  });
  carry(main, other, keyOf(main, "name", "email"));
  putRule(at.source, at.rule, body);
  expectChange(await apply(at, plan), at.monitor, "update", "what it refers to is created anew");
  expect(written(at.world)).toEqual([...ruleUpdate, ...update]);
  await expectReads(at, ["EMAIL as email", "EMAIL as email", "PHONE as phone"]);
  await expectAtRest(at, plan);
});

test("a part that somebody has put into another one at the target is brought back", async () => {
  const at = await moved();
  const twin = (await twinOf(at, at.monitor)) as Urn;
  const body = at.target.body(twin);
  const instances = child(body, "manualRuleInstances");
  const valuesOf = (name: string): JsonObject =>
    child(child(instances, keyOf(instances, "ruleInstanceName", name)), "parameterValues");
  carry(valuesOf("Both"), valuesOf("More"), onlyKey(valuesOf("Both")));
  at.target.tenant.monitors.put({ urn: twin, published: body as Monitor, draftType: "NONE" });
  expect(changeOf(await apply(at, plan), at.monitor)?.action).toBe("drift");
  const removing = { ...overwriting, policy: { ...overwriting.policy, targetOnly: "remove" as const } };
  expect((await apply(at, removing)).exitCode).toBe(0);
  expect(written(at.world)).toEqual(update);
  const there = child(at.target.body(twin), "manualRuleInstances");
  const counts = Object.values(there).map(
    (one) => Object.keys(child(one as JsonObject, "parameterValues")).length,
  );
  expect(counts).toEqual([1, 1]);
  await expectAtRest(at, removing);
});

test("a run that has renamed an input is not taken back over a colleague who has swapped that name with another one", async () => {
  const at = await moved();
  const before = JSON.stringify(at.source.body(at.rule));
  putRule(at.source, at.rule, JSON.parse(before.replace('"name":"email"', '"name":"mail"')) as JsonObject);
  expect((await apply(at, plan)).exitCode).toBe(0);
  const twin = (await twinOf(at, at.rule)) as Urn;
  swapNames(at.target, twin, "mail", "phone");
  const theirs = structuredClone(at.target.body(twin));
  expectChange(await rollback(at, plan), at.rule, "manual", "it was changed at the target since");
  expect(written(at.world)).toEqual([]);
  expect(at.target.body(twin)).toEqual(theirs);
  // Once they have put it back, it is what the run has left.
  swapNames(at.target, twin, "mail", "phone");
  expect((await rollback(at, plan)).exitCode).toBe(0);
  const names = entriesOf(at.target.body(twin), "inputGroups").flatMap(([, group]) =>
    entriesOf(group, "inputs").map(([, { name = "" }]) => asText(name)),
  );
  expect(names.toSorted()).toEqual(["city", "email", "phone"]);
});

test("nor is a rule deleted in which a colleague has swapped the names of two inputs since the run made it", async () => {
  const at = await moved();
  const twin = (await twinOf(at, at.rule)) as Urn;
  swapNames(at.target, twin);
  const result = await rollback(at, plan, { allowDelete: true });
  expectChange(result, at.rule, "manual", "it was changed at the target since");
  expect(at.target.body(twin)).toBeTruthy();
});

test.each([
  ["has renamed an input", (text: string) => text.replace('"name":"email"', '"name":"mail"')],
  ["has taken an input out", (text: string) => text.replace(/"[^"]+":\{[^{}]*"name":"phone"[^{}]*\},?/, "")],
])("a rule that a killed run made goes where the one that went on with it %s", async (_, edit) => {
  const at = await stage({ kept: "files" });
  const input = (name: string): JsonObject => ({ [name]: { name, dataType: "STRING" } });
  const inputGroups = { main: { joined: false, inputs: { ...input("phone"), ...input("email") } } };
  const rule = seedRule(at.source, "Contact", { inputGroups });
  seedMonitor(at.source, rule, "Customers");
  const killed = applyPlan(at.world.migration(plan, killedAt("intent:before", 2)), {
    confirm: async () => true,
  });
  await expect(killed).rejects.toThrow("killed");
  putRule(at.source, rule, JSON.parse(edit(JSON.stringify(at.source.body(rule)))) as JsonObject);
  expectChange(await apply(at, plan), rule, "update", "it changed at the source");
  const result = await rollback(at, plan, { allowDelete: true });
  expect(ended(result)).toEqual(["delete monitors done", "delete rules done"]);
  expect(at.target.tenant.rules.size).toBe(0);
});

test.each([
  [
    "changed",
    (at: Awaited<ReturnType<typeof moved>>) => editRule(at.source, at.rule, { description: "Two" }),
  ],
  [
    "deleted",
    (at: Awaited<ReturnType<typeof moved>>) => {
      removeMonitor(at.source, at.monitor);
      removeRule(at.source, at.rule);
    },
  ],
])(
  "who swaps two names while a run is being confirmed has changed the rule, which is not %s: no draft is spoken of",
  async (what, edit) => {
    const at = await moved();
    const twin = (await twinOf(at, at.rule)) as Urn;
    edit(at);
    const result = await apply(at, plan, {
      allowDelete: true,
      confirm: async () => {
        swapNames(at.target, twin);
        return true;
      },
    });
    expect(result.exitCode).toBe(4);
    expect(written(at.world).filter((request) => request.includes("rules"))).toEqual([]);
    expect(
      result.diagnostics.concat(result.changes.flatMap(({ diagnostics }) => diagnostics)),
    ).toContainEqual(
      expect.objectContaining({
        code: "failed",
        summary: expect.stringContaining(
          `changed at the target after the diff was made, and is not ${what}`,
        ) as string,
      }),
    );
  },
);

test("names that a colleague has swapped are not swapped back by another change of the rule, and it is not deleted", async () => {
  const at = await moved({ kept: "files" });
  const twin = (await twinOf(at, at.rule)) as Urn;
  swapNames(at.target, twin);
  const theirs = structuredClone(at.target.body(twin));
  editRule(at.source, at.rule, { description: "Another one" });
  expectChange(await apply(at, plan), at.rule, "conflict", "it changed on both sides");
  expect(at.target.body(twin)).toEqual(theirs);
  removeMonitor(at.source, at.monitor);
  removeRule(at.source, at.rule);
  const gone = await apply(at, plan, { allowDelete: true });
  expectChange(gone, at.rule, "manual", "it was changed at the target since the last apply");
  expect(at.target.body(twin)).toEqual(theirs);
});

test.each(["keep-target", "take-source"] as const)(
  "whether names that a colleague has swapped stay is decided once, where the rule has changed since (%s)",
  async (choice) => {
    const at = await moved({ kept: "files" });
    swapNames(at.target, (await twinOf(at, at.rule)) as Urn);
    editRule(at.source, at.rule, { description: "Another one" });
    await decideOne(at, plan, choice);
    const done = await apply(at, plan);
    expect(changeOf(done, at.rule)?.action).toBe(choice === "keep-target" ? "adopt" : "update");
    await expectAtRest(at, plan);
    editRule(at.source, at.rule, { description: "A third one" });
    const later = await apply(at, plan);
    expect(changeOf(later, at.rule)?.action).toBe(choice === "keep-target" ? "conflict" : "update");
  },
);

test("what was paired anew since is no change of anybody", async () => {
  const at = await moved({ kept: "files" });
  swapNames(at.source, at.rule);
  expect((await apply(at, plan)).exitCode).toBe(0);
  editRule(at.source, at.rule, { description: "Another one" });
  expectChange(await apply(at, plan), at.rule, "update", "it changed at the source");
  const twin = (await twinOf(at, at.rule)) as Urn;
  swapNames(at.target, twin);
  expect((await apply(at, plan)).exitCode).toBe(0);
  editRule(at.source, at.rule, { description: "A third one" });
  expectChange(await apply(at, plan), at.rule, "update", "it changed at the source");
  expect(written(at.world)).toEqual(ruleUpdate);
  await expectReads(at, ["EMAIL as phone", "EMAIL as phone", "PHONE as email"]);
});

test("names that a colleague has swapped are not merged with what the source has changed: a person says whether they stay", async () => {
  const at = await moved({ kept: "files" });
  const merging = { ...plan, policy: { conflict: "merge" as const } };
  swapNames(at.target, (await twinOf(at, at.rule)) as Urn);
  editRule(at.source, at.rule, { description: "Another one" });
  expectChange(await apply(at, merging), at.rule, "conflict", "it changed on both sides");
  expect(written(at.world)).toEqual([]);
  await decideOne(at, merging, "take-source");
  expect((await apply(at, merging)).exitCode).toBe(0);
  expect(written(at.world)).toEqual(ruleUpdate);
  await expectReads(at, ["EMAIL as email", "EMAIL as email", "PHONE as phone"]);
  await expectAtRest(at, merging);
});
