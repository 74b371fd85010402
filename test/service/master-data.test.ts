import { serve } from "@hono/node-server";
import { Hono } from "hono";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import type { MasterDataReadClient } from "../../src/service/index.ts";
import { openMasterDataReadClient } from "../../src/service/index.ts";
import { serviceError, setup } from "./support.ts";

const username = "ferry";
const password = "pässword:with+odd/chars";
const header = `Basic ${Buffer.from(`${username}:${password}`, "utf8").toString("base64")}`;

interface Seen {
  readonly path: string;
  readonly authorization: string | undefined;
}

/** A server that answers all alike and keeps who asked. */
async function server(
  answer: (seen: Seen) => Response,
): Promise<{ readonly baseUrl: string; readonly seen: Seen[] }> {
  const seen: Seen[] = [];
  const app = new Hono();
  app.all("*", (context) => {
    const { path } = context.req;
    const one = { path, authorization: context.req.header("authorization") };
    seen.push(one);
    return answer(one);
  });
  const running = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" });
  await new Promise((resolve) => running.once("listening", resolve));
  onTestFinished(() => {
    running.close();
  });
  return { baseUrl: `http://127.0.0.1:${(running.address() as AddressInfo).port}`, seen };
}

const directory = (more: object = {}): Response =>
  Response.json({ name: "mdm", version: "1.0", rwmode: "RW", uris: {}, ...more });

function client(baseUrl: string): MasterDataReadClient {
  const { options } = setup();
  const opened = openMasterDataReadClient(
    { name: "dev (master data)", baseUrl, username, password },
    options,
  );
  onTestFinished(async () => opened.close());
  return opened;
}

describe("the connection to a master-data server", () => {
  test("sends user and password with the request, and signs in nowhere", async () => {
    const { baseUrl, seen } = await server(() => directory());
    const mdm = client(baseUrl);
    expect(await mdm.records.directory()).toEqual({
      name: "mdm",
      version: "1.0",
      isWritable: true,
      offers: [],
    });
    expect(seen).toEqual([{ path: "/api/rest/", authorization: header }]);
    expect(mdm.requests()).toEqual({ reads: 1, writes: 0 });
  });

  test("a server that takes no write says so", async () => {
    const { baseUrl } = await server(() => directory({ rwmode: "RO" }));
    expect((await client(baseUrl).records.directory()).isWritable).toBe(false);
  });

  test("a wrong password is told with the user's name, tried once, and shown in no form", async () => {
    const { baseUrl, seen } = await server(({ authorization }) =>
      Response.json({ message: `who is ${authorization} with ${password}?` }, { status: 401 }),
    );
    const error = await serviceError(client(baseUrl).records.directory());
    expect(error).toMatchObject({ kind: "sign-in", arrived: "no", status: 401 });
    expect(error.message).toContain('user name and password are not accepted (user "ferry")');
    expect(error.advice).toMatch(/^Check masterData\.username and masterData\.password /);
    expect(seen).toHaveLength(1);
    expect(JSON.stringify([error, error.message])).not.toContain(password);
    expect(error.message).not.toContain(header.slice("Basic ".length));
  });

  test("a redirect is not followed: the password stays with its host", async () => {
    const elsewhere = await server(() => directory());
    const { baseUrl } = await server(
      () => new Response(null, { status: 302, headers: { location: `${elsewhere.baseUrl}/api/rest/` } }),
    );
    const error = await serviceError(client(baseUrl).records.directory());
    expect(error).toMatchObject({ kind: "sign-in", status: 302 });
    expect(elsewhere.seen).toEqual([]);
  });

  test("an answer that is no directory is unreadable", async () => {
    const { baseUrl } = await server(() => Response.json({ hello: "world" }));
    expect((await serviceError(client(baseUrl).records.directory())).kind).toBe("unreadable");
  });

  test("has nothing to write with", () => {
    const mdm = client("http://127.0.0.1:9");
    expect(Object.keys(mdm)).toEqual(["environment", "records", "requests", "close"]);
    expect(Object.keys(mdm.records)).toEqual([
      "directory",
      "entities",
      "views",
      "entitiesOf",
      "metadata",
      "record",
      "records",
      "page",
      "search",
      "identify",
      "historised",
      "historyMetadata",
      "history",
      "overrides",
    ]);
    expect(Object.isFrozen(mdm.records)).toBe(true);
    expect(JSON.stringify(mdm)).not.toContain(password);
  });
});
