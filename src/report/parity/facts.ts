import { display } from "../../model/display.ts";
import type { Json } from "../../model/json.ts";
import type {
  Both,
  CountParity,
  FindingParity,
  InstanceParity,
  ParityPair,
  Threshold,
} from "../../model/parity.ts";
import { pointsApart } from "../../model/parity.ts";
import { stableText } from "../../model/canonical.ts";
import { measureText, pointsText } from "./order.ts";

/** What stands below a pair that differs, in words that are safe to show: the same in every format. */
export interface Fact {
  readonly label: string;
  readonly source: string;
  readonly target: string;
  /** How far apart; empty where that cannot be said. */
  readonly by: string;
  readonly facts: readonly Fact[];
}

/** What differs, from the outside in: dimensions, result flags, rule instances with all that belongs to them. */
export function factsOf({ dimensions, differences, insight }: ParityPair): readonly Fact[] {
  const flags = differences.filter(({ what }) => what === "result-flag");
  return [
    ...dimensions
      .filter((dimension) => (pointsApart(dimension) ?? 100) > 0)
      .map(({ name, ...measures }) => measured(`dimension ${display(name)}`, measures)),
    ...flags.map(({ path, source, target }) =>
      fact(`result ${path.map(display).join(": ")} counts as`, value(source), value(target)),
    ),
    ...(insight?.instances.filter(isTelling).map(instanceFact) ?? []),
    ...findingFacts(insight?.findings ?? []),
  ];
}

/** Equal in everything: of no use to who looks for what differs. */
function isTelling(instance: InstanceParity): boolean {
  return (
    (pointsApart(instance) ?? 100) > 0 ||
    instance.parameters.some((parameter) => !sameValue(parameter)) ||
    instance.findings.some(isTellingFinding)
  );
}

function isTellingFinding({ threshold, status }: FindingParity): boolean {
  return status.source !== status.target || !sameThreshold(threshold);
}

/** `rule Is present; by term E-mail; on EMAIL`. */
export function aboutInstance({ name, rule, terms, attributes }: InstanceParity): string {
  const about = [
    ...(rule === "" || rule === name ? [] : [`rule ${rule}`]),
    ...(terms.length === 0 ? [] : [`by ${terms.length === 1 ? "term" : "terms"} ${terms.join(", ")}`]),
    `on ${attributes.join(", ")}`,
  ];
  return display(about.join("; "));
}

export function findingFacts(findings: readonly FindingParity[]): readonly Fact[] {
  return findings.filter(isTellingFinding).map(findingFact);
}

function instanceFact(instance: InstanceParity): Fact {
  const { name } = instance;
  const whole = measured(`rule instance ${display(name)} (${aboutInstance(instance)})`, instance);
  return { ...whole, facts: allFacts(instance) };
}

/** What differs inside; what is at one side alone has nothing to be compared with. */
export function allFacts(instance: InstanceParity): readonly Fact[] {
  if (instance.source === undefined || instance.target === undefined) return [];
  return [
    ...instance.results.filter(isOther).map(({ name, ...counts }) => counted(name, counts)),
    ...instance.explanations.filter(isOther).map(({ name, ...counts }) => counted(`"${name}"`, counts)),
    ...instance.parameters
      .filter((parameter) => !sameValue(parameter))
      .map(({ name, source, target }) => fact(`parameter ${display(name)}`, value(source), value(target))),
    ...findingFacts(instance.findings),
  ];
}

function findingFact({ threshold, status }: FindingParity): Fact {
  const one = thresholdText(threshold.source ?? threshold.target);
  const label = sameThreshold(threshold)
    ? `threshold ${one}`
    : `threshold ${thresholdText(threshold.source)} here, ${thresholdText(threshold.target)} there`;
  return fact(label, statusText(status.source), statusText(status.target));
}

function sameThreshold({ source, target }: Both<Threshold>): boolean {
  return source?.value === target?.value && source?.severity === target?.severity;
}

function thresholdText(threshold: Threshold | undefined): string {
  if (threshold === undefined) return "none";
  const { severity, value: number } = threshold;
  return display([severity, number === undefined ? undefined : `${number} %`].filter(Boolean).join(" "));
}

function statusText(status: string | undefined): string {
  return status === undefined ? "no finding" : display(status);
}

function isOther({ source = 0, target = 0 }: CountParity): boolean {
  return source !== target;
}

function sameValue({ source, target }: Both<Json>): boolean {
  return stableText(source ?? null) === stableText(target ?? null);
}

/** At most what fits a line: a parameter may hold anything. */
function value(json: Json | undefined): string {
  if (json === undefined || json === null) return "not set";
  return display(typeof json === "string" ? json : stableText(json));
}

function counted(name: string, { source = 0, target = 0 }: Both<number>): Fact {
  return fact(`records ${display(name)}`, source.toLocaleString("en"), target.toLocaleString("en"));
}

function measured(label: string, measures: Parameters<typeof pointsApart>[0]): Fact {
  const by = pointsApart(measures);
  return {
    label,
    source: measureText(measures.source),
    target: measureText(measures.target),
    by: by === undefined ? "" : pointsText(by),
    facts: [],
  };
}

function fact(label: string, source: string, target: string): Fact {
  return { label, source, target, by: "", facts: [] };
}
