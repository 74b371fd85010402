import { afterEach, beforeEach, expect, test } from "vitest";
import type { JsonObject, Tenant } from "../../src/emulator/index.ts";
import { seedMonitor, seedRule } from "../../src/emulator/seed.ts";
import { world, type World } from "../support/world.ts";
import { isObject, text } from "../support/meaning/json.ts";
import { run, writes } from "./support.ts";

/** Two rules that are equal in every field, each applied by a monitor of its own: only their URNs tell them apart. */
let bare: World;
let source: Tenant;
let target: Tenant;
beforeEach(async () => {
  bare = await world("empty");
  source = bare.emulator.tenant("dev");
  target = bare.emulator.tenant("prod");
  const [dimension] = [...source.dimensions.values()];
  const [attribute] = [...source.attributes.values()];
  if (dimension === undefined || attribute === undefined) throw new Error("the scenario lacks given things");
  for (const name of ["One", "Two"]) {
    const rule = seedRule(source, {
      name: "Twin",
      inputGroups: { main: { joined: false, inputs: { value: { name: "value", dataType: "STRING" } } } },
      implementation: {
        dqDimensionUrn: dimension.urn,
        conditions: {
          only: { stringExpression: "value is null", resultUrn: dimension.results[0]?.urn ?? "" },
        },
      },
    });
    seedMonitor(source, {
      catalogItemUrn: attribute.catalogItemUrn,
      name,
      manualRuleInstances: {
        one: {
          ruleUrn: rule.urn,
          enabled: true,
          mappings: {
            one: { catalogItemAttributeUrn: attribute.urn, ruleAttributeUrn: rule.urns["value"] ?? "" },
          },
        },
      },
    });
  }
});
afterEach(async () => bare.close());

/** Monitor name to the rule it applies and the owner of the input that it maps. */
function applied(tenant: Tenant): ReadonlyMap<string, readonly [rule: string, ofInput: string]> {
  const owners = new Map<string, string>();
  for (const { urn, published } of tenant.rules.values()) {
    for (const input of JSON.stringify(published).match(/urn:[^"]*:rule-attribute:[^"]*/g) ?? [])
      owners.set(input, urn);
  }
  const found = new Map<string, readonly [string, string]>();
  for (const { published } of tenant.monitors.values()) {
    const name = text(published, "name");
    if (!["One", "Two"].includes(name)) continue;
    const instance = first(published?.["manualRuleInstances"]);
    const mapping = first(instance["mappings"]);
    found.set(name, [text(instance, "ruleUrn"), owners.get(text(mapping, "ruleAttributeUrn")) ?? "nobody"]);
  }
  return found;
}

function first(map: JsonObject[string] | undefined): JsonObject {
  const [value] = isObject(map) ? Object.values(map) : [];
  return isObject(value) ? value : {};
}

function expectApart(): void {
  const { rules, drafts } = target.counts();
  expect({ rules, drafts }).toEqual({ rules: 2, drafts: 0 });
  const uses = applied(target);
  expect([...uses.keys()].sort()).toEqual(["One", "Two"]);
  for (const [rule, ofInput] of uses.values()) expect(ofInput).toBe(rule);
  expect(new Set([...uses.values()].map(([rule]) => rule)).size).toBe(2);
}

test("stay two, each with its own monitor", async () => {
  const result = await run(bare, {}, { verify: true });
  expect(result.exitCode).toBe(0);
  expectApart();
  bare.emulator.log.clear();
  await run(bare);
  expect(writes(bare.emulator, "prod")).toEqual([]);
});

const rules = "POST /api/data-quality/v1/rules/batch/create";
const monitors = "POST /api/data-quality/v1/dq-monitors/batch/create";
test.each([
  [rules, "garbage"],
  [rules, "missing-items"],
  [rules, "reorder-items"],
  [rules, "partial-commit"],
  [monitors, "garbage"],
  [monitors, "missing-items"],
] as const)("stay two when the answer to %s suffers: %s", async (route, type) => {
  const effect = type === "partial-commit" ? { type, count: 1 } : { type };
  bare.emulator.faults.add({ match: { tenant: "prod", route }, when: { times: 1 }, effect });
  await run(bare, {}, { verify: true });
  // A run that could not tell them apart may leave it at that and ask; it may not mix them up.
  const { rules: count } = target.counts();
  expect(count).toBeLessThanOrEqual(2);
  for (const [rule, ofInput] of applied(target).values()) expect(ofInput).toBe(rule);
  const second = await run(bare, {}, { verify: true });
  expect(second.summary).toMatchObject({ failed: 0, inDoubt: 0 });
  expectApart();
});
