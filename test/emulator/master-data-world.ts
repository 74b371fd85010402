import { expect, onTestFinished } from "vitest";
import type { Emulator, MasterData } from "../../src/emulator/index.ts";
import { masterDataBooks as books, startEmulator } from "../../src/emulator/index.ts";
import type { Json, JsonObject } from "../../src/emulator/json.ts";
import { at, type Reply } from "./support.ts";

/** Plain fetch against the emulated master-data server: never the project's own client. */

export interface MasterDataWorld {
  readonly emulator: Emulator;
  readonly data: MasterData;
  readonly base: string;
  readonly send: (method: string, path: string, body?: Json, init?: RequestInit) => Promise<Reply>;
  readonly get: (path: string) => Promise<Reply>;
  readonly post: (path: string, body: Json) => Promise<Reply>;
  readonly put: (path: string, body?: Json) => Promise<Reply>;
  readonly delete: (path: string) => Promise<Reply>;
}

export const basic = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;

export async function masterDataWorld(): Promise<MasterDataWorld> {
  const emulator = await startEmulator({ masterData: {} });
  onTestFinished(() => emulator.close());
  const base = emulator.masterDataUrl("dev");
  const send = async (method: string, path: string, body?: Json, init: RequestInit = {}): Promise<Reply> => {
    const answer = await fetch(`${base}/api/rest${path}`, {
      method,
      headers: { authorization: basic("dev-mdm", "dev-mdm-secret"), "content-type": "application/json" },
      redirect: "manual",
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...init,
    });
    const text = await answer.text();
    return {
      status: answer.status,
      body: text === "" ? null : (JSON.parse(text) as Json),
      headers: answer.headers,
    };
  };
  return {
    emulator,
    data: emulator.masterData("dev"),
    base,
    send,
    get: (path) => send("GET", path),
    post: (path, body) => send("POST", path, body),
    put: (path, body) => send("PUT", path, body),
    delete: (path) => send("DELETE", path),
  };
}

export const crm = "crm#party#Dev";
export const erp = "erp#party#Dev";
/** Its path: `#` has to be escaped. */
export const byKey = (sourceId: string, origin = crm, entity = "party"): string =>
  `/instance/${entity}/${encodeURIComponent(origin)}/${encodeURIComponent(sourceId)}`;

export function putParty(
  data: MasterData,
  sourceId: string,
  attributes: JsonObject = {},
  more: Partial<books.SeedInstance> = {},
): number {
  return books.putInstance(data, { entity: "party", origin: crm, sourceId, attributes, ...more }).id;
}

/** The body of a refusal, document 3, "Errors". */
export function expectRefused(reply: Reply, status: number, said?: string): void {
  expect(reply.body).toEqual({ message: expect.any(String), exception: expect.stringMatching(/^[\w.]+$/) });
  expect(reply.status).toBe(status);
  if (said !== undefined) expect(at(reply.body, "message")).toContain(said);
}

export function idsOf(reply: Reply): readonly unknown[] {
  expect(reply.status).toBe(200);
  return (reply.body as Json[]).map(
    (record) => at(record, "attributes.source_id") ?? at(record, "metadata.id"),
  );
}
