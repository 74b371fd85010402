import type { JsonObject } from "../../model/json.ts";
import { own, text } from "../../model/json.ts";
import type { Shape } from "../../model/shape.ts";
import type { LinkKind } from "../kind.ts";
import { attributeFeed } from "./attribute-feed.ts";

/** Terms that stand in some relation to an attribute: `{ attributeUrn, termUrns }`, added and never taken away. */
export const attributeTermsShape: Shape = {
  known: ["attributeUrn", "termUrns"],
  serverOwned: [],
  fixed: ["attributeUrn"],
};

export function strings(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

/** What both kinds of it share. */
export const attributeTerms = {
  mode: "link",
  urnTypes: [],
  shape: attributeTermsShape,
  feed: attributeFeed,
  over: { kinds: ["attributes"], urn: (body: JsonObject) => text(body, "attributeUrn") },
  missing(tree: JsonObject, target: JsonObject): JsonObject | undefined {
    const present = new Set(strings(own(target, "termUrns")));
    const termUrns = strings(own(tree, "termUrns")).filter((urn) => !present.has(urn));
    return termUrns.length === 0 ? undefined : { termUrns };
  },
} satisfies Partial<LinkKind>;
