import nock from "nock";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import type { ReadClient } from "../../src/service/index.ts";
import { openReadClient, openWriteClient } from "../../src/service/index.ts";
import { closeNetwork, giveToken, host, openNetwork } from "./nocked.ts";
import { collect, environment, serviceError, setup, urn } from "./support.ts";

const path = "/api/catalog/v1/terms";
let client: ReadClient;

beforeEach(() => {
  closeNetwork();
  giveToken();
  client = openReadClient(environment, setup().options);
});
afterAll(openNetwork);

const term = (number: number): object => ({ urn: urn("catalog:term", number), name: `t${number}` });

function page(after: string | undefined, numbers: readonly number[], meta: object): nock.Scope {
  return nock(host)
    .get(path)
    .query(after === undefined ? { size: "100" } : { size: "100", after })
    .reply(200, { meta, data: numbers.map(term) });
}

test("follows the cursor and passes every page on as it comes", async () => {
  page(undefined, [1, 2], { next: "c 1", total: 3 });
  page("c 1", [3], { next: null, total: 3 });
  const pages = await collect(client.catalog.terms());
  expect(pages).toEqual([
    { items: [term(1), term(2)], place: { before: 0 }, total: 3 },
    { items: [term(3)], place: { after: "c 1", before: 2 }, total: 3 },
  ]);
  expect(client.requests()).toEqual({ reads: 2, writes: 0 });
});

test("an empty list is one empty page", async () => {
  page(undefined, [], { total: 0 });
  expect(await collect(client.catalog.terms())).toEqual([{ items: [], place: { before: 0 }, total: 0 }]);
});

test("a list that ends before the total it states is not complete (README, promise 4)", async () => {
  page(undefined, [1, 2], { next: "c 1", total: 5 });
  page("c 1", [3], { total: 5 });
  const error = await serviceError(collect(client.catalog.terms()));
  expect(error).toMatchObject({ kind: "unreadable" });
  expect(error.message).toContain("ended after 3 of 5");
});

test.each([
  ["an empty one", []],
  ["one that brings something", [3]],
])("nor is one whose last page states none any more, after others did: %s", async (_name, last) => {
  page(undefined, [1, 2], { next: "c 1", total: 5 });
  page("c 1", last, {});
  const error = await serviceError(collect(client.catalog.terms()));
  expect(error).toMatchObject({ kind: "unreadable" });
  expect(error.message).toContain(`ended after ${2 + last.length} of 5`);
});

test("a total that one page alone states is enough where the list has as many", async () => {
  page(undefined, [1, 2], { next: "c 1", total: 3 });
  page("c 1", [3], { next: null });
  expect((await collect(client.catalog.terms())).flatMap(({ items }) => items)).toHaveLength(3);
});

test("asks for the next page only when it is wanted", async () => {
  page(undefined, [1], { next: "a" });
  for await (const _first of client.catalog.terms()) break;
  expect(client.requests().reads).toBe(1);
});

describe("a listing that does not advance is an error, not an end", () => {
  test.each([
    ["the same cursor", () => [page(undefined, [1], { next: "a" }), page("a", [2], { next: "a" })]],
    [
      "a cursor of two pages ago",
      () => [
        page(undefined, [1], { next: "a" }),
        page("a", [2], { next: "b" }),
        page("b", [3], { next: "a" }),
      ],
    ],
    ["an empty page with a next one", () => [page(undefined, [], { next: "a" })]],
    [
      "the same items again",
      () => [page(undefined, [1, 2], { next: "a" }), page("a", [1, 2], { next: "b" })],
    ],
    ["the same items at the end", () => [page(undefined, [1, 2], { next: "a" }), page("a", [1, 2], {})]],
  ])("%s", async (_name, prepare) => {
    prepare();
    const error = await serviceError(collect(client.catalog.terms()));
    expect(error).toMatchObject({ kind: "cursor-repeated", method: "GET", path });
  });
});

describe("a page of another shape is unreadable", () => {
  test.each([
    ["no meta: complete or not, nobody knows", { data: [] }],
    ["no data", { meta: {} }],
    ["data is no list", { meta: {}, data: {} }],
    ["an item without a urn", { meta: {}, data: [{ name: "x" }] }],
    ["an item that is null", { meta: {}, data: [null] }],
    ["an empty cursor", { meta: { next: "" }, data: [term(1)] }],
    ["a cursor that is no string", { meta: { next: 7 }, data: [term(1)] }],
    ["a bare list", [term(1)]],
  ])("%s", async (_name, body) => {
    nock(host).get(path).query(true).times(9).reply(200, body);
    expect(await serviceError(collect(client.catalog.terms()))).toMatchObject({ kind: "unreadable" });
  });
});

test("an error in the middle of a listing is an error of the listing", async () => {
  page(undefined, [1], { next: "a" });
  nock(host).get(path).query(true).reply(403, { title: "Forbidden" });
  expect(await serviceError(collect(client.catalog.terms()))).toMatchObject({ kind: "permission" });
});

test("the filter keeps its criteria on every page and is a read, also for a client that cannot write", async () => {
  const filter = { urn: { in: [urn("catalog:catalog-item", 1)] } };
  const scope = nock(host).post("/api/catalog/v1/catalog-items/filter", { filter }).query({ size: "100" });
  scope.reply(200, { meta: { next: "a" }, data: [term(1)] });
  nock(host)
    .post("/api/catalog/v1/catalog-items/filter", { filter })
    .query({ size: "100", after: "a" })
    .reply(200, { meta: {}, data: [term(2)] });
  expect(await collect(client.catalog.filterCatalogItems(filter))).toHaveLength(2);
  expect(client.requests()).toEqual({ reads: 2, writes: 0 });
});

describe("objects arrive as they were sent", () => {
  const raw = `{"zeta":1,"urn":"${urn("catalog:term", 1)}","__proto__":{"polluted":true},"alpha":{"__proto__":null,"10":1,"2":2},"nobody":["knows",null]}`;

  test("unknown fields, their order and a field named __proto__", async () => {
    nock(host).get(/terms/u).reply(200, raw, { "content-type": "application/json" });
    const term = await client.catalog.term(urn("catalog:term", 1));
    expect(JSON.stringify(term)).toBe(JSON.stringify(JSON.parse(raw)));
    expect(Object.keys(term ?? {})).toEqual(["zeta", "urn", "__proto__", "alpha", "nobody"]);
    expect(Object.getPrototypeOf(term)).toBe(Object.prototype);
  });

  test("in lists and batch results too", async () => {
    const writer = openWriteClient(environment, setup().options);
    giveToken();
    nock(host).get(path).query(true).reply(200, `{"meta":{},"data":[${raw}]}`);
    const [first] = await collect(client.catalog.terms());
    expect(JSON.stringify(first?.items[0])).toBe(JSON.stringify(JSON.parse(raw)));
    nock(host).post(/rules/u).reply(207, `{"results":[{"status":"OK","data":${raw}}]}`);
    const answer = await writer.quality.createRules([{}]);
    expect(JSON.stringify(answer.results[0]?.data)).toBe(JSON.stringify(JSON.parse(raw)));
  });
});

describe("absent and unknown are different things", () => {
  const term1 = urn("catalog:term", 1);
  test.each([
    [
      "a problem body",
      { type: "RESOURCE_NOT_FOUND", title: "Resource Not Found" },
      "application/problem+json",
    ],
    [
      "a problem body without a content type",
      { type: "RESOURCE_NOT_FOUND", title: "Resource Not Found" },
      undefined,
    ],
  ])("404 with %s is absent", async (_name, body, type) => {
    nock(host)
      .get(/terms/u)
      .reply(404, body, type === undefined ? {} : { "content-type": type });
    expect(await client.catalog.term(term1)).toBeUndefined();
  });

  test.each([
    ["a page of a proxy", "<html>404 page not found</html>", "text/html"],
    ["nothing at all", "", undefined],
    ["plain text", "404 page not found", "text/plain"],
    ["a JSON content type alone", "", "application/json"],
    ["what a gateway says", { message: "no Route matched with those values" }, "application/json"],
    ["what a framework says", { status: 404, error: "Not Found", path: "/x" }, "application/json"],
    ["a detail alone", { detail: "Not Found" }, "application/json"],
    [
      "a problem whose type is a chapter of a standard",
      {
        type: "https://tools.ietf.org/html/rfc9110#section-15.5.5",
        title: "Not Found",
        status: 404,
        traceId: "00-1",
      },
      "application/problem+json",
    ],
    [
      "a problem whose type is an entry of a list of statuses",
      { type: "https://httpstatuses.io/404", title: "Not Found", status: 404 },
      "application/problem+json",
    ],
    [
      "a problem of no type of its own",
      { type: "about:blank", title: "Not Found", status: 404 },
      "application/problem+json",
    ],
  ])("404 with %s is an error", async (_name, body, type) => {
    nock(host)
      .get(/terms/u)
      .reply(404, body, type === undefined ? {} : { "content-type": type });
    const error = await serviceError(client.catalog.term(term1));
    expect(error).toMatchObject({ kind: "refused", status: 404 });
  });

  test("404 for a list is an error", async () => {
    nock(host).get(path).query(true).reply(404, { type: "RESOURCE_NOT_FOUND", title: "Resource Not Found" });
    expect(await serviceError(collect(client.catalog.terms()))).toMatchObject({ kind: "not-found" });
  });

  test("the workflow says how long to wait, and that holds nobody back", async () => {
    nock(host)
      .get(/workflows/u)
      .reply(200, { urn: "w", status: "RUNNING" }, { "retry-after": "7" });
    const { options, clock } = setup();
    giveToken();
    const other = openReadClient(environment, options);
    expect(await other.processing.workflow("w")).toEqual({
      body: { urn: "w", status: "RUNNING" },
      retryAfterMs: 7000,
    });
    nock(host).get(/terms/u).reply(200, term(1));
    await other.catalog.term(term1);
    expect(clock.sleeps).toEqual([]);
  });

  test.each(["", ".", "..", "\ud800"])("%j addresses no other resource: nothing is sent", async (urn) => {
    const writer = openWriteClient(environment, setup().options);
    expect(await serviceError(client.catalog.term(urn))).toMatchObject({ kind: "refused", arrived: "no" });
    expect(await serviceError(writer.catalog.deleteTerm(urn))).toMatchObject({
      kind: "refused",
      arrived: "no",
    });
    expect(writer.requests()).toEqual({ reads: 0, writes: 0 });
  });

  test("a slash in an identifier stays inside its segment", async () => {
    nock(host).get("/api/catalog/v1/terms/..%2F..%2Fusers%3Fa").reply(200, term(1));
    expect(await client.catalog.term("../../users?a")).toEqual(term(1));
  });

  test("a property name with a comma would ask for two others: nothing is sent", async () => {
    const error = await serviceError(client.catalog.term(term1, { extraProperties: ["a,b"] }));
    expect(error).toMatchObject({ kind: "refused", arrived: "no", method: "GET" });
    expect(error.message).toContain("a,b");
  });
});
