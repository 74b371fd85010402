import { describe, expect, test } from "vitest";
import { leaveMonitorDraft } from "../../../src/emulator/seed.ts";
import { applyPlan } from "../../../src/operations/apply.ts";
import { previewRollback, rollbackRun } from "../../../src/operations/rollback.ts";
import { stopAfter } from "../../diff/support/approved.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { killedAt } from "../../doubts/support.ts";
import { seedDashboard, seedRule } from "../../diff/support/content.ts";
import { written } from "../../diff/support/log.ts";
import { movedMonitor, plan } from "../../diff/support/monitors.ts";
import { apply, entryOf, stage, type Stage, twinOf } from "../../diff/support/run.ts";
import { editMonitor, editRule } from "../../diff/support/web.ts";
import { ended, rollback } from "./support.ts";

describe("an open draft of somebody else", () => {
  test("is not published with what is taken back", async () => {
    const { at, urn, twin } = await movedMonitor();
    editMonitor(at.source, urn, { name: "Ours" });
    await apply(at, plan);
    leaveMonitorDraft(at.target.tenant, twin, "CHANGE", { name: "Theirs" });
    const done = await rollback(at, plan);
    expect(done).toMatchObject({ exitCode: 4, summary: { manual: 1 } });
    expect(done.changes[0]?.reason).toContain("open draft of somebody else");
    expect(done.changes[0]?.diagnostics[0]?.suggestion).toContain("Publish or discard");
    expect(written(at.world)).toEqual([]);
    expect(at.target.body(twin)["name"]).toBe("Ours");
  });

  test("is not deleted with what the run created; its rule stays with it", async () => {
    const { at, twin } = await movedMonitor();
    leaveMonitorDraft(at.target.tenant, twin, "CHANGE", { name: "Theirs" });
    const done = await rollback(at, plan, { allowDelete: true });
    expect(ended(done)).toContain("manual monitors");
    expect(at.target.tenant.monitors.has(twin)).toBe(true);
    // The monitor is as the run has left it, and stays all the same: what it refers to is not deleted.
    expect(done.changes.find(({ kind }) => kind === "rules")?.reason).toContain(
      "at the target still refers to it",
    );
    expect(at.target.tenant.rules.size).toBeGreaterThan(0);
  });

  test("that deletes the object is somebody's, though it says what is published", async () => {
    const { at, urn, twin } = await movedMonitor();
    editMonitor(at.source, urn, { name: "Ours" });
    await apply(at, plan);
    leaveMonitorDraft(at.target.tenant, twin, "DELETE", {});
    const done = await rollback(at, plan);
    expect(done).toMatchObject({ exitCode: 4, summary: { manual: 1 } });
    expect(done.changes[0]?.reason).toContain("open draft of somebody else");
    expect(written(at.world)).toEqual([]);
    expect(at.target.tenant.monitors.get(twin)?.draftType).toBe("DELETE");
  });

  test("that says what is published holds nobody's work", async () => {
    const { at, twin } = await movedMonitor();
    leaveMonitorDraft(at.target.tenant, twin, "CHANGE", {});
    expect((await rollback(at, plan, { allowDelete: true })).exitCode).toBe(0);
    expect(at.target.tenant.monitors.has(twin)).toBe(false);
  });
});

describe("a draft that another run left", () => {
  const rules = { select: { kinds: ["rules"] } };

  /** One run has changed a rule; a later one was killed when it had patched that and another one. */
  async function patchedAgain(): Promise<{
    readonly at: Stage;
    readonly run: string;
    readonly stand: () => readonly unknown[];
  }> {
    const at = await stage();
    const urns = ["One", "Two"].map((name) => seedRule(at.source, name, { description: "first" }));
    await apply(at, rules);
    editRule(at.source, at.source.rule("One"), { description: "second" });
    const { run = "" } = await apply(at, rules);
    for (const urn of urns) editRule(at.source, urn, { description: "third" });
    await killedAt(at, rules, "intent:before", 3);
    const twins = (await Promise.all(urns.map(async (urn) => twinOf(at, urn)))) as Urn[];
    const stand = (): readonly unknown[] =>
      twins.map((twin) => [at.target.tenant.rules.get(twin)?.draftType, at.target.body(twin)["description"]]);
    return { at, run, stand };
  }

  test("is not published by a rollback of an earlier one, also the second time", async () => {
    const { at, run, stand } = await patchedAgain();
    for (const _time of [1, 2]) {
      expect(await rollback(at, rules, { run })).toMatchObject({
        exitCode: 4,
        changes: [{ action: "manual", reason: expect.stringContaining("another run") as unknown }],
      });
      expect(written(at.world)).toEqual([]);
      expect(stand()).toEqual([
        ["CHANGE", "second"],
        ["CHANGE", "first"],
      ]);
    }
  });

  test("is published and taken back with what that run did", async () => {
    const { at, stand } = await patchedAgain();
    expect(await rollback(at, rules)).toMatchObject({ exitCode: 0, summary: { update: 2 } });
    expect(stand()).toEqual([
      ["NONE", "second"],
      ["NONE", "first"],
    ]);
  });
});

describe("a draft that an interrupted run left", () => {
  test("is told as not begun where the rollback is stopped before it is published", async () => {
    const { at, urn, twin } = await movedMonitor();
    editMonitor(at.source, urn, { name: "Ours" });
    await killedAt(at, plan, "intent:before", 2);
    const stop = new AbortController();
    const stopped = await rollbackRun(at.world.migration(plan, { stop: stop.signal }), {
      confirm: async () => {
        stop.abort();
        return true;
      },
    });
    expect(stopped).toMatchObject({ exitCode: 5, changes: [{ action: "update", outcome: "not-started" }] });
    expect(stopped.next?.[0]).toContain("ferry rollback test --run ");
    expect(at.target.tenant.monitors.get(twin)?.draftType).toBe("CHANGE");
    expect(await rollback(at, plan)).toMatchObject({ exitCode: 0, summary: { update: 1 } });
    expect(at.target.body(twin)["name"]).not.toBe("Ours");
  });

  test("of a new dashboard is named: no interface deletes it, and it does not come to light", async () => {
    const at = await stage();
    const boards = { select: { kinds: ["dashboards"] } };
    const board = seedDashboard(at.source, "Board");
    const stop = stopAfter(at, 1, "POST", "/dq-dashboards");
    await applyPlan(at.world.migration(boards, { stop }), { confirm: async () => true });
    const done = await rollback(at, boards);
    expect(done).toMatchObject({ exitCode: 4, summary: { manual: 1 } });
    expect(done.changes[0]?.reason).toContain("did not come to publish it");
    expect(done.changes[0]?.diagnostics[0]?.suggestion).toContain(`ferry mappings test remove ${board}`);
    expect(written(at.world)).toEqual([]);
    expect(await entryOf(at, board)).toMatchObject({ unfinished: "publish" });
  });

  test("of a change is published and taken back, and the dry run says so", async () => {
    const { at, urn, twin } = await movedMonitor();
    const before = at.target.body(twin);
    editMonitor(at.source, urn, { name: "Ours" });
    const stop = stopAfter(at, 1, "PATCH");
    await applyPlan(at.world.migration(plan, { stop }), { confirm: async () => true });
    const dry = await previewRollback(at.world.migration(plan));
    expect(dry.summary).toMatchObject({ update: 1 });
    expect(dry.changes[0]?.reason).toContain("left a draft");
    const done = await rollback(at, plan);
    expect(done).toMatchObject({ exitCode: 0, summary: { update: 1 } });
    expect(at.target.body(twin)).toEqual(before);
    expect(at.target.tenant.monitors.get(twin)?.draftType).toBe("NONE");
    expect((await entryOf(at, urn))?.unfinished).toBeUndefined();
  });

  test("of a change, which somebody changed since, is left and named", async () => {
    const { at, urn, twin } = await movedMonitor();
    editMonitor(at.source, urn, { name: "Ours" });
    const stop = stopAfter(at, 1, "PATCH");
    await applyPlan(at.world.migration(plan, { stop }), { confirm: async () => true });
    leaveMonitorDraft(at.target.tenant, twin, "CHANGE", { name: "Theirs" });
    const done = await rollback(at, plan);
    expect(done).toMatchObject({ exitCode: 4, summary: { manual: 1 } });
    expect(done.changes[0]?.reason).toContain("could not be published");
    expect(written(at.world)).toEqual([]);
    expect(await entryOf(at, urn)).toMatchObject({ unfinished: "publish" });
  });

  test("is not published when nobody confirms", async () => {
    const { at, urn, twin } = await movedMonitor();
    editMonitor(at.source, urn, { name: "Ours" });
    const stop = stopAfter(at, 1, "PATCH");
    await applyPlan(at.world.migration(plan, { stop }), { confirm: async () => true });
    at.world.emulator.log.clear();
    const { rollbackRun } = await import("../../../src/operations/rollback.ts");
    const refused = rollbackRun(at.world.migration(plan), { confirm: async () => false });
    await expect(refused).rejects.toThrow("not confirmed");
    expect(written(at.world)).toEqual([]);
    expect(at.target.tenant.monitors.get(twin)?.draftType).toBe("CHANGE");
  });
});
