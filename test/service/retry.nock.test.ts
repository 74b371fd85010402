import nock from "nock";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import type { WriteClient } from "../../src/service/index.ts";
import { openWriteClient } from "../../src/service/index.ts";
import { closeNetwork, giveToken, host, openNetwork, tokenPath } from "./nocked.ts";
import type { Setup } from "./support.ts";
import { environment, serviceError, setup, urn } from "./support.ts";

let client: WriteClient;
let made: Setup;
const term = urn("catalog:term", 1);
const good = { urn: term };

function open(more: Parameters<typeof setup>[0] = {}): void {
  made = setup(more);
  client = openWriteClient(environment, made.options);
}

beforeEach(() => {
  closeNetwork();
  giveToken();
  open();
});
afterAll(openNetwork);

/** One more time than the client is ever expected to ask. */
const ever = 50;
const broken = (code: string, extra = {}): Error => Object.assign(new Error(code), { code, ...extra });

describe("a read is tried again", () => {
  test.each([500, 502, 503, 504, 429, 408])("after %i", async (status) => {
    nock(host).get(/terms/u).times(3).reply(status);
    nock(host).get(/terms/u).reply(200, good);
    expect(await client.catalog.term(term)).toEqual(good);
    expect(client.requests().reads).toBe(4);
    // Half of 500, 1000 and 2000.
    expect(made.clock.sleeps).toEqual([250, 500, 1000]);
  });

  test.each(["<html>", '{"urn":', '{"name":"x"}', ""])("after the unreadable answer %j", async (body) => {
    nock(host).get(/terms/u).times(2).reply(200, body);
    nock(host).get(/terms/u).reply(200, good);
    expect(await client.catalog.term(term)).toEqual(good);
  });

  test("but not for long when the answer stays unreadable", async () => {
    nock(host).get(/terms/u).times(ever).reply(200, "<html>");
    expect(await serviceError(client.catalog.term(term))).toMatchObject({ kind: "unreadable" });
    expect(client.requests().reads).toBe(3);
  });

  test.each(["ECONNREFUSED", "ECONNRESET", "UND_ERR_SOCKET", "EAI_AGAIN"])("after %s", async (code) => {
    nock(host).get(/terms/u).times(4).replyWithError(broken(code));
    nock(host).get(/terms/u).reply(200, good);
    expect(await client.catalog.term(term)).toEqual(good);
  });

  test.each([
    ["ENOTFOUND", 3],
    ["CERT_HAS_EXPIRED", 1],
    ["DEPTH_ZERO_SELF_SIGNED_CERT", 1],
  ])("%s: asked %i times", async (code, times) => {
    nock(host).get(/terms/u).times(ever).replyWithError(broken(code));
    expect(await serviceError(client.catalog.term(term))).toMatchObject({
      kind: "unreachable",
      arrived: "no",
    });
    expect(client.requests().reads).toBe(times);
  });

  test("but an address where nobody has ever answered fails in seconds", async () => {
    closeNetwork();
    nock(host).post(tokenPath).times(ever).replyWithError(broken("ECONNREFUSED"));
    expect(await serviceError(client.catalog.term(term))).toMatchObject({ kind: "unreachable" });
    expect(made.clock.sleeps).toHaveLength(2);
    expect(made.clock.sleeps.reduce((sum, ms) => sum + ms, 0)).toBeLessThan(2_000);
  });

  test.each([400, 403, 404, 409, 301, 501, 505])("but not after %i", async (status) => {
    nock(host).get(/terms/u).times(ever).reply(status, "x", { "content-type": "text/plain" });
    await serviceError(client.catalog.term(term));
    expect(client.requests().reads).toBe(1);
  });

  test("a POST that only reads too", async () => {
    nock(host)
      .post(/filter/u)
      .query(true)
      .reply(502);
    nock(host)
      .post(/filter/u)
      .query(true)
      .reply(200, { meta: {}, data: [] });
    for await (const page of client.catalog.filterCatalogItems({})) expect(page.items).toEqual([]);
    expect(client.requests()).toEqual({ reads: 2, writes: 0 });
  });

  test("within the budget, in steps of at most 20 s; the last error is told", async () => {
    open({ random: () => 1, retryBudgetMs: 60_000 });
    nock(host).get(/terms/u).times(ever).reply(503, { detail: "still down" });
    const error = await serviceError(client.catalog.term(term));
    expect(error.message).toContain("still down");
    // 16,000 would be followed by 20,000 and more, of which 8,500 are left.
    expect(made.clock.sleeps).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 20_000, 8500]);
  });

  test("a finite number of times, whatever chance says", async () => {
    open({ random: () => 0 });
    nock(host).get(/terms/u).times(ever).reply(500);
    expect(await serviceError(client.catalog.term(term))).toMatchObject({ kind: "server" });
    expect(client.requests().reads).toBeLessThan(ever);
  });

  test("not at all without a budget", async () => {
    open({ retryBudgetMs: 0 });
    nock(host).get(/terms/u).reply(500);
    await serviceError(client.catalog.term(term));
    expect(client.requests().reads).toBe(1);
  });
});

describe("a write is sent again only when it is known not to have happened", () => {
  test.each([
    ["429", () => nock(host).patch(/terms/u).reply(429)],
    ["a refused connection", () => nock(host).patch(/terms/u).replyWithError(broken("ECONNREFUSED"))],
    ["a failed look-up", () => nock(host).patch(/terms/u).replyWithError(broken("EAI_AGAIN"))],
    [
      "a connection that was never made",
      () =>
        nock(host)
          .patch(/terms/u)
          .replyWithError(broken("ETIMEDOUT", { syscall: "connect" })),
    ],
  ])("%s", async (_name, fail) => {
    fail();
    nock(host).patch(/terms/u).reply(200, good);
    expect(await client.catalog.patchTerm(term, {})).toEqual(good);
    expect(client.requests().writes).toBe(2);
  });

  test.each([
    ["ECONNRESET", {}],
    ["ETIMEDOUT", { syscall: "read" }],
    ["UND_ERR_SOCKET", {}],
    ["EPIPE", {}],
  ])("never after %s", async (code, extra) => {
    nock(host).patch(/terms/u).replyWithError(broken(code, extra));
    const error = await serviceError(client.catalog.patchTerm(term, {}));
    expect(error).toMatchObject({ kind: "unreachable", arrived: "maybe" });
    expect(client.requests().writes).toBe(1);
  });

  test.each([408, 500, 502, 503, 504])("never after %i, not even when it names a time", async (status) => {
    nock(host).patch(/terms/u).reply(status, "", { "retry-after": "1" });
    expect(await serviceError(client.catalog.patchTerm(term, {}))).toMatchObject({ arrived: "maybe" });
    expect(client.requests().writes).toBe(1);
  });

  test("429 until the budget is used up ends as throttled, not done", async () => {
    nock(host).patch(/terms/u).times(ever).reply(429, "", { "retry-after": "50" });
    const error = await serviceError(client.catalog.patchTerm(term, {}));
    expect(error).toMatchObject({ kind: "throttled", arrived: "no", retryAfterMs: 50_000 });
    expect(client.requests().writes).toBe(4);
  });

  test("the answer after a 429 decides: in doubt stays in doubt", async () => {
    nock(host).patch(/terms/u).reply(429);
    nock(host).patch(/terms/u).reply(502);
    expect(await serviceError(client.catalog.patchTerm(term, {}))).toMatchObject({ arrived: "maybe" });
    expect(client.requests().writes).toBe(2);
  });
});

describe("Retry-After", () => {
  test.each([
    ["seconds", "7", 7000],
    ["an HTTP date", "Thu, 01 Jan 2026 00:00:09 GMT", 9000],
    ["a date that has passed", "Wed, 31 Dec 2025 00:00:00 GMT", 0],
  ])("%s", async (_name, value, ms) => {
    open({ random: () => 0 });
    nock(host).get(/terms/u).reply(429, "", { "retry-after": value });
    nock(host).get(/terms/u).reply(200, good);
    const started = made.clock.now();
    await client.catalog.term(term);
    expect(made.clock.now() - started).toBe(ms);
  });

  test("nonsense is no time at all: back-off as usual", async () => {
    nock(host).get(/terms/u).reply(429, "", { "retry-after": "5 apples" });
    nock(host).get(/terms/u).reply(200, good);
    await client.catalog.term(term);
    expect(made.clock.sleeps).toEqual([250]);
  });

  test("an hour is waited for no longer than the budget, then it is told", async () => {
    nock(host).get(/terms/u).times(ever).reply(429, "", { "retry-after": "3600" });
    const error = await serviceError(client.catalog.term(term));
    expect(error).toMatchObject({ kind: "throttled", retryAfterMs: 3_600_000 });
    expect(made.clock.sleeps.reduce((sum, ms) => sum + ms, 0)).toBeLessThanOrEqual(240_000);
    expect(client.requests().reads).toBe(2);
  });

  test("of an answer that does not ask to slow down holds nobody back", async () => {
    nock(host)
      .get(/terms/u)
      .reply(404, { type: "RESOURCE_NOT_FOUND", title: "Not Found" }, { "retry-after": "60" });
    nock(host).get(/terms/u).reply(200, good);
    expect(await client.catalog.term(term)).toBeUndefined();
    expect(await client.catalog.term(term)).toEqual(good);
    expect(made.clock.sleeps).toEqual([]);
  });

  test("is told: events name the wait and the attempt", async () => {
    nock(host).get(/terms/u).reply(429, "", { "retry-after": "2" });
    nock(host).get(/terms/u).reply(200, good);
    await client.catalog.term(term);
    const about = { environment: "dev", method: "GET", path: `/api/catalog/v1/terms/${term}`, write: false };
    const requestId: unknown = expect.any(String);
    expect(made.events).toEqual([
      { type: "token", environment: "dev", lifetimeMs: 300_000 },
      { type: "sent", environment: "dev" },
      { type: "concurrency", environment: "dev", limit: 2 },
      { type: "ended", environment: "dev" },
      { type: "throttled", environment: "dev", status: 429, waitMs: 2000 },
      { type: "failed", ...about, attempt: 1, kind: "throttled", status: 429, durationMs: 0, requestId },
      {
        type: "retry",
        ...about,
        kind: "throttled",
        status: 429,
        attempt: 1,
        waitMs: 2250,
        budgetMs: 120_000,
      },
      { type: "sent", environment: "dev" },
      { type: "ended", environment: "dev" },
      { type: "done", ...about, attempt: 2, status: 200, durationMs: 0, requestId },
    ]);
  });
});
