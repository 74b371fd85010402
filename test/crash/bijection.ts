import type { JsonObject, Tenant } from "../../src/emulator/index.ts";
import type { Row } from "./mapping-files.ts";

/**
 * The mapping against what both tenants hold: every row names one object on each side, none is named twice, and
 * the bodies refer, id by id, to what the mapping says. That tells also those apart whose content is equal.
 */
export function mappingProblems(rows: readonly Row[], source: Tenant, target: Tenant): readonly string[] {
  const problems: string[] = [];
  const pairs = new Map<string, string>();
  const images = new Map<string, string>();
  const pair = (from: string, to: string): void => {
    if ((pairs.get(from) ?? to) !== to) problems.push(`${from} is mapped to two`);
    if ((images.get(to) ?? from) !== from) problems.push(`${to} stands for two`);
    pairs.set(from, to);
    images.set(to, from);
  };
  for (const { kind, source: from, target: to, keys, unfinished } of rows) {
    if (published(source, from) === undefined)
      problems.push(`${kind}: ${from} is mapped and not at the source`);
    if (published(target, to) === undefined) problems.push(`${kind}: ${to} is mapped and not at the target`);
    if (unfinished !== undefined) problems.push(`${kind}: ${from} still has to ${unfinished}`);
    pair(uuidOf(from), uuidOf(to));
    for (const [key, twin] of Object.entries(keys)) pair(key, twin);
  }
  for (const { kind, source: from, target: to } of rows) {
    const wanted = ids(published(source, from))
      .flatMap((id) => pairs.get(id) ?? [])
      .sort();
    const found = ids(published(target, to))
      .filter((id) => images.has(id))
      .sort();
    if (wanted.join() !== found.join())
      problems.push(`${kind}: ${to} does not refer to what ${from} refers to`);
  }
  return problems;
}

/** What a URN names, as others see it. */
export function published(tenant: Tenant, urn: string): JsonObject | undefined {
  for (const rows of [tenant.terms, tenant.rules, tenant.monitors, tenant.dashboards]) {
    const row = rows.get(urn);
    if (row !== undefined) return row.published;
  }
  const { folders, items, attributes, entities } = tenant;
  const found = folders.get(urn) ?? items.get(urn) ?? attributes.get(urn) ?? entities.get(urn);
  return found === undefined ? undefined : (JSON.parse(JSON.stringify(found)) as JsonObject);
}

/** Every id in a body, as often as it stands there; term rule instances do not move (document 2, migration rule 7). */
function ids(body: JsonObject | undefined): string[] {
  const { termRuleInstances: _notMoved, ...moved } = body ?? {};
  return JSON.stringify(moved).match(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g) ?? [];
}

function uuidOf(urn: string): string {
  return urn.slice(-36);
}
