import type { Entry } from "../payload.ts";
import type { Cards } from "./cards.ts";
import type { Dom } from "./dom.ts";

export interface List {
  readonly element: HTMLElement;
  /** Folded, those that say the same are one line. */
  readonly show: (entries: readonly Entry[], isFolded: boolean) => void;
  /** Makes sure that an entry is on the page, and opens it; undefined when this list does not have it. */
  readonly reveal: (at: number) => HTMLDetailsElement | undefined;
  /** Opens everything there is, also what was not on the page yet; or closes what is. */
  readonly setAll: (open: boolean) => void;
}

export interface ListOptions {
  readonly id: string;
  readonly title: string;
  readonly total: number;
  /** Stands before the rows. */
  readonly head?: readonly HTMLElement[];
  /** Opened at once while there are at most this many. */
  readonly openUpTo: number;
}

/** A section of rows, a page at a time: thousands of changes cost no more than what is looked at. */
export function lists({ el }: Dom, cards: Cards): (options: ListOptions) => List {
  const page = 100;
  const fewest = 5;
  const mostNames = 2_000;
  const known = new Map<number, HTMLDetailsElement>();

  function cardOf(entry: Entry): HTMLDetailsElement {
    const found = known.get(entry.at) ?? cards.card(entry);
    known.set(entry.at, found);
    return found;
  }

  interface Rows {
    readonly elements: readonly HTMLElement[];
    readonly entries: readonly Entry[];
    readonly extend: (to: number) => void;
    readonly shown: () => number;
  }

  /** Rows with a button for more of them. */
  function rowsOf(entries: readonly Entry[]): Rows {
    const rows = el("div", { class: "rows" });
    const more = el("button", { type: "button", class: "button more" });
    let shown = 0;
    function extend(to: number): void {
      rows.append(...entries.slice(shown, to).map(cardOf));
      shown = Math.max(shown, Math.min(entries.length, to));
      rows.classList.toggle("many", shown > 2 * page);
      const left = entries.length - shown;
      more.hidden = left === 0;
      more.textContent = `Show ${Math.min(page, left)} more of ${left.toLocaleString("en")}`;
    }
    more.addEventListener("click", () => {
      const first = shown;
      extend(shown + page);
      const entry = entries[first];
      if (entry !== undefined) cardOf(entry).querySelector("summary")?.focus();
    });
    return { elements: [rows, more], entries, extend, shown: () => shown };
  }

  interface Group extends Rows {
    readonly open: () => void;
    readonly element: HTMLDetailsElement;
  }

  /** What says the same of many is one line; its rows are made when somebody looks into it. */
  function groupOf(entries: readonly Entry[]): Group {
    const [first] = entries;
    const rows = rowsOf(entries);
    const shown = entries.slice(0, mostNames).map(({ name }) => name);
    const left = entries.length - shown.length;
    const names = `${shown.join(", ")}${left > 0 ? `, and ${left.toLocaleString("en")} more` : ""}`;
    const element = el(
      "details",
      { class: "group" },
      el(
        "summary",
        {},
        el("span", { class: `badge ${first?.state ?? ""}` }, `${first?.symbol ?? ""} ${first?.label ?? ""}`),
        el("span", { class: "kind" }, first?.kind ?? ""),
        el("b", {}, entries.length.toLocaleString("en")),
        el("span", { class: "reason", dir: "auto" }, first?.reason ?? ""),
      ),
      el("p", { class: "names", dir: "auto" }, names),
      ...rows.elements,
    );
    function open(): void {
      if (rows.shown() === 0) rows.extend(page);
      element.open = true;
    }
    element.addEventListener("toggle", () => {
      if (element.open) open();
    });
    return { ...rows, element, open };
  }

  function split(
    found: readonly Entry[],
    isFolded: boolean,
  ): { readonly groups: readonly Group[]; readonly single: readonly Entry[] } {
    if (!isFolded) return { groups: [], single: found };
    const alike = Map.groupBy(found, (entry) =>
      entry.said === undefined ? JSON.stringify([entry.kind, entry.label, entry.reason]) : String(entry.at),
    );
    const groups = [...alike.values()].filter((entries) => entries.length >= fewest);
    const folded = new Set(groups.flat());
    return { groups: groups.map(groupOf), single: found.filter((entry) => !folded.has(entry)) };
  }

  return ({ id, title, total, openUpTo, head = [] }) => {
    const count = el("span", { class: "count" });
    const body = el("div", { class: "list" });
    const element = el(
      "section",
      { id, "aria-label": title },
      el("h2", {}, title, " ", count),
      ...head,
      body,
    );
    let groups: readonly Group[] = [];
    let rest: Rows = rowsOf([]);
    let started = false;

    function show(found: readonly Entry[], isFolded: boolean): void {
      const parts = split(found, isFolded);
      groups = parts.groups;
      rest = rowsOf(parts.single);
      body.replaceChildren(...groups.map((group) => group.element), ...rest.elements);
      rest.extend(page);
      element.hidden = found.length === 0;
      const all = total.toLocaleString("en");
      count.textContent = found.length === total ? all : `${found.length.toLocaleString("en")} of ${all}`;
      if (!started && total <= openUpTo) for (const entry of found) cards.open(cardOf(entry), entry);
      started = true;
    }

    return {
      element,
      show,
      reveal: (at) => {
        for (const part of [rest, ...groups]) {
          const index = part.entries.findIndex((entry) => entry.at === at);
          const entry = part.entries[index];
          if (entry === undefined) continue;
          if ("open" in part) (part as Group).open();
          if (index >= part.shown()) part.extend(Math.ceil((index + 1) / page) * page);
          const card = cardOf(entry);
          cards.open(card, entry);
          return card;
        }
        return undefined;
      },
      setAll: (open) => {
        for (const group of groups) {
          if (open) group.open();
          else group.element.open = false;
        }
        for (const part of [rest, ...groups]) {
          if (open) part.extend(part.entries.length);
          for (const entry of part.entries.slice(0, part.shown())) {
            if (open) cards.open(cardOf(entry), entry);
            else cardOf(entry).open = false;
          }
        }
      },
    };
  };
}
