import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { FaultEffect } from "../../src/emulator/index.ts";
import { ServiceError } from "../../src/service/index.ts";
import type { PlanChanges, World } from "../support/world.ts";
import { world } from "../support/world.ts";
import { refusal, run, writes } from "./support.ts";

/**
 * An error is never emptiness: whatever listing fails, on whichever side, nothing is created a second time, deleted or
 * overwritten, though the plan would allow all of it.
 */
const bold: PlanChanges = {
  policy: { missingTarget: "recreate", drift: "overwrite", conflict: "source-wins", replace: "allow" },
};

const listings = [
  "GET /api/catalog/v1/metadata-model/entities",
  "GET /api/catalog/v1/terms",
  "GET /api/catalog/v1/entities",
  "GET /api/catalog/v1/attributes",
  "POST /api/catalog/v1/catalog-items/filter",
  "GET /api/data-quality/v1/rules",
  "GET /api/data-quality/v1/dq-monitors",
  "GET /api/data-quality/v1/dq-dashboards",
  "GET /api/data-quality/v1/dq-dimensions",
  "GET /api/data-quality/v1/transformations",
];
const sides = ["dev", "prod"];
const places = sides.flatMap((tenant) => listings.map((route) => [tenant, route] as const));
/**
 * The path is none of the documents (page 04), or the type is one that a metadata model need not have: what there is is
 * not known then, and references are blocked.
 */
const optional = new Set([
  "GET /api/catalog/v1/entities",
  "GET /api/data-quality/v1/dq-dimensions",
  "GET /api/data-quality/v1/transformations",
]);

describe("with everything at the target already", () => {
  let demo: World;
  let state: string;
  beforeAll(async () => {
    demo = await world("demo");
    await run(demo);
    state = JSON.stringify(demo.emulator.tenant("prod").dump());
    demo.emulator.log.clear();
    await run(demo, bold, { allowDelete: true });
    const asked = new Set(demo.emulator.log.entries.map(({ tenant, route }) => `${tenant} ${route}`));
    // The list above is all that a run asks for.
    const known = new Set(places.map(([tenant, route]) => `${tenant} ${route}`));
    expect([...asked].filter((place) => !known.has(place) && !place.includes("/auth/"))).toEqual([]);
    expect([...known].filter((place) => !asked.has(place))).toEqual([]);
  });
  afterAll(async () => demo.close());

  async function withFault(
    place: readonly [string, string],
    effect: FaultEffect,
    work: () => Promise<void>,
  ): Promise<void> {
    const [tenant, route] = place;
    demo.emulator.log.clear();
    const off = demo.emulator.faults.add({ match: { tenant, route }, effect });
    try {
      await work();
    } finally {
      off();
    }
    expect(writes(demo.emulator, "prod")).toEqual([]);
    expect(JSON.stringify(demo.emulator.tenant("prod").dump())).toBe(state);
  }

  test.each(places)("403 at %s for %s stops the run", async (tenant, route) => {
    await withFault([tenant, route], { type: "status", code: 403 }, async () => {
      const error = await refusal(run(demo, bold, { allowDelete: true }));
      expect(error).toBeInstanceOf(ServiceError);
      expect(error instanceof ServiceError && error.kind).toBe("permission");
      expect(error.message).toContain(`at "${tenant}"`);
      expect(error.message).toContain(route.split(" ")[1]);
    });
  });

  test.each(places)("404 at %s for %s changes nothing", async (tenant, route) => {
    await withFault([tenant, route], { type: "status", code: 404 }, async () => {
      if (!optional.has(route)) {
        const error = await refusal(run(demo, bold, { allowDelete: true }));
        expect(error instanceof ServiceError && error.kind).toBe("not-found");
        return;
      }
      const result = await run(demo, bold, { allowDelete: true });
      expect(result.summary).toMatchObject({
        create: 0,
        update: 0,
        replace: 0,
        delete: 0,
        drift: 0,
        conflict: 0,
      });
      expect(result.summary.blocked).toBeGreaterThan(0);
      expect(result.exitCode).toBe(4);
    });
  });

  test.each(sides)("a permission that is missing at %s stops the run", async (name) => {
    const tenant = demo.emulator.tenant(name);
    tenant.restrict("data-quality", { read: false });
    demo.emulator.log.clear();
    const error = await refusal(run(demo, bold, { allowDelete: true }));
    tenant.restrict("data-quality", { read: true });
    expect(error instanceof ServiceError && error.kind).toBe("permission");
    expect(writes(demo.emulator, "prod")).toEqual([]);
  });

  test("a run afterwards finds everything as it was", async () => {
    const result = await run(demo, bold, { allowDelete: true, verify: true });
    expect(result.summary).toMatchObject({ create: 0, update: 0, delete: 0, blocked: 0, manual: 2 });
    expect(JSON.stringify(demo.emulator.tenant("prod").dump())).toBe(state);
  });
});

describe("listings of several pages", () => {
  let large: World;
  beforeAll(async () => {
    large = await world("large:300");
  });
  afterAll(async () => large.close());

  test.each([
    ["dev", "GET /api/data-quality/v1/rules"],
    ["dev", "GET /api/data-quality/v1/dq-monitors"],
    ["dev", "GET /api/catalog/v1/terms"],
    ["dev", "GET /api/catalog/v1/attributes"],
    ["prod", "GET /api/catalog/v1/attributes"],
  ])("at %s, a page of %s that comes again and again ends the run", async (tenant, route) => {
    large.emulator.log.clear();
    const off = large.emulator.faults.add({ match: { tenant, route }, effect: { type: "repeat-cursor" } });
    const error = await refusal(run(large));
    off();
    expect(error instanceof ServiceError && error.kind).toBe("cursor-repeated");
    expect(error.message).toContain("the listing does not advance");
    expect(writes(large.emulator, "prod")).toEqual([]);
    expect(large.emulator.log.count({ tenant, route })).toBeLessThan(10);
    expect(large.emulator.tenant("prod").counts()).toMatchObject({ terms: 0, rules: 0, dashboards: 0 });
  });

  test("at the target, where the lists are long by then, they end the second run", async () => {
    await run(large);
    const state = JSON.stringify(large.emulator.tenant("prod").dump());
    for (const route of [
      "GET /api/data-quality/v1/rules",
      "GET /api/data-quality/v1/dq-monitors",
      "GET /api/catalog/v1/terms",
    ]) {
      const off = large.emulator.faults.add({
        match: { tenant: "prod", route },
        effect: { type: "repeat-cursor" },
      });
      const error = await refusal(run(large, bold, { allowDelete: true }));
      off();
      expect(error instanceof ServiceError && error.kind, route).toBe("cursor-repeated");
    }
    expect(JSON.stringify(large.emulator.tenant("prod").dump())).toBe(state);
    const { summary } = await run(large, bold, { allowDelete: true });
    expect(summary).toMatchObject({ create: 0, update: 0, delete: 0 });
  });

  test("a page that breaks off is asked for again, and the run is whole", async () => {
    const other = await world("large:300");
    for (const tenant of sides) {
      for (const route of ["GET /api/data-quality/v1/rules", "GET /api/catalog/v1/terms"]) {
        other.emulator.faults.add({
          match: { tenant, route },
          when: { times: 1 },
          effect: { type: "truncate" },
        });
      }
    }
    const result = await run(other, {}, { verify: true });
    expect(result.exitCode).toBe(0);
    expect(other.emulator.tenant("prod").counts()).toMatchObject(
      (({ terms, rules, monitors, dashboards }) => ({ terms, rules, monitors, dashboards }))(
        other.emulator.tenant("dev").counts(),
      ),
    );
    await other.close();
  });
});
