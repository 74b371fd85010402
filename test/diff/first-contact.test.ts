import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/emulator/json.ts";
import { saysNothing } from "../../src/engine/diff/first-contact.ts";
import type { PlanChanges } from "../support/world.ts";
import { rollback } from "../operations/rollback/support.ts";
import { configurePrimary, instanceOf, seedRule, seedTerm } from "./support/content.ts";
import { onlyPatch, written } from "./support/log.ts";
import { update } from "./support/monitors.ts";
import { namePair } from "./support/pairs.ts";
import { apply, changeOf, diff, entryOf, expectAtRest, type Stage, stage } from "./support/run.ts";
import { editMonitor, editTerm } from "./support/web.ts";

const plan: PlanChanges = { select: { kinds: ["rules", "monitors"] } };
const schedule = { cronExpression: "0 0 5 * * ?", enabled: true, timeZone: "UTC" };
const anomalies = { enabled: true, sensitivity: "HIGH" };

/** What people made of the target's primary monitor before anything was moved. */
async function configured(source: JsonObject = {}, more: JsonObject = {}): Promise<Stage> {
  const at = await stage();
  configurePrimary(at.source, "CUSTOMER", source);
  const rule = seedRule(at.target, "Email");
  configurePrimary(at.target, "CUSTOMER", {
    schedule,
    anomalyDetectionConfiguration: anomalies,
    overallDqThresholds: { own: { value: 50, severity: "ERROR" } },
    manualRuleInstances: { own: instanceOf(at.target, rule, "Their own") },
    ...more,
  });
  return at;
}

function body({ target }: Stage): JsonObject {
  return target.body(target.primary("CUSTOMER"));
}

describe("the first contact with a primary monitor that people configured at the target", () => {
  it.each<[string, JsonObject]>([
    ["nothing", {}],
    ["that its schedule is off", { schedule: { enabled: false } }],
    [
      "only what is off or empty",
      { anomalyDetectionConfiguration: { enabled: false }, overallDqThresholds: {}, schedule: null },
    ],
  ])("of which the source says %s changes nothing, now and later", async (_what, source) => {
    const at = await configured(source);
    const before = structuredClone(body(at));
    const done = await apply(at, plan);
    expect(written(at.world)).toEqual([]);
    expect(done).toMatchObject({ exitCode: 0, changes: [] });
    expect(body(at)).toEqual(before);
    await expectAtRest(at, plan);

    // What is theirs is no drift, whatever they make of it.
    editMonitor(at.target, at.target.primary("CUSTOMER"), { schedule: { cronExpression: "0 0 7 * * ?" } });
    await expectAtRest(at, plan);
    expect(body(at)).toMatchObject({ schedule: { cronExpression: "0 0 7 * * ?" } });
  });

  it("stays theirs when the source moves elsewhere", async () => {
    const at = await configured();
    await apply(at, plan);
    editMonitor(at.source, at.source.primary("CUSTOMER"), {
      profilingConfiguration: { enabled: true, type: "SAMPLE", sampleLimitCount: 10 },
    });
    const done = await apply(at, plan);
    expect(done.exitCode).toBe(0);
    expect(onlyPatch(at.world)).toEqual({ profilingConfiguration: { type: "SAMPLE", sampleLimitCount: 10 } });
    expect(body(at)).toMatchObject({ schedule, anomalyDetectionConfiguration: anomalies });
    await expectAtRest(at, plan);
    expect(await entryOf(at, at.source.primary("CUSTOMER"))).toMatchObject({
      left: ["/anomalyDetectionConfiguration", "/manualRuleInstances", "/overallDqThresholds", "/schedule"],
    });
  });

  it("is the source's when that says something of it, which is told, and cleared when that clears it", async () => {
    const at = await configured();
    await apply(at, plan);
    const source = at.source.primary("CUSTOMER");
    editMonitor(at.source, source, { schedule: { ...schedule, cronExpression: "0 0 9 * * ?" } });
    const change = changeOf(await apply(at, plan), source);
    expect(change).toMatchObject({ action: "update", reason: "it changed at the source" });
    expect(change?.diagnostics.find(({ code }) => code === "taken-over")?.summary).toContain(
      '/schedule/cronExpression: "0 0 5 * * ?" becomes "0 0 9 * * ?"',
    );
    await expectAtRest(at, plan);
    editMonitor(at.source, source, { schedule: null });
    await apply(at, plan);
    expect(onlyPatch(at.world)).toEqual({ schedule: null });
    await expectAtRest(at, plan);
  });

  it("is a conflict where the source and a colleague have moved since", async () => {
    const at = await configured();
    await apply(at, plan);
    const source = at.source.primary("CUSTOMER");
    editMonitor(at.source, source, { schedule: { ...schedule, cronExpression: "0 0 9 * * ?" } });
    editMonitor(at.target, at.target.primary("CUSTOMER"), { schedule: { cronExpression: "0 0 7 * * ?" } });
    expect(changeOf(await apply(at, plan), source)?.action).toBe("conflict");
    expect(body(at)).toMatchObject({ schedule: { cronExpression: "0 0 7 * * ?" } });
  });

  it("takes over what both have, field by field, and says so loudly", async () => {
    const at = await configured({
      schedule: { ...schedule, cronExpression: "0 0 9 * * ?" },
      overallDqThresholds: { mine: { value: 95, severity: "WARNING" } },
    });
    const source = at.source.primary("CUSTOMER");
    const change = changeOf(await diff(at, plan), source);
    const told = change?.diagnostics.filter(({ code }) => code === "taken-over");
    expect(told).toMatchObject([{ severity: "warning", coordinate: { urn: source } }]);
    expect(told?.[0]?.summary).toContain('/schedule/cronExpression: "0 0 5 * * ?" becomes "0 0 9 * * ?"');
    // What is only added takes nobody's place.
    expect(told?.[0]?.summary).not.toContain("overallDqThresholds");
    await apply(at, plan);
    expect(written(at.world)).toEqual(update);
    expect(body(at)).toMatchObject({
      schedule: { cronExpression: "0 0 9 * * ?" },
      anomalyDetectionConfiguration: anomalies,
    });
    expect(Object.values(body(at)["overallDqThresholds"] as JsonObject)).toHaveLength(2);
    await expectAtRest(at, plan);
  });

  it("leaves what only the target has of a field that both have", async () => {
    const at = await configured(
      { schedule: { cronExpression: "0 0 9 * * ?", enabled: false } },
      { profilingConfiguration: { enabled: true, type: "SAMPLE", sampleLimitCount: 10 } },
    );
    expect((await apply(at, plan)).exitCode).toBe(0);
    expect(body(at)).toMatchObject({
      // That it is off is a word here: the source has a schedule.
      schedule: { cronExpression: "0 0 9 * * ?", enabled: false, timeZone: "UTC" },
      profilingConfiguration: { type: "FULL", sampleLimitCount: 10 },
    });
    await expectAtRest(at, plan);
  });

  it("is first contact again after it was taken back: what was theirs is", async () => {
    const at = await configured({ schedule: { ...schedule, cronExpression: "0 0 9 * * ?" } });
    const before = structuredClone(body(at));
    await apply(at, plan);
    expect((await rollback(at, plan)).exitCode).toBe(0);
    expect(body(at)).toEqual(before);
    const change = changeOf(await apply(at, plan), at.source.primary("CUSTOMER"));
    expect(change).toMatchObject({ action: "update", diagnostics: [{ code: "taken-over" }] });
    expect(body(at)).toMatchObject({ anomalyDetectionConfiguration: anomalies });
    await expectAtRest(at, plan);
  });

  it("a rollback of what took a field over leaves it theirs again", async () => {
    const at = await configured();
    await apply(at, plan);
    const source = at.source.primary("CUSTOMER");
    editMonitor(at.source, source, { schedule: { ...schedule, cronExpression: "0 0 9 * * ?" } });
    await apply(at, plan);
    expect((await rollback(at, plan)).exitCode).toBe(0);
    editMonitor(at.source, source, { schedule: null });
    await expectAtRest(at, plan);
    expect(body(at)).toMatchObject({ schedule });
  });

  it("targetOnly: remove makes it like the source", async () => {
    const at = await configured();
    const remove: PlanChanges = { ...plan, policy: { targetOnly: "remove" } };
    const change = changeOf(await apply(at, remove), at.source.primary("CUSTOMER"));
    expect(change?.diagnostics).toMatchObject([{ code: "taken-over" }]);
    for (const field of ["schedule", "anomalyDetectionConfiguration", "overallDqThresholds"])
      expect(Object.keys((body(at)[field] ?? {}) as JsonObject)).toEqual([]);
    await expectAtRest(at, remove);
    await expectAtRest(at, plan);
  });
});

describe("the first contact with what a person named, or what has the name", () => {
  const terms: PlanChanges = { select: { kinds: ["terms"] } };

  it("leaves what only the target has of a pair that was set, now and later", async () => {
    const at = await stage();
    const urn = seedTerm(at.source, "Customer", {
      extraProperties: { partOf: seedTerm(at.source, "Whole") },
    });
    const twin = seedTerm(at.target, "Customer", { extraProperties: { owner: "Ada" } });
    editTerm(at.source, urn, { description: null });
    await namePair(at, "terms", urn, twin);
    const theirs = { description: "What Customer means", extraProperties: { owner: "Ada" } };
    expect((await apply(at, terms)).exitCode).toBe(0);
    expect(at.target.body(twin)).toMatchObject(theirs);
    await expectAtRest(at, terms);
    editTerm(at.source, urn, { name: "Client" });
    await apply(at, terms);
    expect(onlyPatch(at.world)).toEqual({ name: "Client" });
    expect(await entryOf(at, urn)).toMatchObject({ left: ["/description", "/extraProperties/owner"] });
    editTerm(at.source, urn, { extraProperties: { owner: "Bob" } });
    await apply(at, terms);
    expect(onlyPatch(at.world)).toEqual({ extraProperties: { owner: "Bob" } });
    editTerm(at.source, urn, { extraProperties: { owner: null } });
    await apply(at, terms);
    expect(onlyPatch(at.world)).toEqual({ extraProperties: { owner: null } });
    await expectAtRest(at, terms);
  });

  it("tells what is taken over of a pair that was set", async () => {
    const at = await stage();
    const urn = seedTerm(at.source, "Customer", { description: "Here" });
    await namePair(at, "terms", urn, seedTerm(at.target, "Client", { description: "There" }));
    const [told] = changeOf(await apply(at, terms), urn)?.diagnostics ?? [];
    expect(told).toMatchObject({ code: "taken-over", severity: "warning" });
    expect(told?.summary).toContain('/description: "There" becomes "Here"');
    expect(told?.summary).toContain('/name: "Client" becomes "Customer"');
    await expectAtRest(at, terms);
  });

  it("tells what is taken over of what is adopted by its name, and nothing of later updates", async () => {
    const at = await stage();
    const urn = seedTerm(at.source, "Customer", { description: "Here" });
    seedTerm(at.target, "Customer", { description: "There" });
    const byName: PlanChanges = { ...terms, policy: { adopt: "by-name" } };
    const first = changeOf(await apply(at, byName), urn);
    expect(first?.diagnostics.map(({ code }) => code)).toEqual(["taken-over"]);
    editTerm(at.source, urn, { description: "Everywhere" });
    expect(changeOf(await apply(at, byName), urn)).toMatchObject({ action: "update", diagnostics: [] });
  });
});

it.each([
  [undefined, true],
  [null, true],
  [false, true],
  ["", true],
  [0, false],
  ["0", false],
  [[], true],
  [{ enabled: false, more: { text: "", list: [null] } }, true],
  [{ enabled: false, limit: 0 }, false],
  // A part is there even when nothing in it is set.
  [{ "00000000-0000-4000-8000-000000000001": {} }, false],
])("whether %j says nothing: %s", (value, expected) => {
  expect(saysNothing(value)).toBe(expected);
});
