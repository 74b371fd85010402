import { z } from "zod";
import type { JsonObject } from "../model/json.ts";
import { isArray, isObject, own, text } from "../model/json.ts";
import type { Shape } from "../model/shape.ts";
import type { PlanSection } from "../plan/section.ts";
import type { LinkKind, Listed, Step } from "./kind.ts";
import { linksFirst } from "./checks/links-first.ts";
import { pairAnswers } from "./shared/batch.ts";
import { itemsOf } from "./shared/found.ts";

declare module "../model/plan.ts" {
  interface Policy {
    /** `done` once a person has linked the rules to the terms in the web application. */
    readonly termLinks: "pending" | "done";
  }
}

const settings = {
  policy: { termLinks: { schema: z.enum(["pending", "done"]).default("pending") } },
} satisfies PlanSection;

/**
 * Terms that a person assigned to an attribute (document 1, "Term assignments (batch)"). Detected ones
 * (TERM_DETECTION) are the target's own business. The documents show no way to take an assignment back.
 */
const shape: Shape = {
  known: ["attributeUrn", "termUrns"],
  serverOwned: [],
  fixed: ["attributeUrn"],
};

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

export const termAssignments: LinkKind = {
  name: "term-assignments",
  selectedAs: "term-assignments",
  mode: "link",
  urnTypes: [],
  settings,
  shape,
  feed: { name: "attributes", pages: (client) => itemsOf(client.catalog.attributes({})) },
  accept,
  refersTo: ["terms", "attributes", "primary-monitors"],
  over: { kinds: ["attributes"], urn: (body) => text(body, "attributeUrn") },
  missing(tree, target) {
    const present = new Set(strings(own(target, "termUrns")));
    const termUrns = strings(own(tree, "termUrns")).filter((urn) => !present.has(urn));
    return termUrns.length === 0 ? undefined : { termUrns };
  },
  checks: [linksFirst],
  update: [assign],
};

function strings(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}
