import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/emulator/json.ts";
import { seedEntity, seedMetadataProperty } from "../../src/emulator/seed.ts";
import type { Urn } from "../../src/model/urn.ts";
import { seedTerm } from "../diff/support/content.ts";
import { apply, changeOf, diff, expectAtRest, expectChange, stage, type Stage } from "../diff/support/run.ts";
import { editTerm } from "../diff/support/web.ts";
import { type Side, wanted } from "../diff/support/side.ts";
import { written } from "../diff/support/log.ts";
import { applyWith, killedAt, lose } from "../doubts/support.ts";
import { stopAfter } from "../diff/support/approved.ts";
import { join } from "node:path";
import { applyPlan } from "../../src/operations/apply.ts";
import { ended, killedAt as killedBack, rollback } from "../operations/rollback/support.ts";
import type { PlanChanges } from "../support/world.ts";
import { editEntity, removeOne, seedProduct } from "./support/catalog.ts";

/** A product holds one contract: SINGLE_EMBEDDED in the metadata model. */

const plan: PlanChanges = {
  select: { kinds: ["terms", "entities"], entityTypes: ["dataProduct", "dataContract"] },
};
const allowDelete = true;

function seedContract({ tenant }: Side, product: Urn, name: string, more: JsonObject = {}): Urn {
  return seedEntity(tenant, {
    concreteType: "dataContract",
    parentUrn: product,
    parentProperty: "contract",
    properties: { name, ...more },
  }).urn;
}

function contracts({ tenant }: Side): readonly unknown[] {
  return Array.from(tenant.entities.valuesIn("type:dataContract"), ({ properties }) => properties["name"]);
}

function contractOf({ tenant }: Side): Urn {
  const [one] = tenant.entities.valuesIn("type:dataContract");
  return wanted(one, "contract").urn;
}

/** Terms may name a contract. */
function seedMetadata(at: Stage): void {
  for (const { tenant } of [at.source, at.target])
    seedMetadataProperty(tenant, "businessTerm", {
      name: "contract",
      type: "SINGLE_REFERENCE",
      entityName: "dataContract",
    });
}

async function replaced(): Promise<{ at: Stage; product: Urn; fresh: Urn; old: Urn }> {
  const at = await stage();
  const product = seedProduct(at.source, "P");
  const old = seedContract(at.source, product, "Old");
  expect((await apply(at, plan)).exitCode).toBe(0);
  removeOne(at.source, old);
  const fresh = seedContract(at.source, product, "New");
  return { at, product, fresh, old };
}

describe("one that another one took the place of at the source", () => {
  test("goes first, in one run", async () => {
    const { at, fresh } = await replaced();
    expect(changeOf(await diff(at, plan), fresh)?.reason).toContain(
      'it takes the place of entities "Old", once that is deleted (--allow-delete)',
    );
    const result = await apply(at, plan, { allowDelete });
    expect(ended(result)).toEqual(["create entities done", "delete entities done"]);
    expect(result.exitCode).toBe(0);
    expect(written(at.world)).toEqual(["POST entities/batch/delete", "POST entities/batch/create"]);
    expect(contracts(at.target)).toEqual(["New"]);
    await expectAtRest(at, plan, { allowDelete });
  });

  test("goes first as well where the plan does not select the type of the parent", async () => {
    const { at } = await replaced();
    const alone: PlanChanges = { select: { kinds: ["entities"], entityTypes: ["dataContract"] } };
    const result = await apply(at, alone, { allowDelete });
    expect(ended(result)).toEqual(["create entities done", "delete entities done"]);
    expect(result.exitCode).toBe(0);
    expect(contracts(at.target)).toEqual(["New"]);
    await expectAtRest(at, alone, { allowDelete });
  });

  test("goes first as well where the diff was approved, and its run died in between", async () => {
    const { at } = await replaced();
    const out = join(at.world.folder, "approved.json");
    await diff(at, plan, out);
    const stop = stopAfter(at, 1, "POST", "entities/batch/delete");
    expect((await applyWith(at, plan, { stop }, { allowDelete, diff: out })).exitCode).toBe(5);
    expect(contracts(at.target)).toEqual([]);
    expect((await apply(at, plan, { allowDelete, diff: out })).exitCode).toBe(0);
    expect(contracts(at.target)).toEqual(["New"]);
  });

  test("goes first as well where the answer is lost", async () => {
    const { at } = await replaced();
    lose(at, "POST /api/catalog/v1/entities/batch/delete", { type: "drop-after-commit" });
    expect((await apply(at, plan, { allowDelete })).exitCode).toBe(0);
    expect(contracts(at.target)).toEqual(["New"]);
  });

  test("is not deleted without leave, and neither the other one nor what names it is sent", async () => {
    const { at, fresh } = await replaced();
    seedMetadata(at);
    const names = seedTerm(at.source, "Names it", { extraProperties: { contract: fresh } });
    const result = await apply(at, plan);
    expect(result.exitCode).toBe(4);
    const reason =
      /^only one can stand in its place, and entities "Old" \(urn:\S+\) is not deleted without --allow-delete$/;
    expect(expectChange(result, fresh, "blocked", reason).diagnostics.at(-1)?.suggestion).toContain(
      "--allow-delete",
    );
    expectChange(result, names, "blocked", 'it waits for entities "New", which is blocked');
    expect(written(at.world)).toEqual([]);
    expect(contracts(at.target)).toEqual(["Old"]);
    expect((await apply(at, plan, { allowDelete })).exitCode).toBe(0);
    await expectAtRest(at, plan, { allowDelete });
  });

  test("is not deleted without leave where the diff was approved, and the same diff is applied with it", async () => {
    const { at, fresh } = await replaced();
    const out = join(at.world.folder, "approved.json");
    await diff(at, plan, out);
    const first = await apply(at, plan, { diff: out });
    expect(first.exitCode).toBe(4);
    expectChange(first, fresh, "blocked", "is not deleted without --allow-delete");
    expect(written(at.world)).toEqual([]);
    expect((await apply(at, plan, { allowDelete, diff: out })).exitCode).toBe(0);
    expect(contracts(at.target)).toEqual(["New"]);
  });

  test("stays where somebody has changed it, and the other one is not sent", async () => {
    const { at, fresh } = await replaced();
    editEntity(at.target, contractOf(at.target), { noticeDays: 30 });
    const result = await apply(at, plan, { allowDelete });
    expect(result.exitCode).toBe(4);
    const told = expectChange(
      result,
      fresh,
      "blocked",
      'only one can stand in its place, and entities "Old"',
    );
    expect(told.diagnostics.at(-1)).toMatchObject({ code: "place-taken" });
    expect(told.diagnostics.at(-1)?.suggestion).toMatch(/^If that one is to go: delete it at the target/);
    expect(written(at.world)).toEqual([]);
  });

  test("goes also where others are deleted and made, and what names the other one comes after that", async () => {
    const { at, old } = await replaced();
    const gone = seedTerm(at.source, "Gone");
    await apply(at, { ...plan, select: { kinds: ["terms"] } });
    at.source.tenant.terms.delete(gone);
    seedMetadata(at);
    const fresh = contractOf(at.source);
    seedTerm(at.source, "Names it", { extraProperties: { contract: fresh } });
    const { exitCode } = await apply(at, plan, { allowDelete });
    expect(exitCode).toBe(0);
    expect(contracts(at.target)).toEqual(["New"]);
    expect(at.target.body(at.target.term("Names it"))["extraProperties"]).toEqual({
      contract: contractOf(at.target),
    });
    expect(old).not.toBe(fresh);
    await expectAtRest(at, plan, { allowDelete });
  });

  test("stays where what the other one needs cannot be made", async () => {
    const { at, product, fresh } = await replaced();
    for (const { tenant } of [at.source, at.target])
      seedMetadataProperty(tenant, "dataContract", {
        name: "means",
        type: "SINGLE_REFERENCE",
        entityName: "businessTerm",
      });
    removeOne(at.source, fresh);
    seedContract(at.source, product, "New", { means: seedTerm(at.source, "Needed") });
    const refused = { match: { tenant: "prod", method: "POST", path: "/api/catalog/v1/terms" } };
    at.world.emulator.faults.add({ ...refused, effect: { type: "status", code: 400 } });
    expect((await apply(at, plan, { allowDelete })).exitCode).toBe(4);
    expect(contracts(at.target)).toEqual(["Old"]);
    at.world.emulator.faults.clear();
    expect((await apply(at, plan, { allowDelete })).exitCode).toBe(0);
    expect(contracts(at.target)).toEqual(["New"]);
    await expectAtRest(at, plan, { allowDelete });
  });

  test("stays where somebody has changed it meanwhile, and the other one waits", async () => {
    const { at, fresh } = await replaced();
    const result = await applyPlan(at.world.migration(plan), {
      allowDelete,
      confirm: async () => {
        editEntity(at.target, contractOf(at.target), { noticeDays: 30 });
        return true;
      },
    });
    expect(ended(result)).toEqual(["create entities blocked", "delete entities failed"]);
    expect(changeOf(result, fresh)?.diagnostics.at(-1)?.summary).toBe(
      'it waits for entities "Old", which is failed',
    );
    expect(contracts(at.target)).toEqual(["Old"]);
  });

  test("stays where what lets go of it names the other one", async () => {
    const at = await stage();
    seedMetadata(at);
    const product = seedProduct(at.source, "P");
    const old = seedContract(at.source, product, "Old");
    const term = seedTerm(at.source, "Names it", { extraProperties: { contract: old } });
    await apply(at, plan);
    removeOne(at.source, old);
    editTerm(at.source, term, { extraProperties: { contract: seedContract(at.source, product, "New") } });
    const result = await apply(at, plan, { allowDelete });
    expect(ended(result)).toEqual([
      "update terms blocked",
      "create entities failed",
      "delete entities blocked",
    ]);
    expect(contracts(at.target)).toEqual(["Old"]);
  });

  test.each(["intent:before", "intent:after", "send:after", "outcome:before", "outcome:after"] as const)(
    "and the other one, by the next run, after a run that died at %s of either",
    async (point) => {
      for (const nth of [1, 2]) {
        const { at } = await replaced();
        await killedAt(at, plan, point, nth, { allowDelete });
        expect((await apply(at, plan, { allowDelete })).exitCode).toBe(0);
        expect(contracts(at.target)).toEqual(["New"]);
        await expectAtRest(at, plan, { allowDelete });
      }
    },
  );
});

describe("one that a colleague has put there", () => {
  async function theirs(isMoved: boolean): Promise<{ at: Stage; ours: Urn; there: Urn }> {
    const at = await stage();
    const product = seedProduct(at.source, "P");
    // Adopted by the very run that is to make the contract, or moved before it.
    const twin = isMoved ? undefined : seedProduct(at.target, "P");
    if (isMoved) await apply(at, plan);
    const ours = seedContract(at.source, product, "Ours");
    const there = seedContract(at.target, twin ?? at.target.entity("dataProduct", "P"), "Theirs");
    return { at, ours, there };
  }

  test.each([true, false])("stays, and nothing is sent to be refused (moved before: %s)", async (isMoved) => {
    const { at, ours, there } = await theirs(isMoved);
    const result = await apply(at, plan, { allowDelete });
    expect(result.exitCode).toBe(4);
    const reason = `only one can stand in its place, and entities "Theirs" (${there}) does`;
    expect(expectChange(result, ours, "blocked", reason).diagnostics.at(-1)?.suggestion).toBe(
      `If it is the same thing: ferry mappings test set ${ours} ${there} --kind entities. If that one is to go: delete it at the target by hand, and run again.`,
    );
    expect(written(at.world)).toEqual([]);
    expect(contracts(at.target)).toEqual(["Theirs"]);
  });

  test("goes by hand, and ours is made", async () => {
    const { at, there } = await theirs(true);
    await apply(at, plan);
    removeOne(at.target, there);
    expect((await apply(at, plan)).exitCode).toBe(0);
    expect(contracts(at.target)).toEqual(["Ours"]);
    await expectAtRest(at, plan);
  });
});

describe("a rollback", () => {
  test("brings it back in the place of the other one", async () => {
    const { at } = await replaced();
    await apply(at, plan, { allowDelete });
    const back = await rollback(at, plan, { allowDelete });
    expect(new Set(ended(back))).toEqual(new Set(["create entities done", "delete entities done"]));
    expect(contracts(at.target)).toEqual(["Old"]);
  });

  test("leaves it where the other one stays, and says why", async () => {
    const { at, old } = await replaced();
    await apply(at, plan, { allowDelete });
    const back = await rollback(at, plan);
    expect(changeOf(back, old)).toMatchObject({ action: "manual" });
    expect(changeOf(back, old)?.reason).toContain("only one can stand there, and another one does");
    expect(contracts(at.target)).toEqual(["New"]);
  });

  test.each(["intent:before", "intent:after", "send:after", "outcome:before", "outcome:after"] as const)(
    "that died at %s of either goes on",
    async (point) => {
      for (const nth of [1, 2]) {
        const { at } = await replaced();
        await apply(at, plan, { allowDelete });
        const dying = rollback(at, plan, { allowDelete, migration: killedBack(point, nth) });
        await expect(dying).rejects.toThrow("killed");
        expect((await rollback(at, plan, { allowDelete })).exitCode).toBe(0);
        expect(contracts(at.target)).toEqual(["Old"]);
      }
    },
  );
});
