import type { Tenant } from "../../../src/emulator/index.ts";
import type { Counts } from "./orders.ts";

/** How many objects a page or a batch may carry (documents 1 and 2, Limits). */
const most = 100;

const pages = (count: number): number => Math.max(1, Math.ceil(count / most));

/**
 * The fewest requests that a run can do with: each list once, by pages, and the given things that are referred to; for
 * a first run also full batches, and one read-back of the lists that hold what was written.
 */
export function leastOf(source: Tenant, target: Tenant, run: "first" | "unchanged"): Counts {
  const reads = { ...named(source, reading(source, "source")), ...named(target, reading(target, "target")) };
  if (run === "unchanged") return reads;
  return added(added(reads, named(target, writing(source))), named(target, lists(source)));
}

/** The lists of what moves. */
function lists(tenant: Tenant): Counts {
  const published = (rows: Iterable<{ readonly published?: unknown }>): number =>
    [...rows].filter((row) => row.published !== undefined).length;
  return {
    "GET /api/catalog/v1/terms": pages(published(tenant.terms.values())),
    "GET /api/data-quality/v1/rules": pages(published(tenant.rules.values())),
    "GET /api/data-quality/v1/dq-monitors": pages(published(tenant.monitors.values())),
    "GET /api/data-quality/v1/dq-dashboards": pages(published(tenant.dashboards.values())),
  };
}

/** Items are looked up twice at the target: by the URNs that its monitors name, and by the names that the source's have. */
function reading(tenant: Tenant, side: "source" | "target"): Counts {
  return {
    ...lists(tenant),
    "GET /api/catalog/v1/metadata-model/entities": pages(tenant.model.all().length),
    // All items have a primary monitor, so all of them are referred to; their attributes by the monitors' mappings.
    "POST /api/catalog/v1/catalog-items/filter": pages(tenant.items.size) * (side === "target" ? 2 : 1),
    "GET /api/catalog/v1/attributes": Math.min(pages(tenant.attributes.size), tenant.items.size),
    "GET /api/catalog/v1/entities": 1,
    "GET /api/data-quality/v1/dq-dimensions": 1,
  };
}

/** Full batches; dashboards are created and published one by one. */
function writing(source: Tenant): Counts {
  const { terms, rules, monitors, dashboards, items } = source.counts();
  return {
    "POST /api/catalog/v1/terms/bulk": pages(terms),
    "POST /api/data-quality/v1/rules/batch/create": pages(rules),
    "POST /api/data-quality/v1/dq-monitors/batch/create": pages(monitors - items),
    "POST /api/data-quality/v1/dq-dashboards": dashboards,
    "POST /api/data-quality/v1/dq-dashboards/:urn/publish": dashboards,
  };
}

function named({ name }: Tenant, counts: Counts): Counts {
  return Object.fromEntries(Object.entries(counts).map(([route, count]) => [`${name} ${route}`, count]));
}

function added(one: Counts, other: Counts): Counts {
  const sum: Record<string, number> = { ...one };
  for (const [route, count] of Object.entries(other)) sum[route] = (sum[route] ?? 0) + count;
  return sum;
}
