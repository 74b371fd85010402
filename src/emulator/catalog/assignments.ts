import { isUrn, type Urn } from "../../model/urn.ts";
import { independentBatch } from "../batch.ts";
import { Checker } from "../check.ts";
import { routesOf } from "../http/call.ts";
import { asText, isArray, type JsonObject } from "../json.ts";
import { notFound } from "../problem.ts";
import { applyLinkedRules } from "../quality/term-instances.ts";
import type { AssignmentSource } from "../state.ts";
import type { Tenant } from "../tenant.ts";
import { attributeOf } from "./attributes.ts";

/** Assigns a term to an attribute; one that is assigned already is not assigned twice. */
export function assignTerm(
  tenant: Tenant,
  attributeUrn: string,
  termUrn: Urn,
  source: AssignmentSource,
): void {
  const attribute = attributeOf(tenant, attributeUrn);
  const others = attribute.termAssignments.filter((assignment) => assignment.termUrn !== termUrn);
  const isNew = others.length === attribute.termAssignments.length;
  const before = attribute.termAssignments.find((assignment) => assignment.termUrn === termUrn)?.source;
  if (before === "TERM_DETECTION" && tenant.quirks.assignedDetected === before) return;
  const termAssignments = isNew
    ? [...others, { termUrn, source }]
    : attribute.termAssignments.map((known) => (known.termUrn === termUrn ? { termUrn, source } : known));
  tenant.attributes.put({ ...attribute, termAssignments });
  // Rules linked later are not applied retroactively (document 2, migration rule 7): only a new assignment counts.
  if (isNew) applyLinkedRules(tenant, attribute, termUrn);
}

export function denyTerm(tenant: Tenant, attributeUrn: string, termUrn: Urn): void {
  const attribute = attributeOf(tenant, attributeUrn);
  if (attribute.termDetectionDenylist.includes(termUrn)) return;
  const termDetectionDenylist = [...attribute.termDetectionDenylist, termUrn];
  tenant.attributes.put({ ...attribute, termDetectionDenylist });
}

/** A deleted term is assigned to nothing any more. */
export function unassignTerm(tenant: Tenant, termUrn: Urn): void {
  const attributes = [...tenant.attributes.values()].filter(
    (attribute) =>
      attribute.termAssignments.some((assignment) => assignment.termUrn === termUrn) ||
      attribute.termDetectionDenylist.includes(termUrn),
  );
  for (const attribute of attributes) {
    tenant.attributes.put({
      ...attribute,
      termAssignments: attribute.termAssignments.filter((assignment) => assignment.termUrn !== termUrn),
      termDetectionDenylist: attribute.termDetectionDenylist.filter((urn) => urn !== termUrn),
    });
  }
  const items = [...tenant.items.values()].filter((item) => item.termUrns.includes(termUrn));
  for (const item of items) {
    tenant.items.put({ ...item, termUrns: item.termUrns.filter((urn) => urn !== termUrn) });
  }
}

interface AttributeTerms {
  readonly attributeUrn: Urn;
  readonly termUrns: readonly Urn[];
}

/** A nonexistent attribute or term fails only its item, and the whole of its item. */
function attributeTerms(tenant: Tenant, item: JsonObject, pointer: string): AttributeTerms {
  const checker = new Checker();
  const attributeUrn = item["attributeUrn"];
  checker.reference(attributeUrn, () => true, "an attribute", `${pointer}/attributeUrn`);
  const termUrns = isArray(item["termUrns"]) ? item["termUrns"] : [];
  if (!isArray(item["termUrns"])) checker.fail(`${pointer}/termUrns`, "termUrns must be an array of URNs.");
  for (const [index, urn] of termUrns.entries()) {
    checker.reference(urn, () => true, "a term", `${pointer}/termUrns/${index}`);
  }
  checker.refuseIfFailed();
  const urns = termUrns.filter(isUrn);
  if (!isUrn(attributeUrn) || !tenant.attributes.has(attributeUrn)) {
    throw notFound(`Attribute ${asText(attributeUrn)} does not exist.`);
  }
  for (const urn of urns) if (!tenant.terms.has(urn)) throw notFound(`Term ${urn} does not exist.`);
  return { attributeUrn, termUrns: urns };
}

export const assignmentRoutes = routesOf("catalog", "/api/catalog/v1/attributes/term-assignments", {
  // Assignments created this way have source MANUAL (document 1, "Term assignments").
  "POST /batch/assign": (call) =>
    independentBatch(call, (item, pointer) => {
      const { attributeUrn, termUrns } = attributeTerms(call.tenant, item, pointer);
      for (const termUrn of termUrns) assignTerm(call.tenant, attributeUrn, termUrn, "MANUAL");
      return { attributeUrn, termUrns: [...termUrns] };
    }),
  // Page 04: the body is the same, the outcome too.
  "POST /denylist/batch/add": (call) =>
    independentBatch(call, (item, pointer) => {
      const { attributeUrn, termUrns } = attributeTerms(call.tenant, item, pointer);
      for (const termUrn of termUrns) denyTerm(call.tenant, attributeUrn, termUrn);
      return { attributeUrn, termUrns: [...termUrns] };
    }),
});
