import { createHash } from "node:crypto";
import nock from "nock";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import type { AskedFor, Heard, Tape } from "../../src/service/index.ts";
import { openReadClient, openWriteClient } from "../../src/service/index.ts";
import { closeNetwork, giveToken, host, openNetwork } from "./nocked.ts";
import { environment, setup } from "./support.ts";

beforeEach(closeNetwork);
afterAll(openNetwork);

const terms = "/api/catalog/v1/terms";
const one = "urn:one:business-term:00000000-0000-4000-8000-000000000001";
const text = JSON.stringify({ urn: one, name: "Straße" });
const term: AskedFor = { method: "GET", path: `${terms}/${one}`, route: `${terms}/*`, query: "" };

interface Ears extends Tape {
  isOn: boolean;
  readonly all: [AskedFor, Heard][];
  readonly ahead: (Heard & { readonly text: string })[];
  misses: number;
}

function ears(isOn = true): Ears {
  const made: Ears = {
    isOn,
    all: [],
    ahead: [],
    misses: 0,
    take: () => made.ahead.shift(),
    heard: (asked, answer) => void made.all.push([asked, answer]),
    miss: () => {
      made.misses += 1;
    },
  };
  return made;
}

function print(of: string): string {
  return createHash("sha256").update(of).digest("base64");
}

describe("a tape", () => {
  test("is told of what was asked in the end, with a print of the bytes, and not of what was asked again", async () => {
    giveToken();
    nock(host).get(term.path).reply(503, "busy");
    nock(host).get(term.path).reply(200, text);
    const tape = ears();
    await openReadClient(environment, { ...setup().options, tape }).catalog.term(one);
    expect(tape.all).toEqual([[term, { status: 200, print: print(text) }]]);
  });

  test("is told of a refusal as well: it is what the service says", async () => {
    giveToken();
    nock(host).get(term.path).reply(404, "gone");
    const tape = ears();
    await expect(
      openReadClient(environment, { ...setup().options, tape }).catalog.term(one),
    ).rejects.toMatchObject({ status: 404 });
    expect(tape.all).toEqual([[term, { status: 404, print: print("gone") }]]);
    expect(tape.misses).toBe(0);
  });

  test("is told of no answer that broke off", async () => {
    giveToken();
    nock(host).get(term.path).replyWithError("reset");
    nock(host).get(term.path).reply(200, text);
    const tape = ears();
    await openReadClient(environment, { ...setup().options, tape }).catalog.term(one);
    expect(tape.all).toHaveLength(1);
  });

  test.each<[string, (times: nock.Interceptor) => void]>([
    ["an error of the server", (times) => void times.reply(500, "down").persist()],
    ["a connection that breaks", (times) => void times.replyWithError("reset").persist()],
  ])("is told that it missed something where a read ends with %s", async (_what, answer) => {
    giveToken();
    answer(nock(host).get(term.path));
    const tape = ears();
    const client = openReadClient(environment, { ...setup().options, tape });
    await expect(client.catalog.term(one)).rejects.toMatchObject({ name: "ServiceError" });
    expect([tape.misses, tape.all]).toEqual([1, []]);
  });

  test("missed nothing where an answer cannot be read: it comes like that again", async () => {
    giveToken();
    nock(host).get(term.path).reply(200, "<html>").persist();
    const tape = ears();
    const client = openReadClient(environment, { ...setup().options, tape });
    await expect(client.catalog.term(one)).rejects.toMatchObject({ kind: "unreadable" });
    expect([tape.misses, tape.all.length > 0]).toEqual([0, true]);
  });

  test("is told of nothing where it is off", async () => {
    giveToken();
    nock(host).get(term.path).reply(200, text);
    const tape = ears(false);
    tape.ahead.push({ status: 200, print: "p", text: "{}" });
    expect(await openReadClient(environment, { ...setup().options, tape }).catalog.term(one)).toMatchObject({
      name: "Straße",
    });
    expect(tape.all).toEqual([]);
  });

  test("answers in place of the service, once; that is no request, and is heard like one", async () => {
    giveToken();
    nock(host).get(term.path).reply(200, text);
    const tape = ears();
    tape.ahead.push({ status: 200, print: "p", text: JSON.stringify({ urn: one, name: "Ahead" }) });
    const client = openReadClient(environment, { ...setup().options, tape });
    expect([await client.catalog.term(one), await client.catalog.term(one)]).toMatchObject([
      { name: "Ahead" },
      { name: "Straße" },
    ]);
    expect(client.requests()).toEqual({ reads: 1, writes: 0 });
    expect(tape.all.map(([, { print: heard }]) => heard)).toEqual(["p", print(text)]);
  });

  test("is told of a write before it is sent", async () => {
    giveToken();
    const tape = ears();
    nock(host)
      .delete(`${terms}/${one}`)
      .reply(() => [tape.misses === 1 ? 204 : 500]);
    await openWriteClient(environment, { ...setup().options, tape }).catalog.deleteTerm(one);
    expect([tape.misses, tape.all.length]).toEqual([1, 0]);
  });
});

describe("what is to be heard again", () => {
  test("comes as it came, whatever its status, and the tape is not told of it", async () => {
    giveToken();
    nock(host).get(term.path).reply(200, text);
    nock(host).get(term.path).reply(403, "no");
    const tape = ears();
    const client = openReadClient(environment, { ...setup().options, tape });
    expect(await client.hear(term)).toEqual({ status: 200, print: print(text), text });
    expect(await client.hear(term)).toEqual({ status: 403, print: print("no"), text: "no" });
    expect([client.requests().reads, tape.all]).toEqual([2, []]);
  });

  test("is asked again where the service is busy, as any read", async () => {
    giveToken();
    nock(host).get(term.path).reply(429, "later");
    nock(host).get(term.path).reply(200, text);
    expect(await openReadClient(environment, setup().options).hear(term)).toMatchObject({ status: 200 });
  });

  test("may be the listing by POST, with the body that it had", async () => {
    giveToken();
    const path = "/api/catalog/v1/catalog-items/filter";
    const body = '{"filter":{"name":{"equals":"Straße"}}}';
    nock(host)
      .post(`${path}?size=100`, (sent) => JSON.stringify(sent) === body)
      .reply(200, text);
    const client = openReadClient(environment, setup().options);
    const heard = await client.hear({ method: "POST", path, route: path, query: "?size=100", body });
    expect(heard.text).toBe(text);
  });

  test.each<[string, Partial<AskedFor>]>([
    ["a creation", { method: "POST", path: `${terms}/bulk`, body: '{"data":[]}' }],
    ["a publication", { method: "POST", path: `${terms}/publish` }],
    ["a deletion", { method: "DELETE" }],
    ["a change", { method: "PATCH", body: "{}" }],
    ["a read with a body", { body: "{}" }],
    ["the listing without its body", { method: "POST", path: "/api/catalog/v1/catalog-items/filter" }],
    ["another host", { path: "@elsewhere.example.com/api/" }],
    ["another host, behind the port", { path: ":80@elsewhere.example.com/api/" }],
    ["something beside the interface", { path: "/auth/realms/acme" }],
    ["something above the interface", { path: "/api/../auth/realms/acme" }],
    ["something above it, written otherwise", { path: "/api/catalog/.%2E/%2e./auth/realms/acme" }],
    ["a path that stays where it is", { path: `${terms}/.` }],
    ["a path with a query of its own", { path: `${terms}?size=1` }],
    ["a path in two lines", { path: `${terms}\n/x` }],
    ["a query that is none", { query: "/x" }],
  ])("is no %s: nothing is sent", async (_what, otherwise) => {
    const client = openWriteClient(environment, setup().options);
    await expect(client.hear({ ...term, ...otherwise })).rejects.toMatchObject({
      name: "ServiceError",
      kind: "refused",
      arrived: "no",
    });
    expect(client.requests()).toEqual({ reads: 0, writes: 0 });
  });
});
