import type { Emulator, Tenant } from "../../src/emulator/index.ts";

/** How many objects a page or a batch may carry (documents 1 and 2, Limits). */
const most = 100;

function pages(count: number): number {
  return Math.max(1, Math.ceil(count / most));
}

/** The rows of the lists that a run reads at one side, by route. */
function listSizes(tenant: Tenant): Readonly<Record<string, number>> {
  const published = (rows: Iterable<{ readonly published?: unknown }>): number =>
    [...rows].filter((row) => row.published !== undefined).length;
  return {
    "GET /api/catalog/v1/terms": published(tenant.terms.values()),
    "GET /api/catalog/v1/metadata-model/entities": tenant.model.all().length,
    "GET /api/data-quality/v1/rules": published(tenant.rules.values()),
    "GET /api/data-quality/v1/dq-monitors": published(tenant.monitors.values()),
    "GET /api/data-quality/v1/dq-dashboards": published(tenant.dashboards.values()),
  };
}

/**
 * The fewest reads of one side: each list once, and the given things that are referred to, by pages or batches. Items
 * are looked up twice at the target, by the URNs that its monitors name and by the names that the source's have.
 */
export function leastReads(tenant: Tenant, side: "source" | "target"): Readonly<Record<string, number>> {
  const lists = listSizes(tenant);
  const reads: Record<string, number> = {};
  for (const [route, rows] of Object.entries(lists)) reads[route] = pages(rows);
  return {
    ...reads,
    // All items have a primary monitor, so all of them are referred to; their attributes by the monitors' mappings.
    "POST /api/catalog/v1/catalog-items/filter": pages(tenant.items.size) * (side === "target" ? 2 : 1),
    "GET /api/catalog/v1/attributes": Math.min(pages(tenant.attributes.size), tenant.items.size),
    "GET /api/catalog/v1/entities": 1,
    "GET /api/data-quality/v1/dq-dimensions": 1,
  };
}

/** The fewest writes that make what the source has: full batches; dashboards are created and published one by one. */
export function leastWrites(source: Tenant): Readonly<Record<string, number>> {
  const { terms, rules, monitors, dashboards, items } = source.counts();
  return {
    "POST /api/catalog/v1/terms/bulk": pages(terms),
    "POST /api/data-quality/v1/rules/batch/create": pages(rules),
    "POST /api/data-quality/v1/dq-monitors/batch/create": pages(monitors - items),
    "POST /api/data-quality/v1/dq-dashboards": dashboards,
    "POST /api/data-quality/v1/dq-dashboards/:urn/publish": dashboards,
  };
}

export function sum(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}

/** Routes that were asked more often than needed, with both numbers; for the cause of a missed goal. */
export function excess(
  emulator: Emulator,
  tenant: string,
  least: Readonly<Record<string, number>>,
): readonly string[] {
  const routes = new Set(
    emulator.log.entries.filter((entry) => entry.tenant === tenant).map(({ route }) => route),
  );
  return [...routes]
    .filter((route) => !route.includes("/openid-connect/token"))
    .map((route) => ({ route, count: emulator.log.count({ tenant, route }), least: least[route] ?? 0 }))
    .filter(({ count, least }) => count > least)
    .map(({ route, count, least }) => `${tenant} ${route}: ${count} instead of ${least}`);
}
