import { describe, expect, test } from "vitest";
import * as seed from "../../src/emulator/seed.ts";
import { at, attributeOf, catalog, expectRefusal, seedEstate, startWorld } from "./support.ts";

const uuid = "11111111-1111-4111-8111-111111111111";

describe("document 1, Catalog item attributes", () => {
  test("GET filters by the parent item and shows assignments and denylist", async () => {
    const { api, dev } = await startWorld();
    const { customers } = seedEstate(dev);
    const attributeUrn = attributeOf(customers, "email");
    const term = seed.seedTerm(dev, { name: "T" });
    seed.seedAssignment(dev, { attributeUrn, termUrn: term.urn, source: "TERM_DETECTION" });
    seed.seedDenylist(dev, { attributeUrn, termUrn: term.urn });
    const listed = await api.get(`${catalog}/attributes?catalogItemUrn=${customers.item.urn}`);
    expect(listed.body).toMatchObject({ data: [{ name: "id" }, { name: "email" }], meta: { total: 2 } });
    expect((await api.get(`${catalog}/attributes/${attributeUrn}`)).body).toEqual({
      urn: attributeUrn,
      name: "email",
      dataType: "STRING",
      columnType: "varchar",
      catalogItemUrn: customers.item.urn,
      termAssignments: [{ termUrn: term.urn, source: "TERM_DETECTION" }],
      termDetectionDenylist: [{ termUrn: term.urn }],
    });
    expectRefusal(await api.get(`${catalog}/attributes?catalogItemUrn=customers`), 400);
  });

  test("PATCH changes description and extra properties", async () => {
    const { api, dev } = await startWorld();
    const urn = attributeOf(seedEstate(dev).customers, "email");
    seed.seedMetadataProperty(dev, "attribute", { name: "owner" });
    await api.patch(`${catalog}/attributes/${urn}`, { description: "d", extraProperties: { owner: "me" } });
    const read = await api.get(`${catalog}/attributes/${urn}?extraProperties=owner`);
    expect(read.body).toMatchObject({ description: "d", extraProperties: { owner: "me" } });
    expect(
      at((await api.patch(`${catalog}/attributes/${urn}`, { description: null })).body, "description"),
    ).toBeUndefined();
  });

  test.each([
    ["assigned terms", "termAssignments", []],
    ["the name", "name", "x"],
    ["an extra property that does not exist", "extraProperties/colour", undefined],
    ["a description that is no string", "description", 1],
  ])("PATCH refuses %s", async (_what, pointer, value) => {
    const { api, dev } = await startWorld();
    const urn = attributeOf(seedEstate(dev).customers, "email");
    const body = value === undefined ? { extraProperties: { colour: "red" } } : { [pointer]: value };
    expectRefusal(await api.patch(`${catalog}/attributes/${urn}`, body), 400, `#/${pointer}`);
  });

  test("an unknown attribute gives 404; effectiveStewardship does not apply here", async () => {
    const { api } = await startWorld();
    const urn = `urn:data:dev:catalog:catalog-attribute:${uuid}`;
    expectRefusal(await api.get(`${catalog}/attributes/${urn}`), 404);
    expectRefusal(await api.patch(`${catalog}/attributes/${urn}`, {}), 404);
    expectRefusal(await api.get(`${catalog}/attributes?include=effectiveStewardship`), 400);
  });
});

const assign = `${catalog}/attributes/term-assignments/batch/assign`;
const deny = `${catalog}/attributes/term-assignments/denylist/batch/add`;

describe("document 1, Term assignments (batch)", () => {
  test("207; source MANUAL; the id is echoed; an assignment that exists is not made twice", async () => {
    const { api, dev } = await startWorld();
    const attributeUrn = attributeOf(seedEstate(dev).customers, "email");
    const term = seed.seedTerm(dev, { name: "T" });
    const body = { data: [{ id: "x", attributeUrn, termUrns: [term.urn] }] };
    const reply = await api.post(assign, body);
    expect(reply.status).toBe(207);
    expect(reply.body).toMatchObject({
      meta: { total: 1, success: 1, fail: 0 },
      results: [{ id: "x", status: "OK" }],
    });
    await api.post(assign, body);
    expect(at((await api.get(`${catalog}/attributes/${attributeUrn}`)).body, "termAssignments")).toEqual([
      { termUrn: term.urn, source: "MANUAL" },
    ]);
  });

  test.each([
    ["assign", assign],
    ["denylist", deny],
  ])(
    "%s: a nonexistent termUrn or attribute fails only its item, and the whole of its item",
    async (_what, path) => {
      const { api, dev } = await startWorld();
      const { customers } = seedEstate(dev);
      const term = seed.seedTerm(dev, { name: "T" });
      const missing = `urn:data:dev:catalog:term:${uuid}`;
      const email = attributeOf(customers, "email");
      const reply = await api.post(path, {
        data: [
          { attributeUrn: email, termUrns: [term.urn, missing] },
          { attributeUrn: missing, termUrns: [term.urn] },
          { attributeUrn: email, termUrns: ["T"] },
          { attributeUrn: email, termUrns: [`urn:data:prod:catalog:term:${uuid}`] },
          { attributeUrn: email },
          { attributeUrn: attributeOf(customers, "id"), termUrns: [term.urn] },
        ],
      });
      expect(reply.body).toMatchObject({
        meta: { total: 6, success: 1, fail: 5 },
        results: [
          {
            status: "RESOURCE_NOT_FOUND",
            error: { type: "RESOURCE_NOT_FOUND", title: expect.any(String), detail: expect.any(String) },
          },
          { status: "RESOURCE_NOT_FOUND" },
          { status: "VALIDATION_ERROR" },
          { status: "VALIDATION_ERROR" },
          { status: "VALIDATION_ERROR" },
          { status: "OK" },
        ],
      });
      const read = (await api.get(`${catalog}/attributes/${email}`)).body;
      expect(read).toMatchObject({ termAssignments: [], termDetectionDenylist: [] });
    },
  );

  test("page 04: the denylist is added to", async () => {
    const { api, dev } = await startWorld();
    const attributeUrn = attributeOf(seedEstate(dev).customers, "email");
    const term = seed.seedTerm(dev, { name: "T" });
    await api.post(deny, { data: [{ attributeUrn, termUrns: [term.urn] }] });
    expect(
      at((await api.get(`${catalog}/attributes/${attributeUrn}`)).body, "termDetectionDenylist"),
    ).toEqual([{ termUrn: term.urn }]);
  });

  test.each([0, 101])("%i items are refused as a whole", async (count) => {
    const { api } = await startWorld();
    const data = Array.from({ length: count }, () => ({}));
    expectRefusal(await api.post(assign, { data }), 400, "#/data");
  });
});

const manage = `${catalog}/stewardship/manage`;

describe("page 04: stewardship", () => {
  test("manage sets the group; the item shows where its stewardship comes from", async () => {
    const { api, dev } = await startWorld();
    const { customers, source, group } = seedEstate(dev);
    const reply = await api.post(manage, {
      entityUrn: source,
      groupUrn: group,
      previousStewardAccessLevel: "viewMetadata",
    });
    expect(reply.body).toEqual({
      entityUrn: source,
      effectiveStewardship: { groupUrn: group, originUrn: source },
    });
    const read = await api.get(`${catalog}/catalog-items/${customers.item.urn}?include=effectiveStewardship`);
    expect(at(read.body, "effectiveStewardship")).toEqual({ groupUrn: group, originUrn: source });
  });

  test("the batch answers 207 item by item", async () => {
    const { api, dev } = await startWorld();
    const { customers, source, group } = seedEstate(dev);
    const reply = await api.post(`${catalog}/stewardship/batch/manage`, {
      data: [
        { id: "a", entityUrn: customers.item.urn, groupUrn: group },
        { id: "b", entityUrn: customers.item.urn, groupUrn: source },
        { id: "c", entityUrn: `urn:data:dev:catalog:term:${uuid}`, groupUrn: group },
      ],
    });
    expect(reply.status).toBe(207);
    expect(reply.body).toMatchObject({
      meta: { total: 3, success: 1, fail: 2 },
      results: [
        { id: "a", status: "OK", data: { entityUrn: customers.item.urn } },
        { id: "b", status: "VALIDATION_ERROR" },
        { id: "c", status: "RESOURCE_NOT_FOUND" },
      ],
    });
  });

  test("a group that does not exist is refused, an entity that does not gives 404", async () => {
    const { api, dev } = await startWorld();
    const { source, group } = seedEstate(dev);
    const unknown = `urn:data:dev:iam:group:${uuid}`;
    expectRefusal(await api.post(manage, { entityUrn: source, groupUrn: unknown }), 400, "#/groupUrn");
    expectRefusal(await api.post(manage, { entityUrn: unknown, groupUrn: group }), 404);
  });
});
