import { expect, describe, test } from "vitest";
import { seedDashboard, seedFolder } from "../diff/support/content.ts";
import { editItem, seedSqlItem } from "./support/catalog.ts";
import { everything, seedBorn } from "./support/born.ts";
import { changeOf, fresh, type Place } from "./support/place.ts";

const queries = [{ pattern: "DEV_", replace: "PROD_" }];
const plan = {
  ...everything,
  select: { kinds: [...(everything.select?.kinds ?? []), "dashboards"] },
  pairing: { queries },
};

async function bothMade(): Promise<{ readonly at: Place; readonly dashboard: string }> {
  const at = await fresh();
  for (const side of [at.source, at.target]) {
    seedBorn(side);
    seedDashboard(side, "Overview", { dqMonitorUrns: [side.primary("Active")] });
  }
  return { at, dashboard: at.source.dashboard("Overview") };
}

/** What refers to the primary monitor of an SQL item is compared when it is known which item that is. */
describe("a dashboard over the primary monitor of an SQL item that is adopted", () => {
  test("is adopted with it when both are the same", async () => {
    const { at, dashboard } = await bothMade();
    const result = await at.apply(plan);
    expect(at.writes()).toEqual([]);
    expect(changeOf(result, at.source.item("Active"))).toMatchObject({ action: "adopt" });
    expect(changeOf(result, dashboard)).toMatchObject({
      action: "adopt",
      target: { urn: at.target.dashboard("Overview") },
    });
    expect(result.exitCode).toBe(0);
    expect((await at.apply(plan)).changes).toEqual([]);
    expect(at.writes()).toEqual([]);
  });

  test("differs by what it shows and by nothing else, also where the name decides", async () => {
    const at = await fresh();
    for (const side of [at.source, at.target]) seedBorn(side);
    seedDashboard(at.source, "Overview", { dqMonitorUrns: [at.source.primary("Active")] });
    seedDashboard(at.target, "Overview", {
      dqMonitorUrns: [at.target.primary("Active")],
      description: "What the target says",
    });
    const dashboard = at.source.dashboard("Overview");
    const said = changeOf(await at.diff(plan), dashboard);
    expect(said).toMatchObject({ action: "blocked" });
    expect(said.reason).toContain("differing: /description");
    expect(said.reason).not.toContain("dqMonitorUrns");
    const named = changeOf(await at.diff({ ...plan, policy: { adopt: "by-name" } }), dashboard);
    expect(named.fields.map(({ path }) => path)).toEqual(["/description"]);
  });

  test("is not adopted when the item is not accepted", async () => {
    const { at, dashboard } = await bothMade();
    editItem(at.target, at.target.item("Active"), { description: "Another" });
    const result = await at.diff(plan);
    expect(changeOf(result, at.source.item("Active"))).toMatchObject({ action: "blocked" });
    expect(changeOf(result, dashboard)).toMatchObject({ action: "blocked" });
  });

  test("is created after an item that is created", async () => {
    const at = await fresh();
    seedBorn(at.source);
    seedDashboard(at.source, "Overview", { dqMonitorUrns: [at.source.primary("Active")] });
    expect((await at.apply(plan)).exitCode).toBe(0);
    const made = at.target.tenant.dashboards.get(at.target.dashboard("Overview"))?.published;
    expect(made).toMatchObject({ dqMonitorUrns: [at.target.primary("Active")] });
  });

  test("is led to the item of the folder that it stands in where another one has the path", async () => {
    const at = await fresh();
    // As a given thing it would be the renamed one; as an SQL item it is known by its folder and name.
    for (const [side, names] of [
      [at.source, ["DEV_Orders"]],
      [at.target, ["DEV_Orders", "PROD_Orders"]],
    ] as const) {
      const folder = seedFolder(side, "Views");
      for (const name of names) seedSqlItem(side, name, folder, { description: "The same" });
      seedDashboard(side, "Overview", { dqMonitorUrns: [side.primary("DEV_Orders")] });
    }
    const renamed = { ...plan, pairing: { queries, paths: [{ pattern: "^DEV_", replace: "PROD_" }] } };
    const result = await at.apply(renamed);
    expect(at.writes()).toEqual([]);
    expect(changeOf(result, at.source.dashboard("Overview"))).toMatchObject({ action: "adopt" });
    expect(result.exitCode).toBe(0);
  });
});
