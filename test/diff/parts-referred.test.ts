import { expect, test } from "vitest";
import { child } from "../../src/emulator/json.ts";
import type { Urn } from "../../src/model/urn.ts";
import { seedMonitor, seedRule } from "./support/content.ts";
import { written } from "./support/log.ts";
import { plan } from "./support/monitors.ts";
import type { Stage } from "./support/run.ts";
import { apply, changeOf, expectAtRest, expectChange, stage, twinOf } from "./support/run.ts";
import { onlyKey, type Side } from "./support/side.ts";
import { editMonitor, editRule } from "./support/web.ts";

interface Moved extends Stage {
  readonly rule: Urn;
  readonly twin: Urn;
  readonly monitor: Urn;
}

/** A rule and its monitor, moved. */
async function moved(): Promise<Moved> {
  const at = await stage();
  const rule = seedRule(at.source, "Email");
  const monitor = seedMonitor(at.source, rule, "Customers");
  await apply(at, plan);
  return { ...at, rule, monitor, twin: (await twinOf(at, rule)) as Urn };
}

function addPhone(side: Side, rule: Urn): void {
  const group = onlyKey(side.body(rule)["inputGroups"]);
  editRule(side, rule, {
    inputGroups: { [group]: { inputs: { phone: { name: "phone", dataType: "STRING" } } } },
  });
}

/** The key of the input, and what takes it out. */
function phoneOf(side: Side, rule: Urn): { readonly key: string; readonly urn: string; takeOut(): void } {
  const group = onlyKey(side.body(rule)["inputGroups"]);
  const inputs = child(child(child(side.body(rule), "inputGroups"), group), "inputs");
  const [key = "", input] =
    Object.entries(inputs).find(([, one]) => JSON.stringify(one).includes("phone")) ?? [];
  return {
    key,
    urn: String((input as { readonly urn?: string } | undefined)?.urn),
    takeOut: () => {
      editRule(side, rule, { inputGroups: { [group]: { inputs: { [key]: null } } } });
    },
  };
}

/** Maps the input, or lets go of it. */
function mapPhone(side: Side, monitor: Urn, urn: string): () => void {
  const instance = onlyKey(side.body(monitor)["manualRuleInstances"]);
  const before = new Set(
    Object.keys(child(child(child(side.body(monitor), "manualRuleInstances"), instance), "mappings")),
  );
  const edit = (mappings: Record<string, object | null>): void => {
    editMonitor(side, monitor, { manualRuleInstances: { [instance]: { mappings } } } as never);
  };
  edit({ phone: { catalogItemAttributeUrn: side.attribute("CUSTOMER", "EMAIL"), ruleAttributeUrn: urn } });
  const after = Object.keys(
    child(child(child(side.body(monitor), "manualRuleInstances"), instance), "mappings"),
  );
  const key = after.find((one) => !before.has(one)) ?? "";
  return () => {
    edit({ [key]: null });
  };
}

test("an input that a colleague's monitor maps is not taken out with that of the source", async () => {
  const at = await moved();
  addPhone(at.source, at.rule);
  await apply(at, plan);
  const theirs = seedMonitor(at.target, at.twin, "Theirs");
  const letGo = mapPhone(at.target, theirs, phoneOf(at.target, at.twin).urn);
  phoneOf(at.source, at.rule).takeOut();
  const result = await apply(at, plan);
  expect(result.exitCode).toBe(4);
  expectChange(
    result,
    at.rule,
    "manual",
    `but a part of it goes that monitors "Theirs" at the target still refers to`,
  );
  expect(written(at.world)).toEqual([]);
  letGo();
  expectChange(await apply(at, plan), at.rule, "update", "it changed at the source");
  await expectAtRest(at, plan);
});

test("one that a colleague has added is not taken out where they map it, whatever the plan says", async () => {
  const at = await moved();
  addPhone(at.target, at.twin);
  const twin = (await twinOf(at, at.monitor)) as Urn;
  mapPhone(at.target, twin, phoneOf(at.target, at.twin).urn);
  editRule(at.source, at.rule, { description: "new" });
  const removing = { ...plan, policy: { conflict: "source-wins" as const, targetOnly: "remove" as const } };
  const result = await apply(at, removing);
  expect(changeOf(result, at.rule)).toMatchObject({ action: "manual" });
  expect(phoneOf(at.target, at.twin).key).not.toBe("");
});

test("what the same run has let go of it holds nothing", async () => {
  const at = await moved();
  addPhone(at.source, at.rule);
  const letGo = mapPhone(at.source, at.monitor, phoneOf(at.source, at.rule).urn);
  await apply(at, plan);
  letGo();
  phoneOf(at.source, at.rule).takeOut();
  const result = await apply(at, plan);
  expect([result.exitCode, ...[at.rule, at.monitor].map((urn) => changeOf(result, urn)?.outcome)]).toEqual([
    0,
    "done",
    "done",
  ]);
  await expectAtRest(at, plan);
});

test("where nobody can look who maps it, it goes, and that is told", async () => {
  const at = await moved();
  const rulesOnly = { ...plan, select: { kinds: ["rules"] } };
  addPhone(at.source, at.rule);
  await apply(at, rulesOnly);
  phoneOf(at.source, at.rule).takeOut();
  at.world.emulator.faults.add({
    match: { tenant: "prod", route: "GET /api/data-quality/v1/dq-monitors" },
    when: {},
    effect: { type: "status", code: 403 },
  });
  const result = await apply(at, rulesOnly);
  expect(changeOf(result, at.rule)).toMatchObject({ action: "update", outcome: "done" });
  expect(result.diagnostics.map(({ code }) => code)).toContain("users-unknown");
});
