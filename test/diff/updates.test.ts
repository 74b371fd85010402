import { describe, expect, it } from "vitest";
import { child, type JsonObject } from "../../src/emulator/json.ts";
import { instanceOf, seedRule } from "./support/content.ts";
import { onlyPatch, patches, writes, written } from "./support/log.ts";
import { type Keys, keysOf, type MovedMonitor, movedMonitor, plan, update } from "./support/monitors.ts";
import { apply, expectAtRest, expectChange } from "./support/run.ts";
import { keyOf, onlyKey, type Side } from "./support/side.ts";
import { editMonitor } from "./support/web.ts";
import { allOr } from "../support/whole.ts";

interface Case {
  readonly what: string;
  /** The same change in the words of one side: made at the source, expected in the PATCH for the target. */
  readonly change: (side: Side, keys: Keys) => JsonObject;
}

const inInstance = ({ instance }: Keys, change: JsonObject): JsonObject => ({
  manualRuleInstances: { [instance]: change },
});

const cases: readonly Case[] = [
  { what: "one scalar", change: () => ({ name: "Customers, daily" }) },
  { what: "a nested scalar", change: () => ({ schedule: { cronExpression: "0 0 7 * * ?" } }) },
  { what: "a nested scalar cleared with null", change: () => ({ schedule: { timeZone: null } }) },
  { what: "an object cleared with null", change: () => ({ profilingConfiguration: null }) },
  {
    what: "an object that was not there",
    change: () => ({ anomalyDetectionConfiguration: { enabled: true } }),
  },
  { what: "a field that no document names", change: () => ({ notes: { text: "kept" } }) },
  { what: "a scalar of a rule instance", change: (_side, keys) => inInstance(keys, { enabled: false }) },
  {
    what: "the threshold of a rule instance",
    change: (_side, keys) => inInstance(keys, { dqThresholds: { [keys.threshold]: { value: 75 } } }),
  },
  {
    what: "the severity of a threshold cleared",
    change: (_side, { overall }) => ({ overallDqThresholds: { [overall]: { severity: null } } }),
  },
  {
    what: "a threshold of the monitor",
    change: (_side, { overall }) => ({ overallDqThresholds: { [overall]: { value: 99 } } }),
  },
  {
    what: "thresholds at both levels",
    change: (_side, keys) => ({
      overallDqThresholds: { [keys.overall]: { value: 99 } },
      ...inInstance(keys, { dqThresholds: { [keys.threshold]: { value: 75 } } }),
    }),
  },
  {
    what: "a parameter value",
    change: (_side, keys) => inInstance(keys, { parameterValues: { [keys.parameter]: { value: ".+" } } }),
  },
  {
    what: "the attribute of a mapping, by the target's URN",
    change: (side, keys) =>
      inInstance(keys, {
        mappings: { [keys.mapping]: { catalogItemAttributeUrn: side.attribute("CUSTOMER", "PHONE") } },
      }),
  },
  {
    what: "a mapping removed with null",
    change: (_side, keys) => inInstance(keys, { mappings: { [keys.mapping]: null } }),
  },
  {
    what: "a threshold removed with null",
    change: (_side, { overall }) => ({ overallDqThresholds: { [overall]: null } }),
  },
  {
    what: "a rule instance removed with null",
    change: (_side, { instance }) => ({ manualRuleInstances: { [instance]: null } }),
  },
  {
    what: "an export definition removed with null",
    change: (_side, { file }) => ({ exportDefinitions: { [file]: null } }),
  },
  {
    what: "an export definition switched off",
    change: (_side, { file }) => ({ exportDefinitions: { [file]: { enabled: false } } }),
  },
  {
    what: "a join removed with null",
    change: (_side, { join }) => ({ joinConfigurations: { [join]: null } }),
  },
];

async function applied({ at, urn, twin }: MovedMonitor, change: JsonObject): Promise<void> {
  editMonitor(at.source, urn, change);
  const done = await apply(at, plan);
  expectChange(done, urn, "update", "it changed at the source");
  expect(done.exitCode).toBe(0);
  expect(written(at.world)).toEqual(update);
  for (const { path } of writes(at.world)) expect(decodeURIComponent(path)).toContain(twin);
}

describe("an update of a monitor", () => {
  it.each(allOr(cases, (_one, index) => index % 3 === 0))(
    "sends $what and nothing else",
    async ({ change }) => {
      const moved = await movedMonitor();
      const { at, urn, twin } = moved;
      const expected = change(at.target, keysOf(at.target, twin));
      await applied(moved, change(at.source, keysOf(at.source, urn)));
      expect(onlyPatch(at.world)).toEqual(expected);
      await expectAtRest(at, plan);
    },
  );

  it("sends a new threshold at each level under new_ and the source's key", async () => {
    const moved = await movedMonitor();
    const { at, urn, twin } = moved;
    const from = keysOf(at.source, urn);
    await applied(moved, {
      overallDqThresholds: { high: { value: 50, severity: "ERROR" } },
      ...inInstance(from, { dqThresholds: { low: { value: 40, severity: "ERROR" } } }),
    });
    const body = at.source.body(urn);
    const overall = keyOf(body["overallDqThresholds"], "severity", "ERROR");
    const own = keyOf(
      child(child(body, "manualRuleInstances"), from.instance)["dqThresholds"],
      "severity",
      "ERROR",
    );
    expect(onlyPatch(at.world)).toEqual({
      overallDqThresholds: { [`new_${overall}`]: { value: 50, severity: "ERROR" } },
      manualRuleInstances: {
        [keysOf(at.target, twin).instance]: {
          dqThresholds: { [`new_${own}`]: { value: 40, severity: "ERROR" } },
        },
      },
    });
    await expectAtRest(at, plan);
    // The keys that the service assigned are known from now on.
    await applied(moved, { overallDqThresholds: { [overall]: { value: 55 } } });
    const key = keyOf(at.target.body(twin)["overallDqThresholds"], "severity", "ERROR");
    expect(onlyPatch(at.world)).toEqual({ overallDqThresholds: { [key]: { value: 55 } } });
  });

  it("sends a new rule instance whole, new_ at every level", async () => {
    const moved = await movedMonitor();
    const { at, urn, rule } = moved;
    await applied(moved, { manualRuleInstances: { phone: instanceOf(at.source, rule, "Phone") } });
    const instance = keyOf(at.source.body(urn)["manualRuleInstances"], "ruleInstanceName", "Phone");
    const parts = child(child(at.source.body(urn), "manualRuleInstances"), instance);
    const twinRule = at.target.rule("Email");
    expect(onlyPatch(at.world)).toEqual({
      manualRuleInstances: {
        [`new_${instance}`]: {
          ruleUrn: twinRule,
          ruleInstanceName: "Phone",
          enabled: true,
          dqThresholds: { [`new_${onlyKey(parts["dqThresholds"])}`]: { value: 80, severity: "WARNING" } },
          mappings: {
            [`new_${onlyKey(parts["mappings"])}`]: {
              catalogItemAttributeUrn: at.target.attribute("CUSTOMER", "EMAIL"),
              ruleAttributeUrn: at.target.part(twinRule, "email"),
            },
          },
          parameterValues: {
            [`new_${onlyKey(parts["parameterValues"])}`]: {
              value: ".+@.+",
              ruleParameterUrn: at.target.part(twinRule, "pattern"),
            },
          },
        },
      },
    });
    await expectAtRest(at, plan);
  });

  it("deletes and creates an instance whose rule is another one, in one patch", async () => {
    const moved = await movedMonitor();
    const { at, urn, twin } = moved;
    const other = seedRule(at.source, "Email, strict");
    const { instance } = keysOf(at.source, urn);
    const old = keysOf(at.target, twin).instance;
    // In the web application it is a new instance, too; here it even keeps its key.
    const body = structuredClone(at.source.body(urn));
    const parts = child(child(body, "manualRuleInstances"), instance);
    parts["ruleUrn"] = other;
    Object.values(child(parts, "mappings")).forEach(
      (mapping) => ((mapping as JsonObject)["ruleAttributeUrn"] = at.source.part(other, "email")),
    );
    Object.values(child(parts, "parameterValues")).forEach(
      (value) => ((value as JsonObject)["ruleParameterUrn"] = at.source.part(other, "pattern")),
    );
    at.source.tenant.monitors.put({ urn, published: body as never, draftType: "NONE" });

    const done = await apply(at, plan);
    expectChange(done, urn, "update", "it changed at the source");
    expect(written(at.world)).toEqual(["POST rules/batch/create", ...update]);
    const patch = onlyPatch(at.world);
    const instances = child(patch, "manualRuleInstances");
    expect(Object.keys(instances).sort()).toEqual([old, `new_${instance}`].sort());
    expect(instances[old]).toBeNull();
    expect(instances[`new_${instance}`]).toMatchObject({
      ruleUrn: at.target.rule("Email, strict"),
      ruleInstanceName: "Email",
    });
    expect(Object.keys(patch)).toEqual(["manualRuleInstances"]);
    await expectAtRest(at, plan);
    const stored = Object.values(child(at.target.body(twin), "manualRuleInstances")) as JsonObject[];
    expect(stored.map(({ ruleUrn }) => ruleUrn)).toEqual([at.target.rule("Email, strict")]);
  });

  it("replaces an instance that was deleted and made again with another rule", async () => {
    const moved = await movedMonitor();
    const { at, urn, twin } = moved;
    const other = seedRule(at.source, "Email, strict");
    const from = keysOf(at.source, urn);
    const old = keysOf(at.target, twin).instance;
    editMonitor(at.source, urn, {
      manualRuleInstances: { [from.instance]: null, again: instanceOf(at.source, other, "Email") },
    });
    await apply(at, plan);
    const instances = child(onlyPatch(at.world), "manualRuleInstances");
    const fresh = keyOf(at.source.body(urn)["manualRuleInstances"], "ruleUrn", other);
    expect(Object.keys(instances).sort()).toEqual([old, `new_${fresh}`].sort());
    expect(instances[old]).toBeNull();
    await expectAtRest(at, plan);
  });

  it("never sends what the service fills or what cannot be changed", async () => {
    const moved = await movedMonitor();
    const { at, urn } = moved;
    const from = keysOf(at.source, urn);
    await applied(moved, { name: "Other", ...inInstance(from, { enabled: false }) });
    const text = JSON.stringify(patches(at.world));
    for (const field of [
      'urn"',
      "draftType",
      "catalogItemUrn",
      "nextRun",
      "ruleName",
      "ruleInstanceUrn",
      "correlationId",
    ])
      expect(text).not.toContain(field);
  });
});
