import nock from "nock";
import { expect, test } from "vitest";
import type { WriteClient } from "../../src/service/index.ts";
import { openReadClient, openWriteClient } from "../../src/service/index.ts";
import { giveToken, host } from "./nocked.ts";
import { accessToken, collect, environment, setup, urn } from "./support.ts";

export const one = urn("catalog:term", 1);
export const two = urn("catalog:term", 2);
export const thing = { urn: one, name: "x" };
export const page = { meta: { total: 1 }, data: [thing] };
export const oneResult = { results: [{ id: "a", status: "OK", data: { urn: two } }] };
export const catalog = "/api/catalog/v1";
export const quality = "/api/data-quality/v1";
export const processing = "/api/processing/v1";

/** One method: how it is called, the request that must go out, the answer and the result. */
export type Row = readonly [
  name: string,
  run: (client: WriteClient) => Promise<unknown> | AsyncIterable<unknown>,
  request: readonly [
    method: "GET" | "POST" | "PATCH" | "DELETE",
    path: string,
    query?: object,
    body?: nock.DataMatcherMap,
  ],
  reply: readonly [status: number, body?: nock.Body],
  result: unknown,
];

export const size = { size: "100" };
export const listed = [{ items: [thing], place: { before: 0 }, total: 1 }];
export const ok: readonly [number, nock.Body] = [200, thing];
export const created: readonly [number, nock.Body] = [201, thing];
export const paged: readonly [number, nock.Body] = [200, page];
export const gone: readonly [number] = [204];
export const many: readonly [number, nock.Body] = [207, oneResult];

async function settled(work: Promise<unknown> | AsyncIterable<unknown>): Promise<unknown> {
  return Symbol.asyncIterator in work ? await collect(work) : await work;
}

export function testRows(care: "read" | "write", rows: readonly Row[]): void {
  test.each(rows)("%s", async (_name, run, [method, path, query = {}, sent], [status, reply], result) => {
    giveToken();
    const scope = nock(host, {
      reqheaders: {
        authorization: `Bearer ${accessToken}`,
        accept: "application/json",
        "user-agent": "urn-ferry/test",
        "x-request-id": /^[0-9a-f-]{36}$/u,
        ...(sent === undefined ? {} : { "content-type": "application/json" }),
      },
    })
      .intercept(path, method, sent)
      .query(query as Record<string, string>)
      .reply(status, reply);
    const client = openWriteClient(environment, setup().options);
    expect(await settled(run(client))).toEqual(result);
    expect(scope.isDone()).toBe(true);
    expect(client.requests()).toEqual(care === "read" ? { reads: 1, writes: 0 } : { reads: 0, writes: 1 });
  });

  test("each method of the client has a row", () => {
    const names = new Set(rows.map(([, run]) => /c\.\w+\.(\w+)/u.exec(run.toString())?.[1]));
    const readOnly = openReadClient(environment, setup().options);
    const full = openWriteClient(environment, setup().options);
    for (const area of ["catalog", "quality", "processing"] as const) {
      for (const name of Object.keys(care === "read" ? readOnly[area] : full[area])) {
        if (care === "read" || !(name in readOnly[area])) expect(names).toContain(name);
      }
    }
  });
}
