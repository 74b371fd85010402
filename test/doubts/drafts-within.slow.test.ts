import { describe, expect, test } from "vitest";
import { leaveMonitorDraft } from "../../src/emulator/seed.ts";
import { rollbackRun } from "../../src/operations/rollback.ts";
import { seedFolder } from "../diff/support/content.ts";
import { removeSqlItem, seedSqlItem } from "../kinds/support/catalog.ts";
import { changeOf, fresh, type Place } from "../kinds/support/place.ts";
import type { Urn } from "../../src/model/urn.ts";

/** With an SQL item goes its primary monitor, and with that whatever somebody has begun to change in it. */

const plan = { select: { kinds: ["folders", "sql-items"] } };
const allowDelete = true;
const theirs = { schedule: { cronExpression: "0 0 5 * * ?", enabled: true, timeZone: "UTC" } };

async function moved(): Promise<{ readonly at: Place; readonly item: Urn; readonly primary: Urn }> {
  const at = await fresh();
  const item = seedSqlItem(at.source, "Active", seedFolder(at.source, "Views"));
  expect((await at.apply(plan)).exitCode).toBe(0);
  return { at, item, primary: at.target.primary("Active") };
}

describe("an SQL item that is gone at the source", () => {
  test.each([
    ["changes", "CHANGE", theirs],
    ["a deletion that nobody has published", "DELETE", {}],
  ] as const)(
    "stays with somebody's open draft of %s of its primary monitor",
    async (_what, type, change) => {
      const { at, item, primary } = await moved();
      leaveMonitorDraft(at.target.tenant, primary, type, change);
      removeSqlItem(at.source, item);
      const result = await at.apply(plan, { allowDelete });
      expect(result.exitCode).toBe(4);
      expect(changeOf(result, item)).toMatchObject({ action: "blocked" });
      const told = changeOf(result, item).diagnostics.find(({ code }) => code === "open-draft");
      expect(told?.summary).toBe(
        `its primary monitor has an open draft of somebody else, which would be deleted with it (${primary})`,
      );
      expect(at.writes()).toEqual([]);
      expect(at.target.tenant.monitors.get(primary)?.draft).toBeDefined();
    },
  );

  test("goes with a draft that says what is published, and without any", async () => {
    for (const leave of [true, false]) {
      const { at, item, primary } = await moved();
      if (leave) leaveMonitorDraft(at.target.tenant, primary, "CHANGE");
      removeSqlItem(at.source, item);
      const result = await at.apply(plan, { allowDelete });
      expect(changeOf(result, item)).toMatchObject({ action: "delete", outcome: "done" });
    }
  });

  test("stays with one that was opened after the diff was made", async () => {
    const { at, item, primary } = await moved();
    removeSqlItem(at.source, item);
    const result = await at.apply(plan, {
      allowDelete,
      confirm: async () => {
        leaveMonitorDraft(at.target.tenant, primary, "CHANGE", theirs);
        return true;
      },
    });
    expect(result.exitCode).toBe(4);
    expect(changeOf(result, item).outcome).toBe("failed");
    expect(JSON.stringify(result)).toContain("its primary monitor has an open draft of somebody else");
    expect(at.writes()).toEqual([]);
  });
});

test("a rollback leaves an SQL item that the run created with somebody's draft of its primary monitor", async () => {
  const { at, item, primary } = await moved();
  leaveMonitorDraft(at.target.tenant, primary, "CHANGE", theirs);
  const before = at.target.tenant.items.size;
  const result = await rollbackRun(at.world.migration(plan), { confirm: async () => true, allowDelete });
  expect(result.exitCode).toBe(4);
  expect(changeOf(result, item)).toMatchObject({ action: "manual" });
  expect(changeOf(result, item).reason).toContain("its primary monitor has an open draft of somebody else");
  expect(at.target.tenant.items.size).toBe(before);
  expect(at.target.tenant.folders.get(at.target.folder("Views"))).toBeDefined();
});
