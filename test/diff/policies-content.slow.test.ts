import { describe, expect, it } from "vitest";
import { child, type JsonObject } from "../../src/emulator/json.ts";
import { removeMetadataType } from "../../src/emulator/seed.ts";
import type { Policy } from "../../src/model/plan.ts";
import type { Urn } from "../../src/model/urn.ts";
import type { PlanChanges } from "../support/world.ts";
import { configurePrimary, instanceOf, seedMonitor, seedRule } from "./support/content.ts";
import { onlyPatch, patches, written } from "./support/log.ts";
import {
  apply,
  changeOf,
  diff,
  expectAtRest,
  expectChange,
  type Stage,
  stage,
  twinOf,
} from "./support/run.ts";
import { keyOf } from "./support/side.ts";
import { editMonitor, editRule, removeRule } from "./support/web.ts";

const kinds = { kinds: ["rules", "monitors"] };

function plan(policy: Partial<Policy> = {}, more: PlanChanges = {}): PlanChanges {
  return { select: kinds, policy, ...more };
}

/** A monitor that was moved; its URN at both sides. */
async function moved(
  at: Stage,
  policy: Partial<Policy> = {},
): Promise<{ readonly urn: Urn; readonly twin: Urn }> {
  const rule = seedRule(at.source, "Email");
  const urn = seedMonitor(at.source, rule, "Customers");
  await apply(at, plan(policy));
  return { urn, twin: (await twinOf(at, urn)) as Urn };
}

function addedByHand(at: Stage): JsonObject {
  return { manualRuleInstances: { extra: instanceOf(at.target, at.target.rule("Email"), "Only here") } };
}

describe("targetOnly", () => {
  it("keep: what only the target has stays, also when something else is changed", async () => {
    const at = await stage();
    const { urn, twin } = await moved(at);
    editMonitor(at.target, twin, addedByHand(at));
    await expectAtRest(at, plan());
    editMonitor(at.source, urn, { name: "Customers, daily" });
    await apply(at, plan());
    expect(onlyPatch(at.world)).toEqual({ name: "Customers, daily" });
    expect(keyOf(at.target.body(twin)["manualRuleInstances"], "ruleInstanceName", "Only here")).toBeTruthy();
  });

  it("remove: what somebody added since is drift, and is removed when drift is overwritten", async () => {
    const at = await stage();
    const { urn, twin } = await moved(at);
    editMonitor(at.target, twin, addedByHand(at));
    const key = keyOf(at.target.body(twin)["manualRuleInstances"], "ruleInstanceName", "Only here");
    expectChange(await apply(at, plan({ targetOnly: "remove" })), urn, "drift", "changed at the target");
    expect(written(at.world)).toEqual([]);
    await apply(at, plan({ targetOnly: "remove", drift: "overwrite" }));
    expect(onlyPatch(at.world)).toEqual({ manualRuleInstances: { [key]: null } });
    await expectAtRest(at, plan({ targetOnly: "remove" }));
  });

  it("remove: on first contact with a primary monitor only the parts of the source are left", async () => {
    const at = await stage();
    seedRule(at.source, "Email");
    configurePrimary(at.source, "CUSTOMER", {
      overallDqThresholds: { mine: { value: 95, severity: "WARNING" } },
    });
    configurePrimary(at.target, "CUSTOMER", {
      overallDqThresholds: { theirs: { value: 50, severity: "ERROR" } },
    });
    const urn = at.source.primary("CUSTOMER");
    await apply(at, plan({ targetOnly: "remove" }));
    expect(thresholds(at)).toEqual([95]);
    await expectAtRest(at, plan({ targetOnly: "remove" }));
    expect(changeOf(await diff(at, plan({ targetOnly: "remove" })), urn)).toBeUndefined();
  });

  it("keep: on first contact with a primary monitor the parts of the target stay", async () => {
    const at = await stage();
    configurePrimary(at.source, "CUSTOMER", {
      overallDqThresholds: { mine: { value: 95, severity: "WARNING" } },
    });
    configurePrimary(at.target, "CUSTOMER", {
      overallDqThresholds: { theirs: { value: 50, severity: "ERROR" } },
    });
    await apply(at, plan());
    expect(new Set(thresholds(at))).toEqual(new Set([50, 95]));
    await expectAtRest(at, plan());
  });

  it("remove, after it was keep: the plan says so now, and it is done", async () => {
    const at = await stage();
    configurePrimary(at.source, "CUSTOMER", {
      overallDqThresholds: { mine: { value: 95, severity: "WARNING" } },
    });
    configurePrimary(at.target, "CUSTOMER", {
      overallDqThresholds: { theirs: { value: 50, severity: "ERROR" } },
    });
    await apply(at, plan());
    expectChange(
      await apply(at, plan({ targetOnly: "remove" })),
      at.source.primary("CUSTOMER"),
      "update",
      "targetOnly",
    );
    expect(thresholds(at)).toEqual([95]);
    await expectAtRest(at, plan({ targetOnly: "remove" }));
  });
});

function thresholds(at: Stage): unknown[] {
  const map = child(at.target.body(at.target.primary("CUSTOMER")), "overallDqThresholds");
  return Object.values(map).map((threshold) => (threshold as JsonObject)["value"]);
}

describe("schedules", () => {
  it("keep: an enabled schedule travels, and a person is warned", async () => {
    const at = await stage();
    const rule = seedRule(at.source, "Email");
    const urn = seedMonitor(at.source, rule, "Customers");
    const change = expectChange(await apply(at, plan()), urn, "create", "nothing at the target");
    expect(change.diagnostics.map(({ code }) => code)).toContain("schedule-starts");
    expect(at.target.body(await twinOf(at, urn))["schedule"]).toMatchObject({ enabled: true });
  });

  it("disable: a new monitor does not run, and the target's switch is the target's own", async () => {
    const at = await stage();
    const { urn, twin } = await moved(at, { schedules: "disable" });
    expect(at.target.body(twin)["schedule"]).toMatchObject({ enabled: false });
    await expectAtRest(at, plan({ schedules: "disable" }));

    editMonitor(at.target, twin, { schedule: { enabled: true } });
    await expectAtRest(at, plan({ schedules: "disable" }));
    editMonitor(at.source, urn, { schedule: { cronExpression: "0 0 7 * * ?" } });
    await apply(at, plan({ schedules: "disable" }));
    expect(onlyPatch(at.world)).toEqual({ schedule: { cronExpression: "0 0 7 * * ?" } });
    expect(at.target.body(twin)["schedule"]).toMatchObject({ enabled: true, cronExpression: "0 0 7 * * ?" });
  });

  it.each([{ timeZone: "UTC" }, { timeZone: "UTC", enabled: null }])(
    "disable: a schedule of the target without a switch is not switched on: %o",
    async (schedule) => {
      const at = await stage();
      const schedules = "disable";
      const theSource = { cronExpression: "0 0 2 * * ?", enabled: true };
      configurePrimary(at.source, "CUSTOMER", { schedule: theSource });
      configurePrimary(at.target, "CUSTOMER", { schedule });
      const { diagnostics } = expectChange(
        await apply(at, plan({ schedules })),
        at.source.primary("CUSTOMER"),
        "update",
        "first contact",
      );
      expect(diagnostics.map(({ code }) => code)).not.toContain("schedule-starts");
      expect(at.target.body(at.target.primary("CUSTOMER"))["schedule"]).toMatchObject({
        cronExpression: "0 0 2 * * ?",
        enabled: false,
      });
      await expectAtRest(at, plan({ schedules }));
      const kept = plan({ schedules: "keep" });
      const now = expectChange(await apply(at, kept), at.source.primary("CUSTOMER"), "update", "");
      expect(now.diagnostics.map(({ code }) => code)).toContain("schedule-starts");
    },
  );

  it("start at an instant, in whichever form the target keeps it", async () => {
    const at = await stage();
    const { urn, twin } = await moved(at);
    editMonitor(at.source, urn, { schedule: { startAt: "2026-12-01T00:00:00+02:00" } });
    await apply(at, plan());
    editMonitor(at.target, twin, { schedule: { startAt: "2026-11-30T22:00:00.000Z" } });
    await expectAtRest(at, plan());
    editMonitor(at.target, twin, { name: "Theirs" });
    expectChange(await apply(at, plan()), urn, "drift", "changed at the target");
    editMonitor(at.target, twin, { name: "Customers" });
    editMonitor(at.source, urn, { schedule: { priority: 2 } });
    await apply(at, plan());
    expect(onlyPatch(at.world)).toEqual({ schedule: { priority: 2 } });
    editMonitor(at.source, urn, { schedule: { startAt: "2026-12-01T00:00:01+02:00" } });
    await apply(at, plan());
    expect(onlyPatch(at.world)).toEqual({ schedule: { startAt: "2026-12-01T00:00:01+02:00" } });
  });

  it("keep: a switch that a person keeps off at the target is not said to start", async () => {
    const at = await stage();
    const { urn, twin } = await moved(at);
    editMonitor(at.target, twin, { schedule: { enabled: false } });
    editMonitor(at.source, urn, { name: "Customers, daily" });
    const merge = plan({ conflict: "merge" });
    const change = expectChange(await apply(at, merge), urn, "update", "in different fields");
    expect(change.diagnostics.map(({ code }) => code)).not.toContain("schedule-starts");
    expect(at.target.body(twin)).toMatchObject({ name: "Customers, daily", schedule: { enabled: false } });
  });

  it.each(["report", "source-wins"] as const)(
    "disable: who turns the switch at the target, before the source changes, has changed nothing: conflict %s",
    async (conflict) => {
      const at = await stage();
      const policy = { schedules: "disable", conflict } as const;
      const { urn, twin } = await moved(at, policy);
      for (const [enabled, cronExpression] of [
        [true, "0 0 7 * * ?"],
        [false, "0 0 8 * * ?"],
      ] as const) {
        editMonitor(at.target, twin, { schedule: { enabled } });
        editMonitor(at.source, urn, { schedule: { cronExpression } });
        const done = expectChange(await apply(at, plan(policy)), urn, "update", "it changed at the source");
        expect(done.diagnostics).toEqual([]);
        expect(onlyPatch(at.world)).toEqual({ schedule: { cronExpression } });
        expect(at.target.body(twin)["schedule"]).toMatchObject({ enabled, cronExpression });
        await expectAtRest(at, plan(policy));
      }
    },
  );

  it("disable: who turns the switch at the target and changes something else has not changed the source", async () => {
    const at = await stage();
    const policy = { schedules: "disable", conflict: "source-wins" } as const;
    const { urn, twin } = await moved(at, policy);
    editMonitor(at.target, twin, { name: "Theirs", schedule: { enabled: true } });
    expectChange(await apply(at, plan(policy)), urn, "drift", "it was changed at the target");
    expect(at.target.body(twin)).toMatchObject({ name: "Theirs", schedule: { enabled: true } });
    editMonitor(at.source, urn, { schedule: { cronExpression: "0 0 7 * * ?" } });
    expectChange(await apply(at, plan(policy)), urn, "update", "it changed on both sides");
  });
});

describe("missingGroup", () => {
  const unpaired = { pairing: { groups: {} } };

  /** The target lists no groups, so that none is paired by its name. */
  async function withoutList(): Promise<Stage> {
    const at = await stage();
    removeMetadataType(at.target.tenant, "group");
    return at;
  }

  it("block: a rule of a group without a twin is blocked, and so is its monitor", async () => {
    const at = await withoutList();
    const rule = seedRule(at.source, "Email", { groupUrn: at.source.group("Data stewards") });
    const monitor = seedMonitor(at.source, rule, "Customers");
    const done = await apply(at, plan({ missingGroup: "block" }, unpaired));
    expectChange(done, rule, "blocked", "groups");
    expectChange(done, monitor, "blocked", 'it waits for rules "Email"');
    expect(written(at.world)).toEqual([]);
  });

  it("drop: the reference is left out, said, and stays away", async () => {
    const at = await withoutList();
    const rule = seedRule(at.source, "Email", { groupUrn: at.source.group("Data stewards") });
    const done = await apply(at, plan({ missingGroup: "drop" }, unpaired));
    const change = expectChange(done, rule, "create", "nothing at the target");
    expect(change.diagnostics.map(({ code }) => code)).toEqual(["reference-dropped"]);
    expect(at.target.body(await twinOf(at, rule))).not.toHaveProperty("groupUrn");
    await expectAtRest(at, plan({ missingGroup: "drop" }, unpaired));
  });

  it("a group that the plan pairs is rewritten", async () => {
    const at = await stage();
    const rule = seedRule(at.source, "Email", { groupUrn: at.source.group("Data stewards") });
    await apply(at, plan());
    expect(at.target.body(await twinOf(at, rule))["groupUrn"]).toBe(at.target.group("Data stewards"));
  });
});

describe("missingTarget: recreate", () => {
  it("creates the rule again and points its monitor at the new one", async () => {
    const at = await stage();
    const { urn, twin } = await moved(at);
    const rule = at.source.rule("Email");
    const old = (await twinOf(at, rule)) as Urn;
    removeRule(at.target, old);
    const recreate = plan({ missingTarget: "recreate" });
    const done = await apply(at, recreate);
    expectChange(done, rule, "create", "policy.missingTarget");
    expect(changeOf(done, urn)).toMatchObject({ action: "update", outcome: "done" });
    const fresh = (await twinOf(at, rule)) as Urn;
    expect(fresh).not.toBe(old);
    const instances = Object.values(child(at.target.body(twin), "manualRuleInstances")) as JsonObject[];
    expect(instances.map((instance) => instance["ruleUrn"])).toEqual([fresh]);
    expect(JSON.stringify(at.target.body(twin))).toContain(at.target.part(fresh, "email"));
    await expectAtRest(at, recreate);
  });

  it("report: the monitor of a rule that is gone at the target is left alone", async () => {
    const at = await stage();
    const { urn } = await moved(at);
    removeRule(at.target, (await twinOf(at, at.source.rule("Email"))) as Urn);
    editRule(at.source, at.source.rule("Email"), { description: "changed" });
    const done = await apply(at, plan());
    expectChange(done, at.source.rule("Email"), "manual", "removed at the target");
    expectChange(done, urn, "blocked", "which was removed at the target");
    expect(patches(at.world)).toEqual([]);
  });
});
