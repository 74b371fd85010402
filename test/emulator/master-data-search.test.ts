import { describe, expect, test } from "vitest";
import { masterDataBooks as books } from "../../src/emulator/index.ts";
import {
  erp,
  expectRefused,
  idsOf,
  masterDataWorld,
  putParty,
  type MasterDataWorld,
} from "./master-data-world.ts";
import { at } from "./support.ts";

const path = "/instance/party/search";

describe("search", () => {
  const world = async (): Promise<MasterDataWorld> => {
    const made = await masterDataWorld();
    putParty(made.data, "1", { src_name: "Ada", src_status: "new", src_credit_limit: 7 });
    putParty(made.data, "2", { src_name: "Bob", src_status: "old" });
    putParty(made.data, "1", { src_name: "Eve", src_status: "old" }, { origin: erp });
    putParty(made.data, "*", { src_name: "Any" });
    return made;
  };

  test.each([
    [{ source_id: "1" }, "", ["1", "1"]],
    [{ source_id: ["1", "2"] }, "", ["1", "2", "1"]],
    [{ source_id: ["1", "2"], src_status: "old" }, "", ["2", "1"]],
    [{ src_credit_limit: 7 }, "", ["1"]],
    [{ source_id: ["1", "2"] }, "?offset=1&count=1", ["2"]],
    // No wildcard is named here: it is a value.
    [{ source_id: "*" }, "", ["*"]],
    [{ source_id: "9" }, "", []],
  ])("%j%s", async (body, query, expected) => {
    const { post } = await world();
    expect(idsOf(await post(path + query, body))).toEqual(expected);
  });

  test("finds what is new, and not what is gone, in a column that was searched before", async () => {
    const { data, post } = await world();
    expect(idsOf(await post(path, { src_name: "Bob" }))).toEqual(["2"]);
    putParty(data, "2", { src_name: "Robert" });
    putParty(data, "3", { src_name: "Bob" });
    expect(idsOf(await post(path, { src_name: "Bob" }))).toEqual(["3"]);
    expect(idsOf(await post(path, { src_name: "Robert" }))).toEqual(["2"]);
  });

  test("finds masters by what they are merged to, authored ones too", async () => {
    const { data, post } = await world();
    const { id } = books.authorMaster(data, {
      entity: "party",
      attributes: { cmo_code: "X", cmo_name: "Ada" },
    });
    const found = await post("/master/masters/party/search", { cmo_name: ["Ada"] });
    expect((found.body as unknown[]).length).toBe(2);
    expect(at((await post("/master/masters/party/search", { cmo_code: "X" })).body, "0.metadata.id")).toBe(
      id,
    );
  });

  test.each([
    [{ nobody: "1" }, "", 404],
    [{ eng_active: true }, "", 404],
    [{}, "", 400],
    [{ source_id: [] }, "", 400],
    [{ source_id: "1,2" }, "", 400],
    [{ source_id: { a: 1 } }, "", 400],
    [{ source_id: "1" }, "?sort=src_name", 400],
  ])("%j%s is refused", async (body, query, status) => {
    expectRefused(await (await world()).post(path + query, body), status);
  });
});

describe("identify", () => {
  const identify = "/master/masters/party/identify";
  const input = (attributes: object): never => ({ sourceSystem: "crm", record: { attributes } }) as never;

  test("cleanses the input and tells the master, the rule and what else it might be", async () => {
    const { data, post } = await masterDataWorld();
    const ada = putParty(data, "1", { src_name: "Ada Lovelace", src_email: "ada@x" });
    const other = putParty(data, "2", { src_name: "Ada Lovelace", src_email: "else@x" });
    const { status, body } = await post(
      identify,
      input({ src_name: " ada   LOVELACE", src_email: "ADA@X " }),
    );
    expect(status).toBe(200);
    expect(body).toMatchObject({
      matchMetadata: { matchRelatedId: ada, matchQuality: 1, matchRuleName: "same_email" },
      record: { type: "party", attributes: { cmo_email: "ada@x" } },
      proposals: [
        {
          matchMetadata: { matchRelatedId: other, matchQuality: 0.6, matchRuleName: "same_name" },
          record: { attributes: { cmo_email: "else@x" } },
        },
      ],
    });
    expect(books.countMasterData(data)).toMatchObject({ "instance party": 2, "master party": 2 });
  });

  test("has proposals only where only such a rule matches, in short form when they are many", async () => {
    const { data, post } = await masterDataWorld();
    const ids = ["1", "2", "3"].map((sourceId) => putParty(data, sourceId, { src_name: "Ada" }));
    const masters = ids.map((id) => data.instances("party")?.get(id)?.masterId);
    const full = await post(identify, input({ src_name: "ada" }));
    expect(Object.keys(full.body as object)).toEqual(["proposals"]);
    expect(at(full.body, "proposals.2.record.metadata.id")).toBe(masters[2]);
    data.quirks.maxCount = 2;
    expect((await post(identify, input({ src_name: "ada" }))).body).toEqual({
      proposals: ids.map((id, index) => ({
        masterId: masters[index],
        matchRelatedId: id,
        matchQuality: 0.6,
        matchRuleName: "same_name",
      })),
    });
  });

  test("says nothing when nothing matches", async () => {
    const { post } = await masterDataWorld();
    const reply = await post(identify, input({ src_name: "Nobody" }));
    expect([reply.status, reply.body]).toEqual([200, null]);
  });

  test.each([
    [{}],
    [{ sourceSystem: "crm" }],
    [{ sourceSystem: "crm", record: {} }],
    [{ sourceSystem: "crm", record: { attributes: { std_name: "A" } } }],
    [{ sourceSystem: "crm", record: { attributes: {}, relationships: { nobody: [] } } }],
    [{ sourceSystem: "crm", record: { attributes: {} }, more: 1 }],
  ])("%j is refused", async (body) => {
    expectRefused(await (await masterDataWorld()).post(identify, body), 400);
  });
});
