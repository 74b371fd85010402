import type { Registry } from "../../kinds/registry.ts";
import type { MappingTable } from "../../model/mapping-table.ts";
import type { Both, ParityPair } from "../../model/parity.ts";
import { percentOf, pointsApart } from "../../model/parity.ts";
import type { Selection } from "../../model/plan.ts";
import type { MonitorPlace, ReadClient } from "../../service/index.ts";
import { bounded } from "../bounded.ts";
import type { Report } from "../progress.ts";
import { both, compareQuality } from "./compare.ts";
import type { Compared } from "./compare.ts";
import { lookInto } from "./look-into.ts";
import type { MonitorPair, Placed } from "./pairs.ts";
import type { BulkResult } from "./parse.ts";
import { Side, isUnread } from "./side.ts";
import type { Unread } from "./side.ts";
import { trendOf } from "./trend.ts";
import { whyNone, whyOther } from "./why-none.ts";

export { pairsOf } from "./pairs.ts";
export type { MonitorPair, MonitorPairs } from "./pairs.ts";

export interface ParityOptions {
  readonly registry: Registry;
  readonly mapping: MappingTable;
  readonly selection: Selection;
  readonly source: ReadClient;
  readonly target: ReadClient;
  /** Points of per cent that two qualities may lie apart. */
  readonly tolerance: number;
  /** Invalid records of each side to read where they differ; 0 for none. */
  readonly samples: number;
  readonly concurrency: number;
  readonly report: Report;
  /** Of monitors of the target whose older results are not the ones that are wanted: why, in a clause. */
  readonly without?: ReadonlyMap<string, string>;
  /** By the target's URN, the runs that were awaited: older ones are not compared in their place. */
  readonly awaited?: ReadonlyMap<string, string>;
}

/** Document 2, "Limits": pairs in a bulk results request. */
const pairsInRequest = 100;
/** Looking back costs a request a run: the pairs that differ after so many go without. */
const mostTrends = 50;

/** Compares the latest completed run of each pair at both sides; where they differ, finds out what in them does. */
export async function compareResults(
  pairs: readonly MonitorPair[],
  options: ParityOptions,
): Promise<readonly ParityPair[]> {
  const { concurrency, report } = options;
  const sides: Sides = { source: new Side(options.source), target: new Side(options.target) };
  if (pairs.length === 0) return [];
  await Promise.all([sides.source.readDimensions(), sides.target.readDimensions()]);
  let done = 0;
  let trends = 0;
  const batches = Array.from({ length: Math.ceil(pairs.length / pairsInRequest) }, (_, index) =>
    pairs.slice(index * pairsInRequest, (index + 1) * pairsInRequest),
  );
  // A few answers of a hundred pairs ahead; what differs in them is looked into as it comes.
  const judged = await bounded(batches, 2, async (batch) => {
    const [source, target] = await Promise.all([
      bulkOf(
        sides.source,
        batch.map((pair) => pair.source.place),
      ),
      bulkOf(
        sides.target,
        batch.map((pair) => pair.target.place),
      ),
    ]);
    return bounded(batch, concurrency, async (pair) => {
      const withTrend = (): boolean => (trends += 1) <= mostTrends;
      const found = await judge(pair, sides, both(of(source, pair.source.urn), of(target, pair.target.urn)), {
        ...options,
        withTrend,
      });
      done += 1;
      report({ type: "work", done, total: pairs.length, inFlight: 0 });
      return found;
    });
  });
  return judged.flat();
}

interface Sides {
  readonly source: Side;
  readonly target: Side;
}

async function bulkOf(
  side: Side,
  places: readonly (MonitorPlace | undefined)[],
): Promise<ReadonlyMap<string, BulkResult> | Unread> {
  return side.bulk(places.flatMap((place) => place ?? []));
}

function of(bulk: ReadonlyMap<string, BulkResult> | Unread, urn: string): BulkResult | Unread | undefined {
  return isUnread(bulk) ? bulk : bulk.get(urn);
}

async function judge(
  pair: MonitorPair,
  sides: Sides,
  found: Both<BulkResult | Unread>,
  options: ParityOptions & { readonly withTrend: () => boolean },
): Promise<ParityPair> {
  const said = options.without?.get(pair.target.urn);
  const [source, target] = await Promise.all([
    ready(sides.source, pair.source, found.source),
    said ?? ready(sides.target, pair.target, found.target, options.awaited?.get(pair.target.urn)),
  ]);
  const named = {
    kind: pair.kind,
    source: { urn: pair.source.urn, name: pair.source.name },
    target: { urn: pair.target.urn, name: pair.target.name },
  };
  const counts = both(measureOf(source), measureOf(target));
  const seen = {
    ...named,
    counts,
    quality: both(percentIn(counts.source), percentIn(counts.target)),
    startedAt: both(startOf(source), startOf(target)),
  };
  const without = (reason: string): ParityPair => ({
    ...seen,
    outcome: "not-comparable",
    reason,
    dimensions: [],
    differences: [],
  });
  if (typeof source === "string" || typeof target === "string")
    return without([source, target].filter((side) => typeof side === "string").join("; "));
  const unsaid = [...source.unsaid, ...target.unsaid];
  const idle = (["source", "target"] as const)
    .filter((side) => pair[side].isIdle)
    .map((side) => `no rule of it is switched on at ${sides[side].name} by now: its results there are older`);
  // By name is the only way to pair dimensions: without names quality alone is left.
  const compared = compareQuality(
    unsaid.length === 0 ? source.compared : { ...source.compared, dimensions: [] },
    unsaid.length === 0 ? target.compared : { ...target.compared, dimensions: [] },
    options.tolerance,
  );
  const { dimensions } = compared;
  if (compared.differences.length === 0) {
    const reason = equalReason(counts, dimensions, options.tolerance);
    // What was not compared is not the same: a result that counts otherwise shows in its dimension alone.
    if (unsaid.length > 0)
      return without(`${reason}, its dimensions cannot be compared: ${unsaid.join("; ")}`);
    return { ...seen, outcome: "equal", reason: [reason, ...idle].join("; "), dimensions, differences: [] };
  }
  const trendOfBoth = async (): Promise<Pick<ParityPair, "trend">> => {
    const [here, there] = await Promise.all([
      trendOf(sides.source, source.place),
      trendOf(sides.target, target.place),
    ]);
    return { trend: { source: here, target: there } };
  };
  // Both are awaited from the start: what one of them throws would be nobody's while the other one is under way.
  const [looked, trend] = await Promise.all([
    lookInto(
      pair,
      { side: sides.source, run: { ...source.place, workflow: source.bulk.workflow } },
      { side: sides.target, run: { ...target.place, workflow: target.bulk.workflow } },
      options,
    ),
    options.withTrend() ? trendOfBoth() : {},
  ]);
  if ("without" in looked) return without(looked.without);
  const isSeen = !("unseen" in looked);
  const differences = [...compared.differences, ...(isSeen ? looked.differences : [])];
  const unseen = isSeen ? [] : [`why cannot be looked into: ${looked.unseen}`];
  return {
    ...seen,
    outcome: "different",
    reason: [differentReason(differences), ...unseen, ...unsaid, ...idle].join("; "),
    dimensions,
    differences,
    ...(isSeen ? { insight: looked.insight } : {}),
    ...trend,
  };
}

interface Ready {
  readonly place: MonitorPlace;
  readonly bulk: BulkResult;
  readonly compared: Compared;
  /** What is compared without, in a clause each. */
  readonly unsaid: readonly string[];
}

/** What a side has to compare, or why it has nothing, in a clause. */
async function ready(
  side: Side,
  { place, why }: Placed,
  bulk: BulkResult | Unread | undefined,
  awaited?: string,
): Promise<Ready | string> {
  if (place === undefined) return why;
  if (bulk === undefined) return whyNone(side, place, awaited);
  if (isUnread(bulk)) return bulk.unread;
  const other = awaited === undefined ? undefined : await whyOther(side, place, bulk, awaited);
  if (other !== undefined) return other;
  const { quality } = bulk;
  if (quality === undefined) return `the results of ${side.name} say nothing of its quality`;
  if (percentOf(quality) === undefined) return `no record was evaluated at ${side.name}`;
  const isNamed = bulk.dimensions.every(({ urn }) => side.dimension(urn) !== undefined);
  const told = isNamed ? undefined : await side.evaluation({ ...place, workflow: bulk.workflow });
  const dimensions = bulk.dimensions.flatMap(({ urn, measure }) => {
    const dimension = side.dimension(urn);
    return dimension === undefined ? [] : [{ dimension, measure }];
  });
  const unnamed = bulk.dimensions.length - dimensions.length;
  const unsaid = [
    ...(unnamed === 0 ? [] : [`${side.name} names ${unnamed} of its dimensions nowhere`]),
    ...(unnamed > 0 && isUnread(told) ? [told.unread] : []),
    ...(bulk.unreadable === 0
      ? []
      : [`the results of ${side.name} hold ${bulk.unreadable} of its dimensions that cannot be read`]),
  ];
  return { place, bulk, compared: { quality, dimensions }, unsaid };
}

type Measured = Ready | string;

function measureOf(ready: Measured): Compared["quality"] | undefined {
  return typeof ready === "string" ? undefined : ready.compared.quality;
}

function startOf(ready: Measured): string | undefined {
  return typeof ready === "string" ? undefined : ready.bulk.startedAt;
}

function percentIn(measure: Compared["quality"] | undefined): number | undefined {
  return measure === undefined ? undefined : percentOf(measure);
}

/** Equal per cents over other data are said, and what is not quite the same is not called so: a reviewer should know. */
function equalReason(
  { source, target }: Both<Compared["quality"]>,
  dimensions: ParityPair["dimensions"],
  tolerance: number,
): string {
  const [here, there] = [source, target].map((side) => (side?.passed ?? 0) + (side?.failed ?? 0));
  const what = dimensions.length === 0 ? "quality is" : "quality and dimensions are";
  const quality = { ...both(source, target) };
  const isSame = [quality, ...dimensions].every((measures) => (pointsApart(measures) ?? 0) <= 1e-9);
  const [from, to] = [source, target].map((side) => (percentIn(side) ?? 0).toFixed(2));
  return [
    `${what} ${isSame ? "the same" : `within ${tolerance} points`}`,
    ...(isSame || from === to ? [] : [` (${from ?? ""} % and ${to ?? ""} %)`]),
    ...(here === there ? [] : [`, over ${here ?? 0} records and ${there ?? 0}`]),
  ].join("");
}

function differentReason(differences: ParityPair["differences"]): string {
  const quality = differences.find(({ what }) => what === "quality");
  const instances = differences.filter(({ what }) => what === "rule-instance");
  const flags = differences.filter(({ what }) => what === "result-flag");
  const parts = [
    ...(quality?.by === undefined ? [] : [`quality is ${quality.by.toFixed(1)} points apart`]),
    ...(flags.length === 0
      ? []
      : [
          `${flags.map(({ path }) => `"${path.join(": ")}"`).join(", ")} does not count the same at both sides`,
        ]),
    ...(instances.length === 0
      ? []
      : [
          `it comes from ${instances
            .slice(0, 3)
            .map(({ path }) => `"${path.join(" / ")}"`)
            .join(", ")}${instances.length > 3 ? ` and ${instances.length - 3} more` : ""}`,
        ]),
  ];
  return parts.length === 0
    ? `${differences[0]?.path.join(" / ") ?? "a dimension"} differs`
    : parts.join("; ");
}
