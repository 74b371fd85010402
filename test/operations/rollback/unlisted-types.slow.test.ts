import { expect, test } from "vitest";
import { seedStewardship } from "../../../src/emulator/seed.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { apply, type Stage, stage } from "../../diff/support/run.ts";
import { editEntity, removeOne, seedPort, seedProduct } from "../../kinds/support/catalog.ts";
import type { PlanChanges } from "../../support/world.ts";
import { ended, rollback } from "./support.ts";

/** Somebody takes the types out of the plan, and then takes back what the run has done to things of them. */
const plan: PlanChanges = { select: { kinds: ["entities"], entityTypes: ["dataProduct", "outputPort"] } };
const edited: readonly (readonly [string, PlanChanges])[] = [
  ["other types", { select: { kinds: ["entities"], entityTypes: ["qualityIssue"] } }],
  ["no entities", { select: { kinds: ["rules"] } }],
];

async function twoProducts(): Promise<{ readonly at: Stage; readonly gone: Urn; readonly kept: Urn }> {
  const at = await stage();
  const gone = seedProduct(at.source, "Gone");
  seedPort(at.source, gone, "Port");
  const kept = seedProduct(at.source, "Kept");
  return { at, gone, kept };
}

function countAt({ target }: Stage): readonly number[] {
  return ["dataProduct", "outputPort"].map((type) => target.tenant.entities.valuesIn(`type:${type}`).length);
}

test.each(edited)("what the run made is deleted by a plan that selects %s by now", async (_what, later) => {
  const { at } = await twoProducts();
  await apply(at, plan);
  const back = await rollback(at, later, { allowDelete: true });
  expect([back.exitCode, countAt(at)]).toEqual([0, [0, 0]]);
});

test.each(edited)("and what others use stays, by a plan that selects %s", async (_what, later) => {
  const { at } = await twoProducts();
  await apply(at, plan);
  seedProduct(at.target, "Theirs", { upstream: [at.target.entity("dataProduct", "Kept")] });
  seedPort(at.target, at.target.entity("dataProduct", "Gone"), "Their port");
  const back = await rollback(at, later, { allowDelete: true });
  expect(ended(back).toSorted()).toEqual(["delete entities done", "manual entities", "manual entities"]);
  expect(countAt(at)).toEqual([3, 1]);
});

test.each(edited)(
  "what it changed and deleted comes back, by a plan that selects %s",
  async (_what, later) => {
    const { at, gone, kept } = await twoProducts();
    await apply(at, plan);
    for (const { urn } of at.source.tenant.entities.valuesIn(`parent:${gone}`)) removeOne(at.source, urn);
    removeOne(at.source, gone);
    editEntity(at.source, kept, { description: "another" });
    await apply(at, plan, { allowDelete: true });
    expect(countAt(at)).toEqual([1, 0]);
    const back = await rollback(at, later, { allowDelete: true });
    expect([back.exitCode, countAt(at)]).toEqual([0, [2, 1]]);
    expect(at.target.body(at.target.entity("dataProduct", "Kept"))).toMatchObject({
      properties: { description: "What Kept promises" },
    });
  },
);

test.each(edited)(
  "not beside one that a colleague has made, by a plan that selects %s",
  async (_what, later) => {
    const { at, kept } = await twoProducts();
    await apply(at, plan);
    removeOne(at.source, kept);
    await apply(at, plan, { allowDelete: true });
    seedProduct(at.target, "Kept");
    const back = await rollback(at, later);
    expect([ended(back), countAt(at)]).toEqual([["manual entities"], [2, 1]]);
  },
);

test.each(edited)("a steward that it named is put back, by a plan that selects %s", async (_what, later) => {
  const { at, kept } = await twoProducts();
  const stewarded = (one: PlanChanges): PlanChanges => ({
    select: { ...one.select, kinds: [...(one.select?.kinds ?? []), "stewardship"] },
  });
  const steward = (name: string): void => {
    seedStewardship(at.source.tenant, { entityUrn: kept, groupUrn: at.source.group(name) });
  };
  steward("Data stewards");
  await apply(at, stewarded(plan));
  steward("Customer domain");
  await apply(at, stewarded(plan));
  const twin = at.target.entity("dataProduct", "Kept");
  expect(at.target.tenant.stewards.get(twin)).toBe(at.target.group("Customer domain"));
  const back = await rollback(at, stewarded(later));
  expect([back.exitCode, ended(back)]).toEqual([0, ["update stewardship done"]]);
  expect(at.target.tenant.stewards.get(twin)).toBe(at.target.group("Data stewards"));
});

test("what it changed and somebody has removed since is gone, whatever its type", async () => {
  const { at, kept } = await twoProducts();
  await apply(at, plan);
  editEntity(at.source, kept, { description: "another" });
  await apply(at, plan);
  removeOne(at.target, at.target.entity("dataProduct", "Kept"));
  const back = await rollback(at, plan);
  expect(back.changes.map(({ reason }) => reason)).toEqual(["it is gone at the target"]);
  // Of a type that the model has no more nobody can tell.
  at.target.tenant.model.remove("dataProduct");
  const blind = await rollback(at, plan);
  expect(blind.changes.map(({ reason }) => reason)).toEqual([
    "whether it is there cannot be told: at the target, its metadata model has no type dataProduct",
  ]);
});
