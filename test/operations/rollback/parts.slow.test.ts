import { beforeEach, describe, expect, test } from "vitest";
import type { JsonObject } from "../../../src/emulator/json.ts";
import { asText, child } from "../../../src/emulator/json.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { instanceOf, seedMonitor, seedRule, seedTerm } from "../../diff/support/content.ts";
import { written } from "../../diff/support/log.ts";
import { plan } from "../../diff/support/monitors.ts";
import type { Stage } from "../../diff/support/run.ts";
import { apply, stage, twinOf } from "../../diff/support/run.ts";
import { editMonitor, editRule, editTerm, removeRule, removeTerm } from "../../diff/support/web.ts";
import { onlyKey } from "../../diff/support/side.ts";
import { killedAt, rollback, terms } from "./support.ts";

/** A run took a parameter of a rule away, and its value from the monitor that uses the rule. */
describe("a part that a patch brings back under a new key", () => {
  let at: Stage;
  let ruleTwin: Urn;
  let monitorTwin: Urn;

  /** What a monitor of the target sets, by the name of the parameter in the rule that it names. */
  function values(): Readonly<Record<string, unknown>> {
    const parameters = child(at.target.body(ruleTwin), "parameters");
    const found: Record<string, unknown> = {};
    for (const instance of Object.values(child(at.target.body(monitorTwin), "manualRuleInstances"))) {
      for (const value of Object.values(child(instance as JsonObject, "parameterValues"))) {
        const { ruleParameterUrn, value: set } = value as JsonObject;
        const parameter = parameters[asText(ruleParameterUrn).split(":").at(-1) ?? ""] as
          | JsonObject
          | undefined;
        found[asText(parameter?.["name"])] = set;
      }
    }
    return found;
  }

  beforeEach(async () => {
    at = await stage();
    const extra = { name: "extra", dataType: "STRING" };
    const pattern = { name: "pattern", dataType: "STRING" };
    const rule = seedRule(at.source, "Email", { parameters: { pattern, extra } });
    const instance = instanceOf(at.source, rule, "Email");
    const part = at.source.part(rule, "extra");
    const given = { ...child(instance, "parameterValues"), more: { value: "x", ruleParameterUrn: part } };
    const manualRuleInstances = { instance: { ...instance, parameterValues: given } };
    const monitor = seedMonitor(at.source, rule, "Customers", { manualRuleInstances });
    await apply(at, plan);
    ruleTwin = (await twinOf(at, rule)) as Urn;
    monitorTwin = (await twinOf(at, monitor)) as Urn;
    expect(values()).toMatchObject({ extra: "x" });

    const [[key, there] = ["", {}]] = Object.entries(child(at.source.body(monitor), "manualRuleInstances"));
    const all = Object.entries(child(there as JsonObject, "parameterValues"));
    const [use = ""] = all.find(([, value]) => (value as JsonObject)["ruleParameterUrn"] === part) ?? [];
    editMonitor(at.source, monitor, { manualRuleInstances: { [key]: { parameterValues: { [use]: null } } } });
    editRule(at.source, rule, { parameters: { [part.split(":").at(-1) ?? ""]: null } });
    expect((await apply(at, plan)).exitCode).toBe(0);
    expect(Object.keys(values())).not.toContain("extra");
  });

  test("is named by its new key in what used it, which waits for it", async () => {
    expect((await rollback(at, plan)).exitCode).toBe(0);
    expect(values()).toMatchObject({ extra: "x" });
    expect(Object.keys(values())).not.toContain("undefined");
    expect(await rollback(at, plan)).toMatchObject({ exitCode: 0, changes: [] });
    expect(written(at.world)).toEqual([]);
  });

  test.each([
    ["send:after", 1],
    ["outcome:after", 1],
    ["intent:before", 2],
    ["send:after", 2],
    ["outcome:after", 2],
    ["intent:before", 3],
    ["send:after", 3],
    ["outcome:after", 3],
  ] as const)("also when the rollback is killed at %s %i and run again", async (point, nth) => {
    await expect(rollback(at, plan, { migration: killedAt(point, nth) })).rejects.toThrow("killed");
    expect((await rollback(at, plan)).exitCode).toBe(0);
    expect(values()).toMatchObject({ extra: "x" });
    expect(await rollback(at, plan)).toMatchObject({ exitCode: 0, changes: [] });
  });

  test("and the next apply takes both away again", async () => {
    await rollback(at, plan);
    expect((await apply(at, plan)).exitCode).toBe(0);
    expect(Object.keys(values())).not.toContain("extra");
    expect(Object.keys(values())).not.toContain("undefined");
    await apply(at, plan);
    expect(written(at.world)).toEqual([]);
  });
});

test("what names something that came back is as it was, for the next rollback", async () => {
  const at = await stage();
  const gone = seedTerm(at.source, "Gone");
  const kept = seedTerm(at.source, "Kept", { extraProperties: { relatedTerms: [gone] } });
  await apply(at, terms);
  removeTerm(at.source, gone);
  editTerm(at.source, kept, { extraProperties: { relatedTerms: [] } });
  await apply(at, terms, { allowDelete: true });
  expect((await rollback(at, terms)).exitCode).toBe(0);
  expect(at.target.body(at.target.term("Kept"))["extraProperties"]).toEqual({
    relatedTerms: [at.target.term("Gone")],
  });
  expect(await rollback(at, terms)).toMatchObject({ exitCode: 0, changes: [] });
  expect(written(at.world)).toEqual([]);
});

test("a rule that named its own part by the bare key is left: the service would keep a temporary one", async () => {
  const at = await stage();
  const rule = seedRule(at.source, "Email");
  const group = onlyKey(at.source.body(rule)["inputGroups"]);
  await apply(at, plan);
  editRule(at.source, rule, { implementation: { primaryGroup: group } });
  await apply(at, plan);
  removeRule(at.source, rule);
  expect((await apply(at, plan, { allowDelete: true })).summary.delete).toBe(1);
  const result = await rollback(at, plan);
  expect(result.exitCode).toBe(4);
  expect(result.changes).toMatchObject([
    { action: "manual", reason: expect.stringContaining("at /implementation/primaryGroup") as string },
  ]);
  expect(written(at.world)).toEqual([]);
});
