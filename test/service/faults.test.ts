import { createServer } from "node:http";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import type { Environment } from "../../src/service/index.ts";
import { openReadClient, openWriteClient } from "../../src/service/index.ts";
import type { Handler } from "./loopback.ts";
import { json, listen, loopback } from "./loopback.ts";
import { environment, serviceError, setup, urn } from "./support.ts";

const term = urn("catalog:term", 1);
const good = { urn: term };

const faults: readonly (readonly [name: string, kind: string, handler: Handler])[] = [
  ["reset before the head", "unreachable", (request) => request.socket.resetAndDestroy()],
  ["closed before the head", "unreachable", (request) => request.socket.destroy()],
  [
    "cut in the middle of the body",
    "unreadable",
    (request, response) => {
      response.writeHead(200, { "content-type": "application/json", "content-length": "100" });
      response.write('{"urn":', () => request.socket.destroy());
    },
  ],
  [
    "reset in the middle of a chunked body",
    "unreadable",
    (request, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.write('{"urn":', () => request.socket.resetAndDestroy());
    },
  ],
  ["no answer", "timeout", () => undefined],
  [
    "a head and then nothing",
    "timeout",
    (_request, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.write("{");
    },
  ],
  [
    "bytes that never end",
    "timeout",
    (_request, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      const timer = setInterval(() => response.write(" "), 20);
      response.on("close", () => clearInterval(timer));
    },
  ],
];

const fast = { requestTimeoutMs: 250 };

describe.each(faults)("%s is %s", (_name, kind, handler) => {
  test("a read is tried again", async () => {
    await using server = await loopback((request, response, count) => {
      if (count <= 2) handler(request, response, count);
      else json(response, 200, good);
    });
    const { options, clock } = setup(fast);
    expect(await openReadClient(server.environment, options).catalog.term(term)).toEqual(good);
    expect(clock.sleeps).toEqual([250, 500]);
  });

  test("a write is in doubt and not sent again", async () => {
    await using server = await loopback(handler);
    const client = openWriteClient(server.environment, setup(fast).options);
    const error = await serviceError(client.catalog.patchTerm(term, {}));
    expect(error).toMatchObject({ kind, arrived: "maybe" });
    expect(server.seen).toHaveLength(1);
  });
});

test("an attempt is over in its time, head and body together", async () => {
  await using server = await loopback((_request, response) => {
    setTimeout(() => {
      response.writeHead(200, { "content-type": "application/json" });
      response.write("{");
      // With a limit of its own the body would come in time.
      setTimeout(() => response.end(`"urn":"${term}"}`), 400);
    }, 400);
  });
  const client = openWriteClient(server.environment, setup({ requestTimeoutMs: 600 }).options);
  expect(await serviceError(client.catalog.patchTerm(term, {}))).toMatchObject({ kind: "timeout" });
});

test("an endless body is over in its time also when memory is tidied up meanwhile", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  await using server = await loopback((_request, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    const timer = setInterval(() => {
      response.write(" ");
      collect();
    }, 20);
    response.on("close", () => clearInterval(timer));
  });
  const client = openWriteClient(server.environment, setup(fast).options);
  expect(await serviceError(client.catalog.patchTerm(term, {}))).toMatchObject({
    kind: "timeout",
    arrived: "maybe",
  });
  expect(server.seen).toHaveLength(1);
});

test("a refused connection: nothing was sent, and a write is sent again", async () => {
  const server = createServer();
  const port = await listen(server);
  await new Promise((resolve) => {
    server.close(resolve);
  });
  const nobody: Environment = { ...environment, baseUrl: `http://127.0.0.1:${port}` };
  await using tokens = await loopback(() => undefined);
  const { options, clock } = setup();
  const client = openWriteClient({ ...nobody, authUrl: tokens.environment.baseUrl }, options);
  const error = await serviceError(client.catalog.patchTerm(term, {}));
  expect(error).toMatchObject({ kind: "unreachable", arrived: "no" });
  expect(error.message).toContain("nothing listens");
  expect(client.requests().writes).toBeGreaterThan(5);
  expect(clock.sleeps.length).toBe(client.requests().writes - 1);
});

test("a 4xx is definite even when its body breaks off, and an endless one is not read to its end", async () => {
  let endless = false;
  await using server = await loopback((request, response) => {
    response.writeHead(400, { "content-type": "application/json" });
    if (!endless) {
      response.write('{"detail":', () => request.socket.destroy());
      return;
    }
    const timer = setInterval(() => response.write("x".repeat(20_000)), 5);
    response.on("close", () => clearInterval(timer));
  });
  // Read to its end it would outlast the test.
  const client = openWriteClient(server.environment, setup({ requestTimeoutMs: 600_000 }).options);
  for (endless of [false, true]) {
    const error = await serviceError(client.catalog.patchTerm(term, {}));
    expect(error).toMatchObject({ kind: "refused", status: 400, arrived: "no" });
  }
});

test.each([300, 301, 302, 303, 304, 307, 308])(
  "what is told as a redirect (%i) has its advice",
  async (status) => {
    await using server = await loopback((_request, response) => {
      response.writeHead(status, { location: "/login" }).end();
    });
    const client = openWriteClient(server.environment, setup().options);
    const error = await serviceError(client.catalog.term(term));
    expect(error.message).toMatch(/answers with a redirect.*another page of the same host$/);
    expect(error.advice).toContain("Write the address of the service itself into the plan");
  },
);

test("a redirect is not followed: the token would travel along", async () => {
  const strange: string[] = [];
  const other = createServer((request, response) => {
    strange.push(request.headers.authorization ?? "none");
    json(response, 200, good);
  });
  const port = await listen(other);
  await using server = await loopback((_request, response) => {
    response.writeHead(307, { location: `http://127.0.0.1:${port}/?token=abc` }).end();
  });
  const client = openWriteClient(server.environment, setup().options);
  expect(await serviceError(client.catalog.patchTerm(term, {}))).toMatchObject({
    kind: "sign-in",
    status: 307,
  });
  const error = await serviceError(client.catalog.term(term));
  expect(error).toMatchObject({ kind: "sign-in", status: 307 });
  // A person sees where it leads, and nothing that may be secret.
  expect(error.message).toMatch(new RegExp(`\\(307\\): it leads to http://127\\.0\\.0\\.1:${port}$`));
  expect(error.advice).toContain("Write the address of the service itself into the plan");
  expect(strange).toEqual([]);
  other.close();
});

test("a body goes out as it is, with a field named __proto__", async () => {
  let sent = "";
  await using server = await loopback((_request, response) => {
    json(response, 207, { results: [] });
  });
  const item = JSON.parse('{"b":1,"__proto__":{"x":null},"a":[{}],"10":1}') as { readonly b: number };
  const spy = createServer((request, response) => {
    request.setEncoding("utf8");
    request.on("data", (chunk: string) => {
      sent += chunk;
    });
    request.on("end", () => json(response, 207, { results: [] }));
  });
  const port = await listen(spy);
  const to = { ...environment, baseUrl: `http://127.0.0.1:${port}`, authUrl: server.environment.baseUrl };
  const client = openWriteClient(to, setup().options);
  expect(await client.quality.createRules([item])).toEqual({ results: [] });
  expect(sent).toBe(JSON.stringify({ data: [item] }));
  expect(sent).toContain('"__proto__":{"x":null}');
  await client.close();
  spy.closeAllConnections();
  spy.close();
});
