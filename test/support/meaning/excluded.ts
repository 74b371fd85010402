import type { JsonObject } from "../../../src/emulator/index.ts";
import type { Tenant } from "../../../src/emulator/index.ts";

/**
 * What is not compared, and why: the server owns it or it does not move. Everything else is compared, whatever it
 * is called. A sub-entity's own URN and key are not in this list: `Describer` leaves them out only where they are
 * what document 2, "Sub-entity identifiers" 1, says, and shows them otherwise.
 */
export const excluded: readonly { readonly pointer: string; readonly why: string }[] = [
  { pointer: "/urn", why: "document 1, Resource identifier: the server generates URNs on creation" },
  { pointer: "/draftType", why: "document 2, Data-quality monitor: read-only" },
  { pointer: "/schedule/nextRun", why: "document 2, Data-quality monitor: read-only" },
  { pointer: "/termRuleInstances", why: "document 2, Migration rules 7: not moved with the monitor" },
  {
    pointer: "/manualRuleInstances/*/ruleName",
    why: "page 04 and document 2: the rule's own name, filled by the server",
  },
  {
    pointer: "/manualRuleInstances/*/parameterValues/*/ruleParameterName",
    why: "the same, of the parameter",
  },
  {
    pointer: "/manualRuleInstances/*/correlationId",
    why: "document 2: only in the response that creates it",
  },
];

const patterns = excluded.map(({ pointer }) => pointer.split("/").slice(1));

export function isExcluded(path: readonly string[]): boolean {
  return patterns.some(
    (pattern) =>
      pattern.length === path.length && pattern.every((step, index) => step === "*" || step === path[index]),
  );
}

/** Document 1, "Metadata model": a property that is not editable is computed by the service and cannot be written. */
export function writable(tenant: Tenant, type: string, extraProperties: JsonObject): JsonObject {
  const entries = Object.entries(extraProperties);
  return Object.fromEntries(
    entries.filter(([name]) => tenant.model.property(type, name)?.editable !== false),
  );
}
