import type { Scale } from "./scale.ts";
import { element, place, text } from "./svg.ts";

/** One line of a chart: its points, and the class that gives its look. */
export interface Line {
  readonly look: "now" | "last";
  readonly points: readonly (readonly [x: number, y: number])[];
}

export interface Chart {
  readonly title: string;
  readonly unit: string;
  readonly x: Scale;
  /** What is counted along it. */
  readonly xUnit: string;
  readonly y: Scale;
  readonly lines: readonly Line[];
  readonly xText: (value: number) => string;
  readonly yText: (value: number) => string;
}

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Axes with ticks and units, the lines, and beside each point of today's line its value. */
export function chart({ title, unit, x, xUnit, y, lines, xText, yText }: Chart, box: Box): string {
  const across = (value: number): number => box.left + x.at(value) * box.width;
  const up = (value: number): number => box.top + box.height - y.at(value) * box.height;
  const right = box.left + box.width;
  const bottom = box.top + box.height;
  const parts = [
    text({ class: "title", x: box.left, y: box.top - 30 }, title),
    text({ class: "unit", x: box.left, y: box.top - 13 }, unit),
  ];
  for (const tick of y.ticks) {
    parts.push(
      element("path", { class: "grid", d: `M${place(box.left)} ${place(up(tick))}H${place(right)}` }),
    );
    parts.push(text({ class: "tick", x: box.left - 8, y: up(tick) + 4, "text-anchor": "end" }, yText(tick)));
  }
  parts.push(element("path", { class: "axis", d: `M${place(box.left)} ${place(bottom)}H${place(right)}` }));
  const named = fewEnough(x, xText, box.width);
  for (const tick of x.ticks) {
    parts.push(element("path", { class: "axis", d: `M${place(across(tick))} ${place(bottom)}v5` }));
    if (!named.has(tick)) continue;
    parts.push(
      text({ class: "tick", x: across(tick), y: bottom + 20, "text-anchor": "middle" }, xText(tick)),
    );
  }
  parts.push(text({ class: "unit", x: right, y: bottom + 38, "text-anchor": "end" }, xUnit));
  // Today's line lies above the others.
  for (const { look, points } of [...lines].sort((one, other) => order(one) - order(other))) {
    const path = points.map(
      ([px, py], index) => `${index === 0 ? "M" : "L"}${place(across(px))} ${place(up(py))}`,
    );
    parts.push(element("path", { class: `line ${look}`, d: path.join("") }));
    for (const [px, py] of points)
      parts.push(
        element("circle", { class: look, cx: across(px), cy: up(py), r: look === "now" ? 3.5 : 2.5 }),
      );
  }
  parts.push(...values(lines, { across, up, bottom, yText }));
  return element("g", {}, ...parts);
}

/** About as wide as they are with a gap: nobody can measure them here. */
const wideAs = (label: string): number => 7 * label.length + 6;

/** Of marks whose names would lie over each other every second one has a name, and so on. */
function fewEnough(scale: Scale, named: (value: number) => string, width: number): ReadonlySet<number> {
  const overlap = (some: readonly number[]): boolean =>
    some.some((tick, index) => {
      const next = some[index + 1];
      if (next === undefined) return false;
      return (scale.at(next) - scale.at(tick)) * width < (wideAs(named(tick)) + wideAs(named(next))) / 2;
    });
  let some = scale.ticks;
  while (some.length > 2 && overlap(some))
    some = some.filter((_, index) => (some.length - 1 - index) % 2 === 0);
  return new Set(some);
}

function order({ look }: Line): number {
  return look === "now" ? 1 : 0;
}

interface Places {
  readonly across: (x: number) => number;
  readonly up: (y: number) => number;
  readonly bottom: number;
  readonly yText: (value: number) => string;
}

/** What a value and its halo need below its point. */
const roomBelow = 21;

/** The values of today's line: below it, to the right, where it does not rise; above it where the axis is too near. */
function values(lines: readonly Line[], { across, up, bottom, yText }: Places): readonly string[] {
  const now = lines.find(({ look }) => look === "now");
  return (now?.points ?? []).map(([px, py], index, all) => {
    const isBelow = bottom - up(py) >= roomBelow;
    const isLast = index === all.length - 1;
    const [shift, anchor] = isLast
      ? [11, "middle"]
      : isBelow
        ? [7, "start"]
        : [0, index === 0 ? "start" : "middle"];
    const y = up(py) + (isBelow ? (isLast ? 21 : 15) : -10);
    return text({ class: "value", x: across(px) + shift, y, "text-anchor": anchor }, yText(py));
  });
}
