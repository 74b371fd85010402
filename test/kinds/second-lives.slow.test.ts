import { expect, test } from "vitest";
import { seedStewardship } from "../../src/emulator/seed.ts";
import { applyPlan } from "../../src/operations/apply.ts";
import { configurePrimary, seedDashboard, seedFolder, seedTerm } from "../diff/support/content.ts";
import { bare, seedTable, writeOver } from "../diff/support/metadata.ts";
import { apply, stage, type Stage } from "../diff/support/run.ts";
import { editMonitor, removeFolder, removeItem, removeTerm } from "../diff/support/web.ts";
import { killedAt, rollback } from "../operations/rollback/support.ts";
import type { PlanChanges } from "../support/world.ts";
import { bornAt, everything, seedBorn, whole } from "./support/born.ts";
import { removeOne, removeSqlItem, seedProduct, seedSqlItem } from "./support/catalog.ts";

/**
 * What was removed at the target is made anew there, and what lies over it (primary monitors, words, stewards) with it: the
 * rows of that are of the new one from the moment it is written, and not of the one that is gone.
 */

const kinds = [...(everything.select?.kinds ?? []), "dashboards"];
const recreating: PlanChanges = {
  select: { kinds },
  policy: { termLinks: "done", missingTarget: "recreate" },
};

async function begin(): Promise<Stage> {
  const at = await stage();
  for (const side of [at.source, at.target]) bare(side);
  return at;
}

async function madeAnew(
  plan: PlanChanges,
): Promise<Stage & { readonly primary: string; readonly run: string }> {
  const at = await begin();
  const { primary } = seedBorn(at.source);
  await apply(at, plan);
  removeSqlItem(at.target, at.target.item("Active"));
  const { exitCode, run = "" } = await apply(at, plan, { verify: true });
  expect(exitCode).toBe(0);
  return { ...at, primary, run };
}

const daily = { cronExpression: "0 0 1 * * ?", enabled: true, timeZone: "UTC" };

test.each(["report", "source-wins"] as const)(
  "edits at what lies over an item that was made anew are drift (policy.conflict: %s)",
  async (conflict) => {
    const plan = { ...recreating, policy: { ...recreating.policy, conflict } };
    const at = await madeAnew(plan);
    editMonitor(at.target, at.target.primary("Active"), { schedule: daily });
    writeOver(at.target, at.target.attribute("Active", "CUSTOMER_ID"), { description: "a colleague's" });
    const groupUrn = at.target.group("Customer domain");
    seedStewardship(at.target.tenant, { entityUrn: at.target.item("Active"), groupUrn });
    const { changes, exitCode } = await apply(at, plan);
    expect(changes.map(({ action }) => action)).toEqual(["drift", "drift", "drift"]);
    expect(exitCode).toBe(4);
  },
);

test.each(["report", "source-wins"] as const)(
  "so they are over a table that was imported anew at the target (policy.conflict: %s)",
  async (conflict) => {
    const at = await begin();
    const plan: PlanChanges = {
      select: { kinds: ["item-metadata", "attribute-metadata", "stewardship", "rules", "monitors"] },
      policy: { conflict },
    };
    for (const side of [at.source, at.target]) seedTable(side, "TAB", ["A"]);
    const [item, column] = [at.source.item("TAB"), at.source.attribute("TAB", "A")];
    for (const urn of [item, column]) writeOver(at.source, urn, { description: "ours" });
    seedStewardship(at.source.tenant, { entityUrn: item, groupUrn: at.source.group("Data stewards") });
    configurePrimary(at.source, "TAB", { schedule: daily });
    await apply(at, plan);
    removeItem(at.target, at.target.item("TAB"));
    seedTable(at.target, "TAB", ["A"]);
    expect(await apply(at, plan)).toMatchObject({ exitCode: 0 });
    const [there, columnThere] = [at.target.item("TAB"), at.target.attribute("TAB", "A")];
    for (const urn of [there, columnThere]) writeOver(at.target, urn, { description: "a colleague's" });
    seedStewardship(at.target.tenant, { entityUrn: there, groupUrn: at.target.group("Customer domain") });
    editMonitor(at.target, at.target.primary("TAB"), { schedule: { ...daily, enabled: false } });
    const { changes } = await apply(at, plan);
    expect(changes.map(({ action }) => action)).toEqual(["drift", "drift", "drift", "drift"]);
  },
);

test("a dashboard that is made right after shows the new primary monitor", async () => {
  const at = await madeAnew(recreating);
  seedDashboard(at.source, "D", { dqMonitorUrns: [at.primary] });
  const only: PlanChanges = { ...recreating, select: { kinds: ["dashboards"], dependencies: "mapped-only" } };
  expect(await apply(at, only, { verify: true })).toMatchObject({ exitCode: 0 });
  const shown = at.target.tenant.dashboards.get(at.target.dashboard("D"))?.published?.["dqMonitorUrns"];
  expect(shown).toEqual([at.target.primary("Active")]);
});

test("what the source clears is cleared at the new one", async () => {
  const at = await madeAnew(recreating);
  writeOver(at.source, at.source.attribute("Active", "CUSTOMER_ID"), { description: null });
  const { changes, exitCode } = await apply(at, recreating);
  expect(changes.map(({ action, kind }) => `${action} ${kind}`)).toEqual(["update attribute-metadata"]);
  expect(exitCode).toBe(0);
});

test("a run that made things anew can be taken back", async () => {
  const at = await madeAnew(recreating);
  expect(await rollback(at, recreating, { run: at.run, allowDelete: true })).toMatchObject({ exitCode: 0 });
});

test("taken back once more, nothing is left of it, though words lay over a column of what it deleted", async () => {
  const at = await begin();
  const plan: PlanChanges = { select: { kinds: ["folders", "sql-items", "attribute-metadata"] } };
  seedSqlItem(at.source, "First", seedFolder(at.source, "F"));
  await apply(at, plan);
  seedSqlItem(at.source, "Second", at.source.folder("F"));
  writeOver(at.source, at.source.attribute("Second", "EMAIL"), { description: "ours" });
  const { run = "" } = await apply(at, plan);
  const options = { run, allowDelete: true };
  expect(await rollback(at, plan, options)).toMatchObject({ exitCode: 0, run: expect.any(String) });
  const again = await rollback(at, plan, options);
  expect(again).toMatchObject({ exitCode: 0, headline: expect.stringContaining("nothing is left") });
});

test.each(["terms", "folders", "entities"] as const)(
  "another steward of one of %s that was made anew is drift",
  async (kind) => {
    const at = await begin();
    const plan: PlanChanges = {
      select: { kinds: [kind, "stewardship"], entityTypes: kind === "entities" ? ["dataProduct"] : [] },
      policy: { missingTarget: "recreate", conflict: "source-wins" },
    };
    const seeds = { terms: seedTerm, folders: seedFolder, entities: seedProduct };
    const entityUrn = seeds[kind](at.source, "X");
    seedStewardship(at.source.tenant, { entityUrn, groupUrn: at.source.group("Data stewards") });
    await apply(at, plan);
    const find = {
      terms: () => at.target.term("X"),
      folders: () => at.target.folder("X"),
      entities: () => at.target.entity("dataProduct", "X"),
    }[kind];
    const remove = { terms: removeTerm, folders: removeFolder, entities: removeOne }[kind];
    remove(at.target, find());
    expect(await apply(at, plan)).toMatchObject({ exitCode: 0 });
    const theirs = at.target.group("Customer domain");
    seedStewardship(at.target.tenant, { entityUrn: find(), groupUrn: theirs });
    const { changes } = await apply(at, plan);
    expect(changes.map(({ action }) => action)).toEqual(["drift"]);
    expect(at.target.tenant.stewards.get(find())).toBe(theirs);
  },
);

test("killed at any request while it makes it anew: two more runs bring all of it", async () => {
  for (let nth = 1; ; nth += 1) {
    const at = await begin();
    seedBorn(at.source);
    await apply(at, recreating);
    removeSqlItem(at.target, at.target.item("Active"));
    const killed = applyPlan(at.world.migration(recreating, killedAt("send:after", nth)), {
      confirm: async () => true,
    });
    const isOver = await killed.then(
      () => true,
      () => false,
    );
    if (isOver) {
      expect(nth).toBeGreaterThan(3);
      return;
    }
    await apply(at, recreating);
    expect({ nth, exitCode: (await apply(at, recreating)).exitCode }).toEqual({ nth, exitCode: 0 });
    expect(bornAt(at.target)).toEqual(whole());
  }
});

test("what a run made is not taken back while somebody has changed what it laid over it", async () => {
  const at = await begin();
  const plan: PlanChanges = {
    select: { kinds: ["folders", "sql-items", "stewardship", "attribute-metadata"] },
  };
  const item = seedSqlItem(at.source, "Active", seedFolder(at.source, "F"));
  seedStewardship(at.source.tenant, { entityUrn: item, groupUrn: at.source.group("Data stewards") });
  const { run = "" } = await apply(at, plan);
  const theirs = at.target.group("Customer domain");
  seedStewardship(at.target.tenant, { entityUrn: at.target.item("Active"), groupUrn: theirs });
  const kept = await rollback(at, plan, { run, allowDelete: true });
  expect(kept.exitCode).toBe(4);
  expect(kept.changes.find(({ kind }) => kind === "sql-items")?.reason).toMatch(
    /somebody has changed what lies over it/,
  );
  expect(at.target.tenant.stewards.get(at.target.item("Active"))).toBe(theirs);
  seedStewardship(at.target.tenant, {
    entityUrn: at.target.item("Active"),
    groupUrn: at.target.group("Data stewards"),
  });
  expect(await rollback(at, plan, { run, allowDelete: true })).toMatchObject({ exitCode: 0 });
});
