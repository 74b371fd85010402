import type { Measure, ParityPair } from "../../model/parity.ts";
import { parityOutcomes, percentOf, pointsApart } from "../../model/parity.ts";
import { fewest } from "../text-group.ts";

/** What differs first, the largest difference before all others; what could not be compared; what is equal. */
export function inOrder(parity: readonly ParityPair[]): readonly ParityPair[] {
  return parity.toSorted(
    (one, other) =>
      parityOutcomes.indexOf(one.outcome) - parityOutcomes.indexOf(other.outcome) ||
      sizeOf(other) - sizeOf(one) ||
      compare(one.source.name, other.source.name) ||
      compare(one.source.urn, other.source.urn),
  );
}

/** Points of per cent that the qualities lie apart; where these are the same, what lies apart in them. */
export function sizeOf({ counts, differences }: ParityPair): number {
  if (differences.some(({ what }) => what === "quality")) return pointsApart(counts) ?? 0;
  return Math.max(0, ...differences.filter(({ what }) => what === "dimension").map(({ by = 0 }) => by));
}

/** Many of one kind for one reason, each with what they have in common: before the first run at the target that is all of them. */
export function alikeIn(pairs: readonly ParityPair[]): {
  readonly alike: readonly Alike[];
  readonly single: readonly ParityPair[];
} {
  const groups = Map.groupBy(pairs, ({ kind, reason }) => JSON.stringify([kind, reason]));
  const alike = [...groups.values()].filter(({ length }) => length >= fewest);
  const together = new Set(alike.flat());
  return {
    alike: alike.flatMap((own) =>
      own[0] === undefined ? [] : [{ kind: own[0].kind, reason: own[0].reason, pairs: own }],
    ),
    single: pairs.filter((pair) => !together.has(pair)),
  };
}

export interface Alike {
  readonly kind: string;
  readonly reason: string;
  readonly pairs: readonly ParityPair[];
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** `98.53 %`; a dash where there is none. */
export function percentText(percent: number | undefined): string {
  if (percent === undefined) return "–";
  // What is not all of it must not look like all of it.
  const rounded = Math.round(percent * 100) / 100;
  const shown = rounded === 100 && percent < 100 ? 99.99 : rounded === 0 && percent > 0 ? 0.01 : rounded;
  return `${shown.toLocaleString("en", { maximumFractionDigits: 2 })} %`;
}

export function pointsText(points: number): string {
  return `${points.toLocaleString("en", { maximumFractionDigits: 2 })} ${points === 1 ? "point" : "points"}`;
}

/** `260 of 262`; empty where a side has none. */
export function recordsText(measure: Measure | undefined): string {
  if (measure === undefined) return "";
  const { passed, failed } = measure;
  return `${passed.toLocaleString("en")} of ${(passed + failed).toLocaleString("en")}`;
}

export function measureText(measure: Measure | undefined): string {
  return measure === undefined ? "not there" : `${percentText(percentOf(measure))} (${recordsText(measure)})`;
}

/** In words: what a reader sees as the head of each group. */
export const outcomeTitles = {
  different: "Differs",
  "not-comparable": "Not comparable",
  equal: "Says the same",
} as const satisfies Readonly<Record<ParityPair["outcome"], string>>;
