import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../src/emulator/json.ts";
import {
  changeMetadataProperty,
  removeMetadataProperty,
  seedMetadataProperty,
} from "../../src/emulator/seed.ts";
import type { Urn } from "../../src/model/urn.ts";
import { uuidOf } from "../../src/model/urn.ts";
import { seedTerm } from "../diff/support/content.ts";
import { onlyPatch, written, writes } from "../diff/support/log.ts";
import { bare, seedTable, writeOver, writtenOver } from "../diff/support/metadata.ts";
import { apply, changeOf, expectAtRest, stage, type Stage } from "../diff/support/run.ts";
import type { Side } from "../diff/support/side.ts";
import { rollback } from "../operations/rollback/support.ts";
import type { PlanChanges } from "../support/world.ts";

const items: PlanChanges = { select: { kinds: ["terms", "item-metadata"] } };
const columns: PlanChanges = { select: { kinds: ["terms", "attribute-metadata"] } };

async function place(): Promise<Stage> {
  const at = await stage();
  for (const side of [at.source, at.target]) bare(side);
  return at;
}

interface Value {
  readonly name: string;
  readonly property: { readonly type?: "SINGLE_REFERENCE" | "ARRAY_REFERENCE"; readonly scalarType?: string };
  readonly entityName?: string;
  readonly value: (side: Side) => Json;
  readonly other: (side: Side) => Json;
  readonly none: Json;
}

const scalar = (name: string, scalarType: string, value: Json, other: Json): Value => ({
  name,
  property: { scalarType },
  value: () => value,
  other: () => other,
  none: scalarType.endsWith("[]") ? [] : null,
});

const values: readonly Value[] = [
  scalar("aText", "string", "one", "two"),
  scalar("aNumber", "integer", 7, 0),
  scalar("aFraction", "double", 0.5, 1e-9),
  scalar("aSwitch", "boolean", false, true),
  scalar("aDate", "date", "2026-03-31", "2026-04-01"),
  scalar("texts", "string[]", ["b", "a"], ["a"]),
  scalar("numbers", "integer[]", [3, 1], [1]),
  {
    name: "aThing",
    property: { type: "SINGLE_REFERENCE" },
    entityName: "catalogItem",
    value: (side) => side.item("PRODUCT"),
    other: (side) => side.item("SALES_ORDER"),
    none: null,
  },
  {
    name: "things",
    property: { type: "ARRAY_REFERENCE" },
    entityName: "attribute",
    value: (side) => [side.attribute("CUSTOMER", "PHONE"), side.attribute("CUSTOMER", "EMAIL")],
    other: (side) => [side.attribute("CUSTOMER", "PHONE")],
    none: [],
  },
];

const places = [
  { type: "catalogItem", plan: items, thing: (side: Side): Urn => side.item("CUSTOMER_ADDRESS") },
  { type: "attribute", plan: columns, thing: (side: Side): Urn => side.attribute("PRODUCT", "GTIN") },
];

describe.each(places)("extra properties of $type", ({ type, plan, thing }) => {
  async function modelled(): Promise<Stage> {
    const at = await place();
    for (const { tenant } of [at.source, at.target]) {
      for (const { name, property, entityName } of values)
        seedMetadataProperty(tenant, type, {
          name,
          ...property,
          ...(entityName !== undefined && { entityName }),
        });
    }
    return at;
  }
  const all = (side: Side, pick: "value" | "other" | "none"): JsonObject =>
    Object.fromEntries(values.map((value) => [value.name, pick === "none" ? value.none : value[pick](side)]));

  test("of every type travel, are patched by name when one changes, and are cleared each as it wants to be", async () => {
    const at = await modelled();
    const [here, there] = [thing(at.source), thing(at.target)];
    writeOver(at.source, here, { extraProperties: all(at.source, "value") });
    const first = await apply(at, plan);
    expect(first.exitCode).toBe(0);
    expect(writtenOver(at.target, there)).toEqual({ extraProperties: all(at.target, "value") });
    await expectAtRest(at, plan);
    for (const { name, other } of values) {
      writeOver(at.source, here, { extraProperties: { [name]: other(at.source) } });
      await apply(at, plan);
      expect(onlyPatch(at.world)).toEqual({ extraProperties: { [name]: other(at.target) } });
    }
    expect(writtenOver(at.target, there)).toEqual({ extraProperties: all(at.target, "other") });
    writeOver(at.source, here, { extraProperties: all(at.source, "none") });
    await apply(at, plan);
    expect(onlyPatch(at.world)).toEqual({ extraProperties: all(at.target, "none") });
    expect(writtenOver(at.target, there)).toEqual({});
    await expectAtRest(at, plan);
  });

  test("are brought back by a rollback, those that a run cleared and those that it set", async () => {
    const at = await modelled();
    const [here, there] = [thing(at.source), thing(at.target)];
    writeOver(at.source, here, { description: "Of the source", extraProperties: all(at.source, "value") });
    const first = await apply(at, plan);
    const set = writtenOver(at.target, there);
    writeOver(at.source, here, { description: null, extraProperties: all(at.source, "none") });
    await apply(at, plan);
    expect(writtenOver(at.target, there)).toEqual({});
    expect(await rollback(at, plan)).toMatchObject({ exitCode: 0 });
    expect(writtenOver(at.target, there)).toEqual(set);
    const { run = "" } = first;
    expect(await rollback(at, plan, { run })).toMatchObject({ exitCode: 0 });
    expect(writtenOver(at.target, there)).toEqual({});
  });

  test.each([
    ["is not in the target's model", (to: Side) => removeMetadataProperty(to.tenant, type, "aText")],
    [
      "is read-only there",
      (to: Side) => changeMetadataProperty(to.tenant, type, "aText", { editable: false }),
    ],
    [
      "is of another type there",
      (to: Side) => changeMetadataProperty(to.tenant, type, "aText", { scalarType: "integer" }),
    ],
  ])("one that %s blocks what has it and nothing else, or is left out by policy", async (_, spoil) => {
    const at = await modelled();
    const [here, there] = [thing(at.source), thing(at.target)];
    const said = { description: "Of the source", extraProperties: { aText: "one", aNumber: 7 } };
    writeOver(at.source, here, said);
    const tables = [at.source, at.target].map((side) => seedTable(side, "OTHER", ["ONE"]));
    const others = [at.source, at.target].map((side, index) =>
      type === "attribute" ? side.attribute("OTHER", "ONE") : (tables[index] ?? here),
    );
    const [other = here, twin = there] = others;
    writeOver(at.source, other, { description: "Arrives" });
    spoil(at.target);
    const result = await apply(at, plan);
    expect(changeOf(result, here)).toMatchObject({ action: "blocked" });
    expect(changeOf(result, here)?.diagnostics[0]).toMatchObject({ code: "not-in-the-model" });
    expect(written(at.world)).toHaveLength(1);
    expect(writtenOver(at.target, twin)).toEqual({ description: "Arrives" });
    const drop: PlanChanges = { ...plan, policy: { missingProperty: "drop" } };
    const dropped = await apply(at, drop);
    expect(changeOf(dropped, here)).toMatchObject({ action: "update", outcome: "done" });
    expect(dropped.diagnostics.map(({ code }) => code)).toContain("property-dropped");
    expect(writtenOver(at.target, there)).toEqual({ ...said, extraProperties: { aNumber: 7 } });
    const again = await apply(at, drop);
    expect(writes(at.world)).toEqual([]);
    expect(again.changes).toEqual([]);
  });

  test("what the plan lets be left out is not taken away from the target, which has its own there", async () => {
    const at = await modelled();
    const [here, there] = [thing(at.source), thing(at.target)];
    writeOver(at.source, here, { description: "Of the source", extraProperties: { aText: "one" } });
    changeMetadataProperty(at.target.tenant, type, "aText", { scalarType: "integer" });
    writeOver(at.target, there, { extraProperties: { aText: 5 } });
    const drop: PlanChanges = { ...plan, policy: { missingProperty: "drop" } };
    expect(changeOf(await apply(at, drop), here)).toMatchObject({ action: "update", outcome: "done" });
    expect(onlyPatch(at.world)).toEqual({ description: "Of the source" });
    const again = await apply(at, drop);
    expect(writes(at.world)).toEqual([]);
    expect(again.changes).toEqual([]);
  });

  test("rich text names the target's own ids, of terms that the run creates as well", async () => {
    const at = await place();
    const [here, there] = [thing(at.source), thing(at.target)];
    const term = seedTerm(at.source, "Customer");
    const rich = (urn: string): string =>
      JSON.stringify([
        { type: "paragraph", children: [{ type: "entityReference", gid: uuidOf(urn), entityName: "term" }] },
      ]);
    writeOver(at.source, here, { description: rich(term) });
    expect(await apply(at, plan)).toMatchObject({ exitCode: 0 });
    expect(writtenOver(at.target, there)).toEqual({ description: rich(at.target.term("Customer")) });
    await expectAtRest(at, plan);
  });

  test.each(["drop-before-commit", "drop-after-commit"] as const)(
    "a lost answer to the patch (%s) is settled, and nothing is written twice",
    async (effect) => {
      const at = await place();
      const [here, there] = [thing(at.source), thing(at.target)];
      writeOver(at.source, here, { description: "Of the source" });
      const path = type === "attribute" ? "attributes" : "catalog-items";
      at.world.emulator.faults.add({
        match: { tenant: "prod", route: `PATCH /api/catalog/v1/${path}/:urn` },
        when: { times: 1 },
        effect: { type: effect },
      });
      expect(await apply(at, plan)).toMatchObject({ exitCode: 0, summary: { inDoubt: 0, failed: 0 } });
      expect(writes(at.world)).toHaveLength(effect === "drop-after-commit" ? 1 : 2);
      expect(writtenOver(at.target, there)).toEqual({ description: "Of the source" });
      await expectAtRest(at, plan);
    },
  );
});

test("the aliases of an item are one value: added to, put in another order, taken away, always all of them", async () => {
  const at = await place();
  const [here, there] = [at.source.item("CUSTOMER"), at.target.item("CUSTOMER")];
  const alias = (value: string): JsonObject => ({ type: "ATLAS_ASSET_ID", value });
  writeOver(at.source, here, { aliases: [alias("a"), alias("b")] });
  await apply(at, items);
  expect(onlyPatch(at.world)).toEqual({ aliases: [alias("a"), alias("b")] });
  writeOver(at.source, here, { aliases: [alias("b"), alias("a")] });
  await expectAtRest(at, items);
  writeOver(at.source, here, { aliases: [alias("b")] });
  await apply(at, items);
  expect(onlyPatch(at.world)).toEqual({ aliases: [alias("b")] });
  expect(writtenOver(at.target, there)).toEqual({ aliases: [alias("b")] });
  await expectAtRest(at, items);
});
