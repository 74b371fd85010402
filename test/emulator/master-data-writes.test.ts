import { describe, expect, test } from "vitest";
import { masterDataBooks as books } from "../../src/emulator/index.ts";
import type { JsonObject } from "../../src/emulator/json.ts";
import {
  byKey,
  crm,
  erp,
  expectRefused,
  masterDataWorld,
  putParty,
  type MasterDataWorld,
} from "./master-data-world.ts";
import { at } from "./support.ts";

const attributes = { src_name: "Ada" };
const book = ({ data }: MasterDataWorld, sourceId: string, entity = "party"): books.InstanceBook => {
  const row = data.byKey(entity, `crm#${entity}#Dev`, sourceId);
  if (row === undefined) throw new Error(`there is no ${entity} ${sourceId}`);
  return books.instanceBook(data, row);
};

describe("an instance is written", () => {
  test.each([
    ["PUT", byKey("1"), { attributes }],
    ["POST", byKey("1"), { attributes }],
    ["POST", "/instance/party", { origin: crm, source_id: "1", attributes }],
    ["PUT", "/instance/party", { origin: crm, source_id: "1", attributes }],
    ["PUT", byKey("1"), { origin: crm, source_id: "1", attributes }],
  ])("by %s %s: an insert where it is missing, an update where it is not", async (method, path, body) => {
    const world = await masterDataWorld();
    const { data, send } = world;
    const inserted = await send(method, path, body);
    const row = data.byKey("party", crm, "1");
    const key = { id: row?.id, origin: crm, source_id: "1" };
    const said = { attributes: { master_id: row?.masterId } };
    expect(inserted.status).toBe(200);
    expect(inserted.body).toEqual({ result: "ok", records: { ...key, recordChange: "INSERT", ...said } });
    const entity = (action: string): object => ({
      result: "ok",
      records: { entity: { action, ...key, ...said }, relationships: {} },
    });
    expect((await send(method, path, body)).body).toEqual(entity("NONE"));
    const update = { ...body, attributes: { src_status: "new" } };
    expect((await send(method, path, update)).body).toEqual(entity("UPDATED"));
    // What is not named stays.
    expect(book(world, "1").source).toEqual({ src_name: "Ada", src_status: "new" });
    expect(data.instances("party")?.size).toBe(1);
  });

  test("by id in the address or in the body, where it is there", async () => {
    const world = await masterDataWorld();
    const id = putParty(world.data, "1");
    expect((await world.put(`/instance/party/${id}`, { attributes })).status).toBe(200);
    expect((await world.post("/instance/party", { id, attributes: { src_note: "x" } })).status).toBe(200);
    expect(book(world, "1").source).toEqual({ src_name: "Ada", src_note: "x" });
  });

  test("and answers as servers before 15.3.0 do, where it is one", async () => {
    const { data, put } = await masterDataWorld();
    data.quirks.writeAnswers = "older";
    const entity = async (): Promise<unknown> =>
      at((await put(byKey("1"), { attributes })).body, "records.entity");
    const { id } = { id: expect.any(Number) as number };
    expect(await entity()).toEqual({ action: "INSERT", id, origin: crm, source_id: "1" });
    expect(await entity()).toEqual({ action: "NONE", id, origin: crm, source_id: "1" });
  });

  test.each<readonly [string, string, JsonObject, string]>([
    ["an id that is not there: ids are generated", "/instance/party/77", { attributes }, "77"],
    ["one in the body", "/instance/party", { id: 77, attributes }, "77"],
    ["no identification", "/instance/party", { attributes }, "identified"],
    ["half of one", "/instance/party", { origin: crm, attributes }, "identified"],
    ["two that disagree", byKey("1"), { source_id: "2", attributes }, "in the body"],
    ["no attributes in an insert", byKey("1"), {}, "attributes"],
    ["an attribute that is not there", byKey("1"), { attributes: { nobody: 1 } }, "nobody"],
    ["one that is computed", byKey("1"), { attributes: { std_name: "A" } }, "std_name"],
    ["a system column", byKey("1"), { attributes: { eng_active: true } }, "eng_active"],
    ["a value of another type", byKey("1"), { attributes: { src_credit_limit: "5" } }, "INTEGER"],
    ["a date that is none", byKey("1"), { attributes: { src_birth_date: "5 May" } }, "DATE"],
    ["a field that is not documented", byKey("1"), { attributes, active: true }, "active"],
    ["an origin that is none", byKey("1", "crm"), { attributes }, "origin"],
    ["a comma in a source id", byKey("1,2"), { attributes }, "1,2"],
    ["one in the body", "/instance/party", { origin: crm, source_id: "1,2", attributes }, "1,2"],
  ])("not with %s", async (_name, path, body, said) => {
    const { data, put } = await masterDataWorld();
    expectRefused(await put(path, body), 400, said);
    expect(data.instances("party")?.size).toBe(0);
  });

  test("not where its origin is not configured, its entity is not there, or a comma is refused in values", async () => {
    const { data, put } = await masterDataWorld();
    expectRefused(await put("/instance/nobody/crm%23nobody%23Dev/1", { attributes }), 404);
    data.quirks.origins = [erp];
    expectRefused(await put(byKey("1"), { attributes }), 400, crm);
    expect((await put(byKey("1", erp), { attributes: { src_name: "Lovelace, Ada" } })).status).toBe(200);
    data.quirks.commas = "refused";
    expectRefused(await put(byKey("2", erp), { attributes: { src_name: "Lovelace, Ada" } }), 400, "comma");
  });

  test("deleted is deactivated, by the source's word", async () => {
    const world = await masterDataWorld();
    const id = putParty(world.data, "1", attributes);
    const entity = { id, origin: crm, source_id: "1" };
    const gone = await world.delete(`/instance/party/${id}`);
    expect(gone.body).toEqual({ result: "ok", records: { entity: { ...entity, action: "DEACTIVATED" } } });
    expect(book(world, "1")).toMatchObject({ active: false, activity: null, source: attributes });
    expect(at((await world.delete(`/instance/party/${id}`)).body, "records.entity.action")).toBe("NONE");
    // Writing it again does not bring it back.
    await world.put(byKey("1"), { attributes: { src_status: "x" } });
    expect(book(world, "1").active).toBe(false);
    expectRefused(await world.delete("/instance/party/77"), 400);
    expectRefused(await world.send("DELETE", `/instance/party/${id}`, {}), 400, "empty");
  });
});

describe("source_timestamp", () => {
  test.each([
    ["2026-01-02T10:00:00+08:00", "2026-01-02T02:00:00.000Z"],
    ["2026-01-02T10:00:00.125+00:00", "2026-01-02T10:00:00.125Z"],
    // The local time of the server, two hours ahead.
    ["2026-01-02T10:00:00Z", "2026-01-02T08:00:00.000Z"],
    ["2026-01-02T10:00:00", "2026-01-02T08:00:00.000Z"],
  ])("%s is %s", async (sent, stored) => {
    const world = await masterDataWorld();
    await world.put(byKey("1"), { source_timestamp: sent, attributes });
    expect(book(world, "1").source_timestamp).toBe(stored);
  });

  test.each(["2026-01-02", "yesterday", "2026-13-02T10:00:00+00:00", 5])("%s is none", async (sent) => {
    const { put } = await masterDataWorld();
    expectRefused(await put(byKey("1"), { source_timestamp: sent, attributes }), 400, "source_timestamp");
  });
});

describe("relationships in a write", () => {
  const home = { origin: "crm#address#Dev", source_id: "10", attributes: { src_city: "Oslo" } };
  const other = { ...home, source_id: "11", attributes: { src_city: "Rome" } };

  test("write related records by their own key, and link them", async () => {
    const world = await masterDataWorld();
    const body = { attributes, relationships: { addresses: [home, other] } };
    expect(at((await world.put(byKey("1"), body)).body, "records.recordChange")).toBe("INSERT");
    for (const id of ["10", "11"])
      expect(book(world, id, "address").parents).toEqual({ party_has_address: `${crm} 1` });
    const again = (await world.put(byKey("1"), body)).body;
    expect(at(again, "records.relationships.addresses.1.entity.action")).toBe("NONE");
    const changed = { ...home, attributes: { src_city: "Bergen" } };
    const { body: answer } = await world.put(byKey("1"), { relationships: { addresses: [changed] } });
    // One stands as the document shows it.
    expect(at(answer, "records.relationships.addresses.entity")).toMatchObject({
      action: "UPDATED",
      source_id: "10",
    });
    expect(at(answer, "records.entity.action")).toBe("NONE");
    // The other stays linked: how a link is taken away is not documented.
    expect(book(world, "11", "address").parents).toEqual({ party_has_address: `${crm} 1` });
    expect(world.data.instances("address")?.size).toBe(2);
  });

  test("lead up as well, and move a child from one parent to another", async () => {
    const world = await masterDataWorld();
    putParty(world.data, "1");
    putParty(world.data, "2");
    const link = async (sourceId: string): Promise<void> => {
      const party = [{ origin: crm, source_id: sourceId, attributes: {} }];
      expect(
        (
          await world.put(byKey("10", "crm#address#Dev", "address"), {
            attributes: {},
            relationships: { party },
          })
        ).status,
      ).toBe(200);
    };
    await link("1");
    await link("2");
    expect(book(world, "10", "address").parents).toEqual({ party_has_address: `${crm} 2` });
    const { body } = await world.get(byKey("1"));
    expect(body).not.toHaveProperty("relationships");
    expect(
      at((await world.get("/instance/party?preload=addresses")).body, "0.relationships.addresses"),
    ).toEqual([]);
  });

  test("to more than one parent are refused", async () => {
    const { put } = await masterDataWorld();
    const party = ["1", "2"].map((source_id) => ({ origin: crm, source_id, attributes: {} }));
    const body = { attributes: {}, relationships: { party } };
    expectRefused(await put(byKey("10", "crm#address#Dev", "address"), body), 400, "one party");
  });

  test("without roles have the name that says who has what", async () => {
    const world = await masterDataWorld();
    const contact = { origin: "crm#contact#Dev", source_id: "5", attributes: { src_value: "x" } };
    await world.put(byKey("1"), { attributes, relationships: { rev_party_has_contact: [contact] } });
    expect(book(world, "5", "contact").parents).toEqual({ party_has_contact: `${crm} 1` });
  });

  test.each([
    ["a name that is the relationship's and no role", { party_has_address: [home] }],
    ["a record without a key", { addresses: [{ attributes: {} }] }],
    ["a computed attribute", { addresses: [home, { ...other, attributes: { std_city: "X" } }] }],
    ["no array", { addresses: home }],
  ])("are refused with %s, and then nothing is written", async (_name, relationships) => {
    const { data, put } = await masterDataWorld();
    expectRefused(await put(byKey("1"), { attributes, relationships }), 400);
    expect(books.countMasterData(data)).toMatchObject({ "instance party": 0, "instance address": 0 });
  });
});

describe("match and merge", () => {
  const masterOf = ({ data }: MasterDataWorld, sourceId: string, origin = crm): number | undefined =>
    data.byKey("party", origin, sourceId)?.masterId;

  test("joins records by the first rule that finds somebody, and merges them to the newest values", async () => {
    const world = await masterDataWorld();
    const { data } = world;
    putParty(data, "1", { src_name: "ada lovelace", src_email: "a@x", src_status: "old" }, { sourceTime: 1 });
    putParty(data, "2", { src_name: "A. Lovelace", src_email: " A@X" }, { origin: erp, sourceTime: 2 });
    expect(masterOf(world, "2", erp)).toBe(masterOf(world, "1"));
    const { body } = await world.get(`/master/masters/party/${masterOf(world, "1")}`);
    expect(at(body, "attributes")).toMatchObject({
      cmo_name: "A. Lovelace",
      cmo_status: "old",
      group_size: 2,
    });
  });

  test("splits what matches no more, and leaves no master without a member", async () => {
    const world = await masterDataWorld();
    const { data, put } = world;
    putParty(data, "1", { src_email: "a@x" });
    putParty(data, "2", { src_email: "a@x" });
    const first = masterOf(world, "1");
    await put(byKey("2"), { attributes: { src_email: "b@x" } });
    expect([masterOf(world, "1"), masterOf(world, "2") === first]).toEqual([first, false]);
    expect(data.masters("party")?.size).toBe(2);
    await put(byKey("2"), { attributes: { src_email: "a@x" } });
    expect(masterOf(world, "2")).toBe(first);
    expect(data.masters("party")?.size).toBe(1);
  });

  test("proposes a master where only the name is the same", async () => {
    const world = await masterDataWorld();
    putParty(world.data, "1", { src_name: "Ada", src_email: "a@x" });
    putParty(world.data, "2", { src_name: "ADA", src_email: "b@x" });
    expect(masterOf(world, "2")).not.toBe(masterOf(world, "1"));
    expect(at((await world.get(byKey("2"))).body, "attributes.propose_id")).toBe(masterOf(world, "1"));
  });

  test("a master whose instances are all inactive is inactive", async () => {
    const world = await masterDataWorld();
    const id = putParty(world.data, "1", { src_name: "Ada" });
    const path = `/master/masters/party/${masterOf(world, "1")}`;
    expect(at((await world.get(path)).body, "metadata.active")).toBe(true);
    await world.delete(`/instance/party/${id}`);
    expect(at((await world.get(path)).body, "metadata.active")).toBe(false);
  });
});

describe("a master record", () => {
  const path = "/master/masters/party";

  test("is authored by POST, each time another one, changed by PUT and deleted for good", async () => {
    const { data, post, put, delete: remove, get } = await masterDataWorld();
    const body = { attributes: { cmo_code: "A", cmo_name: "x" } };
    const made = await post(path, body);
    const id = at(made.body, "records.id") as number;
    expect(made.body).toEqual({ result: "ok", records: { id, recordChange: "INSERT", relationships: {} } });
    expect(at((await post(path, body)).body, "records.id")).not.toBe(id);
    expect(at((await get(`${path}/${id}`)).body, "attributes")).toMatchObject({
      cmo_code: "A",
      published_by: "dev-mdm",
    });
    const change = async (attributes: JsonObject): Promise<unknown> =>
      (await put(`${path}/${id}`, { attributes })).body;
    expect(await change({ cmo_name: "y" })).toEqual({
      result: "ok",
      records: { id, recordChange: "UPDATE" },
    });
    expect(await change({ cmo_name: "y" })).toEqual({ result: "ok", records: { id, recordChange: "NONE" } });
    expect((await remove(`${path}/${id}`)).body).toEqual({
      result: "ok",
      records: { id, recordChange: "DELETE" },
    });
    expectRefused(await get(`${path}/${id}`), 400);
    expectRefused(await remove(`${path}/${id}`), 400);
    expect(data.masters("party")?.size).toBe(1);
  });

  test("brings related ones along", async () => {
    const { data, post, get } = await masterDataWorld();
    const known = books.authorMaster(data, { entity: "address", attributes: { cmo_city: "Rome" } });
    const { body } = await post(path, {
      attributes: { cmo_name: "x" },
      relationships: { addresses: [{ attributes: { cmo_city: "Oslo" } }, { id: known.id }] },
    });
    expect(at(body, "records.relationships.addresses")).toEqual([
      { id: expect.any(Number), recordChange: "INSERT" },
      { id: known.id, recordChange: "NONE" },
    ]);
    const shown = (await get(`${path}?preload=addresses`)).body;
    const cities = (at(shown, "0.relationships.addresses") as never[]).map((one) =>
      at(one, "attributes.cmo_city"),
    );
    expect(cities).toEqual(["Oslo", "Rome"]);
  });

  test("that is merged from instances is the engine's own", async () => {
    const { data, put, delete: remove } = await masterDataWorld();
    const id = data.instances("party")?.get(putParty(data, "1", attributes))?.masterId;
    expectRefused(await put(`${path}/${id}`, { attributes: { cmo_name: "y" } }), 400, "merged");
    expectRefused(await remove(`${path}/${id}`), 400, "merged");
  });

  test.each([
    [path, { attributes: { cmo_code: "A" }, id: 5 }, 400],
    [path, { attributes: { group_size: 5 } }, 400],
    [path, { attributes: { nobody: 5 } }, 400],
    [path, {}, 400],
    ["/master/nothing/party", { attributes: {} }, 404],
    ["/master/codes/party", { attributes: {} }, 404],
  ])("POST %s %j is refused with %i", async (to, body, status) => {
    expectRefused(await (await masterDataWorld()).post(to, body), status);
  });
});
