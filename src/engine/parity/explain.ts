import { stableText } from "../../model/canonical.ts";
import type {
  Both,
  CountParity,
  FindingParity,
  InstanceParity,
  Measure,
  ParityDifference,
  ParityInsight,
  Threshold,
} from "../../model/parity.ts";
import { both, byText, differenceOf } from "./compare.ts";
import type { EvaluationResult, Finding, InstanceResult } from "./parse.ts";
import { measureOfInstance } from "./parse.ts";
import type { InstanceParts, MonitorParts } from "./monitor-parts.ts";
import { matchInstances } from "./match.ts";
import type { Twins } from "./match.ts";

/** One side of a pair that is looked into: what its run found, and how its monitor is configured. */
export interface LookedInto {
  readonly evaluation: EvaluationResult;
  readonly parts: MonitorParts;
}

export interface Explained {
  readonly insight: ParityInsight;
  readonly differences: readonly ParityDifference[];
}

/** Where the difference of two evaluations comes from, down to the rule instance: pure. */
export function explain(source: LookedInto, target: LookedInto, twins: Twins, tolerance: number): Explained {
  const attributes = attributesOf(source.evaluation, target.evaluation);
  const { pairs, notes } = matchInstances(source, target, twins);
  const instances = pairs.map((pair) => instanceOf(pair, source.parts, target.parts, twins));
  const findings = findingsOf(
    both(source.evaluation.findings, target.evaluation.findings),
    both(source.parts.thresholds, target.parts.thresholds),
    twins,
  );
  instances.sort((one, other) => apart(other) - apart(one) || byText(one.name, other.name));
  return {
    insight: { attributes, instances, findings, notes },
    differences: [
      ...attributes.flatMap((entry) => differenceOf("attribute", [entry.name], entry, tolerance)),
      ...instances.flatMap((entry) => instanceDifferences(entry, tolerance)),
      ...findings.flatMap((finding) => findingDifferences([], finding)),
    ],
  };
}

function attributesOf(
  source: EvaluationResult,
  target: EvaluationResult,
): readonly (Both<Measure> & { readonly name: string })[] {
  const [here, there] = [source, target].map(
    ({ attributes }) => new Map(attributes.map(({ name, measure }) => [name, measure])),
  );
  const names = new Set([...(here?.keys() ?? []), ...(there?.keys() ?? [])]);
  return [...names].sort(byText).map((name) => ({ name, ...both(here?.get(name), there?.get(name)) }));
}

function instanceOf(
  pair: Both<InstanceResult>,
  here: MonitorParts,
  there: MonitorParts,
  twins: Twins,
): InstanceParity {
  const { source, target } = pair;
  const known = source ?? target;
  const parts: Both<InstanceParts> = both(
    here.instances.get(source?.urn ?? ""),
    there.instances.get(target?.urn ?? ""),
  );
  const terms = (parts.source ?? parts.target)?.terms ?? [];
  return {
    name: known?.name ?? "",
    rule: known?.rule ?? "",
    terms: terms.map(({ name }) => name),
    attributes: known?.attributes ?? [],
    ...both(
      source === undefined ? undefined : measureOfInstance(source),
      target === undefined ? undefined : measureOfInstance(target),
    ),
    results: countsOf(both(source?.results, target?.results)),
    explanations: countsOf(both(source?.explanations, target?.explanations)),
    parameters: parametersOf(parts),
    findings: findingsOf(
      both(source?.findings, target?.findings),
      both(parts.source?.thresholds, parts.target?.thresholds),
      twins,
    ),
  };
}

interface Counted {
  readonly name: string;
  readonly count: number;
  readonly passes?: boolean;
}

/** By name: results and explanations of one name count together. */
function countsOf({ source = [], target = [] }: Both<readonly Counted[]>): readonly CountParity[] {
  const names = [...new Set([...source, ...target].map(({ name }) => name))];
  const sum = (list: readonly Counted[], name: string): number | undefined => {
    const own = list.filter((entry) => entry.name === name);
    return own.length === 0 ? undefined : own.reduce((total, { count }) => total + count, 0);
  };
  return names.map((name) => {
    const passes = [...source, ...target].find((entry) => entry.name === name)?.passes;
    return {
      name,
      ...both(sum(source, name), sum(target, name)),
      ...(passes === undefined ? {} : { passes }),
    };
  });
}

function parametersOf({ source, target }: Both<InstanceParts>): InstanceParity["parameters"] {
  const names = new Set([...(source?.parameters.keys() ?? []), ...(target?.parameters.keys() ?? [])]);
  return [...names]
    .sort(byText)
    .map((name) => ({ name, ...both(source?.parameters.get(name), target?.parameters.get(name)) }));
}

type Thresholds = ReadonlyMap<string, Threshold & { readonly key: string }>;

/** Thresholds are matched by their keys; their numbers stand in the monitor alone. */
function findingsOf(
  findings: Both<readonly Finding[]>,
  thresholds: Both<Thresholds>,
  twins: Twins,
): readonly FindingParity[] {
  const there = new Map(
    [...(thresholds.target ?? new Map<string, never>())].map(([urn, value]) => [value.key, { urn, value }]),
  );
  const status = (list: readonly Finding[] | undefined, urn: string | undefined): string | undefined =>
    list?.find(({ threshold }) => threshold === urn)?.status;
  const rows: FindingParity[] = [];
  for (const [urn, value] of thresholds.source ?? []) {
    const twin = there.get(twins.key(value.key) ?? "");
    if (twin !== undefined) there.delete(twin.value.key);
    rows.push({
      threshold: both(numbers(value), twin === undefined ? undefined : numbers(twin.value)),
      status: both(status(findings.source, urn), status(findings.target, twin?.urn)),
    });
  }
  for (const { urn, value } of there.values())
    rows.push({
      threshold: { target: numbers(value) },
      status: both(undefined, status(findings.target, urn)),
    });
  return rows;
}

function numbers({ value, severity }: Threshold): Threshold {
  return { ...(value === undefined ? {} : { value }), ...(severity === undefined ? {} : { severity }) };
}

function instanceDifferences(instance: InstanceParity, tolerance: number): readonly ParityDifference[] {
  const path = [instance.name];
  return [
    ...differenceOf("rule-instance", path, instance, tolerance),
    ...instance.parameters
      .filter(({ source, target }) => stableText(source ?? null) !== stableText(target ?? null))
      .map(({ name, source = null, target = null }): ParityDifference => ({
        what: "parameter",
        path: [...path, name],
        source,
        target,
      })),
    ...instance.findings.flatMap((finding) => findingDifferences(path, finding)),
  ];
}

function findingDifferences(
  path: readonly string[],
  { threshold, status }: FindingParity,
): readonly ParityDifference[] {
  const { source, target } = threshold;
  const differences: ParityDifference[] = [];
  if (source?.value !== target?.value || source?.severity !== target?.severity)
    differences.push({ what: "threshold", path, source: written(source), target: written(target) });
  if (status.source !== status.target)
    differences.push({
      what: "finding",
      path: [...path, written(source ?? target) ?? ""],
      source: status.source ?? null,
      target: status.target ?? null,
    });
  return differences;
}

function written(threshold: Threshold | undefined): string | null {
  if (threshold === undefined) return null;
  const { value, severity } = threshold;
  return [...(severity === undefined ? [] : [severity]), ...(value === undefined ? [] : [`${value} %`])].join(
    " ",
  );
}

function apart({ source, target }: Both<Measure>): number {
  const [difference] = differenceOf("rule-instance", [], both(source, target), 0);
  // What is at one side alone goes first.
  return difference === undefined ? 0 : (difference.by ?? 101);
}
