import { expect, test } from "vitest";
import { startEmulator } from "../../../src/emulator/index.ts";
import type { Tenant } from "../../../src/emulator/index.ts";
import { scenario } from "../../../src/emulator/scenarios/index.ts";
import { callsOf } from "./calls-of.ts";
import { growToDemo } from "./content.ts";
import { leastOf } from "./least.ts";
import { openService } from "./open.ts";

/** Characters of JSON, on average. */
function sizes(tenant: Tenant): Readonly<Record<"terms" | "rules" | "monitors", number>> {
  const average = (rows: Iterable<{ readonly published?: unknown }>): number => {
    const texts = [...rows].map(({ published }) => JSON.stringify(published ?? null).length);
    return texts.reduce((total, length) => total + length, 0) / texts.length;
  };
  return {
    terms: average(tenant.terms.values()),
    rules: average(tenant.rules.values()),
    monitors: average(tenant.monitors.values()),
  };
}

test("objects have the size that they have in the demo, and refer to what is there", async () => {
  const [demo, large] = [await startEmulator(), await startEmulator()];
  try {
    scenario("demo")?.prepare(demo);
    scenario("large:200")?.prepare(large);
    const tenant = large.tenant("dev");
    growToDemo(tenant);
    const [wanted, grown] = [sizes(demo.tenant("dev")), sizes(tenant)];
    for (const kind of ["terms", "rules", "monitors"] as const) {
      expect(grown[kind] / wanted[kind], kind).toBeGreaterThan(0.85);
      expect(grown[kind] / wanted[kind], kind).toBeLessThan(1.15);
    }
    const inputs = new Set(
      [...tenant.rules.values()].flatMap(
        ({ published }) => JSON.stringify(published).match(/urn:[^"]*rule-attribute:[^"]*/g) ?? [],
      ),
    );
    const named = [...tenant.monitors.values()].flatMap(
      ({ published }) => JSON.stringify(published).match(/urn:[^"]*rule-attribute:[^"]*/g) ?? [],
    );
    expect(named.length).toBe(400);
    expect(named.filter((urn) => !inputs.has(urn))).toEqual([]);
  } finally {
    await Promise.all([demo.close(), large.close()]);
  }
});

test("the fewest requests are pages of 100, batches of 100, and each dashboard twice", async () => {
  const emulator = await startEmulator();
  try {
    scenario("large:1000")?.prepare(emulator);
    const [dev, prod] = [emulator.tenant("dev"), emulator.tenant("prod")];
    // 500 terms, 1,000 rules, 1,020 monitors with those of 20 items, 100 dashboards; 200 attributes.
    const unchanged = {
      "dev GET /api/catalog/v1/terms": 5,
      "dev GET /api/data-quality/v1/rules": 10,
      "dev GET /api/data-quality/v1/dq-monitors": 11,
      "dev GET /api/data-quality/v1/dq-dashboards": 1,
      "dev GET /api/catalog/v1/attributes": 2,
      "dev POST /api/catalog/v1/catalog-items/filter": 1,
    };
    expect(leastOf(dev, prod, "unchanged")).toMatchObject(unchanged);
    expect(leastOf(dev, prod, "first")).toMatchObject({
      ...unchanged,
      "prod POST /api/catalog/v1/terms/bulk": 5,
      "prod POST /api/data-quality/v1/rules/batch/create": 10,
      "prod POST /api/data-quality/v1/dq-monitors/batch/create": 10,
      "prod POST /api/data-quality/v1/dq-dashboards": 100,
      "prod POST /api/data-quality/v1/dq-dashboards/:urn/publish": 100,
      // Before there was anything, and once more to read it back.
      "prod GET /api/data-quality/v1/rules": 1 + 10,
      "prod GET /api/catalog/v1/terms": 1 + 5,
    });
  } finally {
    await emulator.close();
  }
});

test("calls say what they create, what they need of it, and which pages are of one list", async () => {
  const emulator = await startEmulator();
  try {
    scenario("large:20")?.prepare(emulator);
    const target = emulator.tenant("prod");
    const first = target.newUrn("catalog:term");
    target.terms.put({
      urn: first,
      published: { urn: first, type: "businessTerm", name: "Term 1", extraProperties: {} },
      draftType: "NONE",
    });
    const entry = { at: 0, tenant: "prod", status: 200, query: {}, path: "/api/catalog/v1/terms" };
    const page = { ...entry, method: "GET", route: "GET /api/catalog/v1/terms", body: undefined };
    const bulk = { ...entry, method: "POST", route: "POST /api/catalog/v1/terms/bulk" };
    const part = { name: "Term 2", extraProperties: { partOf: first } };
    const calls = callsOf(
      [
        { ...page, id: 1, query: { size: "100" } },
        { ...page, id: 2, query: { size: "100", after: "next" } },
        { ...bulk, id: 3, body: { terms: [{ name: "Term 1" }] } },
        { ...bulk, id: 4, body: { terms: [part] } },
        {
          ...entry,
          id: 5,
          method: "POST",
          route: "POST /api/catalog/v1/catalog-items/filter",
          body: { filter: { name: { in: ["TABLE_1"] } } },
        },
      ],
      target,
    );
    expect(calls.map(({ writes }) => writes)).toEqual([false, false, true, true, false]);
    expect(calls[0]?.list).toBe(calls[1]?.list);
    expect(calls[0]?.asks).not.toBe(calls[1]?.asks);
    expect(calls[2]).toMatchObject({ makes: ["Term 1"], needs: [] });
    expect(calls[3]).toMatchObject({ makes: ["Term 2"], needs: ["Term 1"] });
    expect(calls[4]).toMatchObject({ byId: true, makes: [] });
  } finally {
    await emulator.close();
  }
});

test("the emulated service answers from a process of its own, and ends with it", async () => {
  const service = await openService();
  const { url, objects } = await service.order("prepare", { objects: 50, keepLog: true });
  expect(objects).toBe(10 + 20 + 20 + 20 + 2);
  const answer = await fetch(`${url}/dev/api/catalog/v1/terms`);
  expect(answer.status).toBe(401);
  expect(await service.order("counts")).toEqual({ "dev GET /api/catalog/v1/terms": 1 });
  expect(await service.order("calls")).toHaveLength(1);
  await service.order("clear");
  expect(await service.order("counts")).toEqual({});
  await service.close();
  await expect(fetch(url)).rejects.toThrow();
});

test("what the service's process cannot do is an error here", async () => {
  const service = await openService();
  await expect(service.order("record", "/nowhere/at/all")).rejects.toThrow("/nowhere/at/all");
  await service.close();
});
