import { z } from "zod";
import type { JsonObject } from "../model/json.ts";
import { isArray, isObject, own, text } from "../model/json.ts";
import type { PlanSection } from "../plan/section.ts";
import type { LinkKind, Listed, Step } from "./kind.ts";
import { linksFirst } from "./checks/links-first.ts";
import { attributeTerms, strings } from "./shared/attribute-terms.ts";
import { pairAnswers } from "./shared/batch.ts";

declare module "../model/plan.ts" {
  interface Policy {
    /** `done` once a person has linked the rules to the terms in the web application. */
    readonly termLinks: "pending" | "done";
  }
}

const settings = {
  policy: { termLinks: { schema: z.enum(["pending", "done"]).default("pending") } },
} satisfies PlanSection;

function manualTerms(body: JsonObject): readonly string[] {
  const assignments = own(body, "termAssignments");
  if (!isArray(assignments)) return [];
  return assignments.flatMap((assignment) => {
    if (!isObject(assignment) || text(assignment, "source") !== "MANUAL") return [];
    const term = text(assignment, "termUrn");
    return term === undefined ? [] : [term];
  });
}

function accept(attribute: JsonObject): Listed | undefined {
  const termUrns = manualTerms(attribute);
  const attributeUrn = text(attribute, "urn") ?? "";
  if (termUrns.length === 0) return undefined;
  return { urn: attributeUrn, name: text(attribute, "name") ?? "", body: { attributeUrn, termUrns } };
}

const assign: Step = {
  name: "assign",
  effect: "changes",
  atMost: 100,
  atomic: false,
  settle: "by-reading",
  async send(client, items) {
    const answer = await client.catalog.assignTerms(
      items.map((item) => ({
        id: item.source,
        attributeUrn: item.target ?? "",
        termUrns: strings(own(item.body, "termUrns")),
      })),
    );
    return pairAnswers(items, answer);
  },
  async readBack(client, item) {
    const attribute = await client.catalog.attribute(item.target ?? "");
    return attribute === undefined
      ? undefined
      : (accept(attribute)?.body ?? { attributeUrn: item.target ?? "", termUrns: [] });
  },
};

/**
 * Terms that a person assigned to an attribute (document 1, "Term assignments (batch)"). Detected ones
 * (TERM_DETECTION) are the target's own business. The documents show no way to take an assignment back.
 */
export const termAssignments: LinkKind = {
  name: "term-assignments",
  selectedAs: "term-assignments",
  settings,
  ...attributeTerms,
  accept,
  refersTo: ["terms", "attributes", "primary-monitors"],
  checks: [linksFirst],
  update: [assign],
};
