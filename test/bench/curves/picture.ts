import type { Figures, Point } from "../figures/file.ts";
import type { Box, Line } from "./chart.ts";
import { chart } from "./chart.ts";
import type { Scale } from "./scale.ts";
import { linear, logarithmic } from "./scale.ts";
import { element, escaped, text } from "./svg.ts";

const width = 1000;
const height = 380;
/** The first value is written below its point. */
const roomy = (values: readonly number[]): Scale => logarithmic(values, 2);
/** Processor time, since the time that goes by while answers come at once is the emulator's as much as the command's. */
const charts: readonly {
  readonly title: string;
  readonly unit: string;
  readonly of: (point: Point) => number;
  readonly scale: (values: readonly number[]) => Scale;
}[] = [
  { title: "Processor time", unit: "seconds, logarithmic", of: (point) => point.cpuSeconds, scale: roomy },
  { title: "Peak memory", unit: "MiB", of: (point) => point.peakMebibytes, scale: linear },
  { title: "Requests", unit: "requests, logarithmic", of: (point) => point.requests, scale: roomy },
];

interface Series {
  readonly look: Line["look"];
  readonly name: string;
  readonly points: readonly Point[];
}

/** What a whole `sync` takes, over the number of objects: now, and as the last release took it. */
export function picture(now: Figures, last: Figures | undefined): string {
  const before = last !== undefined && last.curves.length > 0 ? last : undefined;
  return drawn("A whole sync of 1,000 to 100,000 objects", "objects", [
    { look: "now", name: nameOf(now), points: now.curves },
    ...(before === undefined ? [] : [{ look: "last" as const, name: nameOf(before), points: before.curves }]),
  ]);
}

/** The same over the number of rows: of a reference-data table, and of a master-data entity. */
export function rowsPicture({ rows = [], records = [] }: Figures): string {
  return drawn("A whole first sync of rows", "rows", [
    { look: "now", name: "reference data", points: rows },
    ...(records.length === 0 ? [] : [{ look: "last" as const, name: "master data", points: records }]),
  ]);
}

function drawn(head: string, what: string, series: readonly Series[]): string {
  const all = series.flatMap(({ points }) => points);
  const x = logarithmic(all.map(({ objects }) => round(objects)));
  const panels = charts.map(({ title, unit, of, scale }, index) => {
    const lines = series.map(({ look, points }): Line => ({
      look,
      points: points.map((point) => [round(point.objects), of(point)]),
    }));
    return chart(
      { title, unit, x, xUnit: what, y: scale(all.map(of)), lines, xText: count, yText: count },
      boxOf(index),
    );
  });
  const about = describe(what, series);
  return `${element(
    "svg",
    {
      xmlns: "http://www.w3.org/2000/svg",
      viewBox: `0 0 ${width} ${height}`,
      width,
      height,
      role: "img",
      "aria-labelledby": "t d",
    },
    element("title", { id: "t" }, "What ferry sync takes"),
    element("desc", { id: "d" }, escaped(about)),
    element("style", {}, style),
    element("rect", { class: "ground", width, height, rx: 8 }),
    ...legend(head, series),
    ...panels,
  )}\n`;
}

function boxOf(index: number): Box {
  return { left: 70 + index * 323, top: 112, width: 240, height: 200 };
}

/** Points are measured at about 1,000 objects, and drawn there. */
function round(objects: number): number {
  return Number(objects.toPrecision(1));
}

function nameOf({ version }: Figures): string {
  return version === "unreleased" ? "now" : version;
}

function legend(head: string, entries: readonly Series[]): readonly string[] {
  return [
    text({ class: "head", x: 28, y: 36 }, head),
    ...entries.flatMap(({ look, name }, index) => {
      // About as wide as the words are: nobody can measure them here.
      const wide = entries.slice(index).reduce((sum, entry) => sum + 58 + 7 * entry.name.length, 0);
      const left = width - 8 - wide;
      return [
        element("path", { class: `line ${look}`, d: `M${left} 31h26` }),
        element("circle", { class: look, cx: left + 13, cy: 31, r: look === "now" ? 3.5 : 2.5 }),
        text({ class: "name", x: left + 34, y: 35 }, name),
      ];
    }),
  ];
}

/** For those who do not see it. */
function describe(what: string, series: readonly Series[]): string {
  const said = (points: readonly Point[]): string =>
    points
      .map(
        ({ objects, cpuSeconds, peakMebibytes, requests }) =>
          `${count(objects)} ${what}: ${count(cpuSeconds)} s of processor time, ${count(peakMebibytes)} MiB, ${count(requests)} requests`,
      )
      .join("; ");
  return series.map(({ name, points }) => `${name}: ${said(points)}.`).join(" ");
}

/** `100,000`, `1.4`, `0.1`. */
function count(value: number): string {
  return value.toLocaleString("en", { maximumFractionDigits: value < 10 ? 1 : 0 });
}

const style = `
text { font: 12px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; fill: #24292f }
.ground { fill: #fff; stroke: #d0d7de }
.head { font-size: 16px; font-weight: 600 }
.title { font-size: 14px; font-weight: 600 }
.unit, .tick { fill: #57606a }
.value { font-weight: 600; fill: #0550ae; paint-order: stroke; stroke: #fff; stroke-width: 3px; stroke-linejoin: round }
.grid { stroke: #eaeef2 }
.axis { stroke: #8c959f }
.line { fill: none; stroke-width: 2.5; stroke-linejoin: round; stroke-linecap: round }
.line.now { stroke: #0969da }
.line.last { stroke: #8c959f; stroke-width: 2; stroke-dasharray: 2 5 }
circle.now { fill: #0969da }
circle.last { fill: #8c959f }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3 }
.ground { fill: #0d1117; stroke: #30363d }
.unit, .tick { fill: #9198a1 }
.value { fill: #79c0ff; stroke: #0d1117 }
.grid { stroke: #21262d }
.axis { stroke: #6e7681 }
.line.now { stroke: #58a6ff }
.line.last { stroke: #6e7681 }
circle.now { fill: #58a6ff }
circle.last { fill: #6e7681 }
}
`;
