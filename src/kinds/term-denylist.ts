import type { JsonObject } from "../model/json.ts";
import { isArray, isObject, own, text } from "../model/json.ts";
import type { LinkKind } from "./kind.ts";
import { termsContradicted } from "./checks/terms-contradicted.ts";
import { attributeTerms } from "./shared/attribute-terms.ts";

function denied(attribute: JsonObject): readonly string[] {
  const denials = own(attribute, "termDetectionDenylist");
  if (!isArray(denials)) return [];
  return denials.flatMap((denial) => (isObject(denial) ? (text(denial, "termUrn") ?? []) : []));
}

/**
 * Terms that detection must not assign to an attribute (document 1, "Catalog item attribute"; page 04 for the way to
 * add one). Nothing shows a way to take one back.
 */
export const termDenylist: LinkKind = {
  name: "term-denylist",
  selectedAs: "term-denylist",
  ...attributeTerms({
    step: "deny",
    termsOf: denied,
    add: (client, items) => client.catalog.addToDenylist(items),
    ifAbsent: {
      code: "no-denylist-interface",
      reason: "the target offers no way to deny terms: its interface is in no document, and is not there",
      suggestion: "Deny the terms in the web application of the target.",
    },
  }),
  refersTo: ["terms", "attributes"],
  checks: [termsContradicted],
};
