import { describe, expect, it } from "vitest";
import { child, type JsonObject } from "../../src/emulator/json.ts";
import { configurePrimary, instanceOf, seedRule } from "./support/content.ts";
import { onlyPatch, writes, written } from "./support/log.ts";
import { plan, update } from "./support/monitors.ts";
import { apply, expectAtRest, expectChange, type Stage, stage } from "./support/run.ts";
import { keyOf, onlyKey } from "./support/side.ts";
import { editMonitor, rekeyMonitor } from "./support/web.ts";

/** The primary monitor of CUSTOMER has an instance; the target's has a threshold of its own. */
async function moved(): Promise<Stage> {
  const at = await stage();
  const rule = seedRule(at.source, "Email");
  configurePrimary(at.source, "CUSTOMER", {
    schedule: { cronExpression: "0 0 5 * * ?", enabled: true, timeZone: "UTC" },
    manualRuleInstances: { email: instanceOf(at.source, rule, "Email") },
  });
  configurePrimary(at.target, "CUSTOMER", { overallDqThresholds: { own: { value: 50, severity: "ERROR" } } });
  await apply(at, plan);
  return at;
}

describe("an update of a primary monitor", () => {
  it("is a patch and a publish under the literal primary, and keeps what only the target has", async () => {
    const at = await moved();
    expect(written(at.world)).toEqual(["POST rules/batch/create", ...update]);
    const [, patch, publish] = writes(at.world).map(({ path }) => decodeURIComponent(path));
    const base = `/api/data-quality/v1/catalog-items/${at.target.item("CUSTOMER")}/dq-monitors/primary`;
    expect([patch, publish]).toEqual([base, `${base}/publish`]);
    expect(onlyPatch(at.world)).not.toHaveProperty("overallDqThresholds");
    const stored = at.target.body(at.target.primary("CUSTOMER"));
    expect(stored).toMatchObject({ schedule: { cronExpression: "0 0 5 * * ?" } });
    expect(Object.values(child(stored, "overallDqThresholds"))).toMatchObject([
      { value: 50, severity: "ERROR" },
    ]);
    await expectAtRest(at, plan);
  });

  it("sends one nested scalar under the target's key", async () => {
    const at = await moved();
    const source = at.source.primary("CUSTOMER");
    const change = (key: string): JsonObject => ({ manualRuleInstances: { [key]: { enabled: false } } });
    editMonitor(at.source, source, change(onlyKey(at.source.body(source)["manualRuleInstances"])));
    const expected = change(onlyKey(at.target.body(at.target.primary("CUSTOMER"))["manualRuleInstances"]));
    expectChange(await apply(at, plan), source, "update", "it changed at the source");
    expect(written(at.world)).toEqual(update);
    expect(onlyPatch(at.world)).toEqual(expected);
    await expectAtRest(at, plan);
  });

  it("removes what the source removed, and nothing that only the target has", async () => {
    const at = await moved();
    const source = at.source.primary("CUSTOMER");
    const target = at.target.primary("CUSTOMER");
    const key = onlyKey(at.target.body(target)["manualRuleInstances"]);
    editMonitor(at.source, source, {
      manualRuleInstances: { [onlyKey(at.source.body(source)["manualRuleInstances"])]: null },
    });
    editMonitor(at.target, target, {
      manualRuleInstances: { own: instanceOf(at.target, at.target.rule("Email"), "Only here") },
    });
    const done = await apply(at, { ...plan, policy: { conflict: "source-wins" } });
    expect(done.exitCode).toBe(0);
    expect(onlyPatch(at.world)).toEqual({ manualRuleInstances: { [key]: null } });
    expect(
      keyOf(at.target.body(target)["manualRuleInstances"], "ruleInstanceName", "Only here"),
    ).toBeTruthy();
    await expectAtRest(at, plan);
  });

  it("leaves alone what terms bring: rule instances of terms are not part of it", async () => {
    const at = await moved();
    const source = at.source.primary("CUSTOMER");
    at.source.tenant.monitors.put({
      urn: source,
      published: {
        ...(at.source.body(source) as never as { urn: typeof source; catalogItemUrn: typeof source }),
        termRuleInstances: { [at.source.tenant.newUuid()]: { ruleUrn: at.source.rule("Email"), terms: [] } },
      },
      draftType: "NONE",
    });
    await expectAtRest(at, plan);
  });

  it("sees no change in keys assigned anew on either side", async () => {
    const at = await moved();
    const source = at.source.primary("CUSTOMER");
    const target = at.target.primary("CUSTOMER");
    rekeyMonitor(at.target, target, [onlyKey(at.target.body(target)["manualRuleInstances"])]);
    await expectAtRest(at, plan);
    rekeyMonitor(at.source, source, [onlyKey(at.source.body(source)["manualRuleInstances"])]);
    await expectAtRest(at, plan);
    const key = onlyKey(at.target.body(target)["manualRuleInstances"]);
    editMonitor(at.source, source, {
      manualRuleInstances: { [onlyKey(at.source.body(source)["manualRuleInstances"])]: { enabled: false } },
    });
    await apply(at, plan);
    expect(onlyPatch(at.world)).toEqual({ manualRuleInstances: { [key]: { enabled: false } } });
  });
});
