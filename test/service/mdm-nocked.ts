import nock from "nock";
import type { MasterDataWriteClient } from "../../src/service/index.ts";
import { openMasterDataWriteClient } from "../../src/service/index.ts";
import type { Setup } from "./support.ts";
import { setup } from "./support.ts";

export const mdmHost = "https://mdm.example.com";
export const username = "ferry";
export const password = "s3cr3t:with+odd/chars";
export const basicHeader = `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;

export const party = { layer: "instance", entity: "party" } as const;
export const master = { layer: "master", view: "masters", entity: "party" } as const;
export const key = { origin: "crm#party#Dev", sourceId: "17" };
export const keyPath = "/api/rest/instance/party/crm%23party%23Dev/17";

/** A record as the server shows it. */
export const shown = (id: number, more: object = {}): object => ({
  type: "party",
  metadata: { id, origin: key.origin, active: true },
  attributes: { source_id: String(id), src_name: `n${id}` },
  ...more,
});

export interface Opened extends Setup {
  readonly client: MasterDataWriteClient;
}

export function openMdm(more: Parameters<typeof setup>[0] = {}): Opened {
  const made = setup(more);
  const environment = { name: "dev (master data)", baseUrl: mdmHost, username, password };
  return { ...made, client: openMasterDataWriteClient(environment, made.options) };
}

/** The records of a list as it is asked for from an offset on. */
export function givePage(offset: number, ids: readonly number[], count = 500): nock.Scope {
  return nock(mdmHost)
    .get("/api/rest/instance/party")
    .query({ offset: String(offset), count: String(count) })
    .reply(
      200,
      ids.map((id) => shown(id)),
    );
}
