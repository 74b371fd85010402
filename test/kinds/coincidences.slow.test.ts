import { expect, test } from "vitest";
import { seedMetadataProperty, seedStewardship } from "../../src/emulator/seed.ts";
import { configurePrimary, seedFolder, seedTerm } from "../diff/support/content.ts";
import { bare, seedTable, writeOver, writtenOver } from "../diff/support/metadata.ts";
import { apply, changeOf, expectAtRest, stage, type Stage } from "../diff/support/run.ts";
import { editFolder, editTerm, removeFolder } from "../diff/support/web.ts";
import { removeMappings, setMappings } from "../../src/operations/mappings.ts";
import { ended, rollback } from "../operations/rollback/support.ts";
import type { PlanChanges } from "../support/world.ts";
import { bornAt, everything, seedBorn, whole } from "./support/born.ts";
import { removeSqlItem, seedProduct, seedSqlItem } from "./support/catalog.ts";

const over: PlanChanges = { select: { kinds: ["item-metadata", "attribute-metadata", "stewardship"] } };
async function table(): Promise<Stage> {
  const at = await stage();
  for (const side of [at.source, at.target]) {
    bare(side);
    seedTable(side, "TAB", ["A"]);
  }
  return at;
}

test("a word that is only `false` and contradicts the target is a conflict, or wins", async () => {
  const at = await table();
  const there = at.target.item("TAB");
  writeOver(at.source, at.source.item("TAB"), { extraProperties: { personalData: false } });
  writeOver(at.target, there, { extraProperties: { personalData: true } });
  expect(ended(await apply(at, over))).toEqual(["conflict item-metadata"]);
  await apply(at, { ...over, policy: { conflict: "source-wins" } });
  expect(writtenOver(at.target, there)).toEqual({ extraProperties: { personalData: false } });
});

test("a rollback takes an SQL item back whose primary monitor nobody has configured, beside one that is", async () => {
  const at = await stage();
  const plan: PlanChanges = { select: { kinds: ["folders", "sql-items", "rules", "monitors"] } };
  const folder = seedFolder(at.source, "F");
  seedSqlItem(at.source, "Configured", folder);
  seedSqlItem(at.source, "Bare", folder);
  configurePrimary(at.source, "Configured", {
    schedule: { cronExpression: "0 0 6 * * ?", enabled: true, timeZone: "UTC" },
  });
  expect((await apply(at, plan)).exitCode).toBe(0);
  const back = await rollback(at, plan, { allowDelete: true });
  expect(
    back.changes
      .filter(({ action }) => action === "manual")
      .map(({ source, reason }) => [source?.name, reason]),
  ).toEqual([]);
  expect([...at.target.tenant.folders.values()]).toEqual([]);
});

test("what lets go of a column of an SQL item in the same run is waited for", async () => {
  const at = await stage();
  for (const { tenant } of [at.source, at.target])
    seedMetadataProperty(tenant, "businessTerm", {
      name: "column",
      type: "SINGLE_REFERENCE",
      entityName: "attribute",
    });
  const plan: PlanChanges = { select: { kinds: ["terms", "folders", "sql-items"] } };
  const item = seedSqlItem(at.source, "X", seedFolder(at.source, "F"));
  const term = seedTerm(at.source, "T", { extraProperties: { column: at.source.attribute("X", "EMAIL") } });
  expect((await apply(at, plan)).exitCode).toBe(0);
  editTerm(at.source, term, { extraProperties: { column: null } });
  removeSqlItem(at.source, item);
  expect(ended(await apply(at, plan, { allowDelete: true }))).toEqual([
    "update terms done",
    "delete sql-items done",
  ]);
  await expectAtRest(at, plan, { allowDelete: true });
});

test("a folder whose property names a folder in it is deleted with that one", async () => {
  const at = await stage();
  for (const { tenant } of [at.source, at.target])
    seedMetadataProperty(tenant, "folder", { name: "start", type: "SINGLE_REFERENCE", entityName: "folder" });
  const plan: PlanChanges = { select: { kinds: ["folders"] } };
  const outer = seedFolder(at.source, "Outer");
  const inner = seedFolder(at.source, "Inner", outer);
  editFolder(at.source, outer, { extraProperties: { start: inner } });
  await apply(at, plan);
  removeFolder(at.source, inner);
  removeFolder(at.source, outer);
  expect((await apply(at, plan, { allowDelete: true })).exitCode).toBe(0);
});

/** A folder whose property names the item in it, brought to the target. */
async function namesItsItem() {
  const at = await stage();
  for (const { tenant } of [at.source, at.target])
    seedMetadataProperty(tenant, "folder", {
      name: "mainItem",
      type: "SINGLE_REFERENCE",
      entityName: "catalogItem",
    });
  const plan: PlanChanges = { select: { kinds: ["folders", "sql-items"] } };
  const folder = seedFolder(at.source, "F");
  const item = seedSqlItem(at.source, "X", folder);
  editFolder(at.source, folder, { extraProperties: { mainItem: item } });
  await apply(at, plan);
  return { at, plan, folder, item };
}

test("the same in a rollback of the run that made them, with an item", async () => {
  const { at, plan } = await namesItsItem();
  expect((await rollback(at, plan, { allowDelete: true })).exitCode).toBe(0);
});

test("and when one run deletes both", async () => {
  const { at, plan, folder, item } = await namesItsItem();
  removeSqlItem(at.source, item);
  removeFolder(at.source, folder);
  expect((await apply(at, plan, { allowDelete: true })).exitCode).toBe(0);
});

test("what the plan lets be left out is not taken away from the target when the source clears it", async () => {
  const at = await stage();
  seedMetadataProperty(at.source.tenant, "folder", { name: "lists", scalarType: "string[]" });
  seedMetadataProperty(at.target.tenant, "folder", { name: "lists", scalarType: "string" });
  const plan: PlanChanges = { select: { kinds: ["folders"] }, policy: { missingProperty: "drop" } };
  const here = seedFolder(at.source, "F", undefined, { extraProperties: { lists: ["a"], costCentre: "1" } });
  await apply(at, plan);
  const there = at.target.folder("F");
  editFolder(at.target, there, { extraProperties: { lists: "their own", costCentre: "1" } });
  await expectAtRest(at, plan);
  editFolder(at.source, here, { extraProperties: { costCentre: "1" } });
  await apply(at, plan);
  expect(at.target.tenant.folders.get(there)?.extraProperties).toEqual({
    lists: "their own",
    costCentre: "1",
  });
});

test("a table that was imported anew at the target is given what the source says, as at first contact", async () => {
  const at = await table();
  const here = at.source.item("TAB");
  writeOver(at.source, here, { description: "d" });
  seedStewardship(at.source.tenant, { entityUrn: here, groupUrn: at.source.group("Data stewards") });
  await apply(at, over);
  removeSqlItem(at.target, at.target.item("TAB"));
  seedTable(at.target, "TAB", ["A"]);
  expect(ended(await apply(at, over))).toEqual(["update item-metadata done", "update stewardship done"]);
});

test("and what a colleague says of it is a conflict, no drift", async () => {
  const at = await table();
  writeOver(at.source, at.source.item("TAB"), { description: "d" });
  await apply(at, over);
  removeSqlItem(at.target, at.target.item("TAB"));
  seedTable(at.target, "TAB", ["A"]);
  writeOver(at.target, at.target.item("TAB"), { description: "their own" });
  await apply(at, { ...over, policy: { drift: "overwrite" } });
  expect(writtenOver(at.target, at.target.item("TAB"))).toEqual({ description: "their own" });
});

test("an SQL item that a colleague has made anew is taken, and what lies over it follows", async () => {
  const at = await stage();
  seedBorn(at.source);
  await apply(at, everything);
  removeSqlItem(at.target, at.target.item("Active"));
  seedSqlItem(at.target, "Active", at.target.folder("Folder of Active"));
  const recreate: PlanChanges = { ...everything, policy: { missingTarget: "recreate" } };
  const { changes } = await apply(at, recreate);
  expect(changes.filter(({ outcome }) => outcome === "failed")).toEqual([]);
  expect(bornAt(at.target)).toEqual(whole());
  await expectAtRest(at, recreate);
});

test("a word that is only `false` arrives beside another property that the target has", async () => {
  const at = await table();
  writeOver(at.source, at.source.item("TAB"), { extraProperties: { personalData: false } });
  writeOver(at.target, at.target.item("TAB"), { extraProperties: { businessName: "their own" } });
  await apply(at, over);
  expect(writtenOver(at.target, at.target.item("TAB"))).toEqual({
    extraProperties: { businessName: "their own", personalData: false },
  });
});

test("a property of which the source says nothing stays the target's when the source names another one later: folders", async () => {
  const at = await stage();
  const plan: PlanChanges = { select: { kinds: ["folders"] } };
  const here = seedFolder(at.source, "F");
  const there = seedFolder(at.target, "F", undefined, { extraProperties: { archived: true } });
  await setMappings(at.world.migration(plan), [{ source: here, target: there }]);
  await expectAtRest(at, plan);
  editFolder(at.source, here, { extraProperties: { costCentre: "9" } });
  await apply(at, plan);
  expect(at.target.tenant.folders.get(there)?.extraProperties).toEqual({ archived: true, costCentre: "9" });
});

test("the same over an item", async () => {
  const at = await table();
  const [here, there] = [at.source.item("TAB"), at.target.item("TAB")];
  writeOver(at.source, here, { description: "d" });
  writeOver(at.target, there, { extraProperties: { businessName: "their own" } });
  await apply(at, over);
  writeOver(at.source, here, { extraProperties: { freshnessHours: 5 } });
  expect(ended(await apply(at, over))).toEqual(["update item-metadata done"]);
});

test("the advice for an SQL item that is there with other content helps", async () => {
  const at = await stage();
  const plan: PlanChanges = { select: { kinds: ["folders", "sql-items"] } };
  const here = seedSqlItem(at.source, "X", seedFolder(at.source, "F"));
  const there = seedSqlItem(at.target, "X", seedFolder(at.target, "F"), {
    extraProperties: { businessName: "their own" },
  });
  const advised = changeOf(await apply(at, plan), here)?.diagnostics.at(-1)?.suggestion;
  expect(advised).toContain(`ferry mappings test set ${here} ${there} --kind sql-items`);
  const pair = { source: here, target: there, kind: "sql-items" };
  await setMappings(at.world.migration(plan), [pair], { check: true });
  expect(changeOf(await apply(at, plan), here)).toBe(undefined);
});

test("a pair that a person names is compared by its words: a parent has another URN on each side", async () => {
  const at = await stage();
  const plan: PlanChanges = { select: { kinds: ["folders"] } };
  const told = async (source: string, target: string): Promise<readonly string[]> => {
    const result = await setMappings(at.world.migration(plan), [{ source, target }], { check: true });
    return result.diagnostics.map(({ code }) => code);
  };
  expect(await told(seedFolder(at.source, "Same"), seedFolder(at.target, "Same"))).toEqual([]);
  expect(await told(seedFolder(at.source, "One"), seedFolder(at.target, "Other"))).toEqual([
    "pair-other-key",
  ]);
});

test("a person's pair takes its target from what would come to it by name, and that is told before anything is written", async () => {
  const at = await table();
  for (const side of [at.source, at.target]) seedTable(side, "OTHER", ["A"]);
  const [own, other] = [at.source.item("TAB"), at.source.item("OTHER")];
  writeOver(at.source, own, { description: "ours" });
  writeOver(at.source, other, { description: "the other one" });
  await setMappings(at.world.migration(over), [{ source: own, target: at.target.item("OTHER") }], {
    check: true,
  });
  const result = await apply(at, over);
  expect(result.exitCode).toBe(4);
  expect(changeOf(result, other)).toMatchObject({ action: "blocked" });
  expect(JSON.stringify(changeOf(result, other))).toContain("which the mapping has as the twin of");
  expect(writtenOver(at.target, at.target.item("OTHER"))).toEqual({ description: "ours" });
  await removeMappings(at.world.migration(over), [own]);
  expect((await apply(at, { ...over, policy: { conflict: "source-wins" } })).exitCode).toBe(0);
  expect(writtenOver(at.target, at.target.item("OTHER"))).toEqual({ description: "the other one" });
});

test("a person names the twin of an SQL item and of an entity by their URNs alone", async () => {
  const at = await stage();
  const plan: PlanChanges = {
    select: { kinds: ["folders", "sql-items", "entities"], entityTypes: ["dataProduct"] },
  };
  const pairs = [
    { source: seedProduct(at.source, "Product"), target: seedProduct(at.target, "Product (old)") },
    {
      source: seedSqlItem(at.source, "Active", seedFolder(at.source, "F")),
      target: seedSqlItem(at.target, "Active (old)", seedFolder(at.target, "F")),
    },
  ];
  await setMappings(at.world.migration(plan), pairs, { check: true });
  const result = await apply(at, plan);
  expect(result.changes.filter(({ action }) => action === "create")).toEqual([]);
  for (const { source, target } of pairs) expect(changeOf(result, source)?.target?.urn).toBe(target);
});
