import type { ServerResponse } from "node:http";
import { constants, createBrotliCompress, createGzip } from "node:zlib";
import { describe, expect, test } from "vitest";
import { openReadClient, openWriteClient } from "../../src/service/index.ts";
import { loopback } from "./loopback.ts";
import { collect, serviceError, setup, urn } from "./support.ts";

/** Answers larger than the plan allows: what comes is counted as it is unpacked, and no more of it is taken. */
const KB = 1024;
const MB = 1024 * KB;
const term = urn("catalog:term", 1);
const small = { ...setup().options, answerSizeBytes: 256 * KB };

/** Sends spaces for as long as somebody takes them; tells how many bytes were sent when nobody does. */
async function endless(response: ServerResponse, begin = "{"): Promise<number> {
  let sent = 0;
  response.write(begin);
  const piece = Buffer.alloc(64 * KB, " ");
  while (!response.closed && !response.destroyed) {
    sent += piece.length;
    if (response.write(piece)) continue;
    await new Promise<void>((resolve) => {
      const go = (): void => {
        response.off("drain", go).off("close", go);
        resolve();
      };
      response.once("drain", go).once("close", go);
    });
  }
  return sent;
}

describe("a body without an end", () => {
  test("is an error that names the limit, read once, and its connection is closed at once", async () => {
    const sent = Promise.withResolvers<number>();
    await using server = await loopback((_request, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      void endless(response).then(sent.resolve);
    });
    const client = openReadClient(server.environment, small);
    const error = await serviceError(client.catalog.term(term));
    expect(error).toMatchObject({ kind: "unreadable", status: 200 });
    expect(error.message).toContain("larger than 256KB");
    expect(error.message).toContain("limits.answerSize");
    expect(server.seen).toHaveLength(1);
    expect(await sent.promise).toBeLessThan(16 * MB);
  });

  test("of a list is an error of the list", async () => {
    await using server = await loopback((_request, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      void endless(response, '{"meta":{},"data":[');
    });
    const client = openReadClient(server.environment, small);
    expect((await serviceError(collect(client.catalog.terms()))).kind).toBe("unreadable");
  });

  test("in answer to a write is a doubt, and nothing is sent again", async () => {
    await using server = await loopback((_request, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      void endless(response);
    });
    const client = openWriteClient(server.environment, small);
    const error = await serviceError(client.catalog.createTerms([{ name: "t" }]));
    expect(error).toMatchObject({ kind: "unreadable", arrived: "maybe" });
    expect(client.requests().writes).toBe(1);
  });

  test("beyond a refusal takes nothing from the refusal", async () => {
    const sent = Promise.withResolvers<number>();
    await using server = await loopback((_request, response) => {
      response.writeHead(400, { "content-type": "application/json" });
      void endless(response).then(sent.resolve);
    });
    const client = openReadClient(server.environment, small);
    expect(await serviceError(client.catalog.term(term))).toMatchObject({ kind: "refused", status: 400 });
    expect(await sent.promise).toBeLessThan(16 * MB);
  });
});

test("a token without an end is an error of signing in, and nothing was sent", async () => {
  const sent = Promise.withResolvers<number>();
  await using server = await loopback(
    () => undefined,
    (response) => {
      response.writeHead(200, { "content-type": "application/json" });
      void endless(response).then(sent.resolve);
    },
  );
  const client = openReadClient(server.environment, small);
  expect(await serviceError(client.signIn())).toMatchObject({ kind: "unreadable", arrived: "no" });
  expect(await sent.promise).toBeLessThan(16 * MB);
});

describe("a small body that unpacks to a large one", () => {
  const gzip = (): NodeJS.ReadWriteStream => createGzip({ level: 9 });
  const brotli = (): NodeJS.ReadWriteStream =>
    createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 5 } });

  test.each([
    ["gzip", "gzip", [gzip]],
    ["brotli", "br", [brotli]],
    ["gzip twice", "gzip, gzip", [gzip, gzip]],
  ] as const)("%s: stopped at the limit, memory stays flat", async (_name, encoding, packers) => {
    await using server = await loopback((_request, response) => {
      response.writeHead(200, { "content-type": "application/json", "content-encoding": encoding });
      const [first, ...rest] = packers.map((make) => make());
      if (first === undefined) return;
      let packed: NodeJS.ReadWriteStream = first;
      for (const next of rest) packed = packed.pipe(next);
      packed.pipe(response);
      const piece = Buffer.alloc(MB, " ");
      let left = 400;
      const feed = (): void => {
        for (; left > 0; left -= 1) {
          if (!first.write(piece)) {
            left -= 1;
            first.once("drain", feed);
            return;
          }
        }
        first.end();
      };
      feed();
    });
    const client = openReadClient(server.environment, small);
    const before = process.memoryUsage().rss;
    const error = await serviceError(client.catalog.term(term));
    expect(error.message).toContain("limits.answerSize");
    expect(process.memoryUsage().rss - before).toBeLessThan(120 * MB);
  });
});

test("what is exactly as large as the limit is read, packed or not", async () => {
  const text = JSON.stringify({ urn: term, filler: "" });
  const body = text.replace('""', `"${"x".repeat(256 * KB - text.length)}"`);
  await using server = await loopback((_request, response, count) => {
    if (count === 1) {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(body);
      return;
    }
    response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" });
    const packed = createGzip();
    packed.pipe(response);
    packed.end(body);
  });
  const client = openReadClient(server.environment, small);
  expect(JSON.stringify(await client.catalog.term(term))).toBe(body);
  expect(JSON.stringify(await client.catalog.term(term))).toBe(body);
});
