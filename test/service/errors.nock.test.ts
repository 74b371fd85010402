import nock from "nock";
import { inspect } from "node:util";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import type { WriteClient } from "../../src/service/index.ts";
import { ServiceError, openWriteClient } from "../../src/service/index.ts";
import { closeNetwork, giveToken, host, openNetwork } from "./nocked.ts";
import type { Setup } from "./support.ts";
import { environment, serviceError, setup, urn } from "./support.ts";

let client: WriteClient;
let made: Setup;
const term = urn("catalog:term", 1);

beforeEach(() => {
  closeNetwork();
  giveToken();
  made = setup();
  client = openWriteClient(environment, made.options);
});
afterAll(openNetwork);

const problem = {
  type: "VALIDATION_ERROR",
  title: "Validation Error",
  detail: "Invalid body",
  errors: [{ detail: "must not be empty", pointer: "#/name" }],
};

describe("what a status means for a write", () => {
  test.each([
    [400, "refused", "no"],
    [403, "permission", "no"],
    [404, "not-found", "no"],
    [408, "timeout", "maybe"],
    [409, "refused", "no"],
    [413, "refused", "no"],
    [422, "refused", "no"],
    [499, "refused", "maybe"],
    [500, "server", "maybe"],
    [501, "server", "maybe"],
    [502, "server", "maybe"],
    [503, "server", "maybe"],
    [504, "server", "maybe"],
    [300, "sign-in", "maybe"],
    [301, "sign-in", "no"],
    [302, "sign-in", "maybe"],
    [303, "sign-in", "maybe"],
    [307, "sign-in", "no"],
    [308, "sign-in", "no"],
  ])("%i is %s, arrived: %s; sent once", async (status, kind, arrived) => {
    const elsewhere = nock("https://elsewhere.example.com").patch(/.*/u).reply(200, { urn: term });
    nock(host)
      .patch(`/api/catalog/v1/terms/${term}`)
      .reply(status, problem, { "x-request-id": "req-7", location: "https://elsewhere.example.com/" });
    const error = await serviceError(client.catalog.patchTerm(term, { name: "" }));
    expect(error).toMatchObject({
      kind,
      arrived,
      status,
      method: "PATCH",
      path: `/api/catalog/v1/terms/${term}`,
      requestId: "req-7",
      problem,
    });
    expect(client.requests()).toEqual({ reads: 0, writes: 1 });
    expect(elsewhere.isDone()).toBe(false);
  });

  test.each([
    ["a page of HTML", 200, "<html>sign in</html>"],
    ["JSON that is cut", 200, '{"urn":"'],
    ["nothing", 204, ""],
    ["a list", 200, "[]"],
    ["another shape", 200, '{"name":"x"}'],
    ["bytes that are not UTF-8", 200, Buffer.from('{"urn":"\xff"}', "latin1")],
  ])("a good status with %s is unreadable and may have happened", async (_name, status, body) => {
    nock(host).patch(/terms/u).reply(status, body);
    const error = await serviceError(client.catalog.patchTerm(term, {}));
    expect(error).toMatchObject({ kind: "unreadable", arrived: "maybe", status });
    expect(client.requests().writes).toBe(1);
  });

  test("terms are told apart by position: one too few is unreadable", async () => {
    nock(host)
      .post(/bulk/u)
      .reply(201, { data: [{ urn: term }] });
    const error = await serviceError(client.catalog.createTerms([{ name: "a" }, { name: "b" }]));
    expect(error).toMatchObject({ kind: "unreadable", arrived: "maybe" });
  });

  test("what is already gone needs no delete; what a proxy says is no proof", async () => {
    nock(host).delete(/terms/u).reply(404, problem).get(/terms/u).reply(404, problem);
    expect(await client.catalog.deleteTerm(term)).toBe("absent");
    nock(host).delete(/terms/u).reply(404, "<html>", { "content-type": "text/html" });
    expect(await serviceError(client.catalog.deleteTerm(term))).toMatchObject({ kind: "refused" });
    nock(host).delete(/terms/u).reply(200, "<html>", { "content-type": "text/html" });
    expect(await serviceError(client.catalog.deleteTerm(term))).toMatchObject({ kind: "unreadable" });
  });

  test("what is said not to exist, and is there when it is read, is not deleted", async () => {
    nock(host).delete(/terms/u).reply(404, problem).get(/terms/u).reply(200, { urn: term });
    expect(await serviceError(client.catalog.deleteTerm(term))).toMatchObject({
      kind: "refused",
      arrived: "no",
      message: expect.stringContaining("it is there when it is read. It is not deleted."),
    });
    nock(host).delete(/terms/u).reply(404, problem).get(/terms/u).reply(403, problem);
    expect(await serviceError(client.catalog.deleteTerm(term))).toMatchObject({ kind: "permission" });
  });

  test.each([0, 101])("a batch of %i is not sent", async (length) => {
    const items = Array.from({ length }, () => ({}));
    for (const work of [client.catalog.createTerms(items), client.quality.createRules(items)]) {
      expect(await serviceError(work)).toMatchObject({ kind: "refused", arrived: "no" });
    }
    expect(client.requests().writes).toBe(0);
  });
});

describe("a batch answer is passed on as received", () => {
  test("order, ids, missing and failed items", async () => {
    nock(host)
      .post(/batch/u)
      .reply(207, {
        meta: { total: 3 },
        results: [
          { id: "b", status: "VALIDATION_ERROR", error: { ...problem, more: 1 } },
          { status: "OK", data: { urn: term, correlationIds: { new_a: "k" } } },
          { id: null, status: "ODD", data: null, error: {} },
        ],
      });
    expect(await client.quality.createRules([{}, {}, {}, {}])).toEqual({
      results: [
        { id: "b", status: "VALIDATION_ERROR", error: problem },
        { status: "OK", data: { urn: term, correlationIds: { new_a: "k" } } },
        { status: "ODD", error: {} },
      ],
    });
  });

  test("a result without a status is unreadable", async () => {
    nock(host)
      .post(/batch/u)
      .reply(207, { results: [{ id: "a" }] });
    const error = await serviceError(client.quality.createRules([{}]));
    expect(error).toMatchObject({ kind: "unreadable", arrived: "maybe" });
  });
});

describe("the message", () => {
  test("says what, where and why, with the places of the problem", async () => {
    nock(host).patch(/terms/u).reply(400, problem);
    const error = await serviceError(client.catalog.patchTerm(term, {}));
    expect(error.message).toBe(
      `PATCH /api/catalog/v1/terms/${term} at "dev": refused (400): Invalid body; must not be empty (at #/name)`,
    );
    expect(error).toBeInstanceOf(ServiceError);
  });

  test("does not let the service write on the terminal", async () => {
    const detail = "\u001b[2Jgone\u202e\n";
    nock(host)
      .patch(/terms/u)
      .reply(400, { detail, errors: [{ detail, pointer: detail }] });
    const error = await serviceError(client.catalog.patchTerm(term, {}));
    const shown = "\\u{1b}[2Jgone\\u{202e}\\u{a}";
    expect(error.problem).toEqual({ detail: shown, errors: [{ detail: shown, pointer: shown }] });
    for (const mark of ["\u001b", "\u202e", "\n"]) expect(error.message).not.toContain(mark);
  });

  test("is not endless", async () => {
    nock(host)
      .patch(/terms/u)
      .reply(400, {
        detail: "x".repeat(30_000),
        errors: Array.from({ length: 400 }, () => ({ detail: "y" })),
      });
    const error = await serviceError(client.catalog.patchTerm(term, {}));
    expect(error.message.length).toBeLessThan(1500);
    expect(error.problem?.errors).toHaveLength(100);
  });

  test("shows no body, no query and not the parser's quotation", async () => {
    nock(host).get(/terms/u).query(true).times(9).reply(200, "<p>inner secret of a page</p>");
    const error = await serviceError(client.catalog.term(term, { extraProperties: ["salary"] }));
    expect(inspect(error, { depth: 9 })).not.toMatch(/inner secret|salary|extraProperties/u);
  });

  test("carries the id that was sent when the service gives none", async () => {
    let sent: unknown;
    nock(host)
      .matchHeader("x-request-id", (value) => {
        sent = value;
        return true;
      })
      .patch(/terms/u)
      .reply(400, problem);
    const error = await serviceError(client.catalog.patchTerm(term, {}));
    expect(error.requestId).toMatch(/^[0-9a-f-]{36}$/u);
    expect([sent].flat()[0]).toBe(error.requestId);
  });
});
