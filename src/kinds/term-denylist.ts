import type { JsonObject } from "../model/json.ts";
import { isArray, isObject, own, text } from "../model/json.ts";
import type { LinkKind, Listed, Step } from "./kind.ts";
import { attributeTerms, strings } from "./shared/attribute-terms.ts";
import { pairAnswers } from "./shared/batch.ts";

function denied(attribute: JsonObject): readonly string[] {
  const denials = own(attribute, "termDetectionDenylist");
  if (!isArray(denials)) return [];
  return denials.flatMap((denial) => (isObject(denial) ? (text(denial, "termUrn") ?? []) : []));
}

function accept(attribute: JsonObject): Listed | undefined {
  const termUrns = denied(attribute);
  const attributeUrn = text(attribute, "urn") ?? "";
  if (termUrns.length === 0) return undefined;
  return { urn: attributeUrn, name: text(attribute, "name") ?? "", body: { attributeUrn, termUrns } };
}

const deny: Step = {
  name: "deny",
  effect: "changes",
  atMost: 100,
  atomic: false,
  settle: "by-reading",
  async send(client, items) {
    const answer = await client.catalog.addToDenylist(
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
 * Terms that detection must not assign to an attribute (document 1, "Catalog item attribute"; page 04 for the way to
 * add one). Nothing shows a way to take one back.
 */
export const termDenylist: LinkKind = {
  name: "term-denylist",
  selectedAs: "term-denylist",
  ...attributeTerms,
  accept,
  refersTo: ["terms", "attributes"],
  update: [deny],
};
