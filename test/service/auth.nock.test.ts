import nock from "nock";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { openReadClient, openWriteClient } from "../../src/service/index.ts";
import { closeNetwork, giveToken, host, openNetwork, tokenPath } from "./nocked.ts";
import { accessToken, environment, secret, serviceError, setup, urn } from "./support.ts";

beforeEach(closeNetwork);
afterAll(openNetwork);

const term = urn("catalog:term", 1);
const good = { urn: term };

function accepts(token: string, times = 1): nock.Scope {
  const headers = { authorization: `Bearer ${token}` };
  return nock(host, { reqheaders: headers }).persist(false).get(/terms/u).times(times).reply(200, good);
}

describe("one token for all", () => {
  test("callers at the same time share one request, later ones its answer", async () => {
    giveToken("one");
    accepts("one", 6);
    const client = openReadClient(environment, setup().options);
    await Promise.all([1, 2, 3, 4, 5].map(() => client.catalog.term(term)));
    await client.catalog.term(term);
    expect(nock.isDone()).toBe(true);
  });

  test.each([
    [300, 269, 270],
    [100, 89, 90],
  ])("of %i s is used for %i s and renewed at %i s", async (lifetime, still, renewed) => {
    const { options, clock } = setup();
    const client = openReadClient(environment, options);
    giveToken("one", lifetime);
    accepts("one", 2);
    await client.catalog.term(term);
    clock.time += still * 1000;
    await client.catalog.term(term);
    clock.time += (renewed - still) * 1000;
    giveToken("two", lifetime);
    accepts("two");
    await client.catalog.term(term);
    expect(nock.isDone()).toBe(true);
  });
});

describe("401", () => {
  test("one renewal, shared by all who were rejected, and each request once more", async () => {
    giveToken("one");
    giveToken("two");
    nock(host, { reqheaders: { authorization: "Bearer one" } })
      .get(/terms/u)
      .times(4)
      .reply(401);
    accepts("two", 4);
    const client = openReadClient(environment, setup().options);
    const found = await Promise.all([1, 2, 3, 4].map(() => client.catalog.term(term)));
    expect(found).toEqual([good, good, good, good]);
    expect(nock.isDone()).toBe(true);
    expect(client.requests().reads).toBe(8);
  });

  test("means not done: a write too is sent once more", async () => {
    giveToken("one");
    giveToken("two");
    nock(host, { reqheaders: { authorization: "Bearer one" } })
      .patch(/terms/u, { name: "n" })
      .reply(401);
    nock(host, { reqheaders: { authorization: "Bearer two" } })
      .patch(/terms/u, { name: "n" })
      .reply(200, good);
    const client = openWriteClient(environment, setup().options);
    expect(await client.catalog.patchTerm(term, { name: "n" })).toEqual(good);
  });

  test("a second one is final, and the write is known not to have happened", async () => {
    giveToken("one");
    giveToken("two");
    nock(host).patch(/terms/u).times(9).reply(401, { title: "Unauthorized" });
    const client = openWriteClient(environment, setup().options);
    const error = await serviceError(client.catalog.patchTerm(term, {}));
    expect(error).toMatchObject({ kind: "sign-in", status: 401, arrived: "no", method: "PATCH" });
    expect(client.requests().writes).toBe(2);
  });

  test("a new token that others were served with, and that has ended since, is renewed again", async () => {
    for (const token of ["one", "two", "three"]) giveToken(token);
    const refuses = (token: string, times: number): void => {
      nock(host, { reqheaders: { authorization: `Bearer ${token}` } })
        .get(/terms/u)
        .times(times)
        .delay(20)
        .reply(401);
    };
    refuses("one", 2);
    accepts("two");
    refuses("two", 1);
    accepts("three");
    const client = openReadClient(environment, setup().options);
    expect(await Promise.all([1, 2].map(() => client.catalog.term(term)))).toEqual([good, good]);
    expect(nock.isDone()).toBe(true);
  });

  test("a renewal that fails is final for the call", async () => {
    giveToken("one");
    nock(host).post(tokenPath).times(9).reply(401, { error: "invalid_client" });
    nock(host).get(/terms/u).times(9).reply(401);
    const client = openReadClient(environment, setup().options);
    expect(await serviceError(client.catalog.term(term))).toMatchObject({ kind: "sign-in", path: tokenPath });
    expect(client.requests().reads).toBe(1);
  });
});

describe("signing in", () => {
  test.each([
    [400, { error: "invalid_client", error_description: "Invalid client credentials" }],
    [401, { error: "unauthorized_client", error_description: "Invalid client secret" }],
    [403, "no"],
    [404, { error: "Realm does not exist" }],
  ])("%i is not tried again and names environment and client, not the secret", async (status, body) => {
    const scope = nock(host).post(tokenPath).reply(status, body);
    const client = openReadClient(environment, setup().options);
    const error = await serviceError(client.signIn());
    expect(error).toMatchObject({ kind: "sign-in", status, arrived: "no", path: tokenPath, method: "POST" });
    expect(error.message).toContain('"dev"');
    expect(error.message).toContain('"robot"');
    if (typeof body === "object") expect(error.message).toContain(body.error);
    expect(error.message).not.toContain(secret);
    expect(scope.isDone()).toBe(true);
  });

  test.each([500, 502, 503, 429])("%i is tried again", async (status) => {
    nock(host).post(tokenPath).times(3).reply(status);
    giveToken();
    const { options, clock } = setup();
    await openReadClient(environment, options).signIn();
    expect(clock.sleeps).toEqual([250, 500, 1000]);
  });

  test("the token's Retry-After is kept", async () => {
    nock(host).post(tokenPath).reply(429, "", { "retry-after": "3" });
    giveToken();
    const { options, clock } = setup();
    await openReadClient(environment, options).signIn();
    expect(clock.sleeps).toEqual([3250]);
  });

  test("its retries are not multiplied by those of the call that needs it", async () => {
    let asked = 0;
    nock(host)
      .post(tokenPath)
      .times(200)
      .reply(() => {
        asked += 1;
        return [503];
      });
    const client = openWriteClient(environment, setup({ random: () => 1 }).options);
    const error = await serviceError(client.catalog.patchTerm(term, {}));
    expect(error).toMatchObject({ kind: "server", arrived: "no", path: tokenPath });
    // 500, 1000, ... 16,000, then 20,000 until 120,000 are used up.
    expect(asked).toBe(12);
    expect(client.requests()).toEqual({ reads: 0, writes: 0 });
  });

  test("a redirect to a page for people is told", async () => {
    nock(host).post(tokenPath).reply(302, "", { location: "https://sso.example.com/" });
    const error = await serviceError(openReadClient(environment, setup().options).signIn());
    expect(error).toMatchObject({ kind: "sign-in", status: 302, arrived: "no" });
  });

  test("an unknown host fails in seconds", async () => {
    const unknown = Object.assign(new Error("getaddrinfo"), { code: "ENOTFOUND" });
    nock(host).post(tokenPath).times(9).replyWithError(unknown);
    const { options, clock } = setup({ random: () => 1 });
    const error = await serviceError(openReadClient(environment, options).signIn());
    expect(error).toMatchObject({ kind: "unreachable", arrived: "no" });
    expect(clock.sleeps).toEqual([500, 1000]);
  });

  test.each([
    ["no token", { expires_in: 300 }],
    ["an empty token", { access_token: "", expires_in: 300 }],
    ["a token that would break the header", { access_token: "a\r\nx: y", expires_in: 300 }],
    ["no lifetime", { access_token: "a" }],
    ["a page", "<html>"],
  ])("an answer with %s is unreadable", async (_name, body) => {
    nock(host).post(tokenPath).times(9).reply(200, body);
    const error = await serviceError(openReadClient(environment, setup().options).signIn());
    expect(error).toMatchObject({ kind: "unreadable", arrived: "no", path: tokenPath });
  });
});

test("the token is asked for with the client credentials, as a form", async () => {
  const scope = nock(host)
    .post("/auth/realms/acme/protocol/openid-connect/token", {
      grant_type: "client_credentials",
      client_id: "robot",
      client_secret: secret,
    })
    .matchHeader("content-type", "application/x-www-form-urlencoded")
    .reply(200, { access_token: accessToken, expires_in: 300 });
  await openReadClient(environment, setup().options).signIn();
  expect(scope.isDone()).toBe(true);
});

test("the token comes from authUrl, and the base address may have a path", async () => {
  nock("https://login.example.com")
    .post("/sso/auth/realms/acme/protocol/openid-connect/token")
    .reply(200, { access_token: accessToken, expires_in: 300 });
  nock(host).get(`/tenant/api/catalog/v1/terms/${term}`).reply(200, good);
  const elsewhere = { ...environment, baseUrl: `${host}/tenant/`, authUrl: "https://login.example.com/sso" };
  expect(await openReadClient(elsewhere, setup().options).catalog.term(term)).toEqual(good);
});
