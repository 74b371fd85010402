import { describe, expect, test } from "vitest";
import {
  changeMetadataProperty,
  changeMetadataType,
  removeMetadataProperty,
  seedMetadataProperty,
} from "../../src/emulator/seed.ts";
import { findModelGaps } from "../../src/operations/doctor/model-gaps.ts";
import type { Urn } from "../../src/model/urn.ts";
import { seedTerm } from "../diff/support/content.ts";
import { apply, changeOf, expectAtRest, expectChange, stage, type Stage } from "../diff/support/run.ts";
import { written } from "../diff/support/log.ts";
import type { PlanChanges } from "../support/world.ts";
import { editEntity, seedPort, seedProduct } from "./support/catalog.ts";

/** The target's metadata model has no place any more in which entities stand at the source. */

const plan: PlanChanges = {
  select: { kinds: ["terms", "entities"], entityTypes: ["dataProduct", "outputPort"] },
};

/** Terms may name a port. */
async function withPort(): Promise<{ at: Stage; product: Urn; port: Urn; names: Urn }> {
  const at = await stage();
  for (const { tenant } of [at.source, at.target])
    seedMetadataProperty(tenant, "businessTerm", {
      name: "port",
      type: "SINGLE_REFERENCE",
      entityName: "outputPort",
    });
  const product = seedProduct(at.source, "Sales");
  const port = seedPort(at.source, product, "Table");
  return { at, product, port, names: seedTerm(at.source, "Names it", { extraProperties: { port } }) };
}

describe("a property of the parent", () => {
  test.each([
    [
      "is lacking",
      ({ target: { tenant } }: Stage) => removeMetadataProperty(tenant, "dataProduct", "ports"),
      "prod: its metadata model has no property ports of dataProduct to hold it",
    ],
    [
      "holds no children",
      ({ target: { tenant } }: Stage) =>
        changeMetadataProperty(tenant, "dataProduct", "ports", { type: "SCALAR", scalarType: "string" }),
      "prod: there the property ports of dataProduct holds no children",
    ],
    [
      "holds others",
      ({ target: { tenant } }: Stage) =>
        changeMetadataProperty(tenant, "dataProduct", "ports", { entityName: "qualityIssue" }),
      "prod: there the property ports of dataProduct holds things of the type qualityIssue",
    ],
  ] as const)(
    "that %s: what would stand there is not sent, and what names it is blocked by its name",
    async (_word, spoil, reason) => {
      const { at, product, port, names } = await withPort();
      spoil(at);
      const result = await apply(at, plan);
      expect(result.exitCode).toBe(4);
      expect(changeOf(result, product)).toMatchObject({ action: "create", outcome: "done" });
      expect(expectChange(result, port, "blocked", reason).diagnostics[0]).toMatchObject({
        code: "not-in-the-model",
        suggestion: "Add it to the metadata model of prod, or leave the type out.",
      });
      expectChange(result, names, "blocked", 'it waits for entities "Table", which is blocked');
      const again = await apply(at, plan);
      expect(again.exitCode).toBe(4);
      expect(written(at.world)).toEqual([]);
    },
  );

  test("is asked for by the doctor before anything is read", async () => {
    const { at } = await withPort();
    removeMetadataProperty(at.target.tenant, "dataProduct", "ports");
    const gaps = await findModelGaps(at.world.migration(plan));
    expect(gaps.map(({ summary }) => summary)).toEqual([
      "prod: there the property ports of dataProduct is missing",
    ]);
  });

  test("that comes back is enough, and what stands there already is changed meanwhile", async () => {
    const { at, port } = await withPort();
    await apply(at, plan);
    removeMetadataProperty(at.target.tenant, "dataProduct", "ports");
    editEntity(at.source, port, { format: "CSV" });
    const result = await apply(at, plan);
    expect(changeOf(result, port)).toMatchObject({ action: "update", outcome: "done" });
    seedMetadataProperty(at.target.tenant, "dataProduct", {
      name: "ports",
      type: "ARRAY_EMBEDDED",
      entityName: "outputPort",
    });
    await expectAtRest(at, plan);
  });
});

test("what the root holds no more is not sent, and a word of the plan counts", async () => {
  const { at, product, port } = await withPort();
  changeMetadataType(at.target.tenant, "dataProduct", { nodePaths: ["/products"] });
  const result = await apply(at, plan);
  expect(result.exitCode).toBe(4);
  expectChange(
    result,
    product,
    "blocked",
    "prod: its metadata model has no dataProducts at its root to hold a dataProduct",
  );
  expectChange(result, port, "blocked", 'it waits for entities "Sales", which is blocked');
  expect(written(at.world)).toEqual([]);
  const said = { ...plan, pairing: { parentProperties: { "/dataProduct": "products" } } };
  expect((await apply(at, said)).exitCode).toBe(0);
  await expectAtRest(at, said);
});
