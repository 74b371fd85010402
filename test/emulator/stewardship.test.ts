import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../src/emulator/json.ts";
import * as seed from "../../src/emulator/seed.ts";
import type { Urn } from "../../src/model/urn.ts";
import {
  type Api,
  at,
  attributeOf,
  catalog,
  type Estate,
  expectRefusal,
  seedEstate,
  startWorld,
  type World,
} from "./support.ts";

const uuid = "11111111-1111-4111-8111-111111111111";
const batch = `${catalog}/stewardship/batch/manage`;

async function world(): Promise<World & { readonly estate: Estate; readonly other: Urn }> {
  const started = await startWorld();
  const estate = seedEstate(started.dev);
  return { ...started, estate, other: seed.seedGroup(started.dev, { name: "Owners" }).urn };
}

async function stewardship(api: Api, path: string): Promise<Json | undefined> {
  return at((await api.get(`${catalog}/${path}?include=effectiveStewardship`)).body, "effectiveStewardship");
}

async function manage(api: Api, data: readonly JsonObject[]): Promise<Json> {
  return (await api.post(batch, { data: [...data] })).body;
}

describe("document 1, Stewardship: own and inherited", () => {
  test("originUrn is the closest place that carries a group, up to the source", async () => {
    const { api, dev, estate, other } = await world();
    const item = `catalog-items/${estate.customers.item.urn}`;
    expect(await stewardship(api, item)).toBeNull();
    seed.seedStewardship(dev, { entityUrn: estate.source, groupUrn: other });
    expect(await stewardship(api, item)).toEqual({ groupUrn: other, originUrn: estate.source });
    seed.seedStewardship(dev, { entityUrn: estate.location, groupUrn: estate.group });
    expect(await stewardship(api, item)).toEqual({ groupUrn: estate.group, originUrn: estate.location });
    seed.seedStewardship(dev, { entityUrn: estate.customers.item.urn, groupUrn: other });
    expect(await stewardship(api, item)).toEqual({ groupUrn: other, originUrn: estate.customers.item.urn });
  });

  test("a term has its own", async () => {
    const { api, dev, estate } = await world();
    const term = seed.seedTerm(dev, { name: "T" });
    const body = await manage(api, [{ entityUrn: term.urn, groupUrn: estate.group }]);
    expect(at(body, "results.0.data")).toEqual({
      entityUrn: term.urn,
      effectiveStewardship: { groupUrn: estate.group, originUrn: term.urn },
    });
    expect(await stewardship(api, `terms/${term.urn}`)).toEqual({
      groupUrn: estate.group,
      originUrn: term.urn,
    });
    expect((await api.delete(`${catalog}/terms/${term.urn}`)).status).toBe(204);
    expect(dev.stewards.size).toBe(0);
  });

  test("an entity inherits from the one it is in, and shows it only where its type has the trait", async () => {
    const { api, dev, estate } = await world();
    seed.seedMetadataType(dev, {
      name: "project",
      properties: [
        { name: "tasks", description: "", editable: true, type: "ARRAY_EMBEDDED", entityName: "task" },
      ],
    });
    seed.seedMetadataType(dev, { name: "task", nodePaths: ["/projects/tasks"] });
    seed.seedMetadataType(dev, { name: "plainTask", superEntities: ["task"] });
    const root = seed.seedEntity(dev, { concreteType: "project", parentProperty: "projects" });
    const below = { parentUrn: root.urn, parentProperty: "tasks" };
    const task = seed.seedEntity(dev, { concreteType: "task", ...below });
    const plain = seed.seedEntity(dev, { concreteType: "plainTask", ...below });
    seed.seedStewardship(dev, { entityUrn: root.urn, groupUrn: estate.group });
    const inherited = { groupUrn: estate.group, originUrn: root.urn };
    expect(await stewardship(api, `entities/${task.urn}`)).toEqual(inherited);
    // What extends a type has its trait.
    expect(await stewardship(api, `entities/${plain.urn}`)).toEqual(inherited);
    seed.changeMetadataType(dev, "task", { stewarded: false });
    expect(await stewardship(api, `entities/${task.urn}`)).toBeUndefined();
    const refused = await manage(api, [{ entityUrn: task.urn, groupUrn: estate.group }]);
    expect(refused).toMatchObject({ results: [{ status: "VALIDATION_ERROR" }] });
    expect(at(refused, "results.0.error.errors.0.pointer")).toBe("#/data/0/entityUrn");
  });

  test.each(["connection", "detectionRule", "group"])("%s has no stewards", async (type) => {
    const { api } = await world();
    const list = await api.get(`${catalog}/entities?entityType=${type}&include=effectiveStewardship`);
    expect(at(list.body, "data.0.urn")).toBeDefined();
    expect(at(list.body, "data.0.effectiveStewardship")).toBeUndefined();
  });

  test("an attribute has none: it cannot be asked for, and cannot be set", async () => {
    const { api, estate } = await world();
    const entityUrn = attributeOf(estate.customers, "email");
    const single = await api.post(`${catalog}/stewardship/manage`, { entityUrn, groupUrn: estate.group });
    expectRefusal(single, 400, "#/entityUrn");
  });
});

describe("page 04: what the previous steward keeps", () => {
  test("what the request says, and nothing where it says nothing; who is steward again is no former one", async () => {
    const { api, dev, estate, other } = await world();
    const entityUrn = estate.customers.item.urn;
    const third = seed.seedGroup(dev, { name: "Third" }).urn;
    const former = (): unknown => dev.dump()["formerStewards"];
    const previousStewardAccessLevel = "viewMetadata";
    await manage(api, [{ entityUrn, groupUrn: estate.group, previousStewardAccessLevel }]);
    expect(former()).toEqual({});
    await manage(api, [{ entityUrn, groupUrn: other, previousStewardAccessLevel }]);
    expect(former()).toEqual({ [entityUrn]: { [estate.group]: "viewMetadata" } });
    await manage(api, [{ entityUrn, groupUrn: third }]);
    expect(former()).toEqual({ [entityUrn]: { [estate.group]: "viewMetadata" } });
    await manage(api, [{ entityUrn, groupUrn: estate.group }]);
    expect(former()).toEqual({});
    await manage(api, [{ entityUrn, groupUrn: estate.group, previousStewardAccessLevel }]);
    expect(former()).toEqual({});
    expect(dev.stewards.get(entityUrn)).toBe(estate.group);
  });

  test("a level that the service does not know is refused; which it knows is a switch", async () => {
    const { api, dev, estate } = await world();
    const item = {
      entityUrn: estate.customers.item.urn,
      groupUrn: estate.group,
      previousStewardAccessLevel: "all",
    };
    const refused = await manage(api, [item]);
    expect(refused).toMatchObject({ meta: { fail: 1 }, results: [{ status: "VALIDATION_ERROR" }] });
    expect(at(refused, "results.0.error.errors.0.pointer")).toBe("#/data/0/previousStewardAccessLevel");
    dev.quirks.stewardAccessLevels = ["all"];
    expect(await manage(api, [item])).toMatchObject({ results: [{ status: "OK" }] });
  });

  test("a group is not taken away with null", async () => {
    const { api, dev, estate } = await world();
    const entityUrn = estate.customers.item.urn;
    seed.seedStewardship(dev, { entityUrn, groupUrn: estate.group });
    const refused = await manage(api, [{ entityUrn, groupUrn: null }]);
    expect(at(refused, "results.0.error.errors.0.pointer")).toBe("#/data/0/groupUrn");
    expect(dev.stewards.get(entityUrn)).toBe(estate.group);
  });
});

describe("what documents 1 to 3 do not name may be absent", () => {
  test.each([
    ["stewardship", `${catalog}/stewardship`, batch],
    ["one of its paths", `${catalog}/stewardship/batch`, batch],
    [
      "the denylist",
      `${catalog}/attributes/term-assignments/denylist`,
      `${catalog}/attributes/term-assignments/denylist/batch/add`,
    ],
  ])("%s: 404, and everything else as before", async (_what, absent, path) => {
    const { api, dev, estate } = await world();
    dev.quirks.absent = [absent];
    const data = [{ entityUrn: estate.customers.item.urn, groupUrn: estate.group }];
    const refused = await api.post(path, { data });
    expectRefusal(refused, 404);
    expect(refused.body).toMatchObject({ type: "RESOURCE_NOT_FOUND" });
    expect(dev.stewards.size).toBe(0);
    expect((await api.get(`${catalog}/attributes`)).status).toBe(200);
  });

  test.each([
    ["GET", "stewardship/manage"],
    ["DELETE", "stewardship/batch/manage"],
    ["POST", "attributes/term-assignments/batch/unassign"],
    ["POST", "attributes/term-assignments/denylist/batch/remove"],
    ["POST", "folders/batch/create"],
    ["POST", `catalog-items/urn:data:dev:catalog:catalog-item:${uuid}/move`],
    ["POST", "metadata-model/entities"],
  ])("%s %s is not known at all", async (method, path) => {
    const { api } = await world();
    const body = method === "GET" ? {} : { body: "{}" };
    expectRefusal(await api.send(method, `${catalog}/${path}`, body), 404);
  });
});

describe("groups", () => {
  const path = `${catalog}/entities?entityType=group&properties=name`;

  test("are listed as entities, where the model has their type", async () => {
    const { api, dev } = await world();
    expect((await api.get(path)).body).toMatchObject({
      data: [{ properties: { name: "Stewards" } }, { properties: { name: "Owners" } }],
    });
    seed.removeMetadataType(dev, "group");
    expectRefusal(await api.get(path), 400);
  });

  test("without a list they are groups all the same", async () => {
    const { api, dev, estate } = await world();
    seed.removeMetadataType(dev, "group");
    expectRefusal(await api.get(`${catalog}/entities/${estate.group}`), 404);
    const entityUrn = estate.customers.item.urn;
    expect(await manage(api, [{ entityUrn, groupUrn: estate.group }])).toMatchObject({
      results: [{ status: "OK" }],
    });
  });
});
