import type { Urn } from "../../model/urn.ts";
import { Checker, checkTenant } from "../check.ts";
import { batchItems, bodyObject, created, noContent, ok, pathUrn, routesOf } from "../http/call.ts";
import { isObject, type JsonObject, mergePatch, without } from "../json.ts";
import { page } from "../paging.ts";
import { notFound } from "../problem.ts";
import type { Term } from "../state.ts";
import type { Tenant } from "../tenant.ts";
import { unassignTerm } from "./assignments.ts";
import { mergeExtra } from "./extra-properties.ts";
import { nothing, type Requested, requested, requestedFields } from "./related.ts";
import { checkDetectionRules, checkNewTerm, checkTermFields, readOnly } from "./term-checks.ts";

/** Stores a term that was checked; terms of the interface are published at once. */
export function storeTerm(tenant: Tenant, body: JsonObject, published = true): Term {
  const term = {
    urn: tenant.newUrn("catalog:term"),
    ...without(body, ["extraProperties"]),
    extraProperties: mergeExtra({}, body["extraProperties"]),
  } as Term;
  tenant.terms.put(
    published
      ? { urn: term.urn, published: term, draftType: "NONE" }
      : { urn: term.urn, draft: term, draftType: "NEW" },
  );
  return term;
}

function publishedTerm(tenant: Tenant, urn: string): Term {
  const term = tenant.terms.get(urn)?.published;
  if (term === undefined) throw notFound(`Term ${urn} does not exist.`);
  return term;
}

/** Merges a PATCH body into a published term. */
function changeTerm(tenant: Tenant, urn: Urn, body: JsonObject): Term {
  const term = publishedTerm(tenant, urn);
  const checker = new Checker();
  checker.refuseFields(body, readOnly, "#", "is read-only");
  if ("type" in body && body["type"] !== term.type)
    checker.fail("#/type", "The type of a term cannot be changed.");
  if ("name" in body) checker.requiredText(body, "name", "#");
  checkTermFields(tenant, term.type, body, "#", checker, true);
  checkTenant(body, tenant.name, "#", checker);
  checker.refuseIfFailed();
  const merged = mergePatch(
    without(term, ["extraProperties"]),
    without(body, ["extraProperties"]),
  ) as JsonObject;
  if (isObject(merged["detectionRules"])) {
    checkDetectionRules(tenant, merged["detectionRules"], "#/detectionRules", checker);
    checker.refuseIfFailed();
  }
  const extraProperties = mergeExtra(term.extraProperties, body["extraProperties"]);
  const changed = { ...merged, extraProperties } as Term;
  const row = tenant.terms.get(urn);
  if (row !== undefined) tenant.terms.put({ ...row, published: changed });
  return changed;
}

export function removeTerm(tenant: Tenant, urn: Urn): void {
  publishedTerm(tenant, urn);
  unassignTerm(tenant, urn);
  tenant.stewards.delete(urn);
  tenant.formerStewards.delete(urn);
  tenant.critical.delete(urn);
  tenant.terms.delete(urn);
}

const related = ["effectiveCriticality", "effectiveStewardship"] as const;

function showTerm(tenant: Tenant, term: Term, asked: Requested): JsonObject {
  return { ...without(term, ["extraProperties"]), ...requestedFields(tenant, term, term.type, asked) };
}

export const termRoutes = routesOf("catalog", "/api/catalog/v1", {
  "GET /terms": (call) => {
    const asked = requested(call, "term", related);
    return page(call, {
      name: "terms",
      collection: call.tenant.terms,
      key: "",
      sortable: { name: (term) => term.published?.name ?? "" },
      render: (term) => (term.published === undefined ? null : showTerm(call.tenant, term.published, asked)),
    });
  },
  "GET /terms/:urn": (call) => {
    const asked = requested(call, "term", related);
    return ok(showTerm(call.tenant, publishedTerm(call.tenant, pathUrn(call)), asked));
  },
  "PATCH /terms/:urn": (call) =>
    ok(showTerm(call.tenant, changeTerm(call.tenant, pathUrn(call), bodyObject(call)), nothing)),
  "DELETE /terms/:urn": (call) => {
    removeTerm(call.tenant, pathUrn(call));
    return noContent;
  },
  // All or nothing: one bad term refuses the request.
  "POST /terms/bulk": (call) => {
    const { tenant } = call;
    const checker = new Checker();
    const items = batchItems(bodyObject(call), "terms");
    const bodies = items.map((item, index) => checkNewTerm(tenant, item, `#/terms/${index}`, checker));
    checker.refuseIfFailed();
    const terms = bodies.map((body) => storeTerm(tenant, body));
    return created({ data: terms.map((term) => showTerm(tenant, term, nothing)) });
  },
});
