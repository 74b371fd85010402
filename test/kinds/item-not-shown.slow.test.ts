import { describe, expect, test } from "vitest";
import type { PlanChanges } from "../support/world.ts";
import { front, through } from "../support/front.ts";
import { exitCodes } from "../../src/model/result.ts";
import { applyPlan } from "../../src/operations/apply.ts";
import { configurePrimary, seedFolder } from "../diff/support/content.ts";
import { everything } from "./support/born.ts";
import { removeSqlItem, seedSqlItem } from "./support/catalog.ts";
import { changeOf, fresh, type Place } from "./support/place.ts";

const itemFilter = /catalog-items\/filter/u;

describe("an item that is deleted at the source between the list of monitors and that of items", () => {
  test.each([[["monitors"]], [["monitors", "sql-items", "folders"]]])(
    "its primary monitor is not taken for one that people made, with %s selected",
    async (kinds) => {
      const at = await fresh();
      const item = seedSqlItem(at.source, "Active", seedFolder(at.source, "F"));
      configurePrimary(at.source, "Active", {
        invalidSamplesConfiguration: { enabled: true, sampleSize: 7 },
      });
      const primary = at.source.primary("Active");
      let isArmed = false;
      const { url } = await front(at.world.emulator.baseUrl("dev"), {
        before: async (path) => {
          if (!isArmed || !itemFilter.test(path)) return;
          isArmed = false;
          removeSqlItem(at.source, item);
        },
      });
      const apply = async (plan: PlanChanges): ReturnType<Place["apply"]> =>
        applyPlan(at.world.migration(plan, through(at.world, plan, { source: url })), {
          confirm: async () => true,
        });
      expect((await apply(everything)).exitCode).toBe(exitCodes.done);
      const before = [...at.target.tenant.monitors.values()].length;
      isArmed = true;
      const plan: PlanChanges = { select: { kinds } };
      const result = await apply(plan);
      expect(at.source.tenant.monitors.get(primary)).toBeUndefined();
      expect([...at.target.tenant.monitors.values()]).toHaveLength(before);
      expect(changeOf(result, primary)).toMatchObject({ action: "manual" });
      expect(changeOf(result, primary).diagnostics.map(({ code }) => code)).toContain("item-not-shown");
      expect(result.exitCode).toBe(exitCodes.partial);
      // Its item is gone, and so is it: nothing is left to be asked about but what is withheld from being deleted.
      const next = await apply(plan);
      expect(next.changes.filter(({ action }) => action !== "delete" && action !== "unchanged")).toEqual([]);
    },
  );
});
