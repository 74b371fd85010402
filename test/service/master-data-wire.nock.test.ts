import nock from "nock";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import type { MasterDataWriteClient } from "../../src/service/index.ts";
import { sourceTimestamp } from "../../src/service/index.ts";
import type { Opened } from "./mdm-nocked.ts";
import {
  basicHeader,
  givePage,
  key,
  keyPath,
  master,
  mdmHost,
  openMdm,
  party,
  password,
  shown,
  username,
} from "./mdm-nocked.ts";
import { closeNetwork, openNetwork } from "./nocked.ts";
import { collect, serviceError } from "./support.ts";

let made: Opened;
let client: MasterDataWriteClient;

beforeEach(() => {
  closeNetwork();
  made = openMdm();
  ({ client } = made);
});
afterAll(openNetwork);

const partyPath = "/api/rest/instance/party";
const masterPath = "/api/rest/master/masters/party";
const content = { attributes: { src_name: "Ada" } };
const done = {
  result: "ok",
  records: { id: 7, origin: key.origin, source_id: "17", recordChange: "INSERT" },
};
const refusal = { message: "Write failed", exception: "com.example.WriteException" };
const broken = (code: string): Error => Object.assign(new Error(code), { code });
const put = async (): Promise<unknown> => await client.records.putInstance(party, key, content);

describe("an upsert by origin and source id is repeated where its answer was lost", () => {
  test.each([502, 503, 504, 408])("after %i", async (status) => {
    nock(mdmHost).put(keyPath).times(2).reply(status);
    nock(mdmHost).put(keyPath).reply(200, done);
    expect(await put()).toMatchObject({ change: "INSERT", id: "7" });
    expect(client.requests()).toEqual({ reads: 0, writes: 3 });
  });

  test.each(["ECONNRESET", "UND_ERR_SOCKET", "ECONNREFUSED"])("after %s", async (code) => {
    nock(mdmHost).put(keyPath).replyWithError(broken(code));
    nock(mdmHost).put(keyPath).reply(200, done);
    expect(await put()).toMatchObject({ id: "7" });
  });

  test.each(["<html>", '{"result":', '{"result":"failed","records":{}}', ""])(
    "after the answer %j",
    async (text) => {
      nock(mdmHost).put(keyPath).reply(200, text);
      nock(mdmHost).put(keyPath).reply(200, done);
      expect(await put()).toMatchObject({ id: "7" });
    },
  );

  test("briefly after a 500 in the server's own words: a failed write fails again", async () => {
    nock(mdmHost).put(keyPath).times(50).reply(500, refusal);
    const error = await serviceError(put());
    expect(error).toMatchObject({ kind: "server", arrived: "maybe", status: 500 });
    expect(error.message).toContain("Write failed");
    expect(client.requests().writes).toBe(3);
  });

  test("one refused after a lost answer is in doubt: the first may have been done", async () => {
    nock(mdmHost).put(keyPath).reply(504);
    nock(mdmHost).put(keyPath).reply(403, refusal);
    expect(await serviceError(put())).toMatchObject({ kind: "permission", arrived: "maybe", status: 403 });
  });

  test("one refused at once was not done", async () => {
    nock(mdmHost).put(keyPath).reply(400, refusal);
    expect(await serviceError(put())).toMatchObject({ kind: "refused", arrived: "no" });
    expect(client.requests().writes).toBe(1);
  });

  test("one that was stopped between two attempts is in doubt", async () => {
    nock(mdmHost).put(keyPath).reply(504);
    const stop = new AbortController();
    made = openMdm({
      signal: stop.signal,
      onEvent: ({ type }) => {
        if (type === "retry") stop.abort();
      },
    });
    ({ client } = made);
    expect(await serviceError(put())).toMatchObject({ kind: "aborted", arrived: "maybe" });
    expect(client.requests().writes).toBe(1);
  });

  test("an answer about another record is none", async () => {
    nock(mdmHost)
      .put(keyPath)
      .times(9)
      .reply(200, { ...done, records: { ...done.records, source_id: "18" } });
    expect(await serviceError(put())).toMatchObject({ kind: "unreadable", arrived: "maybe" });
  });
});

describe("what an answer says of another record than was asked for is never believed:", () => {
  const overrides = (recordId: unknown): object => ({
    recordId,
    overrides: [{ attributeName: "src_name", value: "theirs" }],
  });
  test.each<readonly [string, string, (c: MasterDataWriteClient) => Promise<unknown>, object]>([
    ["a record by id", `${partyPath}/7`, (c) => c.records.record(party, { id: "7" }), shown(8)],
    ["a master by id", `${masterPath}/7`, (c) => c.records.record(master, { id: "7" }), shown(8)],
    ["a record by its key", keyPath, (c) => c.records.record(party, key), shown(18)],
    [
      "overrides of an instance",
      `${partyPath}/7/override`,
      (c) => c.records.overrides(party, "7"),
      overrides(8),
    ],
    ["of a master", `${masterPath}/7/override`, (c) => c.records.overrides(master, "7"), overrides("8")],
    ["a record of an endless id", `${partyPath}/7`, (c) => c.records.record(party, { id: "7" }), shown(1e21)],
    ["its overrides", `${partyPath}/7/override`, (c) => c.records.overrides(party, "7"), overrides(1e21)],
  ])("%s", async (_name, path, run, reply) => {
    nock(mdmHost).get(path).times(9).reply(200, reply);
    const error = await serviceError(run(client));
    expect(error).toMatchObject({ kind: "unreadable" });
    expect(error.message).toContain("another record");
  });

  test("an id is one however large it is, and an answer may leave it out", async () => {
    const id = "9007199254740993";
    nock(mdmHost)
      .get(`${partyPath}/${id}`)
      .reply(200, `{"metadata":{"id":${id}},"attributes":{}}`, { "content-type": "application/json" })
      .get(`${partyPath}/${id}/override`)
      .reply(200, { overrides: [] });
    expect(await client.records.record(party, { id })).toMatchObject({ id });
    expect(await client.records.overrides(party, id)).toEqual([]);
  });

  test.each(["7.0", "7e0", "70E-1"])("an id is the same one written as %s", async (id) => {
    const json = { "content-type": "application/json" };
    nock(mdmHost)
      .get(`${partyPath}/7`)
      .reply(200, `{"metadata":{"id":${id}},"attributes":{}}`, json)
      .get(`${partyPath}/7/override`)
      .reply(200, `{"recordId":${id},"overrides":[]}`, json);
    expect(await client.records.record(party, { id: "7" })).toMatchObject({ id: "7" });
    expect(await client.records.overrides(party, "7")).toEqual([]);
  });

  test("what the source has made up is told by how it is written", async () => {
    const body = `{"metadata":{"id":7},"attributes":{"source_id":17.0}}`;
    nock(mdmHost).get(`${partyPath}/7`).reply(200, body, { "content-type": "application/json" });
    expect(await client.records.record(party, { id: "7" })).toMatchObject({ sourceId: undefined });
  });
});

describe("repeated are", () => {
  const activity = { id: 7, origin: null, source_id: null, recordChange: "NONE" };
  test.each<readonly [string, (c: MasterDataWriteClient) => Promise<unknown>, number, nock.Body]>([
    ["activate", (c) => c.records.activate(party, "7"), 2, activity],
    ["deactivate", (c) => c.records.deactivate(master, "7"), 2, activity],
    ["setOverride", (c) => c.records.setOverride(party, "7", "a", 1), 2, ""],
    ["removeOverrides", (c) => c.records.removeOverrides(party, "7"), 2, ""],
    ["postInstance", (c) => c.records.postInstance(party, key, content, "body"), 2, done],
    [
      "not removeActivity: 500 could mean that it was done",
      (c) => c.records.removeActivity(party, "7"),
      1,
      "",
    ],
    ["not deactivateOnce: NONE is to say that it was so", (c) => c.records.deactivateOnce(party, "7"), 1, ""],
    ["not createMaster: it would be a second record", (c) => c.records.createMaster(master, content), 1, ""],
    ["not updateMaster", (c) => c.records.updateMaster(master, "7", {}), 1, ""],
    ["not deleteMaster", (c) => c.records.deleteMaster(master, "7"), 1, ""],
    ["not updateInstance", (c) => c.records.updateInstance(party, "7", content), 1, ""],
    ["not removeInstance", (c) => c.records.removeInstance(party, "7"), 1, ""],
  ])("%s", async (_name, run, sent, reply) => {
    const any = (): nock.Interceptor[] =>
      (["PUT", "POST", "DELETE"] as const).map((method) => nock(mdmHost).intercept(/./u, method));
    for (const lost of any()) lost.replyWithError(broken("ECONNRESET"));
    for (const good of any()) good.reply(200, reply);
    if (sent === 1) expect(await serviceError(run(client))).toMatchObject({ arrived: "maybe" });
    else await run(client);
    expect(client.requests()).toEqual({ reads: 0, writes: sent });
  });
});

describe("what cannot be sent as it is meant is refused before anything is sent", () => {
  test.each<readonly [string, (c: MasterDataWriteClient) => Promise<unknown>, string]>([
    [
      "a comma in a source id",
      (c) => c.records.putInstance(party, { ...key, sourceId: "1,2" }, content),
      "comma",
    ],
    [
      "one in an origin that goes into the body",
      (c) => c.records.postInstance(party, { ...key, origin: "a,b" }, content, "body"),
      "comma",
    ],
    [
      "an empty source id",
      (c) => c.records.putInstance(party, { ...key, sourceId: "" }, content),
      "no identifier",
    ],
    ["a source id of dots", (c) => c.records.record(party, { ...key, sourceId: ".." }), "no identifier"],
    [
      "a source id that makes its address another one",
      (c) => c.records.record(party, { ...key, sourceId: "override" }),
      "another one",
    ],
    [
      "such a one of the record whose master is asked for",
      (c) => c.records.record(master, { ...key, sourceId: "history" }),
      "another one",
    ],
    [
      "such a one that is to stand in the address",
      (c) => c.records.postInstance(party, { ...key, sourceId: "deactivate" }, content, "address"),
      "another one",
    ],
    ["an id that is none", (c) => c.records.record(party, { id: "7/override" }), "no id"],
    ["a comma in an entity", (c) => c.records.metadata({ layer: "instance", entity: "a,b" }), "comma"],
    [
      "a comma in what is searched for",
      (c) => collect(c.records.search(party, { source_id: ["a,b"] })),
      "comma",
    ],
    ["a search for no value", (c) => collect(c.records.search(party, { source_id: [] })), "everything"],
    ["a search for nothing", (c) => collect(c.records.search(party, {})), "everything"],
    [
      "a comma in a filter",
      (c) => collect(c.records.records(party, { matching: { src_name: ["a,b"] } })),
      "comma",
    ],
    [
      "a filter by no value",
      (c) => collect(c.records.records(party, { equal: { source_id: [] } })),
      "everything",
    ],
    [
      "a * in a value that is meant as it is",
      (c) => collect(c.records.records(party, { equal: { source_id: ["1*"] } })),
      "stands for anything",
    ],
    [
      "a filter by a column that is called like a parameter",
      (c) => collect(c.records.records(party, { matching: { page: ["1"] } })),
      "page",
    ],
    [
      "a filter given twice",
      (c) => collect(c.records.records(party, { matching: { a: ["1"] }, equal: { a: ["1"] } })),
      "twice",
    ],
    ["a column with a comma", (c) => collect(c.records.records(party, { columns: ["a,b"] })), "comma"],
    ["no columns", (c) => collect(c.records.records(party, { columns: [] })), "no column"],
    [
      "a sort with a direction in its name",
      (c) => collect(c.records.records(party, { sort: { column: "a:DESC" } })),
      "sorted",
    ],
    ["two relationships as one", (c) => collect(c.records.records(party, { preload: ["a,b"] })), "preload"],
    ["a count of 0", (c) => c.records.page(party, {}, { count: 0 }), "count"],
    [
      "a source_timestamp in Z",
      (c) => c.records.putInstance(party, key, { ...content, sourceTimestamp: "2026-01-01T00:00:00Z" }),
      "local time",
    ],
    [
      "a comma in the source id of a related record",
      (c) =>
        c.records.putInstance(party, key, {
          ...content,
          relationships: { addresses: [{ origin: "o", sourceId: "1,2", attributes: {} }] },
        }),
      "comma",
    ],
  ])("%s", async (_name, run, said) => {
    const error = await serviceError(run(client));
    expect(error).toMatchObject({ kind: "refused", arrived: "no" });
    expect(error.message).toContain("not sent");
    expect(error.message).toContain(said);
    expect(client.requests()).toEqual({ reads: 0, writes: 0 });
  });

  test("a moment is written with an offset", () => {
    expect(sourceTimestamp(Date.UTC(2026, 0, 2, 3, 4, 5, 6))).toBe("2026-01-02T03:04:05.006+00:00");
  });
});

describe("a record that is missing", () => {
  const missing = { message: "Record not found", exception: "com.example.RecordNotFoundException" };

  test("is told apart by asking for its entity, once", async () => {
    nock(mdmHost).get(keyPath).times(2).reply(400, missing);
    const entity = givePage(0, [], 1);
    expect(await client.records.record(party, key)).toBeUndefined();
    expect(await client.records.record(party, key)).toBeUndefined();
    expect(entity.isDone()).toBe(true);
    expect(client.requests().reads).toBe(3);
  });

  test.each([400, 404])("is not what a %i of its entity means", async (status) => {
    nock(mdmHost).get(keyPath).reply(400, missing);
    nock(mdmHost).get("/api/rest/instance/party").query(true).reply(status, missing);
    const error = await serviceError(client.records.record(party, key));
    expect(error).toMatchObject({ kind: "refused", status: 400 });
    expect(error.message).toContain("Record not found");
    expect(error.problem).toEqual({ type: missing.exception, detail: missing.message });
  });

  test("is not known when the entity cannot be asked for", async () => {
    nock(mdmHost).get(keyPath).times(2).reply(400, missing);
    nock(mdmHost).get("/api/rest/instance/party").query(true).reply(403, missing);
    expect(await serviceError(client.records.record(party, key))).toMatchObject({ kind: "permission" });
    givePage(0, [], 1);
    expect(await client.records.record(party, key)).toBeUndefined();
  });

  test("is not what a 400 of somebody in between means", async () => {
    nock(mdmHost).get(keyPath).reply(400, "<html>Bad Request</html>");
    expect(await serviceError(client.records.record(party, key))).toMatchObject({
      kind: "refused",
      status: 400,
    });
    expect(client.requests().reads).toBe(1);
  });
});

describe("a list", () => {
  const ids = async (): Promise<readonly string[]> =>
    (await collect(client.records.records(party, {}, { count: 2 }))).flatMap(({ records }) =>
      records.map(({ id }) => id),
    );

  test("ends with an empty page: a short one may be all that a server gives at once", async () => {
    givePage(0, [1, 2], 2);
    givePage(2, [3], 2);
    givePage(3, [4], 2);
    givePage(4, [], 2);
    expect(await ids()).toEqual(["1", "2", "3", "4"]);
  });

  test("goes on from an offset", async () => {
    givePage(40, [41], 2);
    givePage(41, [], 2);
    const pages = await collect(client.records.records(party, {}, { offset: 40, count: 2 }));
    expect(pages.map(({ next }) => next)).toEqual([41]);
  });

  test.each([
    ["the same page again and again", (page: number) => (page < 1 ? [1, 2] : [1, 2])],
    ["the same short page", () => [1]],
    ["three pages in turn", (page: number) => [(page % 3) * 2 + 1, (page % 3) * 2 + 2]],
  ])("that goes round ends as an error: %s", async (_name, content) => {
    for (let page = 0, offset = 0; page < 20; page += 1) {
      const shownIds = content(page);
      givePage(offset, shownIds, 2);
      offset += shownIds.length;
    }
    const error = await serviceError(ids());
    expect(error).toMatchObject({ kind: "cursor-repeated" });
    expect(error.message).toContain("cannot be completed");
  });

  test("may show a record again that a change has shifted onto its last page", async () => {
    givePage(0, [1, 2], 2);
    givePage(2, [3, 4], 2);
    givePage(4, [4], 2);
    givePage(5, [], 2);
    expect(await ids()).toEqual(["1", "2", "3", "4", "4"]);
  });

  test.each([
    "{}",
    '"x"',
    "null",
    "",
    '{"a":[],"b":[]}',
    '[{"metadata":{}}]',
    '[{"metadata":{"id":"x"},"attributes":{}}]',
    '{"message":"Write failed","exception":"com.example.WriteException","suppressed":[]}',
    '{"records":[],"error":"the database cannot be reached"}',
    '{"records":[],"error":{"code":7}}',
  ])("is never taken for empty: %s is unreadable", async (text) => {
    nock(mdmHost).get("/api/rest/instance/party").query(true).times(9).reply(200, text);
    expect(await serviceError(ids())).toMatchObject({ kind: "unreadable" });
  });

  test("is read from an envelope with one array too", async () => {
    nock(mdmHost)
      .get("/api/rest/instance/party")
      .query(true)
      .reply(200, { records: [shown(1)], total: 1 });
    givePage(1, [], 2);
    expect(await ids()).toEqual(["1"]);
  });

  test("ids that JavaScript cannot count stay what they are", async () => {
    const large = "9007199254740993123";
    const text = JSON.stringify([shown(1)]).replace('"id":1', `"id":${large}`);
    nock(mdmHost).get("/api/rest/instance/party").query(true).reply(200, text);
    givePage(1, [], 2);
    expect(await ids()).toEqual([large]);
  });
});

test("what tells of an error has set no override, and is no list of names", async () => {
  const answer = { ...refusal, suppressed: [] };
  nock(mdmHost).put("/api/rest/instance/party/7/override/src_name").times(9).reply(200, answer);
  const setting = client.records.setOverride(party, "7", "src_name", "Ada");
  expect(await serviceError(setting)).toMatchObject({ kind: "unreadable", arrived: "maybe" });
  nock(mdmHost).get("/api/rest/instance").reply(200, answer);
  expect(await client.records.entities()).toBeUndefined();
});

test("a filter by a column of any name goes out", async () => {
  const column = Object.fromEntries([["__proto__", ["a"]]]);
  const asked = nock(mdmHost)
    .get("/api/rest/instance/party")
    .query((query) => JSON.stringify(Object.entries(query)).includes('["__proto__","a"]'))
    .reply(200, []);
  expect((await client.records.page(party, { matching: column }, {})).records).toEqual([]);
  expect(asked.isDone()).toBe(true);
});

describe("identify that finds nothing", () => {
  test.each(["", "null", "{}", "[]"])("%j", async (text) => {
    nock(mdmHost)
      .post(/identify$/u)
      .reply(200, text);
    const input = { sourceSystem: "crm", record: { attributes: {} } };
    expect(await client.records.identify(master, input)).toBeUndefined();
  });
});

describe("who asks", () => {
  test.each([301, 302, 303, 307, 308])(
    "a redirect (%i) is followed nowhere, with or without the password",
    async (status) => {
      nock(mdmHost)
        .get("/api/rest/")
        .reply(status, "", { location: "https://elsewhere.example.com/api/rest/" });
      nock(mdmHost)
        .put(keyPath)
        .reply(status, "", { location: `${mdmHost}/login` });
      const elsewhere = nock("https://elsewhere.example.com").get("/api/rest/").reply(200, {});
      expect(await serviceError(client.records.directory())).toMatchObject({ kind: "sign-in", status });
      expect(await serviceError(put())).toMatchObject({ kind: "sign-in", status });
      expect(elsewhere.isDone()).toBe(false);
      expect(client.requests()).toEqual({ reads: 1, writes: 1 });
    },
  );

  test("what an answer echoes of user and password is masked", async () => {
    const echo = `${basicHeader} ${username}:${password} ${password}`;
    nock(mdmHost)
      .get("/api/rest/")
      .reply(403, { message: echo, exception: `x.${password}` });
    const error = await serviceError(client.records.directory());
    expect(error).toMatchObject({ kind: "permission" });
    expect(error.message).toContain(`user "${username}" has no permission`);
    const all = JSON.stringify([error.message, error, made.events]);
    for (const secret of [password, basicHeader.slice("Basic ".length)]) expect(all).not.toContain(secret);
  });

  test("an address that nobody has ever answered at fails at once, one that has is waited for", async () => {
    nock(mdmHost).get("/api/rest/").times(20).replyWithError(broken("ECONNREFUSED"));
    expect(await serviceError(client.records.directory())).toMatchObject({ kind: "unreachable" });
    expect(client.requests().reads).toBe(3);
    nock.cleanAll();
    givePage(0, [], 500);
    await collect(client.records.records(party));
    nock(mdmHost).get("/api/rest/").times(5).replyWithError(broken("ECONNREFUSED"));
    nock(mdmHost).get("/api/rest/").reply(200, { name: "mdm", version: "1.0", rwmode: "RW", uris: {} });
    expect((await client.records.directory()).isWritable).toBe(true);
  });
});

describe("where there is no history", () => {
  test("404 is no history, 500 is an error", async () => {
    nock(mdmHost).get("/api/rest/history").reply(404, refusal);
    nock(mdmHost).get(`${keyPath}/history`).reply(404, refusal);
    nock(mdmHost).get("/api/rest/instance/party/history/metadata").reply(404, refusal);
    expect(await client.records.historised()).toBeUndefined();
    expect(await client.records.history(party, key)).toBeUndefined();
    expect(await client.records.historyMetadata(party)).toBeUndefined();
    nock(mdmHost).get("/api/rest/history").times(50).reply(501, refusal);
    expect(await serviceError(client.records.historised())).toMatchObject({ kind: "server" });
  });
});
