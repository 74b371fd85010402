import type { Json, JsonObject } from "../../model/json.ts";
import { child, isArray, isObject, own, plainNumber, text } from "../../model/json.ts";
import type { Threshold } from "../../model/parity.ts";

/** What of a monitor's configuration its results do not say (document 2, results, Rules 5 and 6). */
export interface MonitorParts {
  readonly instances: ReadonlyMap<string, InstanceParts>;
  /** By URN. */
  readonly thresholds: ReadonlyMap<string, Threshold & { readonly key: string }>;
}

export interface InstanceParts {
  /** Its key in the map, which is the UUID of its URN. */
  readonly key: string;
  readonly ruleUrn: string;
  /** Of one that terms have brought. */
  readonly terms: readonly { readonly urn: string; readonly name: string }[] | undefined;
  /** By name. */
  readonly parameters: ReadonlyMap<string, Json>;
  readonly thresholds: ReadonlyMap<string, Threshold & { readonly key: string }>;
}

export function partsOf(monitor: JsonObject): MonitorParts {
  const instances = new Map<string, InstanceParts>();
  for (const map of ["manualRuleInstances", "termRuleInstances"]) {
    for (const [key, instance] of entriesOf(monitor, map)) {
      const urn = text(instance, "ruleInstanceUrn");
      if (urn === undefined) continue;
      instances.set(urn, {
        key,
        ruleUrn: text(instance, "ruleUrn") ?? "",
        terms: map === "termRuleInstances" ? termsOf(instance) : undefined,
        parameters: parametersOf(instance),
        thresholds: thresholdsOf(instance, "dqThresholds"),
      });
    }
  }
  return { instances, thresholds: thresholdsOf(monitor, "overallDqThresholds") };
}

function entriesOf(object: JsonObject, map: string): readonly (readonly [string, JsonObject])[] {
  return Object.entries(child(object, map) ?? {}).filter((entry): entry is [string, JsonObject] =>
    isObject(entry[1]),
  );
}

function termsOf(instance: JsonObject): readonly { readonly urn: string; readonly name: string }[] {
  const list = own(instance, "terms");
  return (isArray(list) ? list.filter(isObject) : []).flatMap((term) => {
    const urn = text(term, "termUrn");
    return urn === undefined ? [] : [{ urn, name: text(term, "termName") ?? urn }];
  });
}

function parametersOf(instance: JsonObject): ReadonlyMap<string, Json> {
  return new Map(
    entriesOf(instance, "parameterValues").map(([key, value]) => [
      text(value, "ruleParameterName") ?? key,
      own(value, "value") ?? null,
    ]),
  );
}

function thresholdsOf(
  object: JsonObject,
  map: string,
): ReadonlyMap<string, Threshold & { readonly key: string }> {
  return new Map(
    entriesOf(object, map).map(([key, threshold]) => {
      const [value, severity] = [plainNumber(own(threshold, "value")), text(threshold, "severity")];
      return [
        text(threshold, "urn") ?? key,
        {
          key,
          ...(typeof value === "number" ? { value } : {}),
          ...(severity === undefined ? {} : { severity }),
        },
      ];
    }),
  );
}
