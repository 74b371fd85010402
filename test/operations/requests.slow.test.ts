import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { LogEntry, Tenant } from "../../src/emulator/index.ts";
import { world, type World } from "../support/world.ts";
import { isToken, run } from "./support.ts";

/**
 * The fewest requests that the work can be done with, from the numbers of objects alone. A page and a batch hold
 * 100 (documents 1 and 2, Limits); an empty listing costs a page. Requests for tokens are counted apart.
 *
 *   pages at the source  = model + terms + rules + monitors (primary ones are in the same list) + dashboards
 *                        + items that have monitors (POST /catalog-items/filter, 100 URNs a request)
 *                        + attributes (the whole list, or item by item, whichever is less)
 *                        + sources + dimensions
 *   pages at the target  = the same listings as long as they are there before the run
 *                        + items once more: by name to pair them, by URN to tell primary monitors from others
 *   batches              = ceil(terms / 100) + ceil(rules / 100) + ceil(monitors without primary / 100)
 *   singles              = 2 for a dashboard (create and publish; page 04 knows no batch)
 *
 * Rules of this scenario use no transformations, and its terms no detection rules: neither is asked for.
 */
const pageSize = 100;
const pages = (count: number): number => Math.max(1, Math.ceil(count / pageSize));

function listingPages(tenant: Tenant): number {
  const { terms, rules, monitors, dashboards, items, attributes } = tenant.counts();
  const sources = [...tenant.entities.values()].filter((entity) => entity.concreteType === "source").length;
  return (
    pages(tenant.model.all().length) +
    pages(terms) +
    pages(rules) +
    pages(monitors) +
    pages(dashboards) +
    pages(items) +
    Math.min(pages(attributes), items) +
    pages(sources) +
    pages(tenant.dimensions.size)
  );
}

describe("2,000 rules and monitors, 1,000 terms, 200 dashboards", () => {
  let large: World;
  let entries: readonly LogEntry[];
  let again: readonly LogEntry[];
  let expected: { reads: number; batches: number; singles: number };
  let expectedAgain: number;

  beforeAll(async () => {
    large = await world("large:2000");
    const [source, target] = [large.emulator.tenant("dev"), large.emulator.tenant("prod")];
    const { terms, rules, monitors, dashboards, items } = source.counts();
    expected = {
      reads: listingPages(source) + listingPages(target) + pages(target.counts().items),
      // Every item has one primary monitor, which is not created.
      batches: pages(terms) + pages(rules) + pages(monitors - items),
      singles: 2 * dashboards,
    };
    const result = await run(large);
    expect(result.exitCode).toBe(0);
    entries = large.emulator.log.entries;
    expectedAgain = listingPages(source) + listingPages(target) + pages(target.counts().items);
    large.emulator.log.clear();
    await run(large);
    again = large.emulator.log.entries;
  });
  afterAll(async () => large.close());

  const counted = (all: readonly LogEntry[]): number => all.filter((entry) => !isToken(entry)).length;

  test("cost at most a tenth more than the pages and batches", () => {
    const { reads, batches, singles } = expected;
    expect(singles).toBe(400);
    expect(batches).toBe(50);
    expect(counted(entries)).toBeLessThanOrEqual(1.1 * (reads + batches + singles));
  });

  test("and so without the dashboards, which would hide much", () => {
    const others = entries.filter(
      (entry) => !(entry.route.includes("/dq-dashboards") && entry.method === "POST"),
    );
    expect(counted(entries) - counted(others)).toBe(expected.singles);
    expect(counted(others)).toBeLessThanOrEqual(1.1 * (expected.reads + expected.batches));
  });

  test("and so each side and each sort of request for itself", () => {
    const isWrite = (entry: LogEntry): boolean => entry.method !== "GET" && !entry.path.endsWith("/filter");
    const writes = entries.filter((entry) => isWrite(entry) && !isToken(entry));
    expect(writes.filter((entry) => entry.tenant === "dev")).toEqual([]);
    expect(writes.length).toBeLessThanOrEqual(1.1 * (expected.batches + expected.singles));
    expect(counted(entries.filter((entry) => !isWrite(entry)))).toBeLessThanOrEqual(1.1 * expected.reads);
  });

  test("send no request for a single rule, monitor, term, item or attribute", () => {
    const single = entries.filter((entry) => entry.route.includes("/:") && !isToken(entry));
    const routes = new Set(single.map((entry) => entry.route));
    expect([...routes]).toEqual(["POST /api/data-quality/v1/dq-dashboards/:urn/publish"]);
  });

  test("send no request twice that could not have been saved", () => {
    const asked = entries
      .filter((entry) => entry.method === "GET")
      .map(({ tenant, path, query }) => JSON.stringify([tenant, path, query]));
    expect(new Set(asked).size).toBe(asked.length);
  });

  test("ask for one token a side", () => {
    expect(
      entries
        .filter(isToken)
        .map((entry) => entry.tenant)
        .sort(),
    ).toEqual(["dev", "prod"]);
  });

  test("cost the listings alone when nothing has changed", () => {
    expect(
      again.filter((entry) => entry.method !== "GET" && !isToken(entry) && !entry.path.endsWith("/filter")),
    ).toEqual([]);
    expect(counted(again)).toBeLessThanOrEqual(1.1 * expectedAgain);
  });
});
