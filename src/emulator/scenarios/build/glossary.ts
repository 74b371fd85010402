import { type Urn, uuidOf } from "../../../model/urn.ts";
import { compact, type Json, type JsonObject } from "../../json.ts";
import type { Term } from "../../state.ts";
import { type Estate, wanted } from "./estate.ts";
import type { TermSpec } from "./spec.ts";

/** What a key within rich text stands for. */
export type Mention = (key: string) => { readonly urn: Urn; readonly name: string };

/** Puts published terms into a tenant. URNs come first, for terms refer to each other in circles. */
export function buildTerms(estate: Estate, specs: readonly TermSpec[]): ReadonlyMap<string, Urn> {
  const { tenant } = estate;
  const urns = new Map(specs.map((spec) => [spec.key, tenant.newUrn("catalog:term")]));
  const names = new Map(specs.map((spec) => [spec.key, spec.name]));
  const mention: Mention = (key) => ({ urn: wanted(urns, key), name: wanted(names, key) });
  for (const spec of specs) {
    const term: JsonObject = compact({
      urn: wanted(urns, spec.key),
      type: spec.type,
      name: spec.name,
      description: spec.rich === undefined ? spec.description : richText(spec.rich, spec.key, mention),
      detectionRules: detectionRules(estate, spec),
      // No document shows what is inside: it has to travel as it is.
      attributeToCatalogItemTermRules:
        spec.propagates === true ? { enabled: true, minimumAttributes: 2 } : undefined,
      extraProperties: compact({
        owner: spec.owner,
        synonyms: spec.synonyms,
        reviewCycleDays: spec.reviewDays,
        confidence: spec.confidence,
        regulated: spec.regulated,
        unit: spec.unit,
        usageCount: spec.usageCount,
        partOf: spec.partOf === undefined ? undefined : wanted(urns, spec.partOf),
        relatedTerms: spec.related?.map((key) => wanted(urns, key)),
      }),
    });
    const published = term as Term;
    tenant.terms.put({ urn: published.urn, published, draftType: "NONE" });
  }
  return urns;
}

function detectionRules(estate: Estate, spec: TermSpec): JsonObject | undefined {
  if (spec.detection === undefined) return undefined;
  const { operator, rules } = spec.detection;
  return compact({
    operator,
    ruleAssignments: Object.entries(rules).map(([name, threshold]) => ({
      detectionRuleUrn: wanted(estate.detectionRules, name),
      threshold,
    })),
  });
}

/**
 * A JSON list of nodes in a string (page 04). An entityReference names another entity by its bare UUID: copied
 * verbatim it would plant an id of the source in the target.
 */
export function richText(text: string, page: string, mention: Mention): string {
  const children = text.split(/\{([^}]*)\}/).map((part, index): Json => {
    if (index % 2 === 0) return { text: part };
    const { urn, name } = mention(part);
    return { type: "entityReference", gid: uuidOf(urn), entityName: name, children: [{ text: "" }] };
  });
  const url = `https://wiki.harvest-lane.example/terms/${page}`;
  const more: Json = { type: "link", url, children: [{ text: "More in the handbook", marks: ["italic"] }] };
  return JSON.stringify([
    { type: "paragraph", children },
    { type: "paragraph", children: [{ text: "" }, more] },
  ]);
}
