import { describe, expect, it } from "vitest";
import { child, type JsonObject } from "../../src/emulator/json.ts";
import { seedDashboard } from "./support/content.ts";
import { onlyPatch, written } from "./support/log.ts";
import { keysOf, movedMonitor, plan } from "./support/monitors.ts";
import { apply, expectAtRest, expectChange, stage } from "./support/run.ts";
import { editDashboard, editMonitor, rekeyMonitor } from "./support/web.ts";

/** What is no change: neither a write nor a line in the diff. */

describe("no change of a monitor", () => {
  it("is the next run, which the service moves on by itself", async () => {
    const { at, urn, twin } = await movedMonitor();
    at.source.tenant.nextSequence();
    for (let step = 0; step < 5000; step += 1) at.target.tenant.nextSequence();
    expect(at.source.body(urn)["schedule"]).not.toHaveProperty("nextRun");
    expect(at.target.body(twin)["schedule"]).toMatchObject({ enabled: true });
    await expectAtRest(at, plan);
  });

  it("is the order in which sub-entities and fields come", async () => {
    const { at, urn, twin } = await movedMonitor();
    editMonitor(at.source, urn, { overallDqThresholds: { more: { value: 10, severity: "ERROR" } } });
    await apply(at, plan);
    for (const [side, monitor] of [
      [at.source, urn],
      [at.target, twin],
    ] as const) {
      const reversed = (value: unknown): unknown => {
        if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
        return Object.fromEntries(
          Object.entries(value)
            .reverse()
            .map(([key, field]) => [key, reversed(field)]),
        );
      };
      side.tenant.monitors.put({
        urn: monitor,
        published: reversed(side.body(monitor)) as never,
        draftType: "NONE",
      });
      await expectAtRest(at, plan);
    }
  });

  it("is a key that was assigned anew, at every level, on both sides", async () => {
    const { at, urn, twin } = await movedMonitor();
    rekeyMonitor(at.target, twin, Object.values(keysOf(at.target, twin)));
    await expectAtRest(at, plan);
    rekeyMonitor(at.source, urn, Object.values(keysOf(at.source, urn)));
    await expectAtRest(at, plan);
    // Later updates use the keys that are there now.
    editMonitor(at.source, urn, { overallDqThresholds: { [keysOf(at.source, urn).overall]: { value: 12 } } });
    await apply(at, plan);
    expect(onlyPatch(at.world)).toEqual({
      overallDqThresholds: { [keysOf(at.target, twin).overall]: { value: 12 } },
    });
    await expectAtRest(at, plan);
  });

  it("is a name of the rule that the monitor only shows", async () => {
    const { at, rule } = await movedMonitor();
    const { published } = at.source.tenant.rules.get(rule) ?? {};
    if (published !== undefined)
      at.source.tenant.rules.put({
        urn: rule,
        published: { ...published, name: "E-mail" },
        draftType: "NONE",
      });
    const done = await apply(at, plan);
    expect(done.changes.map(({ kind, action }) => [kind, action])).toEqual([["rules", "update"]]);
    await expectAtRest(at, plan);
  });

  it("is an open draft at the source: only what is published is moved", async () => {
    const { at, urn } = await movedMonitor();
    const { draftType, published } = at.source.tenant.monitors.get(urn) ?? {};
    expect(draftType).toBe("NONE");
    if (published !== undefined) {
      at.source.tenant.monitors.put({
        urn,
        published,
        draft: { ...published, name: "Not yet" },
        draftType: "CHANGE",
      });
    }
    await expectAtRest(at, plan);
  });

  it("is a field that is set to nothing on one side and absent on the other", async () => {
    const { at, urn, twin } = await movedMonitor();
    const body = structuredClone(at.target.body(twin));
    child(body, "schedule")["priority"] = null;
    Object.assign(body, { connected: {}, tags: [] } satisfies JsonObject);
    at.target.tenant.monitors.put({ urn: twin, published: body as never, draftType: "NONE" });
    await expectAtRest(at, plan);
    expect(at.source.body(urn)).not.toHaveProperty("tags");
  });
});

describe("no change of a dashboard", () => {
  it("is another order of its monitors", async () => {
    const at = await stage();
    const dashboards = { select: { kinds: ["dashboards"] } };
    const urn = seedDashboard(at.source, "Overview");
    await apply(at, dashboards);
    const monitors = at.source.body(urn)["dqMonitorUrns"];
    editDashboard(at.source, urn, { dqMonitorUrns: [...(monitors as string[])].reverse() });
    await expectAtRest(at, dashboards);
    editDashboard(at.source, urn, { dqMonitorUrns: [] });
    expectChange(await apply(at, dashboards), urn, "manual", "the service offers no way to change one");
    expect(written(at.world)).toEqual([]);
  });
});
