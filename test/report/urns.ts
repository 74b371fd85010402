export function urnOf(tenant: string, kind: string, index: number): string {
  const types: Readonly<Record<string, string>> = {
    terms: "catalog:term",
    rules: "data-quality:rule",
    monitors: "data-quality:dq-monitor",
    dashboards: "data-quality:dq-dashboard",
  };
  const uuid = `00000000-0000-4000-8000-${index.toString(16).padStart(12, "0")}`;
  return `urn:gov:${tenant}:${types[kind] ?? "catalog:entity"}:${uuid}`;
}
