import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/emulator/json.ts";
import { leaveMonitorDraft } from "../../src/emulator/seed.ts";
import type { Result } from "../../src/model/result.ts";
import { written } from "../diff/support/log.ts";
import { keysOf, movedMonitor, plan, update } from "../diff/support/monitors.ts";
import { apply, changeOf, expectAtRest, type Stage } from "../diff/support/run.ts";
import { editMonitor } from "../diff/support/web.ts";
import { afterCommit, foreign, lose, onArrival, partNames, routes, said } from "./support.ts";

const [patch = "", publish = ""] = update;

const exportsOf = (at: Stage, twin: string): readonly unknown[] =>
  partNames(at.target.body(twin)["exportDefinitions"]);

function expectInDoubt(done: Result, urn: string): void {
  expect(done.exitCode).toBe(6);
  expect(changeOf(done, urn)?.outcome).toBe("in-doubt");
  expect(said(done)).toContain("somebody else changed it meanwhile");
}

describe.each(["404", "published"] as const)("without a draft the service answers %s", (absentDraft) => {
  it("what somebody else added to the draft of a lost patch is not published with it", async () => {
    const { at, urn, twin } = await movedMonitor();
    at.target.tenant.quirks.absentDraft = absentDraft;
    editMonitor(at.source, urn, { schedule: { cronExpression: "0 0 8 * * ?" } });
    lose(at, routes.patchMonitor, { type: "drop-after-commit" });
    afterCommit(at, routes.patchMonitor, () => {
      leaveMonitorDraft(at.target.tenant, twin, "CHANGE", foreign);
    });
    expectInDoubt(await apply(at, plan), urn);
    expect(written(at.world)).toEqual([patch]);

    const row = structuredClone(at.target.tenant.monitors.get(twin));
    expect(row?.draftType).toBe("CHANGE");
    expect((await apply(at, plan)).exitCode).toBe(6);
    expect(written(at.world)).toEqual([]);
    expect(at.target.tenant.monitors.get(twin)).toEqual(row);
  });

  it("a removal that was lost is sent again, and one that happened is not", async () => {
    for (const type of ["drop-before-commit", "drop-after-commit"] as const) {
      const { at, urn, twin } = await movedMonitor();
      at.target.tenant.quirks.absentDraft = absentDraft;
      editMonitor(at.source, urn, { exportDefinitions: { [keysOf(at.source, urn).file]: null } });
      lose(at, routes.patchMonitor, { type });
      expect((await apply(at, plan)).exitCode).toBe(0);
      expect(written(at.world)).toEqual(
        type === "drop-before-commit" ? [patch, patch, publish] : [patch, publish],
      );
      expect(exportsOf(at, twin)).toEqual([]);
      await expectAtRest(at, plan);
    }
  });
});

const theirs: readonly { readonly what: string; readonly change: JsonObject }[] = [
  { what: "an addition", change: foreign },
  { what: "another value", change: { schedule: { cronExpression: "0 0 9 * * ?" } } },
  { what: "a field that nobody has set", change: { profilingConfiguration: { extra: 1 } } },
];

describe("a removal that was lost before the commit, with somebody else's open draft", () => {
  it.each(theirs)("($what) is not judged done by any run", async ({ change }) => {
    const { at, urn, twin } = await movedMonitor();
    editMonitor(at.source, urn, { exportDefinitions: { [keysOf(at.source, urn).file]: null } });
    lose(at, routes.patchMonitor, { type: "drop-before-commit" });
    onArrival(at, routes.patchMonitor, () => {
      leaveMonitorDraft(at.target.tenant, twin, "CHANGE", change);
    });
    expectInDoubt(await apply(at, plan), urn);
    expect(written(at.world)).toEqual([patch]);
    const next = await apply(at, plan);
    expect(next.exitCode).toBe(6);
    expect(changeOf(next, urn)?.action).toBe("blocked");
    expect(written(at.world)).toEqual([]);
    expect(exportsOf(at, twin)).toEqual(["Invalid rows"]);
    expect(at.target.tenant.monitors.get(twin)?.draftType).toBe("CHANGE");
  });
});
