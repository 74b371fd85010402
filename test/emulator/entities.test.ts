import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/emulator/json.ts";
import { isArray } from "../../src/emulator/json.ts";
import * as seed from "../../src/emulator/seed.ts";
import {
  at,
  catalog,
  type Estate,
  expectRefusal,
  seedEstate,
  startWorld,
  textAt,
  urnAt,
  type World,
} from "./support.ts";

const uuid = "11111111-1111-4111-8111-111111111111";
const batch = `${catalog}/entities/batch`;

async function world(): Promise<World & { readonly estate: Estate }> {
  const started = await startWorld();
  const { dev } = started;
  seed.seedMetadataType(dev, {
    name: "project",
    properties: [
      { name: "name", description: "", editable: true, type: "SCALAR", scalarType: "string" },
      { name: "budget", description: "", editable: true, type: "SCALAR", scalarType: "number" },
      { name: "created", description: "", editable: false, type: "SCALAR", scalarType: "string" },
      { name: "terms", description: "", editable: true, type: "ARRAY_REFERENCE", entityName: "term" },
      { name: "tasks", description: "", editable: true, type: "ARRAY_EMBEDDED", entityName: "task" },
    ],
  });
  seed.seedMetadataType(dev, {
    name: "task",
    nodePaths: ["/projects/tasks"],
    properties: [{ name: "name", description: "", editable: true, type: "SCALAR", scalarType: "string" }],
  });
  return { ...started, estate: seedEstate(dev) };
}

const project = { concreteType: "project", parentProperty: "projects", properties: { name: "P" } };

describe("document 1, Generic metadata entities: reading", () => {
  test.each([
    ["source", "Warehouse"],
    ["connection", "main"],
    ["detectionRule", "Email detection"],
    ["group", "Stewards"],
    ["location", "SALES"],
    ["folder", "Views"],
  ])("%s is read here, with its properties on request only", async (type, name) => {
    const { api } = await world();
    const plain = await api.get(`${catalog}/entities?entityType=${type}`);
    expect(plain.body).toMatchObject({ data: [{ concreteType: type, rootSuperType: type, properties: {} }] });
    expect(at(plain.body, "data.0.properties")).toEqual({});
    const asked = await api.get(`${catalog}/entities?entityType=${type}&properties=name`);
    expect(at(asked.body, "data.0.properties")).toEqual({ name });
  });

  test("entityType matches the concrete type or the root super type", async () => {
    const { api, dev } = await world();
    seed.seedTerm(dev, { name: "A" });
    seed.seedTerm(dev, { name: "B", type: "securityTerm" });
    const all = await api.get(`${catalog}/entities?entityType=term&properties=name`);
    expect(all.body).toMatchObject({
      data: [
        { rootSuperType: "term", concreteType: "businessTerm", properties: { name: "A" } },
        { rootSuperType: "term", concreteType: "securityTerm" },
      ],
    });
    expect(at((await api.get(`${catalog}/entities?entityType=securityTerm`)).body, "meta.total")).toBe(1);
  });

  test("parentUrn restricts the list, and stands in the envelope; at the root it is absent", async () => {
    const { api, dev, estate } = await world();
    const other = seed.seedSource(dev, { name: "Other" });
    const reply = await api.get(`${catalog}/entities?entityType=connection&parentUrn=${estate.source}`);
    expect(reply.body).toMatchObject({ data: [{ urn: estate.connection, parentUrn: estate.source }] });
    expect(
      at((await api.get(`${catalog}/entities?entityType=connection&parentUrn=${other.urn}`)).body, "data"),
    ).toEqual([]);
    expect(at((await api.get(`${catalog}/entities/${estate.source}`)).body, "parentUrn")).toBeUndefined();
  });

  test.each([
    ["no entityType", "entities"],
    ["a type that does not exist", "entities?entityType=unicorn"],
    ["a property that does not exist", "entities?entityType=source&properties=colour"],
    ["an embedded property", "entities?entityType=source&properties=connections"],
    ["other related data than stewardship", "entities?entityType=source&include=effectiveCriticality"],
    ["a parent that is no URN", "entities?entityType=connection&parentUrn=x"],
  ])("refuses %s", async (_what, path) => {
    const { api } = await world();
    expectRefusal(await api.get(`${catalog}/${path}`), 400);
  });

  test("an unknown entity gives 404", async () => {
    const { api } = await world();
    expectRefusal(await api.get(`${catalog}/entities/urn:data:dev:catalog:project:${uuid}`), 404);
  });
});

describe("document 1, Generic metadata entities: writing", () => {
  test("POST, GET, PATCH (null and [] clear), DELETE with what is below", async () => {
    const { api, dev } = await world();
    const term = seed.seedTerm(dev, { name: "T" });
    const created = await api.post(`${catalog}/entities`, {
      ...project,
      properties: { name: "P", budget: 1.5, terms: [term.urn] },
    });
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({
      rootSuperType: "project",
      properties: { name: "P", terms: [term.urn] },
    });
    const urn = urnAt(created.body);
    expect(urn).toMatch(/^urn:data:dev:catalog:project:/);
    const task = { concreteType: "task", parentUrn: urn, parentProperty: "tasks", properties: { name: "T" } };
    expect((await api.post(`${catalog}/entities`, task)).body).toMatchObject({ parentUrn: urn });
    await api.patch(`${catalog}/entities/${urn}`, { properties: { budget: null, terms: [] } });
    const read = await api.get(`${catalog}/entities/${urn}?properties=name,budget,terms`);
    expect(at(read.body, "properties")).toEqual({ name: "P", budget: null, terms: [] });
    expect((await api.delete(`${catalog}/entities/${urn}`)).status).toBe(204);
    expect(at((await api.get(`${catalog}/entities?entityType=task`)).body, "data")).toEqual([]);
  });

  test("a term may be created here too, and is a term", async () => {
    const { api } = await world();
    const body = {
      concreteType: "businessTerm",
      parentProperty: "terms",
      properties: { name: "T", description: "d" },
    };
    const urn = urnAt((await api.post(`${catalog}/entities`, body)).body);
    expect((await api.get(`${catalog}/terms/${urn}`)).body).toEqual({
      urn,
      type: "businessTerm",
      name: "T",
      description: "d",
    });
    await api.patch(`${catalog}/entities/${urn}`, { properties: { name: "U", description: null } });
    expect((await api.get(`${catalog}/terms/${urn}`)).body).toEqual({ urn, type: "businessTerm", name: "U" });
  });

  const wrong: readonly (readonly [string, string | undefined, JsonObject])[] = [
    ["a read-only type", undefined, { concreteType: "source", parentProperty: "sources" }],
    ["a type that does not exist", "concreteType", { concreteType: "unicorn" }],
    ["no type", "concreteType", { concreteType: null }],
    ["no parentProperty", "parentProperty", { parentProperty: null }],
    ["a parentProperty that the root does not have", "parentProperty", { parentProperty: "plans" }],
    ["a parent that does not exist", "parentUrn", { parentUrn: `urn:data:dev:catalog:project:${uuid}` }],
    ["a parent of another tenant", "parentUrn", { parentUrn: `urn:data:prod:catalog:project:${uuid}` }],
    ["a property that does not exist", "properties/colour", { properties: { colour: "red" } }],
    ["a read-only property", "properties/created", { properties: { created: "now" } }],
    ["an embedded property", "properties/tasks", { properties: { tasks: [] } }],
    ["a value of another type", "properties/budget", { properties: { budget: "much" } }],
  ];

  test.each(wrong)("POST refuses %s", async (_what, pointer, fields) => {
    const { api, dev } = await world();
    const before = dev.counts();
    const reply = await api.post(`${catalog}/entities`, { ...project, ...fields });
    expectRefusal(reply, 400, pointer === undefined ? undefined : `#/${pointer}`);
    expect(dev.counts()).toEqual(before);
  });

  test("POST refuses a parent that cannot hold the type", async () => {
    const { api, estate } = await world();
    const task = { concreteType: "task", parentUrn: estate.source, parentProperty: "connections" };
    expectRefusal(await api.post(`${catalog}/entities`, task), 400, "#/parentProperty");
  });

  test("read-only types cannot be updated or deleted", async () => {
    const { api, estate } = await world();
    expectRefusal(
      await api.patch(`${catalog}/entities/${estate.source}`, { properties: { name: "X" } }),
      400,
    );
    expectRefusal(await api.delete(`${catalog}/entities/${estate.source}`), 400);
  });

  test("PATCH needs properties", async () => {
    const { api } = await world();
    const urn = urnAt((await api.post(`${catalog}/entities`, project)).body);
    expectRefusal(await api.patch(`${catalog}/entities/${urn}`, {}), 400, "#/properties");
  });
});

describe("document 1, Batch rules", () => {
  test("2 and 4: batch create answers in order with urn, rootSuperType and concreteType", async () => {
    const { api } = await world();
    const reply = await api.post(`${batch}/create`, { data: [{ id: "a", ...project }, project] });
    expect(reply.status).toBe(207);
    expect(reply.body).toMatchObject({
      meta: { total: 2, success: 2, fail: 0 },
      results: [
        {
          id: "a",
          status: "OK",
          data: { urn: expect.any(String), rootSuperType: "project", concreteType: "project" },
        },
        { status: "OK" },
      ],
    });
  });

  test("3: batch create is atomic: one bad item fails all", async () => {
    const { api, dev } = await world();
    const before = dev.counts().entities;
    const bad = { ...project, properties: { colour: "red" } };
    const reply = await api.post(`${batch}/create`, {
      data: [
        { id: "a", ...project },
        { id: "b", ...bad },
      ],
    });
    expect(reply.body).toMatchObject({
      meta: { total: 2, success: 0, fail: 2 },
      results: [
        { id: "a", error: { title: expect.any(String) } },
        { id: "b", status: "VALIDATION_ERROR" },
      ],
    });
    expect(at(reply.body, "results.0.status")).not.toBe("OK");
    expect(at(reply.body, "results.1.error.errors.0.pointer")).toBe("#/data/1/properties/colour");
    expect(dev.counts().entities).toBe(before);
  });

  test("3: batch patch is atomic, and answers with the updated entities", async () => {
    const { api } = await world();
    const created = await api.post(`${batch}/create`, { data: [project, project] });
    const [first, second] = [
      urnAt(created.body, "results.0.data.urn"),
      urnAt(created.body, "results.1.data.urn"),
    ];
    const change = (urn: string, name: string): JsonObject => ({ urn, properties: { name } });
    const missing = `urn:data:dev:catalog:project:${uuid}`;
    const failed = await api.post(`${batch}/patch`, { data: [change(first, "A"), change(missing, "B")] });
    expect(failed.body).toMatchObject({
      meta: { success: 0 },
      results: [{}, { status: "RESOURCE_NOT_FOUND" }],
    });
    const done = await api.post(`${batch}/patch`, { data: [change(first, "A"), change(second, "B")] });
    expect(done.body).toMatchObject({
      results: [{ data: { properties: { name: "A" } } }, { data: { urn: second } }],
    });
  });

  test("3 and 5: batch delete is independent; an unknown URN is RESOURCE_NOT_FOUND", async () => {
    const { api } = await world();
    const urn = urnAt((await api.post(`${catalog}/entities`, project)).body);
    const missing = `urn:data:dev:catalog:project:${uuid}`;
    const reply = await api.post(`${batch}/delete`, { data: [{ id: "x", urn: missing }, { urn }] });
    expect(reply.body).toMatchObject({
      results: [
        { id: "x", status: "RESOURCE_NOT_FOUND", error: { type: "RESOURCE_NOT_FOUND" } },
        { status: "OK", data: { deleted: true } },
      ],
    });
  });

  test.each(["create", "patch", "delete"])("Limits: %s takes 1 to 100 items", async (name) => {
    const { api } = await world();
    expectRefusal(await api.post(`${batch}/${name}`, { data: [] }), 400, "#/data");
    const data = Array.from({ length: 101 }, () => project);
    expectRefusal(await api.post(`${batch}/${name}`, { data }), 400, "#/data");
  });
});

describe("document 1, Metadata model", () => {
  test("types with their super and sub types and their properties, inherited ones too", async () => {
    const { api, dev } = await world();
    seed.seedMetadataProperty(dev, "term", { name: "abbreviation" });
    const term = await api.get(`${catalog}/metadata-model/entities/businessTerm`);
    expect(term.body).toMatchObject({
      name: "businessTerm",
      superEntities: ["term"],
      subEntities: [],
      editable: true,
    });
    const properties = at(term.body, "properties");
    expect(isArray(properties) && properties.map((property) => at(property, "name"))).toEqual([
      "name",
      "description",
      "abbreviation",
    ]);
    const root = await api.get(`${catalog}/metadata-model/entities/term`);
    expect(at(root.body, "subEntities")).toEqual(["businessTerm", "securityTerm", "policyTerm"]);
  });

  test.each(["source", "connection", "detectionRule", "dslQuery"])(
    "%s is managed by the service",
    async (name) => {
      const { api } = await world();
      expect((await api.get(`${catalog}/metadata-model/entities/${name}`)).body).toMatchObject({
        name,
        editable: false,
      });
    },
  );

  test("the list pages, and searches; an unknown type gives 404", async () => {
    const { api } = await world();
    const first = await api.get(`${catalog}/metadata-model/entities?size=1`);
    const second = await api.get(
      `${catalog}/metadata-model/entities?size=1&after=${textAt(first.body, "meta.next")}`,
    );
    expect(at(first.body, "data.0.name")).not.toEqual(at(second.body, "data.0.name"));
    expect((await api.get(`${catalog}/metadata-model/entities?searchQuery=PROJ`)).body).toMatchObject({
      data: [{ name: "project" }],
      meta: { total: 1 },
    });
    expectRefusal(await api.get(`${catalog}/metadata-model/entities?size=101`), 400);
    expectRefusal(await api.get(`${catalog}/metadata-model/entities?after=x`), 400);
    expectRefusal(await api.get(`${catalog}/metadata-model/entities/unicorn`), 404);
  });
});
