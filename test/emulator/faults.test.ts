import { describe, expect, test } from "vitest";
import type { FaultEffect, FaultRule } from "../../src/emulator/index.ts";
import { isArray, type Json, type JsonObject } from "../../src/emulator/json.ts";
import * as seed from "../../src/emulator/seed.ts";
import {
  at,
  catalog,
  quality,
  ruleBody,
  seedEstate,
  signIn,
  startWorld,
  textAt,
  tokenRequest,
  type World,
} from "./support.ts";

const bulk = `${catalog}/terms/bulk`;
const bulkRoute = `POST ${bulk}`;

function terms(...names: string[]): Json {
  return { terms: names.map((name) => ({ type: "businessTerm", name })) };
}

async function withFault(effect: FaultEffect, when?: FaultRule["when"]): Promise<World> {
  const world = await startWorld();
  world.emulator.faults.add({ match: { route: bulkRoute }, effect, ...(when !== undefined && { when }) });
  return world;
}

describe("effects on one request", () => {
  test("refuse-connection: the socket is destroyed before the body is read", async () => {
    const { api, dev, emulator } = await withFault({ type: "refuse-connection" });
    await expect(api.post(bulk, terms("A"))).rejects.toThrow("fetch failed");
    expect(dev.counts().terms).toBe(0);
    expect(emulator.log.entries.at(-1)).toMatchObject({
      body: undefined,
      status: 0,
      fault: "refuse-connection",
    });
  });

  test("drop-before-commit: no answer, and nothing is committed", async () => {
    const { api, dev } = await withFault({ type: "drop-before-commit" });
    await expect(api.post(bulk, terms("A"))).rejects.toThrow("fetch failed");
    expect(dev.counts().terms).toBe(0);
  });

  test("drop-after-commit: no answer, but it is committed", async () => {
    const { api, dev } = await withFault({ type: "drop-after-commit" });
    await expect(api.post(bulk, terms("A"))).rejects.toThrow("fetch failed");
    expect(dev.counts().terms).toBe(1);
  });

  test("delay after-commit: a client that left has its request committed all the same", async () => {
    const { api, dev, emulator } = await withFault({ type: "delay", ms: 200, at: "after-commit" });
    const leaving = api.send("POST", bulk, {
      body: JSON.stringify(terms("A")),
      signal: AbortSignal.timeout(60),
    });
    await expect(leaving).rejects.toThrow();
    expect(dev.counts().terms).toBe(1);
    await emulator.idle();
  });

  test("delay before-commit: a client that left does not stop the commit", async () => {
    const { api, dev, emulator } = await withFault({ type: "delay", ms: 150 });
    const leaving = api.send("POST", bulk, {
      body: JSON.stringify(terms("A")),
      signal: AbortSignal.timeout(50),
    });
    await expect(leaving).rejects.toThrow();
    expect(dev.counts().terms).toBe(0);
    await emulator.idle();
    expect(dev.counts().terms).toBe(1);
  });

  test("delay: a client that waits gets its answer", async () => {
    const { api } = await withFault({ type: "delay", ms: 20 });
    expect((await api.post(bulk, terms("A"))).status).toBe(201);
  });

  test("late-commit: the socket is gone now, the commit comes later", async () => {
    const { api, dev, emulator } = await withFault({ type: "late-commit", ms: 80 });
    await expect(api.post(bulk, terms("A"))).rejects.toThrow("fetch failed");
    expect(dev.counts().terms).toBe(0);
    await emulator.idle();
    expect(dev.counts().terms).toBe(1);
  });

  test.each([429, 500, 502, 503, 504])(
    "status %i: a problem with Retry-After, nothing is committed",
    async (code) => {
      const { api, dev } = await withFault({ type: "status", code, retryAfter: 2 });
      const reply = await api.post(bulk, terms("A"));
      expect(reply.status).toBe(code);
      expect(reply.headers.get("Retry-After")).toBe("2");
      expect(reply.body).toMatchObject({ type: expect.any(String), detail: expect.any(String) });
      expect(dev.counts().terms).toBe(0);
    },
  );

  test("status after the commit", async () => {
    const { api, dev } = await withFault({ type: "status", code: 504, commit: true });
    const reply = await api.post(bulk, terms("A"));
    expect(reply.status).toBe(504);
    expect(reply.headers.get("Retry-After")).toBeNull();
    expect(dev.counts().terms).toBe(1);
  });

  test("truncate: committed, the answer ends before its Content-Length", async () => {
    const { api, dev } = await withFault({ type: "truncate" });
    await expect(api.post(bulk, terms("A"))).rejects.toThrow("terminated");
    expect(dev.counts().terms).toBe(1);
  });

  test("garbage: committed, the answer is 200 with HTML", async () => {
    const { api, dev } = await withFault({ type: "garbage" });
    await expect(api.post(bulk, terms("A"))).rejects.toThrow(SyntaxError);
    expect(dev.counts().terms).toBe(1);
  });
});

async function rulesWorld(effect: FaultEffect): Promise<{ readonly world: World; readonly data: Json[] }> {
  const world = await startWorld();
  const estate = seedEstate(world.dev);
  const data = ["a", "b", "c"].map((id) => {
    const body = JSON.stringify(ruleBody(estate, id)).replaceAll("new_", `new_${id}`);
    return Object.assign(JSON.parse(body) as JsonObject, { id });
  });
  world.emulator.faults.add({ match: { route: `POST ${quality}/rules/batch/create` }, effect });
  return { world, data };
}

describe("effects on the results of a batch", () => {
  const ids = (body: Json): Json[] => {
    const results = at(body, "results");
    return isArray(results) ? results.map((result) => at(result, "id") ?? null) : [];
  };

  test.each<[FaultEffect, string[]]>([
    [{ type: "missing-items" }, ["a", "b"]],
    [{ type: "missing-items", count: 2 }, ["a"]],
    [{ type: "missing-items", indexes: [0, 2] }, ["b"]],
    [{ type: "duplicate-items" }, ["a", "a", "b", "c"]],
    [{ type: "reorder-items" }, ["c", "b", "a"]],
  ])("%j: all are committed, the results are %j", async (effect, expected) => {
    const { world, data } = await rulesWorld(effect);
    const reply = await world.api.post(`${quality}/rules/batch/create`, { data });
    expect(reply.status).toBe(207);
    expect(ids(reply.body)).toEqual(expected);
    expect(world.dev.counts().rules).toBe(3);
  });

  test("partial-commit: the first items of an independent batch are committed, then the socket is gone", async () => {
    const { world, data } = await rulesWorld({ type: "partial-commit", count: 2 });
    await expect(world.api.post(`${quality}/rules/batch/create`, { data })).rejects.toThrow("fetch failed");
    expect(world.dev.counts().rules).toBe(2);
  });

  test("partial-commit: an atomic batch and a single write are lost whole", async () => {
    const { api, dev, emulator } = await startWorld();
    seed.seedMetadataType(dev, { name: "project", properties: [] });
    emulator.faults.add({ effect: { type: "partial-commit", count: 1 } });
    const entity = { concreteType: "project", parentProperty: "projects" };
    await expect(api.post(`${catalog}/entities/batch/create`, { data: [entity, entity] })).rejects.toThrow();
    await expect(api.post(bulk, terms("A"))).rejects.toThrow();
    expect(dev.counts()).toMatchObject({ terms: 0, entities: 0 });
  });
});

describe("effects on lists", () => {
  const names = (body: Json): Json[] => {
    const data = at(body, "data");
    return isArray(data) ? data.map((entry) => at(entry, "name") ?? null) : [];
  };

  test("stale-list by time: what was created lately is not shown, what was seeded is", async () => {
    let now = 0;
    const { api, dev, emulator } = await startWorld({ clock: () => now });
    seed.seedTerm(dev, { name: "Old" });
    await api.post(bulk, terms("New"));
    emulator.faults.add({ match: { method: "GET" }, effect: { type: "stale-list", ms: 1000 } });
    expect((await api.get(`${catalog}/terms`)).body).toMatchObject({
      data: [{ name: "Old" }],
      meta: { total: 1 },
    });
    expect(names((await api.get(`${catalog}/terms?sort=-name`)).body)).toEqual(["Old"]);
    now = 1000;
    expect(names((await api.get(`${catalog}/terms`)).body)).toEqual(["Old", "New"]);
  });

  test("stale-list by requests: what one of the last requests created is not shown", async () => {
    const { api, emulator } = await startWorld();
    await api.post(bulk, terms("New"));
    emulator.faults.add({ match: { method: "GET" }, effect: { type: "stale-list", requests: 2 } });
    expect(names((await api.get(`${catalog}/terms`)).body)).toEqual([]);
    expect(names((await api.get(`${catalog}/terms`)).body)).toEqual([]);
    expect(names((await api.get(`${catalog}/terms`)).body)).toEqual(["New"]);
  });

  test("stale-list: a monitor is new to the list when it is published, not when its draft was made", async () => {
    const { api, dev, emulator } = await startWorld();
    const { item } = seedEstate(dev).customers;
    const base = `${quality}/catalog-items/${item.urn}/dq-monitors`;
    const urn = textAt((await api.post(base, { name: "M" })).body, "urn");
    await api.get(`${catalog}/terms`);
    await api.post(`${base}/${urn}/publish`);
    emulator.faults.add({ effect: { type: "stale-list", requests: 1 } });
    expect(at((await api.get(`${quality}/dq-monitors?catalogItemUrn=${item.urn}`)).body, "meta.total")).toBe(
      1,
    );
    expect(at((await api.get(`${quality}/dq-monitors?catalogItemUrn=${item.urn}`)).body, "meta.total")).toBe(
      2,
    );
  });

  test("repeat-cursor: the next cursor leads to the same page again", async () => {
    const { api, dev, emulator } = await startWorld();
    for (const name of ["A", "B", "C"]) seed.seedTerm(dev, { name });
    const off = emulator.faults.add({ effect: { type: "repeat-cursor" } });
    const first = await api.get(`${catalog}/terms?size=1`);
    const again = await api.get(`${catalog}/terms?size=1&after=${textAt(first.body, "meta.next")}`);
    expect(names(again.body)).toEqual(["A"]);
    off();
    const second = textAt((await api.get(`${catalog}/terms?size=1`)).body, "meta.next");
    emulator.faults.add({ effect: { type: "repeat-cursor" } });
    const stuck = await api.get(`${catalog}/terms?size=1&after=${second}`);
    expect(names(stuck.body)).toEqual(["B"]);
    expect(textAt(stuck.body, "meta.next")).toBe(second);
  });
});

describe("which requests a fault hits", () => {
  const status: FaultEffect = { type: "status", code: 503 };

  async function statuses(rule: FaultRule, count: number): Promise<number[]> {
    const { api, emulator } = await startWorld({ seed: 3 });
    emulator.faults.add(rule);
    const found: number[] = [];
    for (let index = 0; index < count; index += 1) found.push((await api.get(`${catalog}/terms`)).status);
    return found;
  }

  test("skip lets the first through, times ends it", async () => {
    expect(await statuses({ when: { skip: 1, times: 2 }, effect: status }, 5)).toEqual([
      200, 503, 503, 200, 200,
    ]);
  });

  test("chance follows the seed", async () => {
    const rule: FaultRule = { when: { chance: 0.5 }, effect: status };
    const first = await statuses(rule, 20);
    expect(new Set(first)).toEqual(new Set([200, 503]));
    expect(await statuses(rule, 20)).toEqual(first);
  });

  test.each<[string, FaultRule["match"], number]>([
    ["a tenant", { tenant: "prod" }, 200],
    ["its tenant", { tenant: "dev" }, 503],
    ["a method", { method: "POST" }, 200],
    ["a prefix of the path", { path: `${catalog}/te` }, 503],
    ["a prefix that is none", { path: quality }, 200],
    ["an expression", { path: "/terms$/" }, 503],
    ["an expression that does not match", { path: "/^terms/" }, 200],
    ["a route", { route: `GET ${catalog}/terms` }, 503],
    ["another route", { route: `GET ${catalog}/terms/:urn` }, 200],
  ])("match by %s", async (_what, match, expected) => {
    expect(await statuses({ ...(match !== undefined && { match }), effect: status }, 1)).toEqual([expected]);
  });

  test("the first rule that fires takes effect; removed and cleared rules have none", async () => {
    const { api, emulator } = await startWorld();
    const off = emulator.faults.add({ effect: { type: "status", code: 500 } });
    emulator.faults.add({ effect: status });
    expect((await api.get(`${catalog}/terms`)).status).toBe(500);
    off();
    expect((await api.get(`${catalog}/terms`)).status).toBe(503);
    emulator.faults.clear();
    expect((await api.get(`${catalog}/terms`)).status).toBe(200);
  });

  test("faults given at the start hit the token endpoint too", async () => {
    const { startEmulator } = await import("../../src/emulator/index.ts");
    const emulator = await startEmulator({
      faults: [
        {
          match: { path: "/auth/" },
          when: { times: 1 },
          effect: { type: "status", code: 429, retryAfter: 1 },
        },
      ],
    });
    try {
      expect((await tokenRequest(emulator, "dev")).status).toBe(429);
      expect((await (await signIn(emulator)).get(`${catalog}/terms`)).status).toBe(200);
      expect(emulator.log.entries[0]).toMatchObject({ fault: "status", status: 429 });
    } finally {
      await emulator.close();
    }
  });

  test("an event that a listener delays holds the request back: a test may stop before the commit", async () => {
    const { api, dev, emulator } = await startWorld();
    const seen: number[] = [];
    emulator.on(({ phase }) => {
      if (phase === "before-commit" || phase === "after-commit") seen.push(dev.counts().terms);
    });
    await api.post(bulk, terms("A"));
    expect(seen).toEqual([0, 1]);
  });

  test("close destroys open sockets: nobody waits for a late answer", async () => {
    const { api, emulator } = await withFault({ type: "delay", ms: 300 });
    const waiting = expect(api.post(bulk, terms("A"))).rejects.toThrow("fetch failed");
    await new Promise((resolve) => setTimeout(resolve, 50));
    await emulator.close();
    await waiting;
    await emulator.idle();
  });
});
