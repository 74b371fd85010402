import { describe, expect, test } from "vitest";
import {
  changeMetadataProperty,
  changeMetadataType,
  removeMetadataProperty,
  removeMetadataType,
  seedMetadataProperty,
} from "../../src/emulator/seed.ts";
import { entities } from "../../src/kinds/entities.ts";
import type { Urn } from "../../src/model/urn.ts";
import { PlanError } from "../../src/plan/plan-error.ts";
import type { Report } from "../../src/engine/progress.ts";
import { applyPlan } from "../../src/operations/apply.ts";
import { rollbackRun } from "../../src/operations/rollback.ts";
import { seedTerm } from "../diff/support/content.ts";
import { contract } from "./contract.ts";
import { editEntity, removeOne, seedComment, seedIssue, seedPort, seedProduct } from "./support/catalog.ts";
import { changeOf, fresh, type Place } from "./support/place.ts";
import { type Side, wanted } from "../diff/support/side.ts";
import type { PlanChanges } from "../support/world.ts";
import { overTheDemo } from "./support/over-the-demo.ts";
import { times } from "./support/times.ts";
import { inWhole } from "../support/whole.ts";

const plan = { select: { kinds: ["terms", "entities"], entityTypes: ["dataProduct", "outputPort"] } };

const batch = "POST /api/catalog/v1/entities/batch";

contract({
  kind: entities,
  plan,
  routes: { create: `${batch}/create`, patch: `${batch}/patch`, delete: `${batch}/delete` },
  seed(from) {
    const domain = seedTerm(from, "Customer");
    return times(101, (number) => seedProduct(from, `Product ${number}`, { tier: number, domain }));
  },
  // A pair that a person named, with a term of another type.
  // A day that is none: that it is a text fits.
  spoil: ({ source }, urn) => editEntity(source, urn, { launchedOn: "soon" }),
  edit: (from, urn) => editEntity(from, urn, { status: "Changed" }),
  drop: removeOne,
});

inWhole("entities of the demo come over, parents before their children", async () => {
  const { changes } = await overTheDemo(entities.name, {
    select: {
      kinds: ["folders", "sql-items", "terms", "entities"],
      entityTypes: ["dataProduct", "dataContract", "outputPort"],
    },
  });
  expect(changes.length).toBeGreaterThan(5);
  for (const { action, outcome } of changes) expect([action, outcome]).toEqual(["create", "done"]);
});

function selecting(...entityTypes: readonly string[]): PlanChanges {
  return { select: { kinds: ["entities"], entityTypes } };
}

const products = selecting("dataProduct", "outputPort");

describe("types", () => {
  test.each([
    ["noSuchType", '"select.entityTypes[1]": the source\'s metadata model has no such type'],
    ["detectionRule", "the service makes things of this type itself"],
    ["businessTerm", "things of this type are moved as terms"],
  ])("%s is a mistake in the plan, told in the plan's words", async (type, summary) => {
    const at = await fresh();
    const error = await at.diff(selecting("dataProduct", type)).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(PlanError);
    const { problems } = error as PlanError;
    expect(problems).toMatchObject([{ path: "select.entityTypes[1]" }]);
    expect(problems[0]?.summary).toContain(summary);
    expect(`${problems[0]?.summary} ${problems[0]?.suggestion}`).toMatch(/dataProduct|select\.kinds/);
  });

  test.each([
    ["lacks", (at: Place) => removeMetadataType(at.target.tenant, "outputPort")],
    ["makes itself", (at: Place) => changeMetadataType(at.target.tenant, "outputPort", { editable: false })],
  ])(
    "one that the target %s is a finding of the diff, told once; the others arrive",
    async (_word, spoil) => {
      const at = await fresh();
      const product = seedProduct(at.source, "Sales");
      const ports = ["One", "Two"].map((name) => seedPort(at.source, product, name));
      spoil(at);
      const result = await at.apply(products);
      expect(result.exitCode).toBe(4);
      expect(changeOf(result, product)).toMatchObject({ action: "create", outcome: "done" });
      const causes = ports.map((urn) => changeOf(result, urn).diagnostics.map(({ cause }) => cause?.key));
      for (const urn of ports) expect(changeOf(result, urn)).toMatchObject({ action: "blocked" });
      expect(new Set(causes.flat())).toEqual(new Set(["not-in-the-model the type outputPort"]));
    },
  );
});

describe("the property of the parent", () => {
  test("that is not clear is asked for with the line to write, and the line is enough", async () => {
    const at = await fresh();
    for (const { tenant } of [at.source, at.target]) {
      seedMetadataProperty(tenant, "dataProduct", {
        name: "drafts",
        type: "ARRAY_EMBEDDED",
        entityName: "outputPort",
      });
      changeMetadataType(tenant, "outputPort", {
        nodePaths: ["/dataProducts/ports", "/dataProducts/drafts"],
      });
    }
    const product = seedProduct(at.source, "Sales");
    const port = seedPort(at.source, product, "Table");
    const first = await at.apply(products);
    const change = changeOf(first, port);
    expect(change).toMatchObject({ action: "blocked" });
    expect(change.reason).toContain("ports, drafts");
    expect(JSON.stringify(change.diagnostics)).toContain('\\"dataProduct/outputPort\\": ports');
    const said = { ...products, pairing: { parentProperties: { "dataProduct/outputPort": "drafts" } } };
    expect((await at.apply(said)).exitCode).toBe(0);
    expect(at.target.body(at.target.entity("outputPort", "Table"))["parentProperty"]).toBe("drafts");
    expect((await at.diff(said)).changes).toEqual([]);
  });

  inWhole("that is the only one which is not read-only is clear", async () => {
    const at = await fresh();
    for (const { tenant } of [at.source, at.target]) {
      seedMetadataProperty(tenant, "dataProduct", {
        name: "retired",
        type: "ARRAY_EMBEDDED",
        entityName: "outputPort",
        editable: false,
      });
      changeMetadataType(tenant, "outputPort", {
        nodePaths: ["/dataProducts/ports", "/dataProducts/retired"],
      });
    }
    seedPort(at.source, seedProduct(at.source, "Sales"), "Table");
    expect((await at.apply(products)).exitCode).toBe(0);
    expect(at.target.body(at.target.entity("outputPort", "Table"))["parentProperty"]).toBe("ports");
    expect((await at.diff(products)).changes).toEqual([]);
  });

  test("that the plan says and the parent has not blocks what would stand there, and says which it has", async () => {
    const at = await fresh();
    const port = seedPort(at.source, seedProduct(at.source, "Sales"), "Table");
    const said = { ...products, pairing: { parentProperties: { "dataProduct/outputPort": "prots" } } };
    const result = await at.apply(said);
    expect(result.exitCode).toBe(4);
    const change = changeOf(result, port);
    expect(change).toMatchObject({
      action: "blocked",
      reason: "prod: its metadata model has no property prots of dataProduct to hold it",
    });
    expect(change.diagnostics[0]?.suggestion).toBe(
      'Correct pairing.parentProperties in the plan: "dataProduct/outputPort": ports',
    );
    expect(at.target.entity("dataProduct", "Sales")).toBeDefined();
    expect((await at.apply(products)).exitCode).toBe(0);
  });

  test("a type that stands under several parents goes under the one that it has", async () => {
    const at = await fresh();
    const types = selecting("dataProduct", "qualityIssue");
    const product = seedProduct(at.source, "Sales");
    seedIssue(at.source, "Inner", { concreteType: "incident", parentUrn: product, parentProperty: "issues" });
    seedIssue(at.source, "Outer");
    expect((await at.apply(types)).exitCode).toBe(0);
    const [inner, outer] = [at.target.entity("incident", "Inner"), at.target.entity("qualityIssue", "Outer")];
    expect(at.target.body(inner)).toMatchObject({
      parentProperty: "issues",
      parentUrn: at.target.entity("dataProduct", "Sales"),
    });
    expect(at.target.body(outer)["parentProperty"]).toBe("qualityIssues");
    expect((await at.diff(types)).changes).toEqual([]);
  });

  inWhole("a parent that names what stands under it is created first, and names it then", async () => {
    const at = await fresh();
    for (const { tenant } of [at.source, at.target])
      seedMetadataProperty(tenant, "dataProduct", {
        name: "mainPort",
        type: "SINGLE_REFERENCE",
        entityName: "outputPort",
      });
    const product = seedProduct(at.source, "Sales");
    const port = seedPort(at.source, product, "Table");
    editEntity(at.source, product, { mainPort: port });
    expect((await at.apply(products)).exitCode).toBe(0);
    const there = at.target.body(at.target.entity("dataProduct", "Sales"));
    expect(there["properties"]).toMatchObject({ mainPort: at.target.entity("outputPort", "Table") });
    expect((await at.diff(products)).changes).toEqual([]);
  });

  inWhole("a parent that is not moved blocks what is under it, and says so", async () => {
    const at = await fresh();
    const port = seedPort(at.source, seedProduct(at.source, "Sales"), "Table");
    const result = await at.apply(selecting("outputPort"));
    expect(result.exitCode).toBe(4);
    expect(changeOf(result, port)).toMatchObject({ action: "blocked" });
    expect(at.writes()).toEqual([]);
  });
});

describe("a property that the target has otherwise", () => {
  const tier = { name: "tier", type: "SCALAR", scalarType: "string" } as const;
  test.each([
    [
      "is lacking",
      (at: Place) => removeMetadataProperty(at.target.tenant, "dataProduct", "tier"),
      "has no property tier",
    ],
    [
      "is read-only",
      (at: Place) => changeMetadataProperty(at.target.tenant, "dataProduct", "tier", { editable: false }),
      "read-only",
    ],
    [
      "is of another type",
      (at: Place) => changeMetadataProperty(at.target.tenant, "dataProduct", "tier", tier),
      "of the type string",
    ],
    [
      "is a list",
      (at: Place) =>
        changeMetadataProperty(at.target.tenant, "dataProduct", "tier", { scalarType: "integer[]" }),
      "a list",
    ],
    [
      "refers to something",
      (at: Place) =>
        changeMetadataProperty(at.target.tenant, "dataProduct", "tier", {
          type: "SINGLE_REFERENCE",
          entityName: "term",
        }),
      "refer",
    ],
  ] as const)(
    "that %s: found in the diff, once, and only what has a value is concerned",
    async (_word, spoil, reason) => {
      const at = await fresh();
      const concerned = [1, 2].map((number) => seedProduct(at.source, `Tiered ${number}`, { tier: number }));
      const free = seedProduct(at.source, "Free");
      spoil(at);
      const blocked = await at.apply(products);
      expect(blocked.exitCode).toBe(4);
      expect(changeOf(blocked, free)).toMatchObject({ action: "create", outcome: "done" });
      for (const urn of concerned) {
        expect(changeOf(blocked, urn)).toMatchObject({ action: "blocked" });
        expect(changeOf(blocked, urn).reason).toContain(reason);
      }
      const causes = concerned.flatMap((urn) =>
        changeOf(blocked, urn).diagnostics.map(({ cause }) => cause?.key),
      );
      expect(new Set(causes).size).toBe(1);

      const dropping = { ...products, policy: { missingProperty: "drop" as const } };
      const dropped = await at.apply(dropping);
      expect(dropped.exitCode).toBe(0);
      const told = dropped.diagnostics.filter(({ code }) => code === "property-dropped");
      expect(told).toHaveLength(1);
      expect(told[0]?.summary).toContain("2 objects have it");
      expect((await at.diff(dropping)).changes).toEqual([]);
    },
  );

  inWhole("a reference that would be text there, and a number that is too fine for it", async () => {
    const at = await fresh();
    const { tenant } = at.target;
    changeMetadataProperty(tenant, "dataProduct", "mainItem", { type: "SCALAR", scalarType: "string" });
    changeMetadataProperty(tenant, "dataProduct", "availability", { scalarType: "integer" });
    const referring = seedProduct(at.source, "Referring", { mainItem: at.source.item("CUSTOMER") });
    const fine = seedProduct(at.source, "Fine", { availability: 99.5 });
    const result = await at.apply(products);
    for (const urn of [referring, fine]) expect(changeOf(result, urn)).toMatchObject({ action: "blocked" });
    expect(at.writes()).toEqual([]);
  });
});

test("things that refer to each other are made without, and are told of each other then", async () => {
  const at = await fresh();
  const [one, two] = [seedProduct(at.source, "One"), seedProduct(at.source, "Two")];
  editEntity(at.source, one, { upstream: [two], tier: 1 });
  editEntity(at.source, two, { upstream: [one, two], tier: 2 });
  const result = await at.apply(products);
  expect(result.exitCode).toBe(0);
  const there = (name: string): Urn => at.target.entity("dataProduct", name);
  expect(at.target.body(there("One"))["properties"]).toMatchObject({ upstream: [there("Two")], tier: 1 });
  expect(at.target.body(there("Two"))["properties"]).toMatchObject({
    upstream: [there("One"), there("Two")],
    tier: 2,
  });
  expect((await at.diff(products)).changes).toEqual([]);
});

inWhole.each([
  ["before the commit", { type: "drop-before-commit" }],
  ["after the commit", { type: "drop-after-commit" }],
] as const)(
  "creations whose answer was lost %s are settled: each one once, children under their parents",
  async (_when, effect) => {
    const at = await fresh();
    const product = seedProduct(at.source, "Sales");
    for (const name of ["Table", "Stream"]) seedPort(at.source, product, name);
    const lost = { match: { route: `${batch}/create` }, effect };
    at.world.emulator.faults.add({ ...lost, when: { times: 1 } });
    at.world.emulator.faults.add({ ...lost, when: { skip: 1, times: 1 } });
    expect((await at.apply(products)).exitCode).toBe(0);
    const parent = at.target.entity("dataProduct", "Sales");
    expect(at.target.tenant.entities.valuesIn("type:dataProduct")).toHaveLength(1);
    const ports = at.target.tenant.entities.valuesIn("type:outputPort");
    expect(ports.map(({ properties }) => JSON.stringify(properties["name"])).sort()).toEqual([
      '"Stream"',
      '"Table"',
    ]);
    expect(new Set(ports.map(({ parentUrn }) => parentUrn))).toEqual(new Set([parent]));
    expect((await at.diff(products)).changes).toEqual([]);
  },
);

test.each(["VALIDATION_ERROR", "BAD_REQUEST"])(
  "where a batch that takes all or nothing tells of each item that it is refused (%s), the bad one is found and the others arrive",
  async (status) => {
    const at = await fresh();
    at.target.tenant.quirks.rolledBack = status;
    for (const name of ["One", "Two", "Three", "Four", "Five"]) seedProduct(at.source, name);
    editEntity(at.source, at.source.entity("dataProduct", "Two"), { launchedOn: "soon" });
    const result = await at.apply(products);
    expect(result).toMatchObject({ exitCode: 4, summary: { failed: 1 } });
    const there = at.target.tenant.entities.valuesIn("type:dataProduct");
    const names = there.map(({ properties }) => JSON.stringify(properties["name"]));
    expect(names.sort()).toEqual(['"Five"', '"Four"', '"One"', '"Three"']);
  },
);

inWhole(
  "those that a bad one takes with it in a request of all or nothing are sent again at once: it is known that none was made",
  async () => {
    const at = await fresh();
    for (const name of ["One", "Two", "Three"]) seedProduct(at.source, name);
    editEntity(at.source, at.source.entity("dataProduct", "Two"), { launchedOn: "soon" });
    const waits: string[] = [];
    const report: Report = (progress) => {
      if (progress.type === "waiting") waits.push(progress.reason);
    };
    at.world.emulator.log.clear();
    const result = await applyPlan(at.world.migration(products, { report }), { confirm: async () => true });
    expect(result).toMatchObject({ exitCode: 4, summary: { create: 3, failed: 1 } });
    expect(changeOf(result, at.source.entity("dataProduct", "Two"))).toMatchObject({ outcome: "failed" });
    expect(waits).toEqual([]);
    expect(at.writes().map(({ path }) => path.slice(path.lastIndexOf("/")))).toEqual(["/create", "/create"]);
    const names = at.target.tenant.entities
      .valuesIn("type:dataProduct")
      .map(({ properties }) => properties["name"]);
    expect(new Set(names)).toEqual(new Set(["One", "Three"]));
  },
);

test("children go before their parents, and what somebody put under one keeps it", async () => {
  const at = await fresh();
  const product = seedProduct(at.source, "Sales");
  const ports = ["Table", "Stream"].map((name) => seedPort(at.source, product, name));
  await at.apply(products);
  const [parent, ...children] = await Promise.all([product, ...ports].map(async (urn) => at.twinOf(urn)));
  for (const urn of [product, ...ports]) removeOne(at.source, urn);
  const theirs = seedPort(at.target, parent as Urn, "Theirs");
  const kept = await at.apply(products, { allowDelete: true });
  expect(changeOf(kept, product)).toMatchObject({ action: "manual" });
  expect(at.target.tenant.entities.has(theirs)).toBe(true);
  expect(children.map((urn) => at.target.tenant.entities.has(urn))).toEqual([false, false]);
  removeOne(at.target, theirs);
  const gone = await at.apply(products, { allowDelete: true });
  expect(gone.exitCode).toBe(0);
  expect(at.target.tenant.entities.has(parent ?? "")).toBe(false);
});

test("children and parents that go in one run: the children are sent first", async () => {
  const at = await fresh();
  const product = seedProduct(at.source, "Sales");
  const port = seedPort(at.source, product, "Table");
  await at.apply(products);
  const [parent, child] = [await at.twinOf(product), await at.twinOf(port)];
  for (const urn of [product, port]) removeOne(at.source, urn);
  const result = await at.apply(products, { allowDelete: true });
  expect(result.exitCode).toBe(0);
  const order = at
    .writes()
    .flatMap(({ body }) => JSON.stringify(body).match(/urn:data:prod:catalog:[\w:-]+/g) ?? []);
  expect(order).toEqual([child, parent]);
});

test("what has no name is known by what it says", async () => {
  const at = await fresh();
  const types = selecting("qualityIssue", "issueComment");
  const issue = seedIssue(at.source, "Late");
  const comment = (text: string): Urn => seedComment(at.source, issue, text);
  const [first, second] = [comment("Seen"), comment("Mended")];
  const there = seedComment(at.target, seedIssue(at.target, "Late"), "Seen");
  const result = await at.apply(types);
  expect(result.exitCode).toBe(0);
  expect(changeOf(result, first)).toMatchObject({ action: "adopt", target: { urn: there } });
  expect(changeOf(result, second)).toMatchObject({ action: "create", outcome: "done" });
  expect((await at.diff(types)).changes).toEqual([]);
});

inWhole(
  "what has no name is known whatever the order of a list is, and without what the service fills",
  async () => {
    const at = await fresh();
    const types = selecting("qualityIssue", "issueComment");
    for (const { tenant } of [at.source, at.target]) {
      seedMetadataProperty(tenant, "issueComment", {
        name: "about",
        type: "ARRAY_REFERENCE",
        entityName: "catalogItem",
      });
      seedMetadataProperty(tenant, "issueComment", { name: "checkedAt" });
    }
    const comment = (side: Side, issue: Urn, checkedAt: string, ...items: readonly string[]): Urn => {
      const urn = seedComment(side, issue, "Seen");
      editEntity(side, urn, { about: items.map((name) => side.item(name)), checkedAt });
      return urn;
    };
    const here = comment(at.source, seedIssue(at.source, "Late"), "today", "CUSTOMER", "PRODUCT");
    const there = comment(at.target, seedIssue(at.target, "Late"), "long ago", "PRODUCT", "CUSTOMER");
    const policy = { ignoreFields: { entities: ["/properties/checkedAt"] } };
    const result = await at.apply({ ...types, policy });
    expect(changeOf(result, here)).toMatchObject({ action: "adopt", target: { urn: there } });
  },
);

inWhole("what it refers to is part of what it says, in the words of each environment", async () => {
  const at = await fresh();
  const types = selecting("qualityIssue", "issueComment");
  for (const { tenant } of [at.source, at.target])
    seedMetadataProperty(tenant, "issueComment", {
      name: "about",
      type: "SINGLE_REFERENCE",
      entityName: "catalogItem",
    });
  const comment = (side: Side, issue: Urn): Urn => {
    const urn = seedComment(side, issue, "Seen");
    editEntity(side, urn, { about: side.item("CUSTOMER") });
    return urn;
  };
  const here = comment(at.source, seedIssue(at.source, "Late"));
  const there = comment(at.target, seedIssue(at.target, "Late"));
  const result = await at.apply(types);
  expect(changeOf(result, here)).toMatchObject({ action: "adopt", target: { urn: there } });
  expect(at.target.tenant.entities.valuesIn("type:issueComment").map(({ urn }) => urn)).toEqual([there]);
});

inWhole("one that moved under another parent stays where it is, and a person is told both", async () => {
  const at = await fresh();
  const [from, to] = [seedProduct(at.source, "From"), seedProduct(at.source, "To")];
  const port = seedPort(at.source, from, "Table");
  await at.apply(products);
  at.source.tenant.entities.put({ ...wanted(at.source.tenant.entities.get(port), port), parentUrn: to });
  const change = changeOf(await at.apply(products), port);
  expect(change).toMatchObject({ action: "manual" });
  expect(change.fields).toMatchObject([{ path: "/parentUrn", fromName: "From", toName: "To" }]);
  expect(at.writes()).toEqual([]);
});

inWhole("things without a name that say the same are as many at the target, and stay apart", async () => {
  const at = await fresh();
  const types = selecting("qualityIssue", "issueComment");
  const issue = seedIssue(at.source, "Late");
  for (const text of ["Same", "Same", "Other"]) seedComment(at.source, issue, text);
  expect((await at.apply(types)).exitCode).toBe(0);
  const texts = at.target.tenant.entities
    .valuesIn("type:issueComment")
    .map(({ properties }) => properties["text"]);
  expect(texts.map((text) => JSON.stringify(text)).sort()).toEqual(['"Other"', '"Same"', '"Same"']);
  expect((await at.diff(types)).changes).toEqual([]);
});

test("a rollback takes a tree away from the inside, and brings one back from the outside", async () => {
  const at = await fresh();
  const product = seedProduct(at.source, "Sales");
  const port = seedPort(at.source, product, "Table", { keys: [at.source.attribute("CUSTOMER", "EMAIL")] });
  const count = (): readonly number[] =>
    ["dataProduct", "outputPort"].map((type) => at.target.tenant.entities.valuesIn(`type:${type}`).length);
  await at.apply(products);
  const undo = { confirm: async () => true, allowDelete: true };
  expect((await rollbackRun(at.world.migration(products), undo)).exitCode).toBe(0);
  expect(count()).toEqual([0, 0]);
  expect((await at.apply(products)).exitCode).toBe(0);
  for (const urn of [product, port]) removeOne(at.source, urn);
  await at.apply(products, { allowDelete: true });
  expect(count()).toEqual([0, 0]);
  expect((await rollbackRun(at.world.migration(products), undo)).exitCode).toBe(0);
  expect(count()).toEqual([1, 1]);
  expect(at.target.body(at.target.entity("outputPort", "Table"))).toMatchObject({
    parentUrn: at.target.entity("dataProduct", "Sales"),
    properties: { keys: [at.target.attribute("CUSTOMER", "EMAIL")] },
  });
});

test("what is deleted while its type is taken out of the model is not taken for gone", async () => {
  const at = await fresh();
  seedProduct(at.source, "Sales");
  await at.apply(products);
  const off = at.world.emulator.on(({ phase, entry }) => {
    if (phase !== "before-commit" || entry.route !== `${batch}/delete`) return;
    off();
    removeMetadataType(at.target.tenant, "dataProduct");
  });
  const undo = { confirm: async () => true, allowDelete: true };
  const undone = await rollbackRun(at.world.migration(products), undo);
  expect(undone.exitCode).toBe(4);
  expect(JSON.stringify(undone.changes)).toContain("whether it is there cannot be told");
  expect(at.target.tenant.entities.valuesIn("type:dataProduct").length).toBe(1);
});
