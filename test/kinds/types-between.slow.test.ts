import { describe, expect, test } from "vitest";
import {
  seedEntity,
  seedGroup,
  seedMetadataProperty,
  seedMetadataType,
  seedStewardship,
} from "../../src/emulator/seed.ts";
import type { Urn } from "../../src/model/urn.ts";
import { seedTerm } from "../diff/support/content.ts";
import type { Side } from "../diff/support/side.ts";
import { removeTerm } from "../diff/support/web.ts";
import { changeOf, fresh, type Place } from "./support/place.ts";

/**
 * A list of entities "matches rootSuperType or concreteType" (document 1, GET /entities): by a type between the two it
 * shows what is of that very type, and nothing of those that extend it.
 */
async function layered(): Promise<Place> {
  const at = await fresh();
  for (const { tenant } of [at.source, at.target]) {
    seedMetadataType(tenant, { name: "asset" });
    seedMetadataType(tenant, { name: "report", superEntities: ["asset"] });
    seedMetadataType(tenant, { name: "boardReport", superEntities: ["report", "asset"] });
    seedMetadataProperty(tenant, "asset", { name: "name" });
    seedMetadataProperty(tenant, "report", { name: "about", type: "SINGLE_REFERENCE", entityName: "term" });
  }
  return at;
}

function seed({ tenant }: Side, concreteType: string, name: string, more: object = {}): Urn {
  const properties = { name, ...more };
  return seedEntity(tenant, { concreteType, parentProperty: "assets", properties }).urn;
}

describe("a type between the root and the last", () => {
  test.each([
    { entityTypes: ["report"] },
    { entityTypes: ["asset"] },
    { entityTypes: ["report", "asset"] },
    { entityTypes: ["boardReport", "report"] },
  ])("brings what is of the types that extend it: $entityTypes", async ({ entityTypes }) => {
    const at = await layered();
    const all = [seed(at.source, "report", "Month"), seed(at.source, "boardReport", "Year")];
    const plan = { select: { kinds: ["entities"], entityTypes } };
    const result = await at.apply(plan);
    expect(result.exitCode).toBe(0);
    expect(result.changes).toHaveLength(all.length);
    for (const urn of all) expect(changeOf(result, urn)).toMatchObject({ outcome: "done" });
    expect((await at.apply(plan)).changes).toEqual([]);
  });

  test("brings their stewards", async () => {
    const at = await layered();
    for (const { tenant } of [at.source, at.target]) seedGroup(tenant, { name: "Board" });
    const entityUrn = seed(at.source, "boardReport", "Year");
    seedStewardship(at.source.tenant, { entityUrn, groupUrn: at.source.group("Board") });
    const plan = { select: { kinds: ["entities", "stewardship"], entityTypes: ["report"] } };
    expect((await at.apply(plan)).exitCode).toBe(0);
    const twin = at.target.entity("boardReport", "Year");
    expect(at.target.tenant.stewards.get(twin)).toBe(at.target.group("Board"));
  });

  test("shows who refers to what is to be deleted, by the types that extend it", async () => {
    const at = await layered();
    const plan = { select: { kinds: ["terms"] } };
    const term = seedTerm(at.source, "Customer");
    await at.apply(plan);
    seed(at.target, "boardReport", "Year", { about: at.target.term("Customer") });
    removeTerm(at.source, term);
    const change = changeOf(await at.apply(plan, { allowDelete: true }), term);
    expect(change).toMatchObject({ action: "manual" });
    expect(change.reason).toContain("Year");
    expect(at.writes()).toEqual([]);
  });
});
