import type { Urn } from "../../model/urn.ts";
import { type Call, queryList } from "../http/call.ts";
import type { JsonObject } from "../json.ts";
import { invalid } from "../problem.ts";
import type { Tenant } from "../tenant.ts";
import { requestedExtra, shownProperties } from "./extra-properties.ts";

export type Related = "effectiveCriticality" | "effectiveStewardship";

/** What a request asks for beyond the plain resource; writes answer with the plain one (document 1). */
export interface Requested {
  readonly extra: readonly string[];
  readonly related: readonly Related[];
}

export const nothing: Requested = { extra: [], related: [] };

/** Reads `extraProperties` and `include`; which included values apply is given per endpoint. */
export function requested(call: Call, root: string, allowed: readonly Related[]): Requested {
  const related = queryList(call, "include").map((name) => {
    const known = allowed.find((value) => value === name);
    if (known === undefined) throw invalid(`${name} cannot be included here.`);
    return known;
  });
  return { extra: requestedExtra(call, root), related };
}

/** The requested extra properties and related data of one resource, as fields of its answer. */
export function requestedFields(
  tenant: Tenant,
  resource: { readonly urn: Urn; readonly extraProperties: JsonObject },
  type: string,
  asked: Requested,
): JsonObject {
  const fields = relatedFields(tenant, resource.urn, asked.related);
  if (asked.extra.length > 0) {
    fields["extraProperties"] = shownProperties(tenant, type, resource.extraProperties, asked.extra);
  }
  return fields;
}

export function relatedFields(tenant: Tenant, urn: Urn, names: readonly Related[]): JsonObject {
  const fields: JsonObject = {};
  if (names.includes("effectiveCriticality"))
    fields["effectiveCriticality"] = { isCritical: isCritical(tenant, urn) };
  // Only where the type has the trait (document 1, "Generic entity envelope").
  if (names.includes("effectiveStewardship") && tenant.model.isStewarded(tenant.typeOf(urn) ?? "")) {
    const stewardship = effectiveStewardship(tenant, urn);
    if (stewardship !== null || tenant.quirks.unset === "null") fields["effectiveStewardship"] = stewardship;
  }
  return fields;
}

/**
 * The resource's own group, else the one of the closest parent that has one. The documents do not show the
 * rules of inheritance; this is the plainest reading of originUrn.
 */
export function effectiveStewardship(tenant: Tenant, urn: Urn): JsonObject | null {
  for (let place: Urn | undefined = urn; place !== undefined; place = parentOf(tenant, place)) {
    const group = tenant.stewards.get(place);
    if (group !== undefined) return { groupUrn: group, originUrn: place };
  }
  return null;
}

export function parentOf(tenant: Tenant, urn: Urn): Urn | undefined {
  return (
    tenant.attributes.get(urn)?.catalogItemUrn ??
    tenant.items.get(urn)?.parentUrn ??
    tenant.folders.get(urn)?.parentUrn ??
    tenant.entities.get(urn)?.parentUrn
  );
}

/** Critical itself, or through a critical term that is assigned to it. */
function isCritical(tenant: Tenant, urn: Urn): boolean {
  if (tenant.critical.has(urn)) return true;
  const terms = [
    ...(tenant.attributes.get(urn)?.termAssignments.map((assignment) => assignment.termUrn) ?? []),
    ...(tenant.items.get(urn)?.termUrns ?? []),
  ];
  return terms.some((term) => tenant.critical.has(term));
}
