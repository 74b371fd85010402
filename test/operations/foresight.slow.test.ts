import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { catalogItems } from "../../src/kinds/catalog-items.ts";
import type { Found, PairingContext } from "../../src/kinds/kind.ts";
import { MappingTable } from "../../src/model/mapping-table.ts";
import { readBoth, readTargetFor } from "../../src/operations/compare.ts";
import { exportSnapshot } from "../../src/operations/export.ts";
import type { Migration } from "../../src/operations/migration.ts";
import type { ReadClient } from "../../src/service/index.ts";
import { type PlanChanges, world, type World } from "../support/world.ts";

/** So that a test fails for its reason, not for its time. */
const patienceMs = 3_000;

const monitors = "GET /api/data-quality/v1/dq-monitors";
const attributes = "GET /api/catalog/v1/attributes";
const dimensions = "GET /api/data-quality/v1/dq-dimensions";

describe("given things, while the source is still listed", () => {
  let at: World;
  beforeAll(async () => {
    at = await world("large:600");
  });
  afterAll(async () => at.close());
  beforeEach(() => {
    at.emulator.log.clear();
    at.emulator.faults.clear();
  });

  const pagesOf = (tenant: "dev" | "prod", route: string): number => at.emulator.log.count({ tenant, route });
  const monitorPages = (): number => Math.ceil(at.emulator.tenant("dev").counts().monitors / 100);
  const attributePages = (tenant: "dev" | "prod"): number =>
    Math.ceil(at.emulator.tenant(tenant).counts().attributes / 100);

  /** Reads both sides; the source's last page of monitors is answered when `until` holds, or not soon. */
  async function heldUntil(until: () => boolean, plan?: PlanChanges, ms = patienceMs): Promise<boolean> {
    const enough = Promise.withResolvers<boolean>();
    const off = at.emulator.on(async ({ phase, entry }) => {
      if (until()) enough.resolve(true);
      if (phase !== "received" || entry.tenant !== "dev" || entry.route !== monitors) return;
      if (pagesOf("dev", monitors) < monitorPages()) return;
      const timer = setTimeout(() => {
        enough.resolve(false);
      }, ms);
      await enough.promise;
      clearTimeout(timer);
    });
    const migration = at.migration(plan);
    try {
      await readBoth(migration, new MappingTable(), migration.targetReads());
      return await enough.promise;
    } finally {
      off();
      await migration.close();
    }
  }

  test("attributes are read whole at the source as soon as that is cheaper than item by item", async () => {
    expect(attributePages("dev")).toBeGreaterThan(1);
    expect(await heldUntil(() => pagesOf("dev", attributes) === attributePages("dev"))).toBe(true);
  });

  test("dimensions are listed at both sides", async () => {
    expect(await heldUntil(() => pagesOf("dev", dimensions) > 0 && pagesOf("prod", dimensions) > 0)).toBe(
      true,
    );
  });

  test("nothing is begun for what the plan leaves out", async () => {
    const terms = [{ kind: "terms", name: "*" }];
    const begun = (): boolean => pagesOf("dev", attributes) > 0 || pagesOf("prod", dimensions) > 0;
    const select = {
      kinds: ["terms", "rules", "monitors"],
      exclude: [
        { kind: "rules", name: "*" },
        { kind: "monitors", name: "*" },
      ],
      include: terms,
    };
    expect(await heldUntil(begun, { select }, 300)).toBe(false);
    expect(begun()).toBe(false);
  });

  test("what was begun ends when a listing fails", async () => {
    const [asked, failed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    at.emulator.faults.add({
      match: { tenant: "dev", route: monitors },
      when: { skip: monitorPages() - 1 },
      effect: { type: "status", code: 403 },
    });
    const off = at.emulator.on(async ({ phase, entry }) => {
      if (entry.tenant !== "dev" || phase !== "received") return;
      if (entry.route === attributes) {
        asked.resolve();
        await failed.promise;
      }
      if (entry.route === monitors && pagesOf("dev", monitors) === monitorPages()) await asked.promise;
    });
    const migration = at.migration();
    const reading = readBoth(migration, new MappingTable(), migration.targetReads());
    await expect(reading).rejects.toMatchObject({ kind: "permission" });
    failed.resolve();
    await new Promise((resolve) => setTimeout(resolve, 200));
    await migration.close();
    off();
    expect(pagesOf("dev", attributes)).toBe(1);
  });

  test.each<[string, PlanChanges]>([
    ["everything", {}],
    ["some rules", { select: { kinds: ["rules"], include: [{ kind: "rules", name: "*1" }] } }],
    ["some monitors", { select: { kinds: ["monitors"], include: [{ kind: "monitors", name: "*1" }] } }],
    ["terms", { select: { kinds: ["terms"] } }],
  ])("it costs no request more: %s", async (_name, plan) => {
    const requests = async (read: (migration: Migration) => Promise<unknown>): Promise<readonly string[]> => {
      at.emulator.log.clear();
      const migration = at.migration(plan);
      await read(migration);
      await migration.close();
      return at.emulator.log.entries.map(({ tenant, route }) => `${tenant} ${route}`).sort();
    };
    const early = await requests(async (migration) =>
      readBoth(migration, new MappingTable(), migration.targetReads()),
    );
    const late = await requests(async (migration) =>
      readTargetFor(migration, await exportSnapshot(migration), new MappingTable(), migration.targetReads()),
    );
    expect(early).toEqual(late);
  });
});

describe("items at the target", () => {
  test("are looked for by full requests, and each name once", async () => {
    const asked: (readonly string[])[] = [];
    const filterCatalogItems = async function* (filter: { name: { in: string[] } }): AsyncGenerator<object> {
      asked.push(filter.name.in);
      yield { items: filter.name.in.map((name) => ({ urn: `urn of ${name}`, name })) };
    };
    const client = { catalog: { filterCatalogItems } } as unknown as ReadClient;
    const rename = (name: string): string => name.replace("DEV", "PRD");
    const records = Array.from({ length: 130 }, (_, number) => found(`DEV ${number}`));
    const foreseen = catalogItems.foresee?.({ client, rename, stop: new AbortController().signal });
    foreseen?.certain({ isWanted: true, records: records.slice(0, 40), holders: 0 });
    expect(asked).toEqual([]);
    foreseen?.certain({ isWanted: true, records: records.slice(20, 60), holders: 0 });
    expect(asked.map((names) => names.length)).toEqual([100]);
    const context = { pairing: {}, rename } as PairingContext;
    const candidates = await foreseen?.candidates(client, records, context);
    expect(asked.map((names) => names.length)).toEqual([100, 100, 60]);
    expect(new Set(asked.flat()).size).toBe(260);
    expect(candidates).toHaveLength(260);
    // A second time everything is asked for again.
    await foreseen?.candidates(client, records.slice(0, 3), context);
    expect(asked.at(-1)).toHaveLength(6);
  });
});

function found(name: string): Found {
  return { urn: `urn of ${name}`, name, body: { name } };
}
