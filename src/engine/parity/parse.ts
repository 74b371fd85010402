import { z } from "zod";
import type { Json, JsonObject } from "../../model/json.ts";
import { isArray, isObject, own, plainNumber, text } from "../../model/json.ts";
import type { Measure } from "../../model/parity.ts";

/**
 * Results as they are compared. What comes from the service may hold anything: an entry that is not what document 2 says
 * is left out, and what is left is compared; of dimensions that are left out it is said how many.
 */
export interface BulkResult {
  readonly workflow: string;
  readonly startedAt: string | undefined;
  readonly quality: Measure | undefined;
  readonly dimensions: readonly { readonly urn: string; readonly measure: Measure }[];
  /** So many dimensions it has besides, of which it does not say what they are, or their counts. */
  readonly unreadable: number;
}

export interface Dimension {
  readonly urn: string;
  readonly name: string;
  /** Whether a result counts as passed, by its name. */
  readonly flags: ReadonlyMap<string, boolean>;
}

export interface Finding {
  readonly threshold: string;
  readonly status: string;
}

export interface InstanceResult {
  readonly urn: string;
  readonly name: string;
  readonly ruleUrn: string;
  readonly rule: string;
  readonly attributes: readonly string[];
  readonly results: readonly { readonly name: string; readonly count: number; readonly passes: boolean }[];
  readonly explanations: readonly { readonly name: string; readonly count: number }[];
  readonly findings: readonly Finding[];
}

export interface EvaluationResult {
  readonly quality: Measure | undefined;
  readonly dimensions: readonly Dimension[];
  readonly attributes: readonly { readonly name: string; readonly measure: Measure }[];
  readonly instances: readonly InstanceResult[];
  readonly findings: readonly Finding[];
}

const count = z.preprocess(plainNumber, z.number().nonnegative());
const counts = z.looseObject({ passedCount: count, failedCount: count });

function measureOf(value: Json | undefined): Measure | undefined {
  const parsed = counts.safeParse(value);
  if (!parsed.success) return undefined;
  return { passed: parsed.data.passedCount, failed: parsed.data.failedCount };
}

function objects(value: JsonObject, key: string): readonly JsonObject[] {
  const list = own(value, key);
  return isArray(list) ? list.filter(isObject) : [];
}

export function bulkResultOf(entry: JsonObject): BulkResult {
  const results = own(entry, "dimensionResults");
  const dimensions = objects(entry, "dimensionResults").flatMap((result) => {
    const urn = text(result, "dimensionUrn");
    const measure = measureOf(result);
    return urn === undefined || measure === undefined ? [] : [{ urn, measure }];
  });
  return {
    workflow: text(entry, "workflowUrn") ?? "",
    startedAt: text(entry, "processingStartedAt"),
    quality: measureOf(own(entry, "overallQuality")),
    dimensions,
    unreadable: (isArray(results) ? results.length : 0) - dimensions.length,
  };
}

export function dimensionOf(body: JsonObject): Dimension | undefined {
  const [urn, name] = [text(body, "urn"), text(body, "name")];
  if (urn === undefined || name === undefined) return undefined;
  const flags = objects(body, "results").flatMap((result): [string, boolean][] => {
    const [called, passes] = [text(result, "name"), own(result, "passedOverallResult")];
    return called === undefined || typeof passes !== "boolean" ? [] : [[called, passes]];
  });
  return { urn, name, flags: new Map(flags) };
}

function findingsOf(value: JsonObject, key: string): readonly Finding[] {
  return objects(value, key).flatMap((finding) => {
    const threshold = text(finding, "thresholdUrn");
    return threshold === undefined ? [] : [{ threshold, status: text(finding, "status") ?? "" }];
  });
}

export function evaluationOf(body: JsonObject): EvaluationResult {
  const instances = new Map<string, InstanceResult>();
  const attributes: { name: string; measure: Measure }[] = [];
  for (const attribute of objects(body, "dqAttributeResults")) {
    const name = text(attribute, "attributeName") ?? text(attribute, "attributeUrn") ?? "";
    const measure = measureOf(own(attribute, "overallQuality"));
    if (measure !== undefined) attributes.push({ name, measure });
    // An instance that reads several attributes stands under each of them.
    for (const result of objects(attribute, "ruleInstanceResults")) {
      const urn = text(result, "ruleInstanceUrn");
      if (urn === undefined) continue;
      const known = instances.get(urn);
      instances.set(
        urn,
        known === undefined
          ? instanceOf(urn, name, result)
          : { ...known, attributes: [...known.attributes, name] },
      );
    }
  }
  return {
    quality: measureOf(own(body, "overallQuality")),
    dimensions: objects(body, "dimensionResults").flatMap((result) => {
      const dimension = own(result, "dimension");
      return isObject(dimension) ? (dimensionOf(dimension) ?? []) : [];
    }),
    attributes,
    instances: [...instances.values()],
    findings: findingsOf(body, "overallDqFindings"),
  };
}

function instanceOf(urn: string, attribute: string, result: JsonObject): InstanceResult {
  const rule = text(result, "ruleName") ?? "";
  return {
    urn,
    name: text(result, "ruleInstanceName") ?? rule,
    ruleUrn: text(result, "ruleUrn") ?? "",
    rule,
    attributes: [attribute],
    results: objects(result, "results").flatMap((entry) => {
      const of = own(entry, "result");
      const found = count.safeParse(own(entry, "count"));
      if (!isObject(of) || !found.success) return [];
      const passes = own(of, "passedOverallResult") === true;
      return [{ name: text(of, "name") ?? "", count: found.data, passes }];
    }),
    explanations: objects(result, "explanations").flatMap((entry) => {
      const found = count.safeParse(own(entry, "count"));
      return found.success ? [{ name: text(entry, "name") ?? "", count: found.data }] : [];
    }),
    findings: findingsOf(result, "dqFindings"),
  };
}

/** Passed and failed of a rule instance, from the records by result. */
export function measureOfInstance({ results }: Pick<InstanceResult, "results">): Measure {
  const sum = (passes: boolean): number =>
    results.filter((result) => result.passes === passes).reduce((total, result) => total + result.count, 0);
  return { passed: sum(true), failed: sum(false) };
}
