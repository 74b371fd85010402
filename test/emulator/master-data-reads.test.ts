import { describe, expect, test } from "vitest";
import { masterDataBooks as books } from "../../src/emulator/index.ts";
import { byKey, crm, erp, expectRefused, idsOf, masterDataWorld, putParty } from "./master-data-world.ts";
import { at } from "./support.ts";

describe("lists of entities and views", () => {
  test("name what there is; the shape is not documented", async () => {
    const { data, get } = await masterDataWorld();
    const names = async (path: string): Promise<unknown> =>
      ((await get(path)).body as unknown[]).map((entry) =>
        typeof entry === "string" ? entry : at(entry as never, "name"),
      );
    expect(await names("/instance")).toEqual(["party", "address", "contact"]);
    expect(await names("/master")).toEqual(["masters", "codes"]);
    expect(await names("/master/masters")).toEqual(["party", "address", "contact"]);
    data.quirks.names = "texts";
    expect(await names("/instance")).toEqual(["party", "address", "contact"]);
    data.quirks.names = "other";
    expect((await get("/master")).body).toHaveProperty("_links");
    expectRefused(await get("/master/nothing"), 404);
  });

  test("metadata has columns, relationships and ways to a record, in some shape or none", async () => {
    const { data, get } = await masterDataWorld();
    expect((await get("/instance/party/metadata")).body).toMatchObject({
      columns: expect.arrayContaining([
        { name: "src_credit_limit", type: "INTEGER" },
        { name: "std_name", type: "STRING" },
      ]),
      relationships: [
        { name: "addresses", entity: "address" },
        { name: "rev_party_has_contact", entity: "contact" },
      ],
    });
    expect((await get("/master/masters/address/metadata")).body).toMatchObject({
      relationships: [
        { name: "party", entity: "party" },
        { name: "instances", entity: "address" },
      ],
    });
    data.quirks.metadata = "other";
    expect((await get("/instance/party/metadata")).body).not.toHaveProperty("columns");
    data.quirks.metadata = "absent";
    expectRefused(await get("/instance/party/metadata"), 404);
    data.quirks.metadata = "plain";
    expectRefused(await get("/instance/nobody/metadata"), 404);
  });
});

describe("a record", () => {
  test("is read by id and by origin and source id, its # escaped", async () => {
    const { data, get } = await masterDataWorld();
    const id = putParty(data, "17", { src_name: " ada  lovelace" }, { sourceTime: Date.UTC(2026, 0, 2) });
    const expected = {
      type: "party",
      metadata: {
        id,
        origin: crm,
        sourceSystem: "crm",
        active: true,
        sourceTimestamp: "2026-01-02T00:00:00.000Z",
        creationDate: expect.any(String),
        lastUpdateDate: expect.any(String),
        lastSourceUpdateDate: expect.any(String),
        activationDate: expect.any(String),
        creationTid: expect.any(Number),
        lastUpdateTid: expect.any(Number),
        lastSourceUpdateTid: expect.any(Number),
        activationTid: expect.any(Number),
      },
      attributes: expect.objectContaining({
        source_id: "17",
        master_id: expect.any(Number),
        propose_id: null,
        src_name: " ada  lovelace",
        std_name: "ADA LOVELACE",
        cmo_name: "Ada Lovelace",
      }),
    };
    expect((await get(`/instance/party/${id}`)).body).toEqual(expected);
    expect((await get(byKey("17"))).body).toEqual(expected);
    expectRefused(await get(byKey("17", erp)), 400);
  });

  test("of a view is read by its id and by the key of an instance", async () => {
    const { data, get } = await masterDataWorld();
    putParty(data, "17", { src_name: "Ada", src_email: "a@x" });
    const byInstance = await get(`/master/masters/party/${encodeURIComponent(crm)}/17`);
    expect(byInstance.body).toMatchObject({
      type: "party",
      attributes: {
        cmo_name: "Ada",
        cmo_email: "a@x",
        group_size: 1,
        published_by: "match-and-merge",
        dq_indicator: 0,
        dq_indicator_name: "INCOMPLETE",
      },
    });
    const id = at(byInstance.body, "metadata.id");
    expect((await get(`/master/masters/party/${Number(id)}`)).body).toEqual(byInstance.body);
  });

  test.each([
    ["a missing id", "/instance/party/1", 400],
    ["an id that is none", "/instance/party/abc", 400],
    ["a missing source id", "/instance/party/crm%23party%23Dev/99", 400],
    ["a source id with a comma", "/instance/party/crm%23party%23Dev/9%2C9", 400],
    ["an entity that is not there", "/instance/nobody/1", 404],
    ["a view that is not there", "/master/nothing/party/1", 404],
    ["an entity that the view lacks", "/master/codes/party/1", 404],
    ["a missing master", "/master/masters/party/1", 400],
    ["a parameter that one record does not have", "/instance/party/1?columns=src_name", 400],
    ["an address that nobody knows", "/instances", 404],
  ])("%s is refused", async (_name, path, status) => {
    expectRefused(await (await masterDataWorld()).get(path), status);
  });
});

describe("a list", () => {
  const three = async (): Promise<Awaited<ReturnType<typeof masterDataWorld>>> => {
    const world = await masterDataWorld();
    putParty(world.data, "1", { src_name: "Carol", src_status: "new", src_credit_limit: 30 });
    putParty(
      world.data,
      "2",
      { src_name: "Alice", src_status: "old", src_credit_limit: 5 },
      { active: false },
    );
    putParty(world.data, "3", { src_name: "Bob", src_status: "old", src_credit_limit: 100 }, { origin: erp });
    return world;
  };

  test.each([
    ["", ["1", "2", "3"]],
    ["offset=1", ["2", "3"]],
    ["offset=1&count=1", ["2"]],
    ["page=1&count=2", ["3"]],
    ["count=2", ["1", "2"]],
    ["offset=9", []],
    ["sort=src_name", ["2", "3", "1"]],
    ["sort=src_name:DESC&count=1", ["1"]],
    ["sort=src_credit_limit", ["2", "1", "3"]],
    ["sort=eng_creation_tid:DESC", ["3", "2", "1"]],
    ["src_name=Bob", ["3"]],
    ["src_name=*o*", ["1", "3"]],
    ["src_name=Alice,Bob", ["2", "3"]],
    ["src_name=B*,C*", ["1", "3"]],
    ["src_status=old&src_name=Bob", ["3"]],
    ["src_credit_limit=5", ["2"]],
    ["source_id=3,1", ["1", "3"]],
    ["eng_active=true", ["1", "3"]],
    ["eng_active=false", ["2"]],
    ["eng_origin=erp%23party%23Dev", ["3"]],
    ["eng_active=true&src_status=old", ["3"]],
    ["std_name=ALICE", ["2"]],
    ["src_name=nobody", []],
  ])("?%s", async (query, expected) => {
    const { get } = await three();
    expect(idsOf(await get(`/instance/party?${query}`))).toEqual(expected);
    // A second time from what is kept of the first.
    expect(idsOf(await get(`/instance/party?${query}`))).toEqual(expected);
  });

  test("shows the columns that are asked for", async () => {
    const { get } = await three();
    const { body } = await get("/instance/party?columns=src_name,source_id&count=1");
    expect(at(body, "0.attributes")).toEqual({ source_id: "1", src_name: "Carol" });
    expect(at(body, "0.metadata.origin")).toBe(crm);
  });

  test.each([
    ["nobody=1", 404],
    ["sort=nobody", 404],
    ["columns=nobody", 404],
    ["sort=src_name:UP", 400],
    ["page=1", 400],
    ["page=1&offset=1&count=1", 400],
    ["offset=-1", 400],
    ["count=0", 400],
    ["count=x", 400],
    ["src_name=a&src_name=b", 400],
  ])("?%s is refused with %i", async (query, status) => {
    expectRefused(await (await three()).get(`/instance/party?${query}`), status);
  });

  test("shows what changed since it was sorted, and filters masters by what is merged", async () => {
    const { data, get } = await three();
    expect(idsOf(await get("/instance/party?src_name=*a*&sort=src_name"))).toEqual(["1"]);
    putParty(data, "2", { src_name: "Ada" });
    expect(idsOf(await get("/instance/party?src_name=*a*&sort=src_name"))).toEqual(["2", "1"]);
    expect(idsOf(await get("/instance/party?src_name=Alice"))).toEqual([]);
    expect(((await get("/master/masters/party?cmo_name=Bob")).body as unknown[]).length).toBe(1);
    putParty(data, "3", { src_name: "Robert" }, { origin: erp });
    expect(((await get("/master/masters/party?cmo_name=Bob")).body as unknown[]).length).toBe(0);
    expect(((await get("/master/masters/party?cmo_name=R*")).body as unknown[]).length).toBe(1);
  });

  test("may have an envelope, and a most that it gives at once", async () => {
    const { data, get } = await three();
    data.quirks.mostRecords = 2;
    expect(idsOf(await get("/instance/party?count=100"))).toEqual(["1", "2"]);
    data.quirks.lists = "envelope";
    expect(at((await get("/instance/party?offset=2")).body, "records.0.attributes.source_id")).toBe("3");
  });
});

describe("preload", () => {
  const related = async (): Promise<Awaited<ReturnType<typeof masterDataWorld>>> => {
    const world = await masterDataWorld();
    const { data } = world;
    const put = (
      entity: string,
      sourceId: string,
      attributes: Record<string, string>,
    ): ReturnType<typeof books.putInstance> =>
      books.putInstance(data, { entity, origin: `crm#${entity}#Dev`, sourceId, attributes });
    const ada = put("party", "1", { src_name: "Ada" });
    const home = put("address", "10", {
      src_city: "Oslo",
      src_street: "A 1",
      src_zip: "1",
      src_type: "Residential",
      src_state: "NO",
    });
    const work = put("address", "11", {
      src_city: "Rome",
      src_street: "B 2",
      src_zip: "2",
      src_type: "Billing",
    });
    books.relate(data, ada, "addresses", home);
    books.relate(data, work, "party", ada);
    books.relate(data, ada, "rev_party_has_contact", put("contact", "20", { src_value: "x" }));
    return world;
  };
  const loaded = async (query: string, path = "/instance/party", name = "addresses"): Promise<unknown> => {
    const { get } = await related();
    const reply = await get(`${path}?preload=${encodeURIComponent(query)}`);
    expect(reply.status).toBe(200);
    return (at(reply.body, `0.relationships.${name}`) as never[]).map(
      (one) => at(one, "attributes.source_id") ?? at(one, "attributes.cmo_city"),
    );
  };

  test.each([
    ["addresses", ["10", "11"]],
    ["addresses(src_type=Residential)", ["10"]],
    ["addresses(src_type=Residential,src_state=US)", []],
    ["addresses(src_type=Residential,src_state=NO)", ["10"]],
    ["addresses(src_type=*ill*)", ["11"]],
    ["addresses(src_city LIKE R*)", ["11"]],
    ["addresses(src_state IS EMPTY)", ["11"]],
    ["addresses(src_state MATCH NON EMPTY)", ["10"]],
    ["addresses(src_city=Oslo OR src_city=Rome AND src_type=Billing)", ["10", "11"]],
    ["addresses,rev_party_has_contact", ["10", "11"]],
  ])("%s", async (query, expected) => {
    expect(await loaded(query)).toEqual(expected);
  });

  test("goes up, down, to masters' relations and to their instances", async () => {
    expect(await loaded("party", "/instance/address", "party")).toEqual(["1"]);
    expect(await loaded("addresses", "/master/masters/party")).toEqual(["OSLO", "ROME"]);
    const { get } = await related();
    const { body } = await get("/master/masters/party?preload=addresses.instances");
    expect(at(body, "0.relationships.addresses.1.relationships.instances.0.attributes.source_id")).toBe("11");
  });

  test.each([
    ["nothing", 400],
    // The role is what counts, not the name of the relationship.
    ["party_has_address", 400],
    ["addresses(nobody=1)", 404],
    ["addresses(src_city ~ x)", 400],
    ["addresses(src_city=a", 400],
  ])("%s is refused", async (query, status) => {
    const { get } = await related();
    expectRefused(await get(`/instance/party?preload=${encodeURIComponent(query)}`), status);
  });

  test("LIKE is for strings only", async () => {
    const { get } = await related();
    const query = encodeURIComponent("party(src_credit_limit LIKE 1*)");
    expectRefused(await get(`/instance/address?preload=${query}`), 400);
  });
});
