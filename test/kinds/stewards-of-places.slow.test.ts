import { expect, test } from "vitest";
import { effectiveStewardship } from "../../src/emulator/catalog/related.ts";
import { changeMetadataType, seedLocation, seedStewardship } from "../../src/emulator/seed.ts";
import type { Urn } from "../../src/model/urn.ts";
import { rollback } from "../operations/rollback/support.ts";
import { apply, diff, expectAtRest, expectChange, stage } from "../diff/support/run.ts";
import { type Side, wanted } from "../diff/support/side.ts";
import type { PlanChanges } from "../support/world.ts";

/** Most tables have the steward of the schema, the database or the source that they lie in. */

const plan: PlanChanges = { select: { kinds: ["stewardship"] } };

function places(side: Side): { readonly source: Urn; readonly schema: Urn } {
  return {
    source: side.source(),
    schema: wanted(side.tenant.items.get(side.item("CUSTOMER"))?.parentUrn, "schema"),
  };
}

function own(side: Side, entityUrn: Urn, group: string): void {
  seedStewardship(side.tenant, { entityUrn, groupUrn: side.group(group) });
}

test("stewards of sources and of what is imported from them come over, and with them those of what lies in them", async () => {
  const at = await stage();
  const here = places(at.source);
  const there = places(at.target);
  own(at.source, here.source, "Data stewards");
  own(at.source, here.schema, "Customer domain");
  const result = await apply(at, plan);
  expect(result.exitCode).toBe(0);
  const { tenant } = at.target;
  expect([tenant.stewards.get(there.source), tenant.stewards.get(there.schema)]).toEqual([
    at.target.group("Data stewards"),
    at.target.group("Customer domain"),
  ]);
  expect(effectiveStewardship(tenant, at.target.item("CUSTOMER"))).toEqual({
    groupUrn: at.target.group("Customer domain"),
    originUrn: there.schema,
  });
  await expectAtRest(at, plan);
});

test("one that a colleague has named there is a conflict when both first meet, and drift later", async () => {
  const at = await stage();
  own(at.source, places(at.source).schema, "Customer domain");
  own(at.target, places(at.target).schema, "Data stewards");
  expect((await diff(at, plan)).changes.map(({ action }) => action)).toEqual(["conflict"]);
  at.target.tenant.stewards.clear();
  expect((await apply(at, plan)).exitCode).toBe(0);
  own(at.target, places(at.target).schema, "Data stewards");
  expect((await apply(at, plan)).changes.map(({ action }) => action)).toEqual(["drift"]);
  expect(at.target.tenant.stewards.get(places(at.target).schema)).toBe(at.target.group("Data stewards"));
});

test("a place without a twin is named, and its steward goes nowhere else", async () => {
  const at = await stage();
  const location = seedLocation(at.source.tenant, { name: "ONLY_HERE", parentUrn: at.source.source() }).urn;
  own(at.source, location, "Customer domain");
  expectChange(await apply(at, plan), location, "blocked", "what it lies over has no twin at the target");
  expect(at.target.tenant.stewards.size).toBe(0);
});

test("a rollback names who was there before", async () => {
  const at = await stage();
  own(at.source, places(at.source).schema, "Customer domain");
  await apply(at, plan);
  own(at.source, places(at.source).schema, "Data stewards");
  await apply(at, plan);
  expect((await rollback(at, plan)).exitCode).toBe(0);
  expect(at.target.tenant.stewards.get(places(at.target).schema)).toBe(at.target.group("Customer domain"));
});

test.each(["source", "location"])(
  "where the list of the type %s is refused, the others move",
  async (entityType) => {
    const at = await stage();
    own(at.source, at.source.item("CUSTOMER"), "Customer domain");
    at.world.emulator.faults.add({
      match: { path: "/entities$/", query: { entityType, include: "effectiveStewardship" } },
      when: {},
      effect: { type: "status", code: 400 },
    });
    const result = await apply(at, plan);
    expect([result.exitCode, result.changes.map(({ source }) => source?.name)]).toEqual([0, ["CUSTOMER"]]);
  },
);

test("nor does the list of what extends such a type end the run, where that is refused", async () => {
  const at = await stage();
  for (const { tenant } of [at.source, at.target]) {
    const location = changeMetadataType(tenant, "location", { superEntities: ["place"] });
    tenant.model.put({ ...location, name: "schema", superEntities: ["location", "place"] });
  }
  own(at.source, at.source.item("CUSTOMER"), "Customer domain");
  at.world.emulator.faults.add({
    match: { path: "/entities$/", query: { entityType: "schema", include: "effectiveStewardship" } },
    effect: { type: "status", code: 400 },
  });
  const result = await apply(at, plan);
  expect([result.exitCode, result.changes.map(({ source }) => source?.name)]).toEqual([0, ["CUSTOMER"]]);
});

test("types without the trait, or that the model lacks, are not asked for", async () => {
  const at = await stage();
  for (const { tenant } of [at.source, at.target]) {
    for (const type of ["source", "location"]) changeMetadataType(tenant, type, { stewarded: false });
  }
  own(at.source, places(at.source).schema, "Customer domain");
  expect((await apply(at, plan)).changes).toEqual([]);
});
