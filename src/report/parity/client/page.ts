import type { cards as makeCards } from "../../html/client/cards.ts";
import type { dom as makeDom } from "../../html/client/dom.ts";
import type { header as makeHeader } from "../../html/client/header.ts";
import type { PairEntry, ParityPayload } from "../payload.ts";
import type { bars as makeBars } from "./bars.ts";
import type { detail as makeDetail } from "./detail.ts";

export interface ParityModules {
  readonly bars: typeof makeBars;
  readonly cards: typeof makeCards;
  readonly detail: typeof makeDetail;
  readonly dom: typeof makeDom;
  readonly header: typeof makeHeader;
}

/** Puts the page together: the verdict, filters, and the pairs, what differs most first. */
export function page(data: ParityPayload, modules: ParityModules): void {
  const dom = modules.dom();
  const { el, name } = dom;
  const names = { source: data.source?.name ?? "source", target: data.target?.name ?? "target" };
  const bars = modules.bars(names, dom);
  const detail = modules.detail(names, dom, bars);
  const cards = modules.cards(
    dom,
    { table: () => undefined },
    { whole: (entry) => entry, sizeOf: () => 0 },
    () => {},
  );
  const header = modules.header(data, dom, cards);
  const perPage = 100;
  const known = new Map<number, HTMLDetailsElement>();
  const read = new URLSearchParams(location.hash.slice(1));
  const state = {
    query: read.get("q") ?? "",
    outcomes: new Set(read.getAll("outcome")),
    kinds: new Set(read.getAll("kind")),
    sort: read.get("sort") ?? "size",
  };
  let shown = 0;
  let found: readonly PairEntry[] = [];

  function card(entry: PairEntry): HTMLDetailsElement {
    const there = known.get(entry.at);
    if (there !== undefined) return there;
    const row = el(
      "summary",
      {},
      el("span", { class: `badge ${entry.outcome}` }, entry.label),
      el("span", { class: "who" }, name(entry.name), el("span", { class: "kind" }, entry.kind)),
      bars.duo(entry.bars),
      el("span", { class: `size ${entry.outcome}` }, entry.sizeText),
      el("span", { class: "reason", dir: "auto" }, entry.reason),
    );
    const element = el(
      "details",
      { class: "card pair", id: `p${entry.at}`, "data-outcome": entry.outcome },
      row,
    );
    element.addEventListener("toggle", () => {
      if (element.open) open(element, entry);
    });
    known.set(entry.at, element);
    return element;
  }

  /** Its body is built when it is first opened. */
  function open(element: HTMLDetailsElement, entry: PairEntry): void {
    if (element.childElementCount === 1) element.append(detail(entry));
    element.open = true;
  }

  function button(
    text: string,
    value: number,
    className: string,
    set: Set<string>,
    key: string,
  ): HTMLButtonElement {
    const element = el(
      "button",
      { type: "button", class: `filter ${className}`, "aria-pressed": String(set.has(key)) },
      `${value.toLocaleString("en")} ${text}`,
    );
    element.addEventListener("click", () => {
      if (!set.delete(key)) set.add(key);
      element.setAttribute("aria-pressed", String(set.has(key)));
      refresh();
    });
    return element;
  }

  const search = el("input", {
    type: "search",
    id: "search",
    placeholder: "Monitor, rule, column, URN",
    autocomplete: "off",
    spellcheck: "false",
    "aria-label": "Search the pairs",
  });
  search.value = state.query;
  const sort = el(
    "select",
    { id: "sort", "aria-label": "Order" },
    ...[
      ["size", "What differs most first"],
      ["name", "By name"],
      ["target", `Lowest quality at ${names.target} first`],
    ].map(([value, label]) => el("option", { value }, label)),
  );
  sort.value = state.sort;
  const all = el("button", { type: "button", class: "button all", "aria-pressed": "false" }, "Open all");
  const status = el("p", { class: "status", role: "status", "aria-live": "polite" });
  const toolbar = el(
    "div",
    { class: "toolbar" },
    el(
      "div",
      { class: "chips" },
      el(
        "div",
        { class: "filters", role: "group", "aria-label": "Outcomes" },
        ...data.outcomes.map(({ outcome, title, value }) =>
          button(title, value, outcome, state.outcomes, outcome),
        ),
      ),
      el(
        "div",
        { class: "filters", role: "group", "aria-label": "Kinds" },
        ...data.kinds.map((kind) =>
          button(kind, data.pairs.filter((pair) => pair.kind === kind).length, "kind", state.kinds, kind),
        ),
      ),
    ),
    el("div", { class: "controls" }, search, sort, all, status),
  );
  const rows = el("div", { class: "rows" });
  const more = el("button", { type: "button", class: "button more" });
  const empty = el("p", { class: "empty" });
  const section = el(
    "section",
    { id: "pairs", "aria-label": "Pairs of monitors" },
    el("h2", {}, "Monitors"),
    rows,
    more,
  );

  function textOf(entry: PairEntry): string {
    const inside = entry.instances.flatMap((one) => [one.name, one.about]);
    const columns = [...entry.dimensions, ...entry.attributes].map((one) => one.name);
    return [entry.name, entry.kind, entry.reason, ...entry.urns, ...inside, ...columns]
      .join("\n")
      .toLowerCase();
  }

  function select(): readonly PairEntry[] {
    const words = state.query
      .toLowerCase()
      .split(/\s+/u)
      .filter((word) => word !== "");
    const passing = data.pairs.filter(
      (entry) =>
        (state.outcomes.size === 0 || state.outcomes.has(entry.outcome)) &&
        (state.kinds.size === 0 || state.kinds.has(entry.kind)) &&
        words.every((word) => textOf(entry).includes(word)),
    );
    const collator = new Intl.Collator(undefined, { numeric: true });
    if (state.sort === "name") return passing.sort((a, b) => collator.compare(a.name, b.name));
    if (state.sort === "target")
      return passing.sort((a, b) => (a.bars.target.percent ?? 101) - (b.bars.target.percent ?? 101));
    return passing;
  }

  function extend(): void {
    rows.append(...found.slice(shown, shown + perPage).map(card));
    shown = Math.min(found.length, shown + perPage);
    rows.classList.toggle("many", shown > 2 * perPage);
    const left = found.length - shown;
    more.hidden = left === 0;
    more.textContent = `Show ${Math.min(perPage, left)} more of ${left.toLocaleString("en")}`;
  }

  function write(): void {
    const parts = new URLSearchParams();
    if (state.query !== "") parts.set("q", state.query);
    for (const value of state.outcomes) parts.append("outcome", value);
    for (const value of state.kinds) parts.append("kind", value);
    if (state.sort !== "size") parts.set("sort", state.sort);
    history.replaceState(null, "", `#${parts.toString()}`);
  }

  function refresh(): void {
    write();
    found = select();
    shown = 0;
    rows.replaceChildren();
    extend();
    section.hidden = found.length === 0;
    empty.hidden = found.length > 0;
    empty.textContent =
      data.pairs.length === 0 ? "There is nothing to compare." : "Nothing passes these filters.";
    status.textContent = `${found.length.toLocaleString("en")} of ${data.pairs.length.toLocaleString("en")}`;
  }

  function setAll(isOpen: boolean): void {
    for (const entry of found) {
      const element = card(entry);
      if (isOpen && !element.isConnected) rows.append(element);
      if (isOpen) open(element, entry);
      else element.open = false;
    }
    if (isOpen) {
      shown = found.length;
      more.hidden = true;
    }
  }

  search.addEventListener("input", () => {
    state.query = search.value;
    refresh();
  });
  sort.addEventListener("change", () => {
    state.sort = sort.value;
    refresh();
  });
  all.addEventListener("click", () => {
    const isOpen = all.getAttribute("aria-pressed") !== "true";
    all.setAttribute("aria-pressed", String(isOpen));
    all.textContent = isOpen ? "Close all" : "Open all";
    setAll(isOpen);
  });
  more.addEventListener("click", extend);
  addEventListener("beforeprint", () => setAll(true));
  const notes = header.notes();
  const isLoud = data.notes.some(({ severity }) => severity !== "info");
  const parts = [
    header.element(),
    isLoud ? notes : undefined,
    toolbar,
    section,
    isLoud ? undefined : notes,
    empty,
  ];
  document.querySelector("main")?.replaceChildren(...parts.filter((part) => part !== undefined));
  refresh();
  // What differs is why somebody opened this.
  for (const entry of found.filter(({ outcome }) => outcome === "different").slice(0, 3))
    open(card(entry), entry);
  document.documentElement.dataset["ready"] = "true";
}
