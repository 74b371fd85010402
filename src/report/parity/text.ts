import { display } from "../../model/display.ts";
import type { ParityOutcome, ParityPair, SampleParity } from "../../model/parity.ts";
import { parityOutcomes } from "../../model/parity.ts";
import type { Result } from "../../model/result.ts";
import { columns, cut, pad, wrap } from "../columns.ts";
import { nameLines, names as namesIn } from "../text-group.ts";
import type { Page } from "../text-item.ts";
import type { Fact } from "./facts.ts";
import { factsOf } from "./facts.ts";
import type { Alike } from "./order.ts";
import { alikeIn, inOrder, outcomeTitles, percentText, pointsText, recordsText, sizeOf } from "./order.ts";
import { cellText } from "./samples.ts";

const styles = { different: "red", "not-comparable": "yellow", equal: "green" } as const;
/** Objects of a group that a person sees at once. */
const most = 50;

/** The table of pairs, what differs with what it comes from; what is equal is counted, and listed with -v. */
export function parityLines({ parity, source, target }: Result, page: Page): readonly string[] {
  if (parity === undefined || parity.length === 0) return [];
  const names = { source: display(source?.name ?? "source"), target: display(target?.name ?? "target") };
  const ordered = inOrder(parity);
  return parityOutcomes.flatMap((outcome, index) => {
    const own = ordered.filter((pair) => pair.outcome === outcome);
    if (own.length === 0) return [];
    const before = parityOutcomes
      .slice(0, index)
      .some((other) => parity.some((pair) => pair.outcome === other));
    return [
      ...(before ? [""] : []),
      page.paint(["bold", styles[outcome]], `${outcomeTitles[outcome]} (${own.length.toLocaleString("en")})`),
      ...groupLines(outcome, own, names, page),
    ];
  });
}

interface SideNames {
  readonly source: string;
  readonly target: string;
}

function groupLines(
  outcome: ParityOutcome,
  own: readonly ParityPair[],
  names: SideNames,
  page: Page,
): readonly string[] {
  if (outcome === "equal" && page.verbose === 0) return [];
  const isEach = outcome === "different" || page.verbose > 0;
  const { alike, single } = isEach ? { alike: [], single: own } : alikeIn(own);
  const shown = page.verbose > 0 ? single : single.slice(0, most);
  const left = single.length - shown.length;
  const more =
    left === 0 ? [] : [`  ... and ${left.toLocaleString("en")} more (see --format html or --json)`];
  const lines = shown.flatMap((pair) =>
    outcome === "different" ? differentLines(pair, names, page) : plainLines(pair, page),
  );
  return [...alike.flatMap((group) => alikeLines(group, page)), ...lines, ...more];
}

function alikeLines({ kind, reason, pairs }: Alike, page: Page): readonly string[] {
  const head = `${display(kind)} (${pairs.length.toLocaleString("en")}): ${display(reason)}`;
  const group = pairs.map(({ source }) => ({ name: display(source.name) }));
  return [
    ...wrap(head, page.width - 4).map((line, at) => (at === 0 ? `  ${line}` : `    ${line}`)),
    ...namesIn("", group, page, nameLines).map((line) => page.paint("dim", line)),
  ];
}

function plainLines(
  { kind, source, reason, quality }: ParityPair,
  { paint, width }: Page,
): readonly string[] {
  const numbers = quality.source === undefined ? "" : ` ${percentText(quality.source)}`;
  const [first = "", ...rest] = wrap(
    `${display(kind)} "${display(source.name)}"${numbers}: ${display(reason)}`,
    width - 4,
  );
  return [`  ${first}`, ...rest.map((line) => paint("dim", `    ${line}`))];
}

const barWidth = 20;

function differentLines(pair: ParityPair, names: SideNames, page: Page): readonly string[] {
  const { paint, width } = page;
  const label = Math.max(columns(names.source), columns(names.target));
  const size = sizeOf(pair);
  const bar = (side: "source" | "target"): string => {
    const records = recordsText(pair.counts[side]);
    const line = `      ${pad(names[side], label)}  ${barText(pair.quality[side])}  ${percentText(pair.quality[side])}`;
    return records === "" ? line : `${line}  ${records}`;
  };
  return [
    ...wrap(`${display(pair.kind)} "${display(pair.source.name)}": ${pointsText(size)} apart`, width - 4).map(
      (line, at) => (at === 0 ? `  ${paint("bold", line)}` : `    ${line}`),
    ),
    bar("source"),
    bar("target"),
    ...factsOf(pair).flatMap((fact) => factLines(fact, 6, names, page)),
    ...(pair.insight?.notes ?? []).flatMap((note) =>
      wrap(display(note), width - 6).map((line) => paint("dim", `      ${line}`)),
    ),
    ...(pair.insight?.samples === undefined ? [] : sampleLines(pair.insight.samples, names, page)),
  ];
}

/** Whole and half blocks, filled from the left. */
export function barText(percent: number | undefined): string {
  const full = Math.min(barWidth, Math.max(0, ((percent ?? 0) / 100) * barWidth));
  const whole = Math.floor(full);
  const half = full - whole >= 0.5 ? "▌" : "";
  return `${"█".repeat(whole)}${half}`.padEnd(barWidth, "·");
}

function factLines(fact: Fact, indent: number, names: SideNames, page: Page): readonly string[] {
  const by = fact.by === "" ? "" : ` (${fact.by} apart)`;
  const text = `${fact.label}: ${fact.source} at ${names.source}, ${fact.target} at ${names.target}${by}`;
  return [
    ...wrap(text, page.width - indent - 2).map(
      (line, at) => `${" ".repeat(at === 0 ? indent : indent + 2)}${line}`,
    ),
    ...fact.facts.flatMap((inner) => factLines(inner, indent + 2, names, page)),
  ];
}

function sampleLines(samples: SampleParity, names: SideNames, { paint, width }: Page): readonly string[] {
  const hidden =
    samples.hidden.length === 0
      ? []
      : wrap(`not read out, protected: ${samples.hidden.map(display).join(", ")}`, width - 8).map((line) =>
          paint("dim", `        ${line}`),
        );
  const side = (key: keyof SideNames): readonly string[] =>
    (samples.rows[key] ?? []).map((row) => {
      const cells = samples.columns.map((column, at) => `${display(column)}=${cellText(row.values[at])}`);
      return cut(
        `        ${names[key]}: ${cells.join(", ")} (${row.invalid.map(display).join("; ")})`,
        width,
      );
    });
  const rows = [...side("source"), ...side("target")];
  return rows.length === 0 ? [] : ["      invalid records:", ...hidden, ...rows];
}
