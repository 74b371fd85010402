import { expect, test } from "vitest";
import { child, type JsonObject } from "../../src/emulator/json.ts";
import { verifyPlan } from "../../src/operations/verify.ts";
import { ruleBody, seedMonitor, seedRule } from "../diff/support/content.ts";
import {
  apply,
  changeOf,
  expectAtRest,
  expectChange,
  type Stage,
  stage,
  twinOf,
} from "../diff/support/run.ts";
import { onlyKey } from "../diff/support/side.ts";
import { editMonitor, editRule, rekeyMonitor } from "../diff/support/web.ts";
import type { Urn } from "../../src/model/urn.ts";

const plan = { select: { kinds: ["rules", "monitors"] } };

const groupOf = (body: JsonObject): string => onlyKey(body["inputGroups"]);

/** A rule that names its own input group by the key. */
async function naming(primaryGroup: (at: Stage, rule: Urn) => string): Promise<{ at: Stage; rule: Urn }> {
  const at = await stage();
  const rule = seedRule(at.source, "Email");
  editRule(at.source, rule, { implementation: { primaryGroup: primaryGroup(at, rule) } });
  return { at, rule };
}

test("a key of its own in another field than that of a join is not sent as a temporary one", async () => {
  const { at, rule } = await naming((at, urn) => groupOf(at.source.body(urn)));
  const change = expectChange(await apply(at, plan), rule, "blocked", "a part of its own by the bare key");
  expect(change.diagnostics).toMatchObject([
    { code: "unresolved-reference", pointer: "/implementation/primaryGroup" },
  ]);
  expect(at.target.tenant.rules.size).toBe(0);

  // As the advice says: without it first, and with it once the key is known.
  const key = groupOf(at.source.body(rule));
  editRule(at.source, rule, { implementation: { primaryGroup: null } });
  await apply(at, plan);
  editRule(at.source, rule, { implementation: { primaryGroup: key } });
  expectChange(await apply(at, plan), rule, "update", "it changed at the source");
  const there = at.target.body(await twinOf(at, rule));
  expect(child(there, "implementation")["primaryGroup"]).toBe(groupOf(there));
  await expectAtRest(at, plan);
  expect((await verifyPlan(at.world.migration(plan))).diagnostics).toEqual([]);
});

test("one that is there already is the twin: its keys are known by then", async () => {
  const { at, rule } = await naming((at, urn) => groupOf(at.source.body(urn)));
  const twin = seedRule(at.target, "Email", ruleBody(at.target, "Email"));
  editRule(at.target, twin, { implementation: { primaryGroup: groupOf(at.target.body(twin)) } });
  expectChange(await apply(at, plan), rule, "adopt", "");
  await expectAtRest(at, plan);
});

test("a value that is the key of a part by chance is told in the same way", async () => {
  const at = await stage();
  const monitor = seedMonitor(at.source, seedRule(at.source, "Email"), "Customers");
  const instances = child(at.source.body(monitor), "manualRuleInstances");
  const instance = onlyKey(instances);
  const value = onlyKey(child(instances, instance)["parameterValues"]);
  editMonitor(at.source, monitor, {
    manualRuleInstances: { [instance]: { parameterValues: { [value]: { value: instance } } } },
  });
  expectChange(await apply(at, plan), monitor, "blocked", "a part of its own by the bare key");
});

test("a temporary key that stands at the target is told by verify", async () => {
  const at = await stage();
  const rule = seedRule(at.source, "Email");
  await apply(at, plan);
  const twin = (await twinOf(at, rule)) as Urn;
  const key = `new_${groupOf(at.source.body(rule))}`;
  editRule(at.target, twin, { implementation: { primaryGroup: key } });
  const { diagnostics } = await verifyPlan(at.world.migration(plan));
  const places = diagnostics
    .filter(({ code }) => code === "source-id-at-target")
    .map(({ pointer }) => pointer);
  expect(places).toEqual(["/implementation/primaryGroup"]);
  expect(changeOf(await apply(at, plan), rule)?.action).toBe("drift");
});

/** A monitor whose alert goes by a threshold of its own. */
async function alerting(): Promise<{ readonly at: Stage; readonly monitor: Urn; readonly twin: Urn }> {
  const at = await stage();
  const monitor = seedMonitor(at.source, seedRule(at.source, "Email"), "Customers");
  await apply(at, plan);
  const alertAt = (side: Stage["source"], urn: Urn): void =>
    editMonitor(side, urn, { alert: { on: onlyThreshold(side.body(urn))["urn"] ?? null } });
  alertAt(at.source, monitor);
  expectChange(await apply(at, plan), monitor, "update", "it changed at the source");
  const twin = (await twinOf(at, monitor)) as Urn;
  expect(child(at.target.body(twin), "alert")["on"]).toBe(onlyThreshold(at.target.body(twin))["urn"]);
  return { at, monitor, twin };
}

function onlyThreshold(body: JsonObject): JsonObject {
  const thresholds = child(body, "overallDqThresholds");
  return child(thresholds, onlyKey(thresholds));
}

test("a part that is named by its URN, and that somebody has taken out at the target, is not named by what is gone", async () => {
  const { at, monitor, twin } = await alerting();
  editMonitor(at.target, twin, {
    overallDqThresholds: { [onlyKey(at.target.body(twin)["overallDqThresholds"])]: null },
  });
  const overwriting = { ...plan, policy: { drift: "overwrite" as const, conflict: "source-wins" as const } };
  const change = expectChange(await apply(at, overwriting), monitor, "blocked", "a part of its own");
  expect(change.diagnostics).toMatchObject([{ code: "unresolved-reference", pointer: "/alert/on" }]);
  // As the advice says.
  editMonitor(at.source, monitor, { alert: null });
  expect((await apply(at, overwriting)).exitCode).toBe(0);
  editMonitor(at.source, monitor, { alert: { on: onlyThreshold(at.source.body(monitor))["urn"] ?? null } });
  expectChange(await apply(at, overwriting), monitor, "update", "it changed at the source");
  expect(child(at.target.body(twin), "alert")["on"]).toBe(onlyThreshold(at.target.body(twin))["urn"]);
  await expectAtRest(at, overwriting);
});

test("one that has got another key there is known by what it says", async () => {
  const { at, twin } = await alerting();
  const before = onlyThreshold(at.target.body(twin))["urn"];
  rekeyMonitor(at.target, twin, [onlyKey(at.target.body(twin)["overallDqThresholds"])]);
  const there = onlyThreshold(at.target.body(twin))["urn"];
  expect(there).not.toBe(before);
  await expectAtRest(at, plan);
  expect(child(at.target.body(twin), "alert")["on"]).toBe(there);
});
