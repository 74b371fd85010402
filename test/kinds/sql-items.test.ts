import { expect, test } from "vitest";
import { removeMetadataProperty, seedMonitor } from "../../src/emulator/seed.ts";
import { sqlItems } from "../../src/kinds/sql-items.ts";
import type { Urn } from "../../src/model/urn.ts";
import { setMappings } from "../../src/operations/mappings.ts";
import { seedFolder, seedTerm } from "../diff/support/content.ts";
import { type Side, wanted } from "../diff/support/side.ts";
import { contract } from "./contract.ts";
import {
  editItem,
  editQuery,
  itemCalled,
  queryOf,
  queryThere,
  removeSqlItem,
  seedSqlItem,
} from "./support/catalog.ts";
import { changeOf, fresh, type Place } from "./support/place.ts";
import { overTheDemo } from "./support/over-the-demo.ts";
import { inWhole } from "../support/whole.ts";

const plan = { select: { kinds: ["folders", "sql-items"] } };

/** In two folders; one has all that a creation does not take. */
function seed(from: Side): readonly Urn[] {
  const reports = seedFolder(from, "Reports");
  const inner = seedFolder(from, "Inner", reports);
  return [
    seedSqlItem(from, "Active", inner, {
      aliases: [{ type: "businessName", value: "Active customers" }],
      extraProperties: { retentionMonths: 12, personalData: true, readers: ["marketing"] },
    }),
    seedSqlItem(from, "Plain", inner),
    seedSqlItem(from, "Third", reports),
  ];
}

const item = "/api/catalog/v1/catalog-items";

contract({
  kind: sqlItems,
  plan,
  routes: { create: `POST ${item}`, patch: `PATCH ${item}/:urn`, delete: `DELETE ${item}/:urn` },
  seed,
  spoil: ({ source }, urn) => editQuery(source, urn, " "),
  edit: (from, urn) => editItem(from, urn, { description: "Changed" }),
  drop: removeSqlItem,
});

async function moved(): Promise<{ readonly at: Place; readonly all: readonly Urn[] }> {
  const at = await fresh();
  const all = seed(at.source);
  expect((await at.apply(plan)).exitCode).toBe(0);
  return { at, all };
}

test("what a creation does not take follows by a patch, and the query speaks of the target", async () => {
  const { at } = await moved();
  const active = itemCalled(at.target, "Active");
  expect(active).toMatchObject({
    description: "What Active shows",
    aliases: [{ type: "businessName", value: "Active customers" }],
    extraProperties: { retentionMonths: 12, personalData: true, readers: ["marketing"] },
    parentUrn: at.target.folder("Inner"),
  });
  expect(queryOf(at.target, active.urn)).toBe(queryThere);
  expect(at.writes().filter(({ method }) => method === "PATCH")).toHaveLength(1);
});

test.each(["empty", "refused", "roots", "folders"] as const)(
  "where the queries of all items together are %s, they are asked for item by item",
  async (allQueries) => {
    const at = await fresh();
    for (const side of [at.source, at.target]) side.tenant.quirks.allQueries = allQueries;
    const all = seed(at.source);
    const result = await at.apply(plan);
    expect(result.exitCode).toBe(0);
    for (const urn of all) expect(changeOf(result, urn)).toMatchObject({ action: "create", outcome: "done" });
    expect(queryOf(at.target, itemCalled(at.target, "Third").urn)).toBe(queryThere);
    expect(await at.apply(plan)).toMatchObject({ exitCode: 0, changes: [] });
    expect(at.writes()).toEqual([]);
  },
);

test("what an environment does not show of values is the same whether it says null or nothing", async () => {
  const at = await fresh();
  at.source.tenant.quirks.unset = "absent";
  at.source.tenant.quirks.modelProperties = "own";
  seed(at.source);
  expect((await at.apply(plan)).exitCode).toBe(0);
  expect(itemCalled(at.target, "Active").extraProperties).toEqual({
    retentionMonths: 12,
    personalData: true,
    readers: ["marketing"],
  });
  expect((await at.diff(plan)).changes).toEqual([]);
});

test("a connection that is paired with one of another source is found in the diff, before any write", async () => {
  const at = await fresh();
  const [active = "" as Urn] = seed(at.source);
  const wrong = { ...plan, pairing: { connections: { "dev-wh": "prod-shop-db" } } };
  const result = await at.apply(wrong);
  expect(result.exitCode).toBe(4);
  const change = changeOf(result, active);
  expect(change).toMatchObject({ action: "manual" });
  expect(change.reason).toContain('"prod-shop-db" at the target does not belong to "Snowflake PROD"');
  expect(at.writes().map(({ route }) => route)).not.toContain(`POST ${item}`);
});

inWhole("where folders are not read the service refuses such an item, and the others arrive", async () => {
  const at = await fresh();
  const folder = seedFolder(at.source, "Reports");
  await at.apply({ select: { kinds: ["folders"] } });
  const urn = seedSqlItem(at.source, "Active", folder);
  const only = {
    select: { kinds: ["sql-items", "terms"], dependencies: "mapped-only" as const },
    pairing: { connections: { "dev-wh": "prod-shop-db" } },
  };
  const term = seedTerm(at.source, "Customer");
  const result = await at.apply(only);
  expect(changeOf(result, urn)).toMatchObject({ action: "create", outcome: "failed" });
  expect(changeOf(result, urn).diagnostics.at(-1)?.summary).toContain("the same source as the folder");
  expect(changeOf(result, term)).toMatchObject({ outcome: "done" });
  // With the right connection it is made: nothing was held for a reason that nobody could know.
  expect((await at.apply({ select: only.select })).exitCode).toBe(0);
});

inWhole("a folder that was paired with one of another source has the connections of that one", async () => {
  const at = await fresh();
  const folder = seedFolder(at.source, "Reports");
  const shop = wanted(
    at.target.tenant.entities.get(at.target.entity("connection", "prod-shop-db"))?.parentUrn,
    "its source",
  );
  const twin = seedFolder(at.target, "Reports of the shop", shop);
  const urn = seedSqlItem(at.source, "Active", folder);
  await setMappings(at.world.migration(plan), [{ source: folder, target: twin }], { check: true });
  const change = changeOf(await at.apply(plan), urn);
  expect(change).toMatchObject({ action: "manual" });
  expect(change.reason).toMatch(/^its connection "prod-wh" at the target does not belong to /);
  const right = { ...plan, pairing: { connections: { "dev-wh": "prod-shop-db" } } };
  expect(changeOf(await at.apply(right), urn)).toMatchObject({ action: "create", outcome: "done" });
});

inWhole("names that differ only in case are different items", async () => {
  const at = await fresh();
  const folder = seedFolder(at.source, "Reports");
  const [lower, upper] = [seedSqlItem(at.source, "active", folder), seedSqlItem(at.source, "ACTIVE", folder)];
  const there = seedSqlItem(at.target, "Active", seedFolder(at.target, "Reports"));
  const result = await at.apply(plan);
  expect(result.exitCode).toBe(0);
  for (const urn of [lower, upper]) expect(changeOf(result, urn)).toMatchObject({ action: "create" });
  const twins = [await at.twinOf(lower), await at.twinOf(upper)];
  expect(twins.map((urn) => at.target.tenant.items.get(urn)?.name)).toEqual(["active", "ACTIVE"]);
  expect(twins).not.toContain(there);
});

test("a query that changed is sent in the target's words, and a query that the plan makes equal is no change", async () => {
  const { at, all } = await moved();
  const [active = "" as Urn] = all;
  editQuery(at.source, active, "SELECT c.EMAIL\nFROM DEV_SALES.CUSTOMER.CUSTOMER c\nWHERE c.EMAIL = 'DEV_'");
  const result = await at.apply(plan);
  expect(changeOf(result, active)).toMatchObject({ action: "update", outcome: "done" });
  expect(changeOf(result, active).fields.map(({ path }) => path)).toEqual(["/query"]);
  expect(queryOf(at.target, itemCalled(at.target, "Active").urn)).toBe(
    "SELECT c.EMAIL\nFROM PROD_SALES.CUSTOMER.CUSTOMER c\nWHERE c.EMAIL = 'DEV_'",
  );
  const also = { ...plan, pairing: { queries: [{ pattern: "\\bDEV_(\\w*)", replace: "PROD_$1" }] } };
  const { changes } = await at.diff(also);
  expect(changes).toHaveLength(1);
  expect(changes[0]?.reason).toBe(
    "the plan, or what the target has for what it refers to, is another since the last apply",
  );
});

test("what is cleared at the source is cleared at the target", async () => {
  const { at, all } = await moved();
  const [active = "" as Urn] = all;
  editItem(at.source, active, { aliases: [], extraProperties: { personalData: true } });
  expect((await at.apply(plan)).exitCode).toBe(0);
  expect(itemCalled(at.target, "Active")).toMatchObject({
    aliases: [],
    extraProperties: { personalData: true },
  });
  expect((await at.diff(plan)).changes).toEqual([]);
});

test.each([
  ["before the commit", { type: "drop-before-commit" }],
  ["after the commit", { type: "drop-after-commit" }],
] as const)(
  "a creation whose answer was lost %s is settled: one item, with all that belongs to it",
  async (_when, effect) => {
    const at = await fresh();
    seed(at.source);
    at.world.emulator.faults.add({ match: { route: `POST ${item}` }, when: { times: 1 }, effect });
    expect((await at.apply(plan)).exitCode).toBe(0);
    expect([...at.target.tenant.items.values()].filter(({ name }) => name === "Active")).toHaveLength(1);
    expect(itemCalled(at.target, "Active").aliases).toHaveLength(1);
    expect((await at.diff(plan)).changes).toEqual([]);
  },
);

test("a property that the target's model lacks is found in the diff, and left out where the plan says so", async () => {
  const at = await fresh();
  const [active = "" as Urn] = seed(at.source);
  removeMetadataProperty(at.target.tenant, "catalogItem", "retentionMonths");
  const blocked = await at.apply(plan);
  expect(blocked.exitCode).toBe(4);
  expect(changeOf(blocked, active)).toMatchObject({ action: "blocked" });
  expect(changeOf(blocked, active).reason).toContain("retentionMonths");
  expect([...at.target.tenant.items.values()].filter(({ name }) => name === "Active")).toEqual([]);

  const dropping = { ...plan, policy: { missingProperty: "drop" as const } };
  const dropped = await at.apply(dropping);
  expect(dropped.exitCode).toBe(0);
  expect(dropped.diagnostics.filter(({ code }) => code === "property-dropped")).toHaveLength(1);
  expect(itemCalled(at.target, "Active").extraProperties).toEqual({
    personalData: true,
    readers: ["marketing"],
  });
  expect((await at.diff(dropping)).changes).toEqual([]);
});

test("an item that somebody watches with a monitor is not deleted, and the monitor is named", async () => {
  const { at, all } = await moved();
  const [active = "" as Urn] = all;
  const catalogItemUrn = itemCalled(at.target, "Active").urn;
  seedMonitor(at.target.tenant, { catalogItemUrn, name: "Watch" });
  removeSqlItem(at.source, active);
  const change = changeOf(await at.apply(plan, { allowDelete: true }), active);
  expect(change).toMatchObject({ action: "manual" });
  expect(change.reason).toContain("Watch");
  expect(at.writes()).toEqual([]);
});

inWhole(
  "SQL items of the demo come over with what their creation does not take, and their queries speak of the target",
  async () => {
    const select = { kinds: ["folders", "sql-items"] };
    const { changes, demo } = await overTheDemo(sqlItems.name, { select });
    expect(changes.map(({ action, outcome }) => [action, outcome])).toEqual([
      ["create", "done"],
      ["create", "done"],
    ]);
    const prod = demo.emulator.tenant("prod");
    const queries = [...prod.entities.valuesIn("type:dslQuery")].map(({ properties }) =>
      JSON.stringify(properties["query"]),
    );
    expect(queries.join("\n")).not.toContain("DEV_");
    const made = [...prod.items.values()].filter(({ name }) =>
      changes.some(({ source }) => source?.name === name),
    );
    expect(made).toHaveLength(2);
    for (const { urn } of made) expect(prod.attributes.valuesIn(`item:${urn}`).length).toBeGreaterThan(0);
  },
);

test("that there is none costs two pages, however many folders there are", async () => {
  const at = await fresh();
  for (const name of ["One", "Two", "Three", "Four", "Five"])
    for (const side of [at.source, at.target]) seedFolder(side, name);
  await at.apply({ select: { kinds: ["sql-items"] } });
  const asked = at.world.emulator.log.entries.filter(({ tenant }) => tenant === "dev");
  const types = asked.flatMap(({ query }) => query["entityType"] ?? []);
  expect(types).toEqual(expect.arrayContaining(["dslQuery", "dslQueryCatalogItem", "folder"]));
  expect(asked.filter(({ route }) => route === "GET /api/catalog/v1/catalog-items")).toEqual([]);
  expect(types.filter((type) => type === "dslQuery")).toHaveLength(1);
});
