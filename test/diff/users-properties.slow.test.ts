import { describe, expect, it } from "vitest";
import { seedMetadataProperty } from "../../src/emulator/seed.ts";
import type { Urn } from "../../src/model/urn.ts";
import {
  editItem,
  removeOne,
  removeSqlItem,
  seedIssue,
  seedPort,
  seedProduct,
  seedSqlItem,
} from "../kinds/support/catalog.ts";
import { rollback } from "../operations/rollback/support.ts";
import type { PlanChanges } from "../support/world.ts";
import { seedFolder, seedTerm } from "./support/content.ts";
import { written } from "./support/log.ts";
import { writeOver } from "./support/metadata.ts";
import { apply, changeOf, diff, expectChange, type Stage, stage, twinOf } from "./support/run.ts";
import type { Side } from "./support/side.ts";
import { editTerm, removeFolder, removeTerm } from "./support/web.ts";

/** What people at the target made refer to what this tool moved there, through properties of the metadata model. */

const allowDelete = { allowDelete: true };
const terms = { select: { kinds: ["terms"] } };
const folders = { select: { kinds: ["folders"] } };
const items = { select: { kinds: ["folders", "sql-items"] } };
const issues = { select: { kinds: ["entities"], entityTypes: ["qualityIssue"] } };
const products = { select: { kinds: ["entities"], entityTypes: ["dataProduct"] } };

interface Use {
  readonly what: string;
  readonly plan: PlanChanges;
  readonly seed: (at: Stage) => Urn;
  readonly drop: (at: Stage, urn: Urn) => void;
  /** What a colleague does with its twin. */
  readonly use: (at: Stage, twin: Urn) => void;
  readonly said: string;
}

const term = {
  plan: terms,
  seed: ({ source }: Stage) => seedTerm(source, "Customer"),
  drop: ({ source }: Stage, urn: Urn) => removeTerm(source, urn),
};
const item = {
  plan: items,
  seed: ({ source }: Stage) => seedSqlItem(source, "Active", seedFolder(source, "Views")),
  drop: ({ source }: Stage, urn: Urn) => removeSqlItem(source, urn),
};

const uses: readonly Use[] = [
  {
    ...term,
    what: "a term of an entity whose type is not selected",
    use: ({ target }, twin) => void seedProduct(target, "Theirs", { domain: twin }),
    said: 'dataProduct "Theirs" at the target still refers to it',
  },
  {
    ...term,
    what: "a term in a list of an entity",
    use: ({ target }, twin) =>
      void seedProduct(target, "Theirs", { terms: [seedTerm(target, "Other"), twin] }),
    said: 'dataProduct "Theirs" at the target still refers to it',
  },
  {
    ...term,
    what: "a term that explains an item",
    use: ({ target }, twin) =>
      editItem(target, target.item("CUSTOMER"), { extraProperties: { explainedBy: [twin] } }),
    said: '"CUSTOMER" at the target still refers to it',
  },
  {
    what: "a folder that an entity names",
    plan: folders,
    seed: ({ source }) => seedFolder(source, "Views"),
    drop: ({ source }, urn) => removeFolder(source, urn),
    use({ target }, twin) {
      seedMetadataProperty(target.tenant, "outputPort", {
        name: "home",
        type: "SINGLE_REFERENCE",
        entityName: "folder",
      });
      seedPort(target, seedProduct(target, "Theirs"), "Door", { home: twin });
    },
    said: 'outputPort "Door" at the target still refers to it',
  },
  {
    ...item,
    what: "an SQL item that an entity names",
    use: ({ target }, twin) => void seedProduct(target, "Theirs", { items: [twin] }),
    said: 'dataProduct "Theirs" at the target still refers to it',
  },
  {
    ...item,
    what: "an SQL item one of whose attributes an entity names",
    use: ({ target }) =>
      void seedPort(target, seedProduct(target, "Theirs"), "Door", {
        keys: [target.attribute("Active", "EMAIL")],
      }),
    said: 'outputPort "Door" at the target still refers to it',
  },
  {
    what: "an entity that one of another type names",
    plan: issues,
    seed: ({ source }) => seedIssue(source, "Late"),
    drop: ({ source }, urn) => removeOne(source, urn),
    use({ target }, twin) {
      seedMetadataProperty(target.tenant, "outputPort", {
        name: "known",
        type: "ARRAY_REFERENCE",
        entityName: "qualityIssue",
      });
      seedPort(target, seedProduct(target, "Theirs"), "Door", { known: [twin] });
    },
    said: 'outputPort "Door" at the target still refers to it',
  },
  {
    what: "an entity below which a colleague put one of a type that is not selected",
    plan: products,
    seed: ({ source }) => seedProduct(source, "Sales"),
    drop: ({ source }, urn) => removeOne(source, urn),
    use: ({ target }, twin) => void seedPort(target, twin, "Door"),
    said: 'outputPort "Door" at the target still refers to it',
  },
  {
    what: "a term that an extra property of a term names, by a plan that moves items alone",
    ...term,
    use({ target }, twin) {
      seedMetadataProperty(target.tenant, "folder", {
        name: "about",
        type: "SINGLE_REFERENCE",
        entityName: "businessTerm",
      });
      seedFolder(target, "Theirs", target.source(), { extraProperties: { about: twin } });
    },
    said: 'folder "Theirs" at the target still refers to it',
  },
];

describe.each(uses)("$what", ({ plan, seed, drop, use, said }) => {
  it("is not deleted when it is gone at the source", async () => {
    const at = await stage();
    const urn = seed(at);
    expect((await apply(at, plan)).exitCode).toBe(0);
    const twin = (await twinOf(at, urn)) as Urn;
    use(at, twin);
    drop(at, urn);
    for (const result of [await diff(at, plan), await apply(at, plan, allowDelete)])
      expectChange(result, urn, "manual", said);
    expect(written(at.world)).toEqual([]);
    expect(at.target.body(twin)).toBeTruthy();
  });

  it("is not deleted by a rollback", async () => {
    const at = await stage();
    const urn = seed(at);
    await apply(at, plan);
    const twin = (await twinOf(at, urn)) as Urn;
    use(at, twin);
    expectChange(await rollback(at, plan, allowDelete), urn, "manual", said);
    expect(at.target.body(twin)).toBeTruthy();
  });

  it("is deleted where nobody refers to it", async () => {
    const at = await stage();
    const urn = seed(at);
    await apply(at, plan);
    const twin = await twinOf(at, urn);
    drop(at, urn);
    expect(changeOf(await apply(at, plan, allowDelete), urn)).toMatchObject({ outcome: "done" });
    expect(() => at.target.body(twin)).toThrow();
  });
});

describe.each(["roots", "folders"] as const)("where lists of entities show no more than %s", (shown) => {
  /** Items, columns and folders stand below something. */
  const below: readonly (readonly [string, (at: Stage, twin: Urn) => void])[] = [
    [
      '"CUSTOMER"',
      ({ target }, twin) =>
        editItem(target, target.item("CUSTOMER"), { extraProperties: { explainedBy: [twin] } }),
    ],
    [
      '"EMAIL"',
      ({ target }, twin) => {
        seedAbout(target, "attribute");
        writeOver(target, target.attribute("CUSTOMER", "EMAIL"), { extraProperties: { about: twin } });
      },
    ],
    [
      'folder "Theirs"',
      ({ target }, twin) => {
        seedAbout(target, "folder");
        seedFolder(target, "Theirs", target.source(), { extraProperties: { about: twin } });
      },
    ],
  ];

  it.each(below)("what %s refers to is not deleted, nor taken back", async (what, use) => {
    const at = await stage();
    at.target.tenant.quirks.allQueries = shown;
    const urn = seedTerm(at.source, "Customer");
    await apply(at, terms);
    const twin = (await twinOf(at, urn)) as Urn;
    use(at, twin);
    const said = `${what} at the target still refers to it`;
    expectChange(await rollback(at, terms, allowDelete), urn, "manual", said);
    removeTerm(at.source, urn);
    expectChange(await apply(at, terms, allowDelete), urn, "manual", said);
    expect(at.target.body(twin)).toBeTruthy();
  });

  it("a field of theirs that the model calls a reference is not asked for as an extra property", async () => {
    const at = await stage();
    at.target.tenant.quirks.allQueries = shown;
    seedMetadataProperty(at.target.tenant, "catalogItem", {
      name: "folders",
      type: "ARRAY_REFERENCE",
      entityName: "folder",
    });
    const [urn, used] = [seedFolder(at.source, "Views"), seedFolder(at.source, "Used")];
    await apply(at, folders);
    seedSqlItem(at.target, "Theirs", (await twinOf(at, used)) as Urn);
    for (const one of [urn, used]) removeFolder(at.source, one);
    const result = await apply(at, folders, allowDelete);
    expect(changeOf(result, urn)).toMatchObject({ outcome: "done" });
    expectChange(result, used, "manual", '"Theirs" at the target still refers to it');
    const asked = at.world.emulator.log.entries.map(({ query }) => query["extraProperties"] ?? "");
    expect(asked.filter((names) => names.split(",").includes("folders"))).toEqual([]);
  });

  it("what nobody refers to is deleted", async () => {
    const at = await stage();
    at.target.tenant.quirks.allQueries = shown;
    for (const type of ["attribute", "folder"]) seedAbout(at.target, type);
    const urn = seedTerm(at.source, "Customer");
    await apply(at, terms);
    removeTerm(at.source, urn);
    expect(changeOf(await apply(at, terms, allowDelete), urn)).toMatchObject({ outcome: "done" });
  });
});

function seedAbout({ tenant }: Side, type: string): void {
  seedMetadataProperty(tenant, type, { name: "about", type: "SINGLE_REFERENCE", entityName: "term" });
}

describe("what this run lets go of", () => {
  it("is deleted in the same run: a moved entity, and a moved term", async () => {
    const at = await stage();
    const plan = { select: { kinds: ["terms", "entities"], entityTypes: ["dataProduct"] } };
    const gone = seedTerm(at.source, "Customer");
    const above = seedTerm(at.source, "Above", { extraProperties: { relatedTerms: [gone] } });
    const product = seedProduct(at.source, "Sales", { domain: gone });
    expect((await apply(at, plan)).exitCode).toBe(0);
    removeOne(at.source, product);
    const again = seedProduct(at.source, "Sales again");
    editTerm(at.source, above, { extraProperties: { relatedTerms: [] } });
    removeTerm(at.source, gone);
    const done = await apply(at, plan, allowDelete);
    expect(done.exitCode).toBe(0);
    for (const urn of [gone, product, again]) expect(changeOf(done, urn)).toMatchObject({ outcome: "done" });
    expect(at.target.tenant.terms.size).toBe(1);
  });

  it("goes with a rollback, whatever the run made refer to it", async () => {
    const at = await stage();
    const plan = { select: { kinds: ["terms", "entities"], entityTypes: ["dataProduct", "outputPort"] } };
    const domain = seedTerm(at.source, "Customer");
    seedPort(at.source, seedProduct(at.source, "Sales", { domain }), "Door");
    const { size } = at.target.tenant.entities;
    await apply(at, plan);
    expect((await rollback(at, plan, allowDelete)).exitCode).toBe(0);
    expect([at.target.tenant.terms.size, at.target.tenant.entities.size]).toEqual([0, size]);
  });
});

it("a property that the service computes is nobody's reference", async () => {
  const at = await stage();
  const urn = seedTerm(at.source, "Customer");
  await apply(at, terms);
  seedMetadataProperty(at.target.tenant, "dataProduct", {
    name: "shownBy",
    type: "SINGLE_REFERENCE",
    entityName: "term",
    editable: false,
  });
  const theirs = seedProduct(at.target, "Theirs");
  const entity = at.target.tenant.entities.get(theirs);
  if (entity !== undefined)
    at.target.tenant.entities.put({
      ...entity,
      properties: { ...entity.properties, shownBy: at.target.term("Customer") },
    });
  removeTerm(at.source, urn);
  expect(changeOf(await apply(at, terms, allowDelete), urn)).toMatchObject({ outcome: "done" });
});

it("a type that cannot be listed leaves it open who refers to it, and nothing is deleted", async () => {
  const at = await stage();
  const urn = seedTerm(at.source, "Customer");
  await apply(at, terms);
  removeTerm(at.source, urn);
  at.world.emulator.faults.add({
    match: { tenant: "prod", route: "GET /api/catalog/v1/entities" },
    effect: { type: "status", code: 403 },
  });
  const change = expectChange(await apply(at, terms, allowDelete), urn, "manual", "could not be read");
  expect(change.diagnostics.map(({ code }) => code)).toContain("users-unknown");
  expect(written(at.world)).toEqual([]);
});

it.each([
  [
    "403",
    { type: "status", code: 403 },
    /^Give the API client the permission to read it, and run again; or look who uses it/,
  ],
  // It is not the permission that is missing, and the next run is refused as this one.
  [
    "400",
    { type: "status", code: 400 },
    /^Look who uses it in the web application of the target, and delete it by hand\.$/,
  ],
  ["what is no answer", { type: "garbage" }, /^Run again; or look who uses it/],
] as const)(
  "where a list of users ends with %s, what is advised mends that",
  async (_what, effect, advised) => {
    const at = await stage();
    const urn = seedTerm(at.source, "Customer");
    await apply(at, terms);
    const twin = at.target.term("Customer");
    removeTerm(at.source, urn);
    at.world.emulator.faults.add({
      match: { tenant: "prod", route: "GET /api/catalog/v1/entities" },
      effect,
    });
    const change = expectChange(await apply(at, terms, allowDelete), urn, "manual", "could not be read");
    expect(change.diagnostics.find((told) => told.code === "users-unknown")?.suggestion).toMatch(advised);
    expect(at.target.body(twin)).toBeTruthy();
  },
);
