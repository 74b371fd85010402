import type { Urn } from "../../model/urn.ts";
import { asText, child, isObject, type JsonObject, list } from "../json.ts";
import type { Attribute, Monitor, TermRuleLink } from "../state.ts";
import type { Tenant } from "../tenant.ts";
import { entriesOf } from "./sub-entities.ts";

/**
 * A term that is assigned brings the rules that were linked to it before onto the primary monitor of the item,
 * published version and draft alike (document 2, migration rule 7).
 */
export function applyLinkedRules(tenant: Tenant, attribute: Attribute, termUrn: Urn): void {
  const monitorUrn = tenant.items.get(attribute.catalogItemUrn)?.primaryMonitorUrn;
  for (const link of tenant.termRuleLinks) {
    const row = link.termUrn === termUrn ? tenant.monitors.get(monitorUrn ?? "") : undefined;
    if (row === undefined) continue;
    // One identity for both versions.
    const keys = { instance: tenant.newUuid(), mapping: tenant.newUuid() };
    const apply = (monitor: Monitor): Monitor => withInstance(tenant, monitor, attribute.urn, link, keys);
    tenant.monitors.put({
      ...row,
      ...(row.published !== undefined && { published: apply(row.published) }),
      ...(row.draft !== undefined && { draft: apply(row.draft) }),
    });
  }
}

function withInstance(
  tenant: Tenant,
  monitor: Monitor,
  attributeUrn: Urn,
  link: TermRuleLink,
  keys: { readonly instance: string; readonly mapping: string },
): Monitor {
  const instances = child(monitor, "termRuleInstances");
  const same = entriesOf(monitor, "termRuleInstances").find(
    ([, instance]) => instance["ruleUrn"] === link.ruleUrn && mapsTo(instance, attributeUrn),
  );
  const [key, instance] = same ?? [
    keys.instance,
    {
      ruleInstanceUrn: tenant.urnFor("data-quality:rule-instance", keys.instance),
      ruleUrn: link.ruleUrn,
      enabled: true,
      dqThresholds: {},
      mappings: {
        [keys.mapping]: { catalogItemAttributeUrn: attributeUrn, ruleAttributeUrn: link.ruleAttributeUrn },
      },
      terms: [],
    },
  ];
  // Another term with the same rule joins the instance that is there.
  const terms = [...list(instance, "terms"), { termUrn: link.termUrn }];
  return { ...monitor, termRuleInstances: { ...instances, [key]: { ...instance, terms } } };
}

function mapsTo(instance: JsonObject, attributeUrn: Urn): boolean {
  return entriesOf(instance, "mappings").some(
    ([, mapping]) => mapping["catalogItemAttributeUrn"] === attributeUrn,
  );
}

/** Rule instances as an answer shows them: names of rules, parameters and terms are filled by the server. */
export function namedInstances(tenant: Tenant, map: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(map).map(([key, instance]) => [
      key,
      isObject(instance) ? named(tenant, instance) : instance,
    ]),
  );
}

function named(tenant: Tenant, instance: JsonObject): JsonObject {
  const rule = tenant.rules.get(asText(instance["ruleUrn"]))?.published;
  if (rule === undefined) return instance;
  const shown: JsonObject = { ...instance, ruleName: rule.name };
  const parameters = new Map(
    entriesOf(rule, "parameters").map(([, parameter]) => [parameter["urn"], parameter["name"]]),
  );
  if (isObject(instance["parameterValues"])) {
    shown["parameterValues"] = Object.fromEntries(
      entriesOf(instance, "parameterValues").map(([key, value]) => [
        key,
        { ...value, ruleParameterName: parameters.get(value["ruleParameterUrn"]) ?? null },
      ]),
    );
  }
  if (instance["terms"] !== undefined) {
    shown["ruleInstanceName"] ??= rule.name;
    shown["terms"] = list(instance, "terms").map((entry) => {
      const termUrn = isObject(entry) ? asText(entry["termUrn"]) : "";
      return { termUrn, termName: tenant.terms.get(termUrn)?.published?.name ?? null };
    });
  }
  return shown;
}
