import { expect, test } from "vitest";
import { changeMetadataProperty, seedMetadataProperty } from "../../src/emulator/seed.ts";
import { seedFolder, seedTerm } from "../diff/support/content.ts";
import { editTerm } from "../diff/support/web.ts";
import { apply, diff, expectAtRest, stage } from "../diff/support/run.ts";
import { child } from "../../src/model/json.ts";
import type { PlanChanges } from "../support/world.ts";
import { editItem, itemCalled, seedProduct, seedSqlItem } from "./support/catalog.ts";

const plan: PlanChanges = {
  select: { kinds: ["terms", "entities", "item-metadata"], entityTypes: ["dataProduct"] },
};

test("a property moves whatever people have called it", async () => {
  const at = await stage();
  for (const { tenant } of [at.source, at.target]) {
    for (const type of ["term", "catalogItem", "dataProduct"])
      seedMetadataProperty(tenant, type, { name: "correlationId" });
    for (const name of ["source", "folders"]) seedMetadataProperty(tenant, "catalogItem", { name });
  }
  seedTerm(at.source, "One", { extraProperties: { correlationId: "ABC-1" } });
  seedProduct(at.source, "Sales", { correlationId: "X" });
  const extraProperties = { source: "SAP", folders: "A4", correlationId: "I" };
  editItem(at.source, at.source.item("CUSTOMER"), { extraProperties });
  expect((await apply(at, plan)).exitCode).toBe(0);
  expect(at.target.body(at.target.term("One"))["extraProperties"]).toEqual({ correlationId: "ABC-1" });
  const product = at.target.body(at.target.entity("dataProduct", "Sales"));
  expect(child(product, "properties")).toMatchObject({ correlationId: "X" });
  expect(itemCalled(at.target, "CUSTOMER").extraProperties).toMatchObject(extraProperties);
  expect((await diff(at, plan)).changes).toEqual([]);
});

test("a property of terms that people have called as the field of their type moves", async () => {
  const at = await stage();
  for (const { tenant } of [at.source, at.target]) seedMetadataProperty(tenant, "term", { name: "type" });
  const term = seedTerm(at.source, "Revenue", { extraProperties: { type: "metric" } });
  const terms: PlanChanges = { select: { kinds: ["terms"] } };
  expect((await apply(at, terms)).exitCode).toBe(0);
  const theirs = (): unknown => at.target.body(at.target.term("Revenue"));
  expect(theirs()).toMatchObject({ type: "businessTerm", extraProperties: { type: "metric" } });
  editTerm(at.source, term, { extraProperties: {} });
  expect((await apply(at, terms)).exitCode).toBe(0);
  expect(theirs()).toMatchObject({ type: "businessTerm", extraProperties: {} });
  await expectAtRest(at, terms);
});

test("what the model calls writable and is a field of items is not asked for as an extra property of them", async () => {
  const at = await stage();
  for (const { tenant } of [at.source, at.target]) {
    changeMetadataProperty(tenant, "catalogItem", "originPath", { editable: true });
    for (const [name, entityName] of [
      ["connection", "connection"],
      ["source", "source"],
    ] as const)
      seedMetadataProperty(tenant, "catalogItem", { name, type: "SINGLE_REFERENCE", entityName });
  }
  seedSqlItem(at.source, "Active", seedFolder(at.source, "Views"));
  const both: PlanChanges = { select: { kinds: ["folders", "sql-items", "item-metadata"] } };
  expect((await apply(at, both)).exitCode).toBe(0);
  expect(itemCalled(at.target, "Active").description).toBe("What Active shows");
  const asked = at.world.emulator.log.entries.flatMap(
    ({ query }) => query["extraProperties"]?.split(",") ?? [],
  );
  for (const name of ["originPath", "connection", "source"]) expect(asked).not.toContain(name);
  await expectAtRest(at, both);
});

test("a property that types of items have each in their own way is taken as one of them has it", async () => {
  const at = await stage();
  for (const { tenant } of [at.source, at.target]) {
    seedMetadataProperty(tenant, "tableCatalogItem", { name: "level" });
    seedMetadataProperty(tenant, "dslQueryCatalogItem", { name: "level", scalarType: "integer" });
    seedMetadataProperty(tenant, "tableCatalogItem", { name: "owners", scalarType: "string[]" });
    seedMetadataProperty(tenant, "dslQueryCatalogItem", { name: "owners" });
  }
  const extraProperties = { level: "high", owners: ["a", "b"] };
  editItem(at.source, at.source.item("CUSTOMER"), { extraProperties });
  const metadata: PlanChanges = { select: { kinds: ["item-metadata"] } };
  const result = await apply(at, metadata);
  expect([result.exitCode, result.changes.map(({ reason }) => reason)]).toEqual([0, [expect.any(String)]]);
  expect(itemCalled(at.target, "CUSTOMER").extraProperties).toEqual(extraProperties);
  await expectAtRest(at, metadata);
  editItem(at.source, at.source.item("CUSTOMER"), { extraProperties: {} });
  expect((await apply(at, metadata)).exitCode).toBe(0);
  expect(itemCalled(at.target, "CUSTOMER").extraProperties).toEqual({});
});

test("what an SQL item had of such a property is cleared as its own type wants that", async () => {
  const at = await stage();
  for (const { tenant } of [at.source, at.target]) {
    seedMetadataProperty(tenant, "tableCatalogItem", { name: "owners", scalarType: "string[]" });
    seedMetadataProperty(tenant, "dslQueryCatalogItem", { name: "owners" });
  }
  const item = seedSqlItem(at.source, "Active", seedFolder(at.source, "Views"));
  editItem(at.source, item, { extraProperties: { owners: "a" } });
  const both: PlanChanges = { select: { kinds: ["folders", "sql-items"] } };
  expect((await apply(at, both)).exitCode).toBe(0);
  expect(itemCalled(at.target, "Active").extraProperties).toEqual({ owners: "a" });
  editItem(at.source, item, { extraProperties: {} });
  expect((await apply(at, both)).exitCode).toBe(0);
  expect(itemCalled(at.target, "Active").extraProperties).toEqual({});
});
