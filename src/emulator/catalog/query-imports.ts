import type { Urn } from "../../model/urn.ts";
import type { CatalogItem, Column } from "../state.ts";
import type { Tenant } from "../tenant.ts";
import { storeAttribute } from "./new-attribute.ts";
import { columnsOfQuery } from "./query-columns.ts";

/**
 * Creation runs the query to import attributes. Should that fail, the item has none and the request succeeds all
 * the same (document 1, "Rules for POST /catalog-items" 2).
 */
export function startImport(tenant: Tenant, item: CatalogItem, query: string): void {
  const { queryAttributes } = tenant.quirks;
  const when = typeof queryAttributes === "function" ? queryAttributes(item, query) : queryAttributes;
  const columns = columnsOfQuery(tenant, item.sourceUrn, query);
  if (when === "never" || columns === undefined) return;
  if (when === "at-once") storeColumns(tenant, item.urn, columns);
  else if ("afterReads" in when) {
    tenant.queryImports.set(item.urn, { columns, readsLeft: when.afterReads, until: -Infinity });
  } else {
    const until = tenant.clock() + when.afterMilliseconds;
    tenant.queryImports.set(item.urn, { columns, readsLeft: 0, until });
  }
}

export function storeColumns(tenant: Tenant, catalogItemUrn: Urn, columns: readonly Column[]): void {
  tenant.queryImports.delete(catalogItemUrn);
  const known = new Set(tenant.attributes.valuesIn(`item:${catalogItemUrn}`).map(({ name }) => name));
  for (const column of columns) {
    if (!known.has(column.name)) storeAttribute(tenant, { ...column, catalogItemUrn });
  }
}

/** A look at the attributes of an item, or of all: what has been imported meanwhile shows from now on. */
export function lookAtAttributes(tenant: Tenant, catalogItemUrn: Urn | undefined): void {
  for (const [urn, run] of tenant.queryImports) {
    if (catalogItemUrn !== undefined && urn !== catalogItemUrn) continue;
    if (run.readsLeft > 0) tenant.queryImports.set(urn, { ...run, readsLeft: run.readsLeft - 1 });
    else if (tenant.clock() >= run.until) storeColumns(tenant, urn, run.columns);
  }
}
