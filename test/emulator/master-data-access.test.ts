import { describe, expect, onTestFinished, test } from "vitest";
import { masterDataBooks as books, openEmulator, startEmulator } from "../../src/emulator/index.ts";
import type { Sent } from "../../src/emulator/index.ts";
import { scenario } from "../../src/emulator/scenarios/index.ts";
import type { Json } from "../../src/emulator/json.ts";
import { basic, byKey, crm, expectRefused, idsOf, masterDataWorld, putParty } from "./master-data-world.ts";
import { at, textAt } from "./support.ts";

const header = (authorization: string): RequestInit => ({ headers: { authorization } });

describe("who may", () => {
  test.each([
    ["nobody", {}],
    ["a wrong password", header(basic("dev-mdm", "x"))],
    ["another user", header(basic("prod-mdm", "prod-mdm-secret"))],
    ["a bearer token", header("Bearer abc")],
    ["no base64", header("Basic !")],
  ])("%s: 401", async (_name, init) => {
    const { send } = await masterDataWorld();
    const reply = await send("GET", "/", undefined, { headers: {}, ...init });
    expectRefused(reply, 401);
    expect(reply.headers.get("www-authenticate")).toContain("Basic");
  });

  test("a role is missing: 403, and nothing is written", async () => {
    const { data, get, put } = await masterDataWorld();
    const user = data.users.get("dev-mdm");
    if (user !== undefined) user.write.instance = false;
    expectRefused(await put(byKey("1"), { attributes: {} }), 403);
    expect(data.instances("party")?.size).toBe(0);
    expect((await get("/instance/party")).status).toBe(200);
    if (user !== undefined) user.read.master = false;
    expectRefused(await get("/master/masters/party"), 403);
  });

  test("a password may hold a colon", async () => {
    const { data, send } = await masterDataWorld();
    const all = { instance: true, master: true };
    data.users.set("u", { password: "a:b", read: all, write: all });
    expect((await send("GET", "/", undefined, header(basic("u", "a:b")))).status).toBe(200);
  });

  test("a wrong configuration of the sign-in redirects", async () => {
    const { data, get, put } = await masterDataWorld();
    data.quirks.signIn = "redirect";
    for (const reply of [await get("/"), await put(byKey("1"), { attributes: {} })]) {
      expect(reply.status).toBe(302);
      expect(reply.headers.get("location")).toContain("/login");
    }
    expect(data.instances("party")?.size).toBe(0);
  });

  test("a server that is read-only says so, and takes nothing", async () => {
    const { data, get, put, post } = await masterDataWorld();
    data.quirks.rwmode = "RO";
    expect(at((await get("/")).body, "rwmode")).toBe("RO");
    expectRefused(await put(byKey("1"), { attributes: {} }), 403);
    expect((await post("/instance/party/search", { source_id: "1" })).status).toBe(200);
  });
});

test("the directory lists what the server offers; the older variant less", async () => {
  const { data, get, base } = await masterDataWorld();
  const { body } = await get("/");
  expect(body).toMatchObject({ version: "1.0", rwmode: "RW" });
  expect(Object.keys(at(body, "uris") as object)).toEqual(
    "tasks eventHandlers instance master persistence purge operationPlan parameters sourceSystems statistics interfaces".split(
      " ",
    ),
  );
  expect(at(body, "uris.statistics.master")).toBe(`${base}/api/rest/statistics/master`);
  expect(
    (await fetch(textAt(body, "uris.instance"), header(basic("dev-mdm", "dev-mdm-secret")))).status,
  ).toBe(200);
  data.quirks.directory = "older";
  const older = (await get("")).body;
  for (const name of ["persistence", "purge", "operationPlan"])
    expect(at(older, `uris.${name}`)).toBeUndefined();
  expectRefused(await get("/tasks"), 404);
  const described = await fetch(`${base}/v3/api-docs`, header(basic("dev-mdm", "dev-mdm-secret")));
  expect(Object.keys(((await described.json()) as { paths: object }).paths)).toContain(
    "/api/rest/instance/{entity}",
  );
});

test.each([
  ["bad JSON", "{", "application/json", 400],
  ["no object", "[]", "application/json", 400],
  ["another type", "{}", "text/plain", 415],
])("a body that is %s is refused", async (_name, body, type, status) => {
  const { send } = await masterDataWorld();
  const headers = { authorization: basic("dev-mdm", "dev-mdm-secret"), "content-type": type };
  expectRefused(await send("PUT", byKey("1"), undefined, { headers, body }), status);
});

test("a parameter that the document does not have there is refused by every request, and nothing is done", async () => {
  const { data, send } = await masterDataWorld();
  data.historised.instance.add("party");
  data.historised.master.add("party");
  const row = books.putInstance(data, {
    entity: "party",
    origin: crm,
    sourceId: "1",
    attributes: { src_name: "Ada" },
    overrides: { src_note: "over" },
    activity: false,
  });
  const [byId, key, master] = [
    `/instance/party/${row.id}`,
    byKey("1"),
    `/master/masters/party/${row.masterId}`,
  ];
  const value = { attributes: { src_name: "Eve" } };
  const authored = { attributes: { cmo_name: "Eve" } };
  const requests: readonly (readonly [string, Json?])[] = [
    ...["/", "/instance", "/master", "/master/masters", "/history"].map((path) => [`GET ${path}`] as const),
    ...["/instance/party", "/master/masters/party"].flatMap((path) => [
      [`GET ${path}/metadata`] as const,
      [`GET ${path}/history/metadata`] as const,
      [`POST ${path}/search`, { [path.startsWith("/i") ? "src_name" : "cmo_name"]: "Ada" }] as const,
    ]),
    ["POST /master/masters/party/identify", { sourceSystem: "crm", record: value }],
    ...[byId, key, master].flatMap((path) => [[`GET ${path}`] as const, [`GET ${path}/history`] as const]),
    [`GET ${byId}/override`],
    [`GET ${byId}/override/src_note`],
    [`GET ${master}/override`],
    [`GET ${master}/override/cmo_name`],
    [`PUT ${byId}/override`, { overrides: [{ attributeName: "src_name", value: "x" }] }],
    [`PUT ${byId}/override/src_name`, { value: "x" }],
    [`DELETE ${byId}/override/src_note`],
    [`DELETE ${byId}/override`],
    ["POST /instance/party", { origin: crm, source_id: "2", ...value }],
    ...["POST", "PUT"].flatMap((method) => [
      [`${method} ${byId}`, value] as const,
      [`${method} ${key}`, value] as const,
    ]),
    [`DELETE ${byId}`],
    ...[byId, master].flatMap((path) =>
      ["activate", "deactivate", "remove-activity"].map((word) => [`PUT ${path}/${word}`] as const),
    ),
    ["POST /master/masters/party", authored],
    [`PUT ${master}`, authored],
    [`DELETE ${master}`],
  ];
  const before = JSON.stringify(books.dumpMasterData(data));
  for (const [request, body] of requests) {
    const [method = "", path = ""] = request.split(" ");
    expect([request, (await send(method, `${path}?odd=1`, body)).status]).toEqual([request, 400]);
  }
  // In a list it is a column that is not there.
  for (const path of ["/instance/party", "/master/masters/party"])
    expectRefused(await send("GET", `${path}?odd=1`), 404);
  expect(JSON.stringify(books.dumpMasterData(data))).toBe(before);
});

describe("faults and the log are those of the emulator", () => {
  test("a write whose answer is lost was done, one that was dropped before was not", async () => {
    const { data, emulator, put } = await masterDataWorld();
    const match = { tenant: "dev", method: "PUT", path: "/api/rest/instance/" };
    emulator.faults.add({ match, when: { times: 1 }, effect: { type: "drop-after-commit" } });
    await expect(put(byKey("1"), { attributes: {} })).rejects.toThrow();
    emulator.faults.add({ match, when: { times: 1 }, effect: { type: "drop-before-commit" } });
    await expect(put(byKey("2"), { attributes: {} })).rejects.toThrow();
    expect(data.byKey("party", "crm#party#Dev", "1")).toBeDefined();
    expect(data.byKey("party", "crm#party#Dev", "2")).toBeUndefined();
    const route = "PUT /api/rest/instance/:entity/:origin/:sourceId";
    expect(emulator.log.count({ tenant: "dev", route })).toBe(2);
    expect(emulator.log.entries.map(({ fault, body }) => [fault, body])).toEqual([
      ["drop-after-commit", { attributes: {} }],
      ["drop-before-commit", undefined],
    ]);
    expect(JSON.stringify(emulator.log.entries)).not.toContain("dev-mdm-secret");
  });

  test("a list may be stale, or go round", async () => {
    const { data, emulator, get, put } = await masterDataWorld();
    putParty(data, "1");
    await put(byKey("2"), { attributes: {} });
    const stop = emulator.faults.add({ effect: { type: "stale-list", requests: 5 } });
    expect(idsOf(await get("/instance/party"))).toEqual(["1"]);
    stop();
    expect(idsOf(await get("/instance/party"))).toEqual(["1", "2"]);
    emulator.faults.add({ effect: { type: "repeat-cursor" } });
    expect(idsOf(await get("/instance/party?offset=1&count=1"))).toEqual(["1"]);
  });

  test("a test can stop the world right before a write and after it", async () => {
    const { data, emulator, put, get } = await masterDataWorld();
    const seen: unknown[] = [];
    emulator.on(({ phase }) => {
      seen.push([phase, data.instances("party")?.size]);
    });
    await put(byKey("1"), { attributes: {} });
    await get("/");
    expect(seen).toEqual([
      ["received", 0],
      ["before-commit", 0],
      ["after-commit", 1],
      ["answered", 1],
      ["received", 1],
      ["answered", 1],
    ]);
  });
});

describe("where it listens", () => {
  test("on a port of its own, which is closed and opened with the platform's", async () => {
    const emulator = await startEmulator({ masterData: {} });
    onTestFinished(() => emulator.close());
    const url = new URL(emulator.masterDataUrl("prod"));
    expect(url.port).not.toBe(new URL(emulator.url).port);
    const ask = async (): Promise<number> =>
      (await fetch(`${url.href}/api/rest/`, header(basic("prod-mdm", "prod-mdm-secret")))).status;
    expect(await ask()).toBe(200);
    await emulator.pause();
    await expect(ask()).rejects.toThrow();
    await emulator.resume();
    expect(await ask()).toBe(200);
    expect(emulator.masterDataUrl("prod")).toBe(url.href);
  });

  test("on another one where the port is taken and any will do, and keeps that", async () => {
    const first = await startEmulator({ masterData: {} });
    onTestFinished(() => first.close());
    const port = Number(new URL(first.masterDataUrl("dev")).port);
    await expect(startEmulator({ masterData: { port } })).rejects.toThrow("EADDRINUSE");
    const second = await startEmulator({ masterData: { port, orAnyFree: true } });
    onTestFinished(() => second.close());
    const url = second.masterDataUrl("dev");
    expect(new URL(url).port).not.toBe(String(port));
    await second.pause();
    await second.resume();
    expect(second.masterDataUrl("dev")).toBe(url);
  });

  test("nowhere unless it is asked for", async () => {
    const emulator = await startEmulator();
    onTestFinished(() => emulator.close());
    expect(emulator.servesMasterData).toBe(false);
    expect(() => emulator.masterData("dev")).toThrow("no master-data server");
    expect((await fetch(`${emulator.url}/master-data/dev/api/rest/`)).status).toBe(404);
  });

  test("below the address of the platform where no port is opened", async () => {
    const emulator = openEmulator({ url: "http://service.test", masterData: {} });
    const url = emulator.masterDataUrl("dev");
    expect(url).toBe("http://service.test/master-data/dev");
    const sent: Sent[] = [];
    const headers = { authorization: basic("dev-mdm", "dev-mdm-secret") };
    for (const address of [`${url}/api/rest/`, "http://service.test/dev/api/catalog/v1/terms"]) {
      await emulator.serve(new Request(address, { headers }), {
        body: async () => "",
        send: (one) => sent.push(one),
        destroy: () => {},
        status: () => 200,
      });
    }
    expect(sent.map(({ status }) => status)).toEqual([200, 401]);
    expect(JSON.parse(String(sent[0]?.content))).toMatchObject({
      uris: { instance: `${url}/api/rest/instance` },
    });
  });
});

describe("scenarios", () => {
  test("the demo has parties of two systems, what lies over them, and authored records, alike each time", async () => {
    const dumps = [];
    for (let time = 0; time < 2; time += 1) {
      const emulator = await startEmulator({ masterData: {} });
      onTestFinished(() => emulator.close());
      scenario("demo")?.prepare(emulator);
      const [dev, prod] = [emulator.masterData("dev"), emulator.masterData("prod")];
      dumps.push([books.dumpMasterData(dev), books.dumpMasterData(prod)]);
      expect(books.countMasterData(dev)).toEqual({
        "instance party": 9,
        "instance address": 3,
        "instance contact": 1,
        "master party": 8,
        "master address": 3,
        "master contact": 1,
        "master segment": 3,
      });
      expect(books.countMasterData(prod)).toMatchObject({ "instance party": 3, "master segment": 2 });
      const party = books.findInstance(dev, "party", "crm#party#Dev", "1002");
      expect(party === undefined ? undefined : books.instanceBook(dev, party).overrides).toEqual({
        src_phone: "+1 202 555 0143",
      });
      expect(books.findMasters(dev, "segment", "cmo_code", "STAFF")).toHaveLength(1);
    }
    expect(dumps[0]).toEqual(dumps[1]);
  });

  test("records:N has so many parties at the source, and none at the target", async () => {
    const emulator = await startEmulator({ masterData: {} });
    onTestFinished(() => emulator.close());
    scenario("records:100")?.prepare(emulator);
    expect(books.countMasterData(emulator.masterData("dev"))).toMatchObject({
      "instance party": 100,
      "master party": 90,
    });
    expect(books.countMasterData(emulator.masterData("prod"))).toMatchObject({ "instance party": 0 });
    expect([scenario("records:0"), scenario("records:2000000")]).toEqual([undefined, undefined]);
  });
});
