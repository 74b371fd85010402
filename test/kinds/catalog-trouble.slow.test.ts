import { expect, describe, test } from "vitest";
import { runQuery } from "../../src/emulator/seed.ts";
import type { Urn } from "../../src/model/urn.ts";
import { uuidOf } from "../../src/model/urn.ts";
import { seedFolder, seedTerm } from "../diff/support/content.ts";
import { type Side, wanted } from "../diff/support/side.ts";
import { editItem, itemCalled, seedProduct, seedSqlItem } from "./support/catalog.ts";
import { everything, seedBorn } from "./support/born.ts";
import { changeOf, fresh } from "./support/place.ts";

/** What section 9 is asked to bear: said clearly, the rest arrives, and nothing of the source is planted. */

const items = { select: { kinds: ["terms", "folders", "sql-items", "item-metadata"] } };

const alias = (value: string): { readonly type: string; readonly value: string } => ({
  type: "VENDOR_ASSET_ID",
  value,
});

describe("aliases that hold ids of the other environment", () => {
  const over: readonly [string, (side: Side) => Urn][] = [
    ["an imported item", (side) => side.item("CUSTOMER")],
    ["an SQL item", (side) => seedSqlItem(side, "Active", seedFolder(side, "Views"))],
  ];

  test.each(over)("are led to what the run moves (%s)", async (_name, of) => {
    const at = await fresh();
    const urn = of(at.source);
    const term = seedTerm(at.source, "Customer");
    editItem(at.source, urn, { aliases: [alias(term), alias(uuidOf(term)), alias("CRM-7")] });
    expect((await at.apply(items)).exitCode).toBe(0);
    const there = itemCalled(
      at.target,
      itemCalled(at.source, at.source.tenant.items.get(urn)?.name ?? "").name,
    );
    const twin = at.target.term("Customer");
    expect(there.aliases).toEqual([alias(twin), alias(uuidOf(twin)), alias("CRM-7")]);
    expect((await at.apply(items)).changes).toEqual([]);
  });

  test.each(over)("block what has one that leads nowhere, and the rest arrives (%s)", async (_name, of) => {
    const at = await fresh();
    const urn = of(at.source);
    const nowhere = at.source.tenant.newUrn("catalog:term");
    editItem(at.source, urn, { aliases: [alias(nowhere)] });
    const term = seedTerm(at.source, "Customer");
    const result = await at.apply(items);
    expect(result.exitCode).toBe(4);
    const change = changeOf(result, urn);
    expect(change).toMatchObject({ action: "blocked" });
    expect(change.diagnostics[0]).toMatchObject({
      code: "unresolved-reference",
      pointer: "/aliases/0/value",
    });
    expect(change.diagnostics[0]?.summary).toContain(nowhere);
    expect(changeOf(result, term)).toMatchObject({ outcome: "done" });
    expect(JSON.stringify(at.writes())).not.toContain(uuidOf(nowhere));
  });
});

test("a reference property to something unknown blocks what has it, by its place, and the others arrive", async () => {
  const at = await fresh();
  const plan = { select: { kinds: ["entities"], entityTypes: ["dataProduct"] } };
  const nowhere = at.source.tenant.newUrn("catalog:term");
  const lost = seedProduct(at.source, "Lost");
  const many = seedProduct(at.source, "Many");
  // What was referred to is gone.
  const items = [at.source.item("CUSTOMER"), at.source.tenant.newUrn("catalog:catalog-item")];
  for (const [urn, more] of [
    [lost, { domain: nowhere }],
    [many, { items }],
  ] as const) {
    const entity = wanted(at.source.tenant.entities.get(urn), urn);
    at.source.tenant.entities.put({ ...entity, properties: { ...entity.properties, ...more } });
  }
  const whole = seedProduct(at.source, "Whole", { items: [at.source.item("CUSTOMER")] });
  const result = await at.apply(plan);
  expect(result.exitCode).toBe(4);
  for (const [urn, pointer] of [
    [lost, "/properties/domain"],
    [many, "/properties/items/1"],
  ] as const) {
    const change = changeOf(result, urn);
    expect(change).toMatchObject({ action: "blocked" });
    expect(change.diagnostics[0]).toMatchObject({ code: "unresolved-reference", pointer });
  }
  expect(changeOf(result, whole)).toMatchObject({ outcome: "done" });
});

test("a query that names what only the source has: the item is made, its connection and its query are named, the rest arrives", async () => {
  const at = await fresh();
  for (const side of [at.source, at.target]) side.tenant.quirks.queryTables = "existing";
  const { item, monitor, primary } = seedBorn(at.source);
  const other = seedSqlItem(at.source, "Fine", seedFolder(at.source, "Others"));
  // Without the renames the query speaks of tables that only the source has.
  const plan = { ...everything, pairing: { queries: [] } };
  const result = await at.apply(plan);
  expect(result.exitCode).toBe(4);
  for (const urn of [item, other]) expect(changeOf(result, urn)).toMatchObject({ outcome: "done" });
  for (const urn of [monitor, primary]) expect(changeOf(result, urn)).toMatchObject({ outcome: "blocked" });
  const warnings = result.diagnostics.filter(({ code }) => code === "born-without");
  expect(warnings.map(({ coordinate }) => coordinate?.name ?? "").sort()).toEqual(["Active", "Fine"]);
  for (const { summary } of warnings)
    expect(summary).toMatch(/"prod-wh".*check the query and the connection/);

  // With them the query is changed. That its attributes are found again by that no document says.
  expect(changeOf(await at.apply(everything), item)).toMatchObject({ action: "update", outcome: "done" });
  runQuery(at.target.tenant, at.target.item("Active"));
  const mended = await at.apply(everything);
  expect(mended.exitCode).toBe(0);
  for (const urn of [monitor, primary]) expect(changeOf(mended, urn)).toMatchObject({ outcome: "done" });
});
