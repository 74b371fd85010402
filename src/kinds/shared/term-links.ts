import type { JsonObject } from "../../model/json.ts";
import { child, isArray, isObject, own, text } from "../../model/json.ts";

/** A rule that is applied through a term, as a monitor's term rule instances show it. */
export interface TermLink {
  readonly termUrn: string;
  readonly termName: string;
  readonly ruleUrn: string;
  readonly ruleName: string;
}

export function termLinks(body: JsonObject): readonly TermLink[] {
  const links: TermLink[] = [];
  for (const instance of Object.values(child(body, "termRuleInstances") ?? {})) {
    if (!isObject(instance)) continue;
    const terms = own(instance, "terms");
    if (!isArray(terms)) continue;
    for (const term of terms) {
      if (!isObject(term)) continue;
      links.push({
        termUrn: text(term, "termUrn") ?? "",
        termName: text(term, "termName") ?? "",
        ruleUrn: text(instance, "ruleUrn") ?? "",
        ruleName: text(instance, "ruleName") ?? text(instance, "ruleInstanceName") ?? "",
      });
    }
  }
  return links;
}
