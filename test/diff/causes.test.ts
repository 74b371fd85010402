import { expect, test } from "vitest";
import type { Cause } from "../../src/model/diagnostic.ts";
import type { Result } from "../../src/model/result.ts";
import { demoPairing } from "../../src/emulator/scenarios/index.ts";
import type { PlanChanges } from "../support/world.ts";
import { seedMonitor, seedRule } from "./support/content.ts";
import { apply, diff, stage } from "./support/run.ts";
import { wanted } from "./support/side.ts";
import { seedDashboard } from "../../src/emulator/seed.ts";

/** What is behind a blocked object, however many references lie between. */
const causesOf = (result: Result, urn: string): readonly Cause[] =>
  result.changes
    .filter(({ source }) => source?.urn === urn)
    .flatMap(({ diagnostics }) => diagnostics.flatMap(({ cause }) => (cause === undefined ? [] : [cause])));

const plan: PlanChanges = { select: { kinds: ["rules", "monitors", "dashboards"] } };

test("an item without a twin is behind its columns, its monitors and what waits for them", async () => {
  const at = await stage();
  const rule = seedRule(at.source, "Email");
  const monitor = seedMonitor(at.source, rule, "Customers");
  const { urn: dashboard } = seedDashboard(at.source.tenant, { name: "Board", dqMonitorUrns: [monitor] });
  const result = await diff(at, { ...plan, pairing: { ...demoPairing, paths: [] } });
  const [cause] = causesOf(result, monitor);
  expect(cause?.summary).toBe('catalog items have another path at the target: "DEV_" there is "PROD_"');
  expect(new Set(causesOf(result, monitor).map(({ key }) => key))).toEqual(new Set([cause?.key]));
  expect(causesOf(result, dashboard)).toEqual([cause]);
});

test("a source that has lost its twin is behind all that lies over its items, also where that was moved before", async () => {
  const at = await stage();
  const monitor = seedMonitor(at.source, seedRule(at.source, "Email"), "Customers");
  await apply(at, plan);
  const { tenant } = at.target;
  const there = wanted(tenant.entities.get(at.target.source()), "source");
  tenant.entities.put({ ...there, properties: { ...there.properties, name: "Lakehouse" } });
  const result = await diff(at, plan);
  const summary = 'source "Snowflake DEV" has no twin at the target';
  expect(causesOf(result, at.source.primary("CUSTOMER"))).toMatchObject([{ summary }]);
  expect(causesOf(result, monitor)[0]).toMatchObject({ summary });
  // Each source that is called otherwise in the plan is the twin of another one: none of them is a guess.
  expect(causesOf(result, monitor)[0]?.detail).toContain('what has no twin there: "Lakehouse"');
});

test("objects of the same name with other content have that in common, and so has what refers to them", async () => {
  const at = await stage();
  const rules = ["One", "Two"].map((name) => {
    seedRule(at.target, name, { description: "There" });
    return seedRule(at.source, name, { description: "Here" });
  });
  const monitor = seedMonitor(at.source, wanted(rules[0], "rule"), "Customers");
  const result = await diff(at, plan);
  const found = [...rules, monitor].flatMap((urn) => causesOf(result, urn));
  expect(new Set(found.map(({ key }) => key))).toEqual(new Set(["exists-with-other-content"]));
  expect(found[0]?.suggestion).toContain("`ferry mappings test suggest`");
});

test("what is stopped for a reason of its own is the cause of what refers to it", async () => {
  const at = await stage();
  const built = seedRule(at.source, "Built", {
    implementation: {
      dqDimensionUrn: at.source.dimension("Validity"),
      conditions: { bad: { stringExpression: "", resultUrn: at.source.result("Validity", "Invalid") } },
    },
  });
  const monitor = seedMonitor(at.source, built, "Customers");
  const result = await diff(at, plan);
  expect(causesOf(result, monitor)[0]).toMatchObject({
    key: built,
    summary: expect.stringMatching(/^rules "Built" is manual: its logic was made in the condition builder/u),
    suggestion: expect.stringContaining("select.exclude"),
  });
});
