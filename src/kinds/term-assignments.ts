import { z } from "zod";
import type { JsonObject } from "../model/json.ts";
import { isArray, isObject, own, text } from "../model/json.ts";
import type { PlanSection } from "../plan/section.ts";
import type { LinkKind } from "./kind.ts";
import { linksFirst } from "./checks/links-first.ts";
import { termsContradicted } from "./checks/terms-contradicted.ts";
import { attributeTerms } from "./shared/attribute-terms.ts";

declare module "../model/plan.ts" {
  interface Policy {
    /** `done` once a person has linked the rules to the terms in the web application. */
    readonly termLinks: "pending" | "done";
  }
}

const settings = {
  policy: {
    termLinks: {
      schema: z
        .enum(["pending", "done"])
        .default("pending")
        .describe(
          "Whether a person has linked the rules to their terms at the target: terms are assigned only then.",
        ),
    },
  },
} satisfies PlanSection;

/** Without `source`, whoever has assigned them. */
function assignedTerms(body: JsonObject, source?: string): readonly string[] {
  const assignments = own(body, "termAssignments");
  if (!isArray(assignments)) return [];
  return assignments.flatMap((assignment) => {
    if (!isObject(assignment) || (source !== undefined && text(assignment, "source") !== source)) return [];
    const term = text(assignment, "termUrn");
    return term === undefined ? [] : [term];
  });
}

/**
 * Terms that a person assigned to an attribute (document 1, "Term assignments (batch)"). Detected ones
 * (TERM_DETECTION) are the target's own business, and whether one of them becomes a person's by being assigned no document
 * says. The documents show no way to take an assignment back.
 */
export const termAssignments: LinkKind = {
  name: "term-assignments",
  selectedAs: "term-assignments",
  settings,
  ...attributeTerms({
    step: "assign",
    termsOf: (attribute) => assignedTerms(attribute, "MANUAL"),
    allTermsOf: (attribute) => assignedTerms(attribute),
    add: (client, items) => client.catalog.assignTerms(items),
  }),
  refersTo: ["terms", "attributes", "primary-monitors"],
  checks: [linksFirst, termsContradicted],
};
