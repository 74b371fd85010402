import { expect, test } from "vitest";
import { seedMetadataProperty } from "../../src/emulator/seed.ts";
import { setMappings } from "../../src/operations/mappings.ts";
import { seedFolder } from "../diff/support/content.ts";
import { bare, seedTable, writeOver } from "../diff/support/metadata.ts";
import { apply, diff, stage, type Stage } from "../diff/support/run.ts";
import { removeItem } from "../diff/support/web.ts";
import type { PlanChanges } from "../support/world.ts";
import { removeSqlItem, seedProduct, seedSqlItem } from "./support/catalog.ts";

/** A service refuses names that its metadata model does not have: what only the target's has is not asked of the source. */

const plan: PlanChanges = {
  select: {
    kinds: ["folders", "sql-items", "entities", "item-metadata", "attribute-metadata"],
    entityTypes: ["dataProduct"],
  },
};

async function begin(): Promise<Stage> {
  const at = await stage();
  for (const side of [at.source, at.target]) {
    bare(side);
    seedTable(side, "TAB", ["A"]);
  }
  for (const type of ["catalogItem", "attribute", "dataProduct"])
    seedMetadataProperty(at.target.tenant, type, { name: "onlyThere" });
  return at;
}

test("an SQL item that is gone at the source is an orphan", async () => {
  const at = await begin();
  const item = seedSqlItem(at.source, "Active", seedFolder(at.source, "F"));
  await apply(at, plan);
  removeSqlItem(at.source, item);
  const { changes } = await diff(at, plan);
  expect(changes.map(({ action, kind }) => [action, kind])).toEqual([["delete", "sql-items"]]);
});

test("words over a table that is gone at the source are let go of", async () => {
  const at = await begin();
  writeOver(at.source, at.source.item("TAB"), { description: "ours" });
  writeOver(at.source, at.source.attribute("TAB", "A"), { description: "ours" });
  await apply(at, plan);
  removeItem(at.source, at.source.item("TAB"));
  const { exitCode, diagnostics } = await apply(at, plan);
  expect([exitCode, diagnostics.map(({ code }) => code)]).toEqual([0, ["words-left", "words-left"]]);
});

test("both objects of a pair are read when a person sets it", async () => {
  const at = await begin();
  for (const side of [at.source, at.target]) {
    seedSqlItem(side, "Active", seedFolder(side, "F"));
    seedProduct(side, "P");
  }
  const pairs = [
    { kind: "sql-items", source: at.source.item("Active"), target: at.target.item("Active") },
    {
      kind: "entities",
      source: at.source.entity("dataProduct", "P"),
      target: at.target.entity("dataProduct", "P"),
    },
  ];
  const result = await setMappings(at.world.migration(plan), pairs, { check: true });
  expect([result.exitCode, result.diagnostics]).toEqual([0, []]);
});
