import nock from "nock";
import { inspect } from "node:util";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import type { WriteClient } from "../../src/service/index.ts";
import { ServiceError, openWriteClient } from "../../src/service/index.ts";
import { closeNetwork, giveToken, host, openNetwork } from "./nocked.ts";
import type { Setup } from "./support.ts";
import { accessToken, environment, secret, serviceError, setup, urn } from "./support.ts";

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

describe("secrets stay out of every error and event", () => {
  const leak = [
    secret,
    encodeURIComponent(secret),
    new URLSearchParams({ client_secret: secret }).toString(),
    `Bearer ${accessToken}`,
    Buffer.from(secret).toString("base64"),
  ].join(" | ");
  const bodies = { type: leak, title: leak, detail: leak, errors: [{ detail: leak, pointer: leak }] };
  const found = [
    secret,
    encodeURIComponent(secret),
    Buffer.from(secret).toString("base64"),
    accessToken,
    // A part of it is too much as well.
    "s3cr3t",
  ];

  function everything(error: Error): string {
    const own = Object.fromEntries(
      Object.getOwnPropertyNames(error).map((key) => [key, Reflect.get(error, key)]),
    );
    return [
      inspect(error, { depth: Infinity, showHidden: true }),
      JSON.stringify(own),
      JSON.stringify(error),
      JSON.stringify(made.events),
      inspect(made.events, { depth: Infinity }),
    ].join("\n");
  }

  test.each([400, 401, 403, 404, 409, 429, 500, 503, 302])(
    "an answer %i that echoes them",
    async (status) => {
      giveToken();
      const headers = { "x-request-id": `id ${accessToken}`, location: `https://x/?t=${accessToken}` };
      nock(host).patch(/terms/u).times(99).reply(status, bodies, headers);
      const error = await serviceError(client.catalog.patchTerm(term, {}));
      for (const text of found) expect(everything(error)).not.toContain(text);
      expect(everything(error)).toContain("***");
    },
  );

  test.each([400, 401, 403, 404, 429, 500])("a token endpoint that echoes them with %i", async (status) => {
    closeNetwork();
    nock(host)
      .post(/token/u)
      .times(99)
      .reply(status, { ...bodies, error: leak, error_description: leak });
    const error = await serviceError(client.catalog.patchTerm(term, {}));
    for (const text of found) expect(everything(error)).not.toContain(text);
    expect(error.arrived).toBe("no");
  });

  test("an answer that holds the token in another shape", async () => {
    closeNetwork();
    nock(host)
      .post(/token/u)
      .times(9)
      .reply(200, { access_token: `${accessToken}\n`, expires_in: 300 });
    const error = await serviceError(client.signIn());
    expect(error).toMatchObject({ kind: "unreadable", arrived: "no" });
    for (const text of found) expect(everything(error)).not.toContain(text);
  });

  test.each([undefined, "EPIPE"])(
    "an exception of the network (%s), which holds the request with its headers",
    async (code) => {
      const broken = new Error(`broken by ${leak}`);
      nock(host)
        .patch(/terms/u)
        .replyWithError(code === undefined ? broken : Object.assign(broken, { code }));
      const error = await serviceError(client.catalog.patchTerm(term, {}));
      expect(error).toMatchObject({ kind: "unreachable", arrived: "maybe" });
      for (const text of found) expect(everything(error)).not.toContain(text);
    },
  );

  test("a listener that throws does not turn a write that was done into one that failed", async () => {
    const onEvent = (): void => {
      throw new Error("log is full");
    };
    giveToken();
    nock(host).patch(/terms/u).reply(200, { urn: term });
    const careless = openWriteClient(environment, { ...made.options, onEvent });
    expect(await careless.catalog.patchTerm(term, {})).toEqual({ urn: term });
  });
});

test.each([
  "ftp://dev.example.com",
  "nonsense",
  `https://user:${encodeURIComponent(secret)}@dev.example.com`,
  "https://dev.example.com/?a=b",
])("the address %s is refused without being shown", (baseUrl) => {
  expect(() => openWriteClient({ ...environment, baseUrl }, made.options)).toThrow(ServiceError);
  try {
    openWriteClient({ ...environment, baseUrl }, made.options);
  } catch (error) {
    expect(inspect(error)).not.toMatch(/s3cr3t/u);
  }
});
