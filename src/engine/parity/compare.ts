import type { Both, DimensionParity, Measure, ParityDifference } from "../../model/parity.ts";
import { percentOf, pointsApart } from "../../model/parity.ts";
import type { Dimension } from "./parse.ts";

/** One side of a pair, as its bulk entry and its dimensions tell it. */
export interface Compared {
  readonly quality: Measure;
  readonly dimensions: readonly { readonly dimension: Dimension; readonly measure: Measure }[];
}

export interface Comparison {
  readonly dimensions: readonly DimensionParity[];
  readonly differences: readonly ParityDifference[];
}

/** Quality and every dimension of a pair: pure. `tolerance` in points of per cent. */
export function compareQuality(source: Compared, target: Compared, tolerance: number): Comparison {
  const quality = differenceOf("quality", [], { source: source.quality, target: target.quality }, tolerance);
  const names = [
    ...new Set([...source.dimensions, ...target.dimensions].map(({ dimension }) => dimension.name)),
  ];
  const dimensions = names.sort(byText).map((name): DimensionParity & Both<Measure> => ({
    name,
    ...both(measureOf(source, name), measureOf(target, name)),
  }));
  return {
    dimensions,
    differences: [
      ...quality,
      ...dimensions.flatMap((dimension) => differenceOf("dimension", [dimension.name], dimension, tolerance)),
      ...names.flatMap((name) => flagDifferences(name, source, target)),
    ],
  };
}

/** More than the tolerance apart, or there at one side alone. */
export function differenceOf(
  what: ParityDifference["what"],
  path: readonly string[],
  { source, target }: Both<Measure>,
  tolerance: number,
): readonly ParityDifference[] {
  const values = { source: percentOrNull(source), target: percentOrNull(target) };
  const by = pointsApart({ ...both(source, target) });
  if (by === undefined) {
    const isSame = values.source === null && values.target === null;
    return isSame ? [] : [{ what, path, ...values }];
  }
  // What a computer cannot count exactly is no difference.
  return by > tolerance + 1e-9 ? [{ what, path, ...values, by }] : [];
}

export function both<T>(source: T | undefined, target: T | undefined): Both<T> {
  return { ...(source === undefined ? {} : { source }), ...(target === undefined ? {} : { target }) };
}

function percentOrNull(measure: Measure | undefined): number | null {
  return measure === undefined ? null : (percentOf(measure) ?? null);
}

/** Two dimensions of one name are told apart by nobody: they count together. */
function measureOf({ dimensions }: Compared, name: string): Measure | undefined {
  const own = dimensions.filter(({ dimension }) => dimension.name === name);
  if (own.length === 0) return undefined;
  return {
    passed: own.reduce((sum, { measure }) => sum + measure.passed, 0),
    failed: own.reduce((sum, { measure }) => sum + measure.failed, 0),
  };
}

/** The same name with another flag silently changes every score (page 04, "Values seen"). */
function flagDifferences(name: string, source: Compared, target: Compared): readonly ParityDifference[] {
  const flags = ({ dimensions }: Compared): ReadonlyMap<string, boolean> | undefined =>
    dimensions.find(({ dimension }) => dimension.name === name)?.dimension.flags;
  const [here, there] = [flags(source), flags(target)];
  if (here === undefined || there === undefined) return [];
  return [...new Set([...here.keys(), ...there.keys()])].sort(byText).flatMap((result) => {
    const [from, to] = [here.get(result), there.get(result)];
    if (from === to) return [];
    return [{ what: "result-flag", path: [name, result], source: word(from), target: word(to) } as const];
  });
}

function word(passes: boolean | undefined): string | null {
  return passes === undefined ? null : passes ? "passed" : "failed";
}

export function byText(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
