import { display } from "../../model/display.ts";
import type { Both, InstanceParity, Measure, ParityPair, SampleParity } from "../../model/parity.ts";
import { parityOutcomes, percentOf, pointsApart } from "../../model/parity.ts";
import { headerOf } from "../html/data.ts";
import type { View } from "../view.ts";
import type { Fact } from "./facts.ts";
import { aboutInstance, allFacts, findingFacts } from "./facts.ts";
import { inOrder, outcomeTitles, percentText, pointsText, recordsText, sizeOf } from "./order.ts";
import type {
  Bar,
  BarPair,
  BarRow,
  FactEntry,
  InstanceEntry,
  PairEntry,
  ParityPayload,
  SampleTable,
} from "./payload.ts";
import { cellText } from "./samples.ts";

export function parityPayload(view: View): ParityPayload {
  const parity = inOrder(view.result.parity ?? []);
  return {
    ...headerOf(view),
    outcomes: parityOutcomes.flatMap((outcome) => {
      const value = parity.filter((pair) => pair.outcome === outcome).length;
      return value === 0 ? [] : [{ outcome, title: counted[outcome], value }];
    }),
    kinds: [...new Set(parity.map(({ kind }) => display(kind)))],
    pairs: parity.map((pair, at) => entryOf(pair, at)),
  };
}

/** Behind a number: `41 the same`. */
const counted = { different: "different", "not-comparable": "not comparable", equal: "the same" } as const;

function entryOf(pair: ParityPair, at: number): PairEntry {
  const { insight, trend, outcome } = pair;
  const size = outcome === "different" ? sizeOf(pair) : 0;
  return {
    at,
    outcome,
    label: outcomeTitles[outcome],
    kind: display(pair.kind),
    name: display(pair.source.name),
    urns: [display(pair.source.urn), display(pair.target.urn)],
    reason: display(pair.reason),
    size,
    sizeText: outcome === "different" ? pointsText(size) : "",
    bars: barsOf(pair.counts),
    dimensions: pair.dimensions.map(rowOf),
    attributes: (insight?.attributes ?? []).map(rowOf),
    instances: (insight?.instances ?? []).map(instanceOf),
    findings: findingFacts(insight?.findings ?? []).map(toFact),
    notes: (insight?.notes ?? []).map(display),
    ...(insight?.samples === undefined ? {} : { samples: samplesOf(insight.samples) }),
    ...(trend === undefined
      ? {}
      : { trend: { source: pointsOf(trend.source), target: pointsOf(trend.target) } }),
  };
}

function barsOf({ source, target }: Both<Measure>): BarPair {
  return { source: barOf(source), target: barOf(target) };
}

function barOf(measure: Measure | undefined): Bar {
  const percent = measure === undefined ? undefined : percentOf(measure);
  return {
    ...(percent === undefined ? {} : { percent }),
    text: percentText(percent),
    records: recordsText(measure),
  };
}

function rowOf({ name, ...measures }: Both<Measure> & { readonly name: string }): BarRow {
  const by = pointsApart(measures);
  return {
    name: display(name),
    bars: barsOf(measures),
    by: by === undefined ? "at one side" : by === 0 ? "" : pointsText(by),
  };
}

function instanceOf(instance: InstanceParity): InstanceEntry {
  const facts = allFacts(instance);
  const { source, target } = instance;
  const row = rowOf({
    name: instance.name,
    ...(source === undefined ? {} : { source }),
    ...(target === undefined ? {} : { target }),
  });
  return {
    ...row,
    about: aboutInstance(instance),
    differs: row.by !== "" || facts.length > 0,
    facts: facts.map(toFact),
  };
}

function toFact({ label, source, target }: Fact): FactEntry {
  return { label, source, target };
}

function samplesOf({ columns, hidden, rows }: SampleParity): SampleTable {
  const side = (key: "source" | "target"): SampleTable["rows"] =>
    (rows[key] ?? []).map(({ values, invalid }) => ({
      side: key,
      cells: columns.map((_, at) => cellText(values[at])),
      invalid: invalid.map(display).join("; "),
    }));
  return {
    columns: columns.map(display),
    hidden: hidden.map(display),
    rows: [...side("source"), ...side("target")],
  };
}

function pointsOf(
  points: readonly { readonly startedAt: string; readonly percent: number }[] = [],
): NonNullable<PairEntry["trend"]>["source"] {
  return points.map(({ startedAt, percent }) => ({ at: display(startedAt), percent }));
}
