import type { Entry } from "../payload.ts";
import type { Cards } from "./cards.ts";
import type { Dom } from "./dom.ts";

export interface List {
  readonly element: HTMLElement;
  readonly show: (entries: readonly Entry[]) => void;
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
  const known = new Map<number, HTMLDetailsElement>();

  function cardOf(entry: Entry): HTMLDetailsElement {
    const found = known.get(entry.at) ?? cards.card(entry);
    known.set(entry.at, found);
    return found;
  }

  return ({ id, title, total, openUpTo, head = [] }) => {
    const count = el("span", { class: "count" });
    const rows = el("div", { class: "rows" });
    const more = el("button", { type: "button", class: "button more" });
    const element = el(
      "section",
      { id, "aria-label": title },
      el("h2", {}, title, " ", count),
      ...head,
      rows,
      more,
    );
    let entries: readonly Entry[] = [];
    let shown = 0;
    let started = false;

    function extend(to: number): void {
      const next = entries.slice(shown, to).map(cardOf);
      rows.append(...next);
      shown = Math.min(entries.length, to);
      rows.classList.toggle("many", shown > 2 * page);
      const left = entries.length - shown;
      more.hidden = left === 0;
      more.textContent = `Show ${Math.min(page, left)} more of ${left.toLocaleString("en")}`;
    }

    function show(found: readonly Entry[]): void {
      entries = found;
      shown = 0;
      rows.replaceChildren();
      element.hidden = found.length === 0;
      const all = total.toLocaleString("en");
      count.textContent = found.length === total ? all : `${found.length.toLocaleString("en")} of ${all}`;
      extend(page);
      if (!started && total <= openUpTo) for (const entry of found) cards.open(cardOf(entry), entry);
      started = true;
    }

    more.addEventListener("click", () => {
      const first = shown;
      extend(shown + page);
      const entry = entries[first];
      if (entry !== undefined) cardOf(entry).querySelector("summary")?.focus();
    });

    return {
      element,
      show,
      reveal: (at) => {
        const index = entries.findIndex((entry) => entry.at === at);
        const entry = entries[index];
        if (entry === undefined) return undefined;
        if (index >= shown) extend(Math.ceil((index + 1) / page) * page);
        const card = cardOf(entry);
        cards.open(card, entry);
        return card;
      },
      setAll: (open) => {
        if (open) extend(entries.length);
        for (const entry of entries.slice(0, shown)) {
          if (open) cards.open(cardOf(entry), entry);
          else cardOf(entry).open = false;
        }
      },
    };
  };
}
