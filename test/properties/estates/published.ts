import type { JsonObject, Tenant } from "../../../src/emulator/index.ts";

/** Everything published that is moved, by URN: primary monitors are laid over, so they are a kind of their own. */
export function published(
  tenant: Tenant,
): ReadonlyMap<string, { readonly kind: string; readonly body: JsonObject }> {
  const found = new Map<string, { readonly kind: string; readonly body: JsonObject }>();
  const add = (
    kind: string,
    rows: Iterable<{ readonly urn: string; readonly published?: JsonObject }>,
  ): void => {
    for (const { urn, published } of rows)
      if (published !== undefined) found.set(urn, { kind, body: published });
  };
  add("terms", tenant.terms.values());
  add("rules", tenant.rules.values());
  const primary = new Set([...tenant.items.values()].map((item) => item.primaryMonitorUrn as string));
  const monitors = [...tenant.monitors.values()];
  add(
    "monitors",
    monitors.filter(({ urn }) => !primary.has(urn)),
  );
  add(
    "primary-monitors",
    monitors.filter(({ urn }) => primary.has(urn)),
  );
  add("dashboards", tenant.dashboards.values());
  return found;
}
