import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import type { Emulator, MasterData } from "../../src/emulator/index.ts";
import { masterDataBooks as books, startEmulator } from "../../src/emulator/index.ts";
import { scenario } from "../../src/emulator/scenarios/index.ts";
import type { MasterDataReads, MasterDataWriteClient, RecordPage } from "../../src/service/index.ts";
import { openMasterDataWriteClient, preloaded, sourceTimestamp } from "../../src/service/index.ts";
import { collect, serviceError, setup } from "./support.ts";

/** The client against the emulated server, over real HTTP. */

const party = { layer: "instance", entity: "party" } as const;
const master = { layer: "master", view: "masters", entity: "party" } as const;
const segment = { layer: "master", view: "codes", entity: "segment" } as const;
const origin = "crm#party#Dev";
const ada = { origin, sourceId: "1001" };

let emulator: Emulator;
let data: MasterData;
let client: MasterDataWriteClient;
let records: MasterDataWriteClient["records"];

beforeEach(async () => {
  emulator = await startEmulator({ masterData: {} });
  scenario("demo")?.prepare(emulator);
  data = emulator.masterData("dev");
  const environment = {
    name: "dev (master data)",
    baseUrl: emulator.masterDataUrl("dev"),
    username: "dev-mdm",
    password: "dev-mdm-secret",
  };
  client = openMasterDataWriteClient(environment, setup().options);
  ({ records } = client);
  onTestFinished(async () => {
    await client.close();
    await emulator.close();
  });
});

const idsOf = (pages: readonly RecordPage[]): readonly unknown[] =>
  pages.flatMap((page) => page.records.map(({ sourceId, attributes }) => sourceId ?? attributes["cmo_code"]));
const idOf = (key: { readonly origin: string; readonly sourceId: string } = ada): string =>
  String(data.byKey("party", key.origin, key.sourceId)?.id);

describe("it reads", () => {
  test("directory, entities, views, metadata", async () => {
    expect(await records.directory()).toMatchObject({ isWritable: true, version: "1.0" });
    expect(await records.entities()).toEqual(["party", "address", "contact"]);
    expect(await records.views()).toEqual(["masters", "codes"]);
    expect(await records.entitiesOf("codes")).toEqual(["segment"]);
    const { columns, relationships } = (await records.metadata(party)) ?? {};
    expect(columns).toContainEqual({ name: "src_credit_limit", leadsTo: "INTEGER" });
    expect(relationships).toContainEqual({ name: "addresses", leadsTo: "address" });
    data.quirks.metadata = "other";
    expect(await records.metadata(party)).toMatchObject({ columns: undefined });
    data.quirks.metadata = "absent";
    expect(await records.metadata(party)).toBeUndefined();
    data.quirks.names = "texts";
    expect(await records.views()).toEqual(["masters", "codes"]);
    data.quirks.names = "other";
    expect(await records.views()).toBeUndefined();
  });

  test("a record by key, by id, and the master that it belongs to; none that is missing", async () => {
    const found = await records.record(party, ada);
    expect(found).toMatchObject({ ...ada, isActive: true, attributes: { src_name: "Ada Lovelace" } });
    expect(await records.record(party, { id: found?.id ?? "" })).toEqual(found);
    expect((await records.record(master, ada))?.attributes["group_size"]).toBe(2);
    expect(await records.record(party, { origin, sourceId: "none" })).toBeUndefined();
    expect(await records.record(master, { id: "1" })).toBeUndefined();
    const nobody = { layer: "instance", entity: "nobody" } as const;
    expect(await serviceError(records.record(nobody, ada))).toMatchObject({ kind: "not-found", status: 404 });
  });

  test("lists page by page, filtered, sorted, with columns and what comes along", async () => {
    const pages = await collect(records.records(party, {}, { count: 4 }));
    expect(pages.map((page) => page.records.length)).toEqual([4, 4, 1]);
    data.quirks.mostRecords = 2;
    data.quirks.lists = "envelope";
    expect(idsOf(await collect(records.records(party, {}, { count: 4 })))).toEqual(idsOf(pages));
    const some = await collect(
      records.records(party, {
        columns: ["source_id", "src_name"],
        sort: { column: "src_name", direction: "DESC" },
        matching: { src_name: ["A*", "G*"], eng_active: ["true"] },
        equal: { eng_origin: [origin] },
        preload: ["addresses(src_type=Residential)", "rev_party_has_contact"],
      }),
    );
    expect(idsOf(some)).toEqual(["1002", "1001"]);
    const [, last] = some.flatMap((page) => page.records);
    if (last === undefined) throw new Error("nothing came");
    expect(last.attributes).toEqual({ source_id: "1001", src_name: "Ada Lovelace" });
    expect(preloaded(last, "addresses")?.map(({ sourceId }) => sourceId)).toEqual(["A-1"]);
    expect(preloaded(last, "rev_party_has_contact")?.map(({ sourceId }) => sourceId)).toEqual(["K-1"]);
    expect(preloaded(last, "nothing")).toBeUndefined();
  });

  test("a list that goes round ends as an error", async () => {
    emulator.faults.add({ match: { path: "/api/rest" }, effect: { type: "repeat-cursor" } });
    const error = await serviceError(collect(records.records(party, {}, { count: 4 })));
    expect(error.kind).toBe("cursor-repeated");
  });

  test("searches by many source ids at once: the same id of two origins is two records", async () => {
    expect(idsOf(await collect(records.search(party, { source_id: ["1001", "1002", "x"] })))).toEqual([
      "1001",
      "1002",
      "1001",
    ]);
    expect(idsOf(await collect(records.search(segment, { cmo_code: ["STAFF"] })))).toEqual(["STAFF"]);
    expect(await serviceError(collect(records.search(party, { nobody: [1] })))).toMatchObject({
      kind: "not-found",
    });
  });

  test("identifies: a master, proposals, proposals in short form, nothing", async () => {
    const ask = (attributes: object): ReturnType<MasterDataReads["identify"]> =>
      records.identify(master, { sourceSystem: "crm", record: { attributes: { ...attributes } } });
    const found = await ask({ src_name: "ada lovelace", src_email: " ADA@example.org" });
    expect(found?.match).toMatchObject({
      masterId: String(data.byKey("party", origin, "1001")?.masterId),
      rule: "same_email",
      quality: 1,
      record: { attributes: { cmo_email: "ada@example.org" } },
    });
    expect(found?.proposals).toMatchObject([{ rule: "same_name", record: { attributes: {} } }]);
    data.quirks.maxCount = 0;
    const short = await ask({ src_name: "ada lovelace" });
    expect(short?.match).toBeUndefined();
    expect(short?.proposals.map(({ record, rule }) => [record, rule])).toEqual([
      [undefined, "same_name"],
      [undefined, "same_name"],
    ]);
    expect(await ask({ src_name: "Nobody" })).toBeUndefined();
  });

  test("history, where there is one", async () => {
    expect(await records.historised()).toEqual(["party", "address"]);
    await records.putInstance(party, ada, { attributes: { src_status: "moved" } });
    const versions = await records.history(party, ada);
    expect(versions?.map(({ attributes }) => attributes["src_status"])).toEqual(["moved", "active"]);
    const [newest] = versions ?? [];
    expect(await records.history(party, ada, { from: newest?.validFrom ?? "" })).toEqual([newest]);
    expect((await records.historyMetadata(master))?.columns).toContainEqual({
      name: "cmo_name",
      leadsTo: "STRING",
    });
    data.historised.instance.clear();
    data.historised.master.clear();
    expect(await records.historised()).toBeUndefined();
    expect(await records.history(party, ada)).toBeUndefined();
    expect(await records.historyMetadata(party)).toBeUndefined();
  });

  test("overrides: the values below them", async () => {
    const grace = idOf({ origin, sourceId: "1002" });
    expect(await records.overrides(party, grace)).toEqual([{ attribute: "src_phone", original: null }]);
    expect(await records.overrides(party, grace, "src_name")).toEqual([]);
    const [house] = books.findMasters(data, "party", "cmo_code", "HOUSE");
    expect(await records.overrides(master, String(house?.id))).toEqual([
      { attribute: "cmo_phone", original: null },
    ]);
  });
});

describe("it writes", () => {
  const book = (sourceId: string, entity = "party"): books.InstanceBook => {
    const row = data.byKey(entity, `crm#${entity}#Dev`, sourceId);
    if (row === undefined) throw new Error(`there is no ${sourceId}`);
    return books.instanceBook(data, row);
  };
  const key = { origin, sourceId: "odd /?%*ü" };
  const content = {
    attributes: { src_name: "Kay, Alan", src_is_vip: true, src_credit_limit: 7 },
    sourceTimestamp: sourceTimestamp(Date.UTC(2026, 1, 2, 3, 4, 5)),
    relationships: {
      addresses: [{ origin: "crm#address#Dev", sourceId: "A-7", attributes: { src_city: "Oslo" } }],
    },
  };

  test.each(["15.3.0", "older"] as const)(
    "an instance with what belongs to it, by key (answers of %s)",
    async (form) => {
      data.quirks.writeAnswers = form;
      const first = await records.putInstance(party, key, content);
      const { id, masterId } = data.byKey("party", origin, key.sourceId) ?? {};
      const master = form === "older" ? undefined : String(masterId);
      expect(first).toMatchObject({ change: "INSERT", id: String(id) });
      expect(first.masterId).toBe(master);
      expect(book(key.sourceId)).toMatchObject({
        source: content.attributes,
        source_timestamp: "2026-02-02T03:04:05.000Z",
      });
      expect(book("A-7", "address").parents).toEqual({ party_has_address: `${origin} ${key.sourceId}` });
      expect(await records.postInstance(party, key, content, "body")).toMatchObject({
        change: "NONE",
        related: { addresses: [{ change: "NONE" }] },
      });
      expect(
        await records.postInstance(party, key, { attributes: { src_name: "x" } }, "address"),
      ).toMatchObject({
        change: "UPDATED",
        masterId: master,
      });
      expect(
        await records.updateInstance(party, String(id), { attributes: { src_name: "y" } }),
      ).toMatchObject({ change: "UPDATED" });
      expect(book(key.sourceId).source).toMatchObject({ src_name: "y", src_credit_limit: 7 });
      expect(await records.removeInstance(party, String(id))).toMatchObject({ change: "DEACTIVATED" });
      expect(book(key.sourceId).active).toBe(false);
    },
  );

  test("an upsert once, whatever becomes of its answers", async () => {
    await records.directory();
    for (const type of ["drop-after-commit", "drop-before-commit", "truncate", "garbage"] as const)
      emulator.faults.add({ match: { method: "PUT" }, when: { times: 1 }, effect: { type } });
    const before = data.instances("party")?.size ?? 0;
    await records.putInstance(party, key, content);
    expect(data.instances("party")?.size).toBe(before + 1);
    expect(client.requests().writes).toBe(5);
  });

  test("an upsert to its end when the client is closed meanwhile, and a read is let go", async () => {
    emulator.faults.add({ match: { path: "/api/rest" }, effect: { type: "delay", ms: 50 } });
    const arrived = new Promise<void>((resolve) => {
      let left = 2;
      emulator.on(({ phase }) => {
        if (phase !== "received") return;
        left -= 1;
        if (left === 0) resolve();
      });
    });
    const write = records.putInstance(party, key, content);
    const read = serviceError(records.record(party, ada));
    await arrived;
    await client.close();
    expect(await write).toMatchObject({ change: "INSERT" });
    expect(await read).toMatchObject({ kind: "aborted" });
  });

  test("an authored master once: a lost answer stays unknown", async () => {
    const made = await records.createMaster(segment, { attributes: { cmo_code: "NEW" } });
    expect(made.change).toBe("INSERT");
    emulator.faults.add({
      match: { method: "POST" },
      when: { times: 1 },
      effect: { type: "drop-after-commit" },
    });
    const lost = serviceError(records.createMaster(segment, { attributes: { cmo_code: "LOST" } }));
    expect(await lost).toMatchObject({ arrived: "maybe" });
    expect(idsOf(await collect(records.search(segment, { cmo_code: ["LOST"] })))).toEqual(["LOST"]);
    const id = made.id ?? "";
    expect(await records.updateMaster(segment, id, { cmo_name: "x" })).toMatchObject({
      change: "UPDATE",
      id,
    });
    expect(await records.deleteMaster(segment, id)).toMatchObject({ change: "DELETE", id });
    expect(await serviceError(records.deleteMaster(segment, id))).toMatchObject({
      kind: "refused",
      status: 400,
      arrived: "no",
    });
  });

  test("activity of both layers", async () => {
    const id = idOf();
    expect(await records.activate(party, id)).toEqual({ change: "NONE", id });
    expect(await records.deactivate(party, id)).toEqual({ change: "UPDATE", id });
    expect((await records.record(party, { id }))?.isActive).toBe(false);
    expect(await records.removeActivity(party, id)).toEqual({ change: "UPDATE", id });
    expect(await serviceError(records.removeActivity(party, id))).toMatchObject({
      kind: "server",
      status: 500,
    });
    const ofMaster = String(data.byKey("party", origin, "1001")?.masterId);
    expect(await records.deactivate(master, ofMaster)).toEqual({ change: "UPDATE", id: ofMaster });
    expect(await serviceError(records.activate(party, "1"))).toMatchObject({ kind: "refused", status: 400 });
  });

  test("overrides, one, several, and away again", async () => {
    const id = idOf();
    await records.setOverride(party, id, "src_name", "Countess, Ada");
    await records.setOverrides(party, id, { src_note: null, src_credit_limit: 3 });
    expect(book("1001").overrides).toEqual({
      src_name: "Countess, Ada",
      src_note: null,
      src_credit_limit: 3,
    });
    await records.removeOverride(party, id, "src_name");
    expect(book("1001").overrides).toEqual({ src_note: null, src_credit_limit: 3 });
    await records.removeOverrides(party, id);
    expect(book("1001").overrides).toEqual({});
  });

  test("nothing where the server takes none, and says who may not", async () => {
    data.quirks.rwmode = "RO";
    const error = await serviceError(records.putInstance(party, key, content));
    expect(error).toMatchObject({ kind: "permission", arrived: "no" });
    expect(error.message).toContain("read-only");
    expect(data.byKey("party", origin, key.sourceId)).toBeUndefined();
  });

  test("what is refused says what the server says", async () => {
    const error = await serviceError(
      records.putInstance(party, key, { attributes: { src_credit_limit: "7" } }),
    );
    expect(error).toMatchObject({ kind: "refused", status: 400, arrived: "no" });
    expect(error.message).toContain("src_credit_limit is of type INTEGER");
  });
});
