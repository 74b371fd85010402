import type { Named } from "./change.ts";
import type { Json } from "./json.ts";

/** What `ferry parity` has found out: whether moved monitors say the same as their originals. */

export const parityOutcomes = ["different", "not-comparable", "equal"] as const;
export type ParityOutcome = (typeof parityOutcomes)[number];

/** What there is of something at either side; absent where a side has none. */
export interface Both<T> {
  readonly source?: T;
  readonly target?: T;
}

/** Records that passed and failed; a per cent alone would hide that the data differ in volume. */
export interface Measure {
  readonly passed: number;
  readonly failed: number;
}

export interface ParityPair {
  readonly kind: string;
  readonly source: Named;
  readonly target: Named;
  readonly outcome: ParityOutcome;
  /** One line: why this outcome. */
  readonly reason: string;
  /** In per cent, of passed and failed. */
  readonly quality: Both<number>;
  readonly counts: Both<Measure>;
  /** When the runs that are compared were started; ISO 8601. */
  readonly startedAt: Both<string>;
  readonly dimensions: readonly DimensionParity[];
  /** What differs by more than the tolerance, the most telling first. */
  readonly differences: readonly ParityDifference[];
  /** Where it was looked into. */
  readonly insight?: ParityInsight;
  /** Quality of the last runs in per cent, the oldest first. */
  readonly trend?: Both<readonly TrendPoint[]>;
}

export interface ParityDifference {
  readonly what:
    | "quality"
    | "dimension"
    | "result-flag"
    | "attribute"
    | "rule-instance"
    | "parameter"
    | "threshold"
    | "finding";
  /** From the outside in: the rule instance, then its parameter. */
  readonly path: readonly string[];
  /** Per cent of what has a quality; a value or a word of anything else; null where a side has none. */
  readonly source: Json;
  readonly target: Json;
  /** How far the per cents lie apart, in points. */
  readonly by?: number;
}

export interface DimensionParity extends Both<Measure> {
  readonly name: string;
}

export interface TrendPoint {
  readonly startedAt: string;
  readonly percent: number;
}

export interface ParityInsight {
  readonly attributes: readonly (Both<Measure> & { readonly name: string })[];
  readonly instances: readonly InstanceParity[];
  /** Of the monitor as a whole. */
  readonly findings: readonly FindingParity[];
  readonly samples?: SampleParity;
  /** What could not be read, or matched. */
  readonly notes: readonly string[];
}

export interface InstanceParity extends Both<Measure> {
  readonly name: string;
  readonly rule: string;
  /** The terms that brought it, where it came through terms. */
  readonly terms: readonly string[];
  readonly attributes: readonly string[];
  /** Records by result and by explanation. */
  readonly results: readonly CountParity[];
  readonly explanations: readonly CountParity[];
  readonly parameters: readonly (Both<Json> & { readonly name: string })[];
  readonly findings: readonly FindingParity[];
}

export interface CountParity extends Both<number> {
  readonly name: string;
  /** Whether it counts as passed, where that is known. */
  readonly passes?: boolean;
}

export interface FindingParity {
  /** The thresholds that it is about, in per cent. */
  readonly threshold: Both<Threshold>;
  /** ACTIVE, CLOSED; absent where there is no finding. */
  readonly status: Both<string>;
}

export interface Threshold {
  readonly value?: number;
  readonly severity?: string;
}

export interface SampleParity {
  readonly columns: readonly string[];
  /** Columns whose values are not read out, since a side protects them or does not say. */
  readonly hidden: readonly string[];
  readonly rows: Both<readonly SampleRow[]>;
}

export interface SampleRow {
  /** In the order of the columns. */
  readonly values: readonly Json[];
  /** What it is invalid by: rule instance, and the explanation. */
  readonly invalid: readonly string[];
}

/** In per cent; undefined where no record was evaluated. */
export function percentOf({ passed, failed }: Measure): number | undefined {
  const all = passed + failed;
  return all === 0 ? undefined : (100 * passed) / all;
}

/** How far two measures lie apart, in points; undefined where one of them has none. */
export function pointsApart({ source, target }: Both<Measure>): number | undefined {
  if (source === undefined || target === undefined) return undefined;
  const [one, other] = [percentOf(source), percentOf(target)];
  return one === undefined || other === undefined ? undefined : Math.abs(one - other);
}
