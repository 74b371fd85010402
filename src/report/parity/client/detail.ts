import type { Dom } from "../../html/client/dom.ts";
import type { BarRow, FactEntry, InstanceEntry, PairEntry, SampleTable } from "../payload.ts";
import type { Bars } from "./bars.ts";

export type Detail = (entry: PairEntry) => HTMLElement;

/** What a pair is made of: dimensions, columns, rule instances down to what differs in them, samples, history. */
export function detail(
  names: { readonly source: string; readonly target: string },
  { el, name }: Dom,
  bars: Bars,
): Detail {
  function table(title: string, rows: readonly BarRow[]): HTMLElement | undefined {
    if (rows.length === 0) return undefined;
    return el(
      "div",
      { class: "box" },
      el("h3", {}, title),
      el(
        "table",
        { class: "parts" },
        el(
          "tbody",
          {},
          ...rows.map((row) =>
            el(
              "tr",
              {},
              el("th", { scope: "row" }, name(row.name, "label")),
              el("td", {}, bars.duo(row.bars)),
              el("td", { class: "by" }, row.by),
            ),
          ),
        ),
      ),
    );
  }

  function facts(rows: readonly FactEntry[]): HTMLElement | undefined {
    if (rows.length === 0) return undefined;
    const cell = (text: string): HTMLElement => el("td", { dir: "auto" }, text);
    return el(
      "table",
      { class: "facts" },
      el(
        "thead",
        {},
        el(
          "tr",
          {},
          el("th", {}),
          el("th", { scope: "col" }, names.source),
          el("th", { scope: "col" }, names.target),
        ),
      ),
      el(
        "tbody",
        {},
        ...rows.map(({ label, source, target }) =>
          el("tr", {}, el("th", { scope: "row", dir: "auto" }, label), cell(source), cell(target)),
        ),
      ),
    );
  }

  function instance(row: InstanceEntry): HTMLElement {
    return el(
      "details",
      { class: "instance", open: row.facts.length > 0 },
      el(
        "summary",
        {},
        el("span", {}, name(row.name, "label"), el("span", { class: "about", dir: "auto" }, row.about)),
        bars.duo(row.bars),
        el("span", { class: "by" }, row.by),
      ),
      facts(row.facts),
    );
  }

  function instances(rows: readonly InstanceEntry[]): HTMLElement | undefined {
    if (rows.length === 0) return undefined;
    return el("div", { class: "box" }, el("h3", {}, "Rule instances"), ...rows.map(instance));
  }

  function findings(rows: readonly FactEntry[]): HTMLElement | undefined {
    const found = facts(rows);
    return found && el("div", { class: "box" }, el("h3", {}, "Thresholds of the monitor"), found);
  }

  function samples({ columns, hidden, rows }: SampleTable): HTMLElement {
    const title =
      hidden.length === 0
        ? "Invalid records"
        : `Invalid records; not read out, since a side protects them: ${hidden.join(", ")}`;
    const head = [names.source, ...columns].map((_, at) =>
      el("th", { scope: "col" }, at === 0 ? "side" : (columns[at - 1] ?? "")),
    );
    return el(
      "div",
      { class: "box", tabindex: 0 },
      el("h3", { dir: "auto" }, title),
      el(
        "table",
        { class: "samples" },
        el("thead", {}, el("tr", {}, ...head, el("th", { scope: "col" }, "invalid by"))),
        el(
          "tbody",
          {},
          ...rows.map((row) =>
            el(
              "tr",
              {},
              el("th", { scope: "row" }, row.side === "source" ? names.source : names.target),
              ...row.cells.map((text) =>
                el("td", { dir: "auto", class: text === "(empty)" ? "none" : "" }, text),
              ),
              el("td", { dir: "auto" }, row.invalid),
            ),
          ),
        ),
      ),
    );
  }

  return (entry) =>
    el(
      "div",
      { class: "body" },
      ...entry.urns.map((urn) => el("p", { class: "urn" }, urn)),
      table("Dimensions", entry.dimensions),
      instances(entry.instances),
      table("Columns", entry.attributes),
      findings(entry.findings),
      ...entry.notes.map((text) => el("p", { class: "note", dir: "auto" }, text)),
      entry.samples && samples(entry.samples),
      entry.trend && bars.trend(entry.trend.source, entry.trend.target),
    );
}
