import type { Dom } from "../../html/client/dom.ts";
import type { BarPair, Point } from "../payload.ts";

export interface Bars {
  /** Both sides beneath each other, to be compared at a glance; what they say is text as well. */
  readonly duo: (bars: BarPair) => HTMLElement;
  /** The last runs of both sides as a line; undefined where there are not two runs to draw one through. */
  readonly trend: (source: readonly Point[], target: readonly Point[]) => HTMLElement | undefined;
}

export function bars(
  names: { readonly source: string; readonly target: string },
  { el, svg, name }: Dom,
): Bars {
  function side(key: "source" | "target", bar: BarPair["source"]): HTMLElement {
    const width = Math.min(100, Math.max(0, bar.percent ?? 0));
    const picture = svg(
      "svg",
      { class: "bar", viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" },
      svg("rect", { x: 0, y: 0, width, height: 10 }),
    );
    return el(
      "span",
      { class: `side ${key}` },
      name(names[key], "where"),
      picture,
      el("span", { class: "number" }, bar.text),
      el("span", { class: "records" }, bar.records),
    );
  }

  function duo(pair: BarPair): HTMLElement {
    return el("span", { class: "duo" }, side("source", pair.source), side("target", pair.target));
  }

  function trend(source: readonly Point[], target: readonly Point[]): HTMLElement | undefined {
    const all = [...source, ...target];
    if (source.length < 2 && target.length < 2) return undefined;
    const least = Math.min(...all.map(({ percent }) => percent));
    const most = Math.max(...all.map(({ percent }) => percent));
    const span = Math.max(1, most - least);
    const longest = Math.max(source.length, target.length);
    // The newest runs stand above each other, at the right.
    const place = (points: readonly Point[], at: number): { readonly x: number; readonly y: number } => ({
      x: longest < 2 ? 300 : (300 * (longest - points.length + at)) / (longest - 1),
      y: 70 - (60 * ((points[at]?.percent ?? 0) - least)) / span,
    });
    const line = (key: string, points: readonly Point[]): SVGElement => {
      const places = points.map((_, at) => place(points, at));
      return svg(
        "g",
        { class: key },
        svg("polyline", { points: places.map(({ x, y }) => `${x},${y}`).join(" ") }),
        ...places.map(({ x, y }) => svg("circle", { cx: x, cy: y, r: 3 })),
      );
    };
    const said = (key: "source" | "target", points: readonly Point[]): HTMLElement =>
      el(
        "span",
        {},
        el("span", { class: `key ${key}`, "aria-hidden": "true" }),
        name(names[key], "where"),
        ` ${points.map(({ percent }) => `${percent.toFixed(1)} %`).join(", ")}`,
      );
    return el(
      "div",
      { class: "trend" },
      el("h3", {}, "Last runs, the newest at the right"),
      svg(
        "svg",
        { viewBox: "-4 0 308 80", role: "img", "aria-label": "Quality of the last runs of both sides" },
        line("source", source),
        line("target", target),
      ),
      el("p", { class: "legend" }, said("source", source), said("target", target)),
    );
  }

  return { duo, trend };
}
