import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { AddressInfo } from "node:net";
import { createServer } from "node:http";
import { expect, test } from "vitest";
import { openReadClient } from "../../src/service/index.ts";

const pages = 6;

test("the next page of rows has left when the page at hand is given", async () => {
  const server = createServer((request, response) => {
    response.setHeader("content-type", "application/json");
    if (request.url?.includes("/token") === true) {
      response.end(JSON.stringify({ access_token: "t", expires_in: 300 }));
      return;
    }
    const after = Number(new URL(request.url ?? "", "http://x").searchParams.get("after") ?? 0);
    const next = after + 1 < pages ? { next: String(after + 1) } : {};
    response.end(JSON.stringify({ meta: next, data: [{ urn: `urn:a:b:${after}`, values: [] }] }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let left = 0;
  const sent = (message: unknown): void => {
    const { request } = message as { readonly request: { readonly path: string } };
    if (request.path.includes("/published/filter")) left += 1;
  };
  subscribe("undici:client:sendHeaders", sent);
  try {
    const client = openReadClient(
      { name: "dev", baseUrl, realm: "dev", clientId: "c", clientSecret: "s" },
      {
        concurrency: 4,
        requestTimeoutMs: 5_000,
        answerSizeBytes: 1 << 20,
        retryBudgetMs: 0,
        userAgent: "test",
      },
    );
    let given = 0;
    for await (const _ of client.referenceData.publishedRecords("urn:a:b:table")) {
      given += 1;
      expect(left).toBe(Math.min(pages, given + 1));
    }
    expect(given).toBe(pages);
    await client.close();
  } finally {
    unsubscribe("undici:client:sendHeaders", sent);
    server.close();
  }
});
