import nock from "nock";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import type { MasterDataWriteClient } from "../../src/service/index.ts";
import { openMasterDataReadClient } from "../../src/service/index.ts";
import { basicHeader, key, keyPath, master, mdmHost, openMdm, party, shown } from "./mdm-nocked.ts";
import { closeNetwork, openNetwork } from "./nocked.ts";
import { collect, setup } from "./support.ts";

type Run = (client: MasterDataWriteClient) => Promise<unknown> | AsyncIterable<unknown>;
/** A method, the request that must go out, the answer and the result. */
type Row = readonly [
  name: string,
  run: Run,
  request: readonly [
    method: "GET" | "POST" | "PUT" | "DELETE",
    path: string,
    query?: object,
    body?: nock.DataMatcherMap,
  ],
  reply: nock.Body | undefined,
  result: unknown,
];

const paged = { offset: "0", count: "500" };
const record = expect.objectContaining({ id: "7", origin: key.origin, sourceId: "7", isActive: true });
const seventeen = { ...shown(7), attributes: { source_id: key.sourceId, src_name: "n17" } };
const content = { attributes: { src_name: "Ada, Countess" } };
const inserted = {
  result: "ok",
  records: {
    id: 7,
    origin: key.origin,
    source_id: "17",
    recordChange: "INSERT",
    attributes: { master_id: 3 },
  },
};
const updated = {
  result: "ok",
  records: {
    entity: { action: "UPDATED", id: 7, origin: key.origin, source_id: "17", attributes: { master_id: 3 } },
    relationships: { addresses: { entity: { action: "NONE", id: 9 } } },
  },
};
const insertion = { change: "INSERT", id: "7", masterId: "3", related: {}, body: inserted };
const update = {
  change: "UPDATED",
  id: "7",
  masterId: "3",
  related: { addresses: [{ change: "NONE", id: "9" }] },
  body: updated,
};
const masterChange = (recordChange: string): object => ({ result: "ok", records: { id: 7, recordChange } });
const activityAnswer = { id: 7, origin: null, source_id: null, recordChange: "UPDATE" };
const overrideList = {
  recordType: "instance",
  entityType: "party",
  recordId: 7,
  overrides: [{ attributeName: "src_name", value: null }],
};
const names = ["party", "address"];
const history = [
  {
    ...shown(7),
    metadata: { id: 7, active: false, validFrom: "2026-01-02T00:00:00Z", validTo: null },
  },
];

const reads: readonly Row[] = [
  [
    "directory",
    (c) => c.records.directory(),
    ["GET", "/api/rest/"],
    { name: "mdm", version: "1.0", rwmode: "RO", uris: { instance: "x", purge: "y" } },
    { name: "mdm", version: "1.0", isWritable: false, offers: ["instance", "purge"] },
  ],
  ["entities", (c) => c.records.entities(), ["GET", "/api/rest/instance"], names, names],
  ["views", (c) => c.records.views(), ["GET", "/api/rest/master"], [{ name: "masters" }], ["masters"]],
  [
    "entitiesOf",
    (c) => c.records.entitiesOf("a view"),
    ["GET", "/api/rest/master/a%20view"],
    { party: [] },
    [],
  ],
  [
    "metadata",
    (c) => c.records.metadata(party),
    ["GET", "/api/rest/instance/party/metadata"],
    { columns: [{ name: "src_name", type: "STRING" }], relationships: ["addresses"] },
    {
      columns: [{ name: "src_name", leadsTo: "STRING" }],
      relationships: [{ name: "addresses", leadsTo: undefined }],
      body: expect.anything(),
    },
  ],
  [
    "record by origin and source id",
    (c) => c.records.record(party, key),
    ["GET", keyPath],
    seventeen,
    expect.objectContaining({ id: "7", origin: key.origin, sourceId: key.sourceId, isActive: true }),
  ],
  [
    "record of a master by id",
    (c) => c.records.record(master, { id: "7" }),
    ["GET", "/api/rest/master/masters/party/7"],
    shown(7),
    record,
  ],
  [
    "page, with all that a list can be asked for",
    (c) =>
      c.records.page(
        party,
        {
          columns: ["source_id", "src_name"],
          sort: { column: "src_name", direction: "DESC" },
          matching: { src_name: ["A*", "B"], eng_active: ["true"] },
          equal: { source_id: ["7", "8"] },
          preload: ["addresses(cmo_type=Home,cmo_state=US)", "addresses.instances"],
        },
        { offset: 20, count: 10 },
      ),
    [
      "GET",
      "/api/rest/instance/party",
      {
        columns: "source_id,src_name",
        sort: "src_name:DESC",
        src_name: "A*,B",
        eng_active: "true",
        source_id: "7,8",
        preload: "addresses(cmo_type=Home,cmo_state=US),addresses.instances",
        offset: "20",
        count: "10",
      },
    ],
    [shown(7)],
    { records: [record], next: 21 },
  ],
  ["records", (c) => c.records.records(party), ["GET", "/api/rest/instance/party", paged], [], []],
  [
    "search",
    (c) => c.records.search(party, { source_id: ["1*", "2"], src_age: [7] }),
    ["POST", "/api/rest/instance/party/search", paged, { source_id: ["1*", "2"], src_age: [7] }],
    [],
    [],
  ],
  [
    "identify",
    (c) => c.records.identify(master, { sourceSystem: "crm", record: { attributes: { src_name: "Ada" } } }),
    [
      "POST",
      "/api/rest/master/masters/party/identify",
      {},
      { sourceSystem: "crm", record: { attributes: { src_name: "Ada" } } },
    ],
    {
      matchMetadata: { matchRelatedId: 5, matchQuality: 0.9, matchRuleName: "same_email" },
      record: shown(7),
      proposals: [{ masterId: 8, matchRelatedId: 6, matchQuality: 0.5, matchRuleName: "same_name" }],
    },
    {
      match: { masterId: "7", relatedId: "5", quality: 0.9, rule: "same_email", record },
      proposals: [{ masterId: "8", relatedId: "6", quality: 0.5, rule: "same_name", record: undefined }],
      body: expect.anything(),
    },
  ],
  ["historised", (c) => c.records.historised(), ["GET", "/api/rest/history"], names, names],
  [
    "historyMetadata",
    (c) => c.records.historyMetadata(master),
    ["GET", "/api/rest/master/masters/party/history/metadata"],
    { columns: ["cmo_name"] },
    {
      columns: [{ name: "cmo_name", leadsTo: undefined }],
      relationships: undefined,
      body: { columns: ["cmo_name"] },
    },
  ],
  [
    "history at a moment",
    (c) => c.records.history(master, { id: "7" }, { at: "2026-01-01T00:00:00+00:00" }),
    ["GET", "/api/rest/master/masters/party/7/history", { at: "2026-01-01T00:00:00+00:00" }],
    [],
    [],
  ],
  [
    "history",
    (c) => c.records.history(party, key, { from: "2026-01-01T00:00:00+00:00", to: "2026-02-01T00:00:00Z" }),
    ["GET", `${keyPath}/history`, { from: "2026-01-01T00:00:00+00:00", to: "2026-02-01T00:00:00Z" }],
    history,
    [
      expect.objectContaining({
        id: "7",
        validFrom: "2026-01-02T00:00:00Z",
        validTo: undefined,
        isActive: false,
      }),
    ],
  ],
  [
    "overrides",
    (c) => c.records.overrides(party, "7"),
    ["GET", "/api/rest/instance/party/7/override"],
    overrideList,
    [{ attribute: "src_name", original: null }],
  ],
  [
    "overrides of one attribute of a master",
    (c) => c.records.overrides(master, "7", "cmo_name"),
    ["GET", "/api/rest/master/masters/party/7/override/cmo_name"],
    { ...overrideList, overrides: [] },
    [],
  ],
];

const writes: readonly Row[] = [
  [
    "putInstance",
    (c) => c.records.putInstance(party, key, content),
    ["PUT", keyPath, {}, content],
    inserted,
    insertion,
  ],
  ...["activate", "deactivate", "remove-activity", "override", "history"].map((word): Row => [
    `putInstance, where its address would be another one (${word})`,
    (c) => c.records.putInstance(party, { ...key, sourceId: word }, content),
    [
      "POST",
      "/api/rest/instance/party",
      {},
      { origin: key.origin, source_id: word, attributes: content.attributes },
    ],
    { ...inserted, records: { ...inserted.records, source_id: word } },
    { ...insertion, body: { ...inserted, records: { ...inserted.records, source_id: word } } },
  ]),
  [
    "postInstance, known in the body",
    (c) =>
      c.records.postInstance(
        party,
        key,
        {
          ...content,
          sourceTimestamp: "2026-01-01T00:00:00+00:00",
          relationships: {
            addresses: [{ origin: "crm#address#Dev", sourceId: "1", attributes: { src_city: "Oslo" } }],
          },
        },
        "body",
      ),
    [
      "POST",
      "/api/rest/instance/party",
      {},
      {
        origin: key.origin,
        source_id: "17",
        source_timestamp: "2026-01-01T00:00:00+00:00",
        ...content,
        relationships: {
          addresses: [{ origin: "crm#address#Dev", source_id: "1", attributes: { src_city: "Oslo" } }],
        },
      },
    ],
    updated,
    update,
  ],
  [
    "postInstance, known by its address",
    (c) => c.records.postInstance(party, key, content, "address"),
    ["POST", keyPath, {}, content],
    inserted,
    insertion,
  ],
  [
    "updateInstance",
    (c) => c.records.updateInstance(party, "7", content),
    ["PUT", "/api/rest/instance/party/7", {}, content],
    updated,
    update,
  ],
  [
    "removeInstance",
    (c) => c.records.removeInstance(party, "7"),
    ["DELETE", "/api/rest/instance/party/7"],
    { result: "ok", records: { entity: { id: 7, action: "DEACTIVATED" } } },
    expect.objectContaining({ change: "DEACTIVATED", id: "7", masterId: undefined }),
  ],
  [
    "createMaster",
    (c) => c.records.createMaster(master, content),
    ["POST", "/api/rest/master/masters/party", {}, content],
    {
      result: "ok",
      records: {
        id: 7,
        recordChange: "INSERT",
        relationships: { addresses: [{ id: 8, recordChange: "INSERT" }] },
      },
    },
    expect.objectContaining({
      change: "INSERT",
      id: "7",
      related: { addresses: [{ change: "INSERT", id: "8" }] },
    }),
  ],
  [
    "updateMaster",
    (c) => c.records.updateMaster(master, "7", content.attributes),
    ["PUT", "/api/rest/master/masters/party/7", {}, content],
    masterChange("UPDATE"),
    expect.objectContaining({ change: "UPDATE", id: "7" }),
  ],
  [
    "updateMaster",
    (c) => c.records.updateMaster(master, "7", content.attributes),
    ["PUT", "/api/rest/master/masters/party/7", {}, content],
    { id: 7, recordChange: "UPDATE" },
    expect.objectContaining({ change: "UPDATE", id: "7" }),
  ],
  [
    "deleteMaster",
    (c) => c.records.deleteMaster(master, "7"),
    ["DELETE", "/api/rest/master/masters/party/7"],
    masterChange("DELETE"),
    expect.objectContaining({ change: "DELETE", id: "7" }),
  ],
  [
    "deleteMaster",
    (c) => c.records.deleteMaster(master, "7"),
    ["DELETE", "/api/rest/master/masters/party/7"],
    { id: 7, recordChange: "DELETE" },
    expect.objectContaining({ change: "DELETE", id: "7" }),
  ],
  [
    "activate",
    (c) => c.records.activate(party, "7"),
    ["PUT", "/api/rest/instance/party/7/activate"],
    activityAnswer,
    { change: "UPDATE", id: "7" },
  ],
  [
    "deactivate",
    (c) => c.records.deactivate(master, "7"),
    ["PUT", "/api/rest/master/masters/party/7/deactivate"],
    { ...activityAnswer, recordChange: "NONE" },
    { change: "NONE", id: "7" },
  ],
  [
    "deactivateOnce",
    (c) => c.records.deactivateOnce(party, "7"),
    ["PUT", "/api/rest/instance/party/7/deactivate"],
    activityAnswer,
    { change: activityAnswer.recordChange, id: "7" },
  ],
  [
    "removeActivity",
    (c) => c.records.removeActivity(party, "7"),
    ["PUT", "/api/rest/instance/party/7/remove-activity"],
    activityAnswer,
    { change: "UPDATE", id: "7" },
  ],
  [
    "setOverride",
    (c) => c.records.setOverride(party, "7", "src_name", null),
    ["PUT", "/api/rest/instance/party/7/override/src_name", {}, { value: null }],
    undefined,
    undefined,
  ],
  [
    "setOverrides",
    (c) => c.records.setOverrides(party, "7", { src_name: "a,b", src_age: 3 }),
    [
      "PUT",
      "/api/rest/instance/party/7/override",
      {},
      {
        overrides: [
          { attributeName: "src_name", value: "a,b" },
          { attributeName: "src_age", value: 3 },
        ],
      },
    ],
    undefined,
    undefined,
  ],
  [
    "removeOverride",
    (c) => c.records.removeOverride(party, "7", "src_name"),
    ["DELETE", "/api/rest/instance/party/7/override/src_name"],
    undefined,
    undefined,
  ],
  [
    "removeOverrides",
    (c) => c.records.removeOverrides(party, "7"),
    ["DELETE", "/api/rest/instance/party/7/override"],
    undefined,
    undefined,
  ],
];

beforeEach(closeNetwork);
afterAll(openNetwork);

describe.each([
  ["read", reads],
  ["write", writes],
] as const)("each %s sends what document 3 says, and gives what it says", (care, rows) => {
  test.each(rows)("%s", async (_name, run, [method, path, query = {}, sent], reply, result) => {
    const scope = nock(mdmHost, {
      reqheaders: {
        authorization: basicHeader,
        accept: "application/json",
        "user-agent": "urn-ferry/test",
        "x-request-id": /^[0-9a-f-]{36}$/u,
        ...(sent === undefined ? {} : { "content-type": "application/json" }),
      },
    })
      .intercept(path, method, sent)
      .query(query as Record<string, string>)
      .reply(200, reply);
    const { client } = openMdm();
    const work = run(client);
    expect(Symbol.asyncIterator in work ? await collect(work) : await work).toEqual(result);
    expect(scope.isDone()).toBe(true);
    expect(client.requests()).toEqual(care === "read" ? { reads: 1, writes: 0 } : { reads: 0, writes: 1 });
  });

  test("each method has a row", () => {
    const called = new Set(rows.map(([, run]) => /c\.records\s*\.(\w+)/u.exec(run.toString())?.[1] ?? ""));
    const { client, options } = openMdm();
    const readOnly = openMasterDataReadClient(
      { name: "x", baseUrl: mdmHost, username: "u", password: "p" },
      setup(options).options,
    );
    const all = Object.keys(care === "read" ? readOnly.records : client.records);
    expect([...called].toSorted()).toEqual(
      all.filter((name) => care === "read" || !(name in readOnly.records)).toSorted(),
    );
  });
});

test("a read client has none of the writes, in fact and not only by type", () => {
  const { client, options } = openMdm();
  const environment = { name: "x", baseUrl: mdmHost, username: "u", password: "p" };
  const readOnly = openMasterDataReadClient(environment, options);
  expect(Object.keys(client.records).length - Object.keys(readOnly.records).length).toBe(15);
  expect(Object.isFrozen(readOnly.records)).toBe(true);
  expect(JSON.stringify(client)).not.toContain("s3cr3t");
});
