import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { seedMetadataProperty } from "../../src/emulator/seed.ts";
import { applyPlan } from "../../src/operations/apply.ts";
import { diffPlan } from "../../src/operations/diff.ts";
import { rollbackRun } from "../../src/operations/rollback.ts";
import { verifyPlan } from "../../src/operations/verify.ts";
import type { Result } from "../../src/model/result.ts";
import type { Urn } from "../../src/model/urn.ts";
import { seedDashboard, seedFolder, seedMonitor, seedRule, seedTerm } from "../diff/support/content.ts";
import { writeOver } from "../diff/support/metadata.ts";
import type { Side } from "../diff/support/side.ts";
import { editFolder, editTerm } from "../diff/support/web.ts";
import type { PlanChanges } from "../support/world.ts";
import { editItem, seedProduct, seedSqlItem } from "./support/catalog.ts";
import { changeOf, fresh, type Place } from "./support/place.ts";

/** The metadata model lets a property lead anywhere: what it leads to comes along, whatever kinds the plan names. */

const properties = { about: "term", uses: "catalogItem", offered: "dataProduct", near: "folder" } as const;

async function modelled(): Promise<Place> {
  const at = await fresh();
  for (const { tenant } of [at.source, at.target])
    for (const type of ["term", "catalogItem", "attribute", "folder"])
      for (const [name, entityName] of Object.entries(properties))
        seedMetadataProperty(tenant, type, { name, type: "ARRAY_REFERENCE", entityName });
  return at;
}

interface From {
  readonly kind: string;
  /** Something at the source that says this. */
  readonly say: (side: Side, extraProperties: Readonly<Record<string, Urn[]>>) => Urn;
}

const from: readonly From[] = [
  {
    kind: "terms",
    say(side, extraProperties) {
      const urn = seedTerm(side, "Says it");
      editTerm(side, urn, { extraProperties });
      return urn;
    },
  },
  {
    kind: "folders",
    say(side, extraProperties) {
      const urn = seedFolder(side, "Says it");
      editFolder(side, urn, { extraProperties });
      return urn;
    },
  },
  {
    kind: "sql-items",
    say: (side, extraProperties) =>
      seedSqlItem(side, "Says it", seedFolder(side, "Its folder"), { extraProperties }),
  },
  {
    kind: "item-metadata",
    say(side, extraProperties) {
      const urn = side.item("CUSTOMER");
      writeOver(side, urn, { extraProperties });
      return urn;
    },
  },
  {
    kind: "attribute-metadata",
    say(side, extraProperties) {
      const urn = side.attribute("CUSTOMER", "EMAIL");
      writeOver(side, urn, { extraProperties });
      return urn;
    },
  },
];

/** `kind name` of what came along. */
function along(result: Result): readonly string[] {
  return result.changes
    .filter(({ pulledInBy }) => pulledInBy !== undefined)
    .map(({ kind, source }) => `${kind} ${source?.name ?? ""}`)
    .sort();
}

const listed = (at: Place, route: string): number =>
  at.world.emulator.log.entries.filter((entry) => entry.route === `GET /api/catalog/v1${route}`).length;

describe.each(from)("a property of $kind", ({ kind, say }) => {
  const select = { kinds: [kind], entityTypes: ["dataProduct"] };

  test("brings the terms, folders, SQL items and entities that it names, and what those refer to", async () => {
    const at = await modelled();
    const { source } = at;
    const term = seedTerm(source, "Named term", {
      extraProperties: { about: [seedTerm(source, "Named by the term")] },
    });
    const said = say(source, {
      about: [term],
      uses: [source.item("PRODUCT"), seedSqlItem(source, "Named item", seedFolder(source, "Outer"))],
      offered: [seedProduct(source, "Named product", { domain: seedTerm(source, "Domain") })],
      near: [seedFolder(source, "Named folder")],
    });
    const result = await at.apply({ select }, { verify: true });
    expect(result.exitCode).toBe(0);
    expect(changeOf(result, said)).toMatchObject({ kind, outcome: "done" });
    const others = [
      "entities Named product",
      "folders Named folder",
      "folders Outer",
      "sql-items Named item",
      "terms Domain",
      "terms Named by the term",
      "terms Named term",
    ].filter((one) => !one.startsWith(`${kind} `));
    expect(along(result)).toEqual(expect.arrayContaining(others));
    const there = [
      at.target.term("Named term"),
      at.target.item("PRODUCT"),
      at.target.item("Named item"),
      at.target.entity("dataProduct", "Named product"),
      at.target.folder("Named folder"),
    ];
    const twin = JSON.stringify(await shownAt(at, said));
    for (const urn of there) expect(twin).toContain(urn);
    expect(await at.apply({ select })).toMatchObject({ exitCode: 0, changes: [] });
  });

  test("that names only what was imported has nothing more listed", async () => {
    const at = await modelled();
    seedTerm(at.source, "Nobody's");
    say(at.source, { uses: [at.source.item("PRODUCT")] });
    const result = await at.apply({ select });
    expect(result.exitCode).toBe(0);
    expect(along(result).filter((one) => one !== "folders Its folder")).toEqual([]);
    if (kind !== "terms") expect(listed(at, "/terms")).toBe(0);
  });
});

/** What the target shows of the twin of something that a run has written. */
async function shownAt(at: Place, urn: Urn): Promise<unknown> {
  const { terms, folders, items, attributes } = at.target.tenant;
  const twin = await at.twinOf(urn);
  return terms.get(twin) ?? folders.get(twin) ?? items.get(twin) ?? attributes.get(twin);
}

const metadata = { kinds: ["item-metadata"] };

async function explained(): Promise<{ readonly at: Place; readonly item: Urn }> {
  const at = await fresh();
  const item = at.source.item("CUSTOMER");
  editItem(at.source, item, { extraProperties: { explainedBy: [seedTerm(at.source, "Customer")] } });
  return { at, item };
}

test("what only something that is not selected names stays where it is", async () => {
  const { at } = await explained();
  editItem(at.source, at.source.item("PRODUCT"), { description: "Sold" });
  const select = { ...metadata, include: [{ kind: "item-metadata", name: "PRODUCT" }] };
  const result = await at.apply({ select });
  expect(result.changes.map(({ source }) => source?.name)).toEqual(["PRODUCT"]);
  expect(listed(at, "/terms")).toBe(0);
});

test("where the plan says that only what is mapped may be referred to, nothing comes along", async () => {
  const { at, item } = await explained();
  const plan: PlanChanges = { select: { ...metadata, dependencies: "mapped-only" } };
  const change = changeOf(await at.apply(plan), item);
  expect(change).toMatchObject({ action: "blocked" });
  expect(change.diagnostics[0]).toMatchObject({ code: "unresolved-reference" });
  expect(at.writes()).toEqual([]);
});

test("entities come along only where the plan names their types; what refers to one is blocked, by its place", async () => {
  const at = await modelled();
  const item = at.source.item("CUSTOMER");
  editItem(at.source, item, { extraProperties: { offered: [seedProduct(at.source, "Sales")] } });
  const change = changeOf(await at.apply({ select: metadata }), item);
  expect(change).toMatchObject({ action: "blocked" });
  expect(change.diagnostics[0]).toMatchObject({
    code: "unresolved-reference",
    pointer: "/extraProperties/offered/0",
  });
  expect(listed(at, "/terms") + listed(at, "/folders")).toBe(0);
});

test("one that is at the target already is taken, and a changed one is updated with what names it", async () => {
  const { at, item } = await explained();
  seedTerm(at.target, "Customer");
  const result = await at.apply({ select: metadata });
  const term = at.source.term("Customer");
  expect(changeOf(result, term)).toMatchObject({ action: "adopt", pulledInBy: { urn: item } });
  editTerm(at.source, term, { description: "Who buys" });
  expect(changeOf(await at.apply({ select: metadata }), term)).toMatchObject({ outcome: "done" });
});

test("an approved diff holds what comes along, and is applied as it stands", async () => {
  const { at, item } = await explained();
  const plan = { select: metadata };
  const out = join(at.world.folder, "approved.json");
  await diffPlan(at.world.migration(plan), { out });
  const result = await applyPlan(at.world.migration(plan), { diff: out, confirm: async () => true });
  expect(result.exitCode).toBe(0);
  expect(changeOf(result, item)).toMatchObject({ outcome: "done" });
  expect(at.target.tenant.items.get(at.target.item("CUSTOMER"))?.extraProperties).toEqual({
    explainedBy: [at.target.term("Customer")],
  });
});

test("a rollback takes what came along away again, and verify finds it as it should be before", async () => {
  const { at } = await explained();
  const plan = { select: metadata };
  await at.apply(plan);
  expect((await verifyPlan(at.world.migration(plan))).exitCode).toBe(0);
  const undone = await rollbackRun(at.world.migration(plan), {
    confirm: async () => true,
    allowDelete: true,
  });
  expect(undone.exitCode).toBe(0);
  expect(at.target.tenant.terms.size).toBe(0);
});

test("a snapshot that was made before shows it, too", async () => {
  const { at, item } = await explained();
  const plan = { select: metadata };
  await diffPlan(at.world.migration(plan));
  const { snapshot } = at.world.places(plan);
  at.world.emulator.log.clear();
  const result = await applyPlan(at.world.migration(plan), { snapshot, confirm: async () => true });
  expect(result.exitCode).toBe(0);
  expect(changeOf(result, item)).toMatchObject({ outcome: "done" });
  expect(along(result)).toEqual(["terms Customer"]);
});

test("an entity's property brings the rule, monitor and dashboard that it names", async () => {
  const at = await fresh();
  const rule = seedRule(at.source, "R");
  const named = [
    ["dqRule", rule],
    ["dqMonitor", seedMonitor(at.source, rule, "M")],
    ["dqDashboard", seedDashboard(at.source, "D")],
  ] as const;
  for (const [entityName, urn] of named) {
    for (const { tenant } of [at.source, at.target])
      seedMetadataProperty(tenant, "dataProduct", { name: entityName, type: "SINGLE_REFERENCE", entityName });
    seedProduct(at.source, `Names a ${entityName}`, { [entityName]: urn });
  }
  const plan: PlanChanges = { select: { kinds: ["entities"], entityTypes: ["dataProduct"] } };
  const result = await at.apply(plan);
  expect(result.exitCode).toBe(0);
  expect(along(result)).toEqual(["dashboards D", "monitors M", "rules R"]);
  expect(await at.apply(plan)).toMatchObject({ exitCode: 0, changes: [] });
});
