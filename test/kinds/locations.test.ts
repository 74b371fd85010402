import { expect, test } from "vitest";
import { seedLocation, seedSource } from "../../src/emulator/seed.ts";
import { locations } from "../../src/kinds/locations.ts";
import type { Urn } from "../../src/model/urn.ts";
import { setMappings } from "../../src/operations/mappings.ts";
import { apply, changeOf, expectAtRest, stage, type Stage } from "../diff/support/run.ts";
import type { Side } from "../diff/support/side.ts";
import type { PlanChanges } from "../support/world.ts";
import { contract } from "./contract.ts";
import { seedProduct } from "./support/catalog.ts";
import { termAbout } from "./support/users.ts";
import { seedEntity, seedMetadataProperty, seedMetadataType } from "../../src/emulator/seed.ts";

const seedIn = ({ tenant }: Side, name: string, parentUrn: Urn): Urn =>
  seedLocation(tenant, { name, parentUrn }).urn;

contract({
  kind: locations,
  select: ["terms"],
  seed: (side: Side, name: string) => seedIn(side, name, side.source()),
  user: termAbout("location"),
});

/** A product that names a schema, on sides whose model lets it. */
async function naming(): Promise<Stage> {
  const at = await stage();
  for (const { tenant } of [at.source, at.target])
    seedMetadataProperty(tenant, "dataProduct", {
      name: "schema",
      type: "SINGLE_REFERENCE",
      entityName: "location",
    });
  return at;
}

const products: PlanChanges = { select: { kinds: ["entities"], entityTypes: ["dataProduct"] } };

test("a schema follows its database where a person has paired that", async () => {
  const at = await naming();
  const database = seedIn(at.source, "A", at.source.source());
  seedProduct(at.source, "P", { schema: seedIn(at.source, "PUBLIC", database) });
  seedIn(at.target, "PUBLIC", seedIn(at.target, "A", at.target.source()));
  const elsewhere = seedIn(at.target, "ELSEWHERE", at.target.source());
  const there = seedIn(at.target, "PUBLIC", elsewhere);
  await setMappings(at.world.migration(products), [{ source: database, target: elsewhere }]);
  expect((await apply(at, products)).exitCode).toBe(0);
  const [product] = at.target.tenant.entities.valuesIn("type:dataProduct");
  expect(product?.properties["schema"]).toBe(there);
});

test("one in a source that has no twin is none in another source", async () => {
  const at = await naming();
  const { urn } = seedSource(at.source.tenant, { name: "Only here" });
  const product = seedProduct(at.source, "P", { schema: seedIn(at.source, "PUBLIC", urn) });
  seedIn(at.target, "PUBLIC", at.target.source());
  const result = await apply(at, products);
  expect(changeOf(result, product)).toMatchObject({ action: "blocked" });
  expect(JSON.stringify(result.changes)).toContain("Only here");
});

test("a schema is the one in the database of that path, whatever else has its name", async () => {
  const at = await stage();
  const schemaIn = (side: Side, database: string): Urn =>
    seedIn(side, "PUBLIC", seedIn(side, database, side.source()));
  for (const { tenant } of [at.source, at.target]) {
    seedMetadataProperty(tenant, "dataProduct", {
      name: "schema",
      type: "SINGLE_REFERENCE",
      entityName: "location",
    });
    seedMetadataType(tenant, { name: "note", nodePaths: ["/sources/locations/notes"], properties: [] });
    seedMetadataProperty(tenant, "note", { name: "name" });
    seedMetadataProperty(tenant, "location", { name: "notes", type: "ARRAY_EMBEDDED", entityName: "note" });
  }
  const here = schemaIn(at.source, "DEV_A");
  schemaIn(at.target, "PROD_B");
  const there = schemaIn(at.target, "PROD_A");
  const product = seedProduct(at.source, "P", { schema: here });
  // What stands in one comes into its twin.
  const note = seedEntity(at.source.tenant, {
    concreteType: "note",
    parentUrn: here,
    parentProperty: "notes",
    properties: { name: "N" },
  }).urn;
  const plan: PlanChanges = {
    select: { kinds: ["entities"], entityTypes: ["dataProduct", "note"] },
    pairing: { paths: [{ pattern: "^DEV_", replace: "PROD_" }] },
  };
  const result = await apply(at, plan);
  expect([result.exitCode, changeOf(result, product)?.outcome, changeOf(result, note)?.outcome]).toEqual([
    0,
    "done",
    "done",
  ]);
  const { entities } = at.target.tenant;
  expect(entities.valuesIn("type:dataProduct").map(({ properties }) => properties["schema"])).toEqual([
    there,
  ]);
  expect(entities.valuesIn("type:note").map(({ parentUrn }) => parentUrn)).toEqual([there]);
  await expectAtRest(at, plan);
});

test("a copy under the old path is not taken for what the plan calls otherwise", async () => {
  const at = await stage();
  for (const { tenant } of [at.source, at.target])
    seedMetadataProperty(tenant, "dataProduct", {
      name: "database",
      type: "SINGLE_REFERENCE",
      entityName: "location",
    });
  seedIn(at.target, "DEV_A", at.target.source());
  const product = seedProduct(at.source, "P", { database: seedIn(at.source, "DEV_A", at.source.source()) });
  const result = await apply(at, {
    select: { kinds: ["entities"], entityTypes: ["dataProduct"] },
    pairing: { paths: [{ pattern: "^DEV_", replace: "PROD_" }] },
  });
  expect(changeOf(result, product)).toMatchObject({ action: "blocked" });
});
