import { describe, expect, test } from "vitest";
import type { ServiceError, WriteClient } from "../../src/service/index.ts";
import { openWriteClient } from "../../src/service/index.ts";
import { json, loopback } from "./loopback.ts";
import { collect, serviceError, setup, urn } from "./support.ts";

const term = urn("catalog:term", 1);
const good = { urn: term };

describe("stopping", () => {
  /** Stops as soon as the first request has arrived; what was started then is judged. */
  async function stopDuring(work: (client: WriteClient) => Promise<unknown>): Promise<unknown> {
    const controller = new AbortController();
    await using server = await loopback((_request, response) => {
      controller.abort();
      setTimeout(() => {
        if (response.writable) json(response, 200, good);
      }, 50);
    });
    return await work(openWriteClient(server.environment, setup({ signal: controller.signal }).options));
  }

  test("ends a read at once", async () => {
    const error = (await stopDuring((client) => serviceError(client.catalog.term(term)))) as ServiceError;
    expect(error).toMatchObject({ kind: "aborted", arrived: "no", method: "GET" });
  });

  test("leaves a write in flight to finish", async () => {
    expect(await stopDuring((client) => client.catalog.patchTerm(term, {}))).toEqual(good);
  });

  test("sends nothing new, neither reads nor writes", async () => {
    const controller = new AbortController();
    controller.abort();
    await using server = await loopback((_request, response) => json(response, 200, good));
    const client = openWriteClient(server.environment, setup({ signal: controller.signal }).options);
    for (const work of [client.catalog.term(term), client.catalog.patchTerm(term, {}), client.signIn()]) {
      expect(await serviceError(work)).toMatchObject({ kind: "aborted", arrived: "no" });
    }
    expect(await serviceError(collect(client.catalog.terms()))).toMatchObject({ kind: "aborted" });
    expect(server.seen).toEqual([]);
    expect(server.tokens()).toBe(0);
  });

  test("at the last moment before a write is sent", async () => {
    const controller = new AbortController();
    await using server = await loopback((_request, response) => json(response, 200, good));
    const { options } = setup({ signal: controller.signal, onEvent: () => controller.abort() });
    const client = openWriteClient(server.environment, options);
    // The first event is that of the token.
    const error = await serviceError(client.catalog.patchTerm(term, {}));
    expect(error).toMatchObject({ kind: "aborted", arrived: "no" });
    expect(server.tokens()).toBe(1);
    expect(server.seen).toEqual([]);
  });

  test("ends a wait between attempts; a write that was throttled is not done", async () => {
    const controller = new AbortController();
    await using server = await loopback((_request, response) => {
      json(response, 429, {}, { "retry-after": "60" });
      setTimeout(() => controller.abort(), 50);
    });
    const { clock: _fake, ...options } = setup({ signal: controller.signal }).options;
    const client = openWriteClient(server.environment, options);
    const started = Date.now();
    const error = await serviceError(client.catalog.patchTerm(term, {}));
    expect(error).toMatchObject({ kind: "aborted", arrived: "no" });
    expect(Date.now() - started).toBeLessThan(5000);
  });

  test("close lets writes finish, ends reads, and refuses what comes later", async () => {
    let answered = false;
    let arrived = (): void => undefined;
    const both = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    await using server = await loopback((request, response, count) => {
      if (count === 2) arrived();
      if (request.method !== "PATCH") return;
      setTimeout(() => {
        answered = true;
        json(response, 200, good);
      }, 100);
    });
    const client = openWriteClient(server.environment, setup().options);
    const write = client.catalog.patchTerm(term, {});
    const read = serviceError(client.catalog.term(term));
    await both;
    await client.close();
    expect(answered).toBe(true);
    expect(await write).toEqual(good);
    expect(await read).toMatchObject({ kind: "aborted" });
    expect(await serviceError(client.catalog.term(term))).toMatchObject({ kind: "aborted" });
    await client.close();
  });
});
