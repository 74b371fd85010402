import type { Payload } from "../payload.ts";
import type { Dom } from "./dom.ts";
import type { Store } from "./filters.ts";

export interface Toolbar {
  readonly element: HTMLElement;
  /** Says how much is shown, and makes the controls agree with the filters. */
  readonly update: (shown: number) => void;
  /** Everything is wanted open, also what a filter lets in afterwards. */
  readonly isAllOpen: () => boolean;
  /** A filter was pressed: whoever asked for some wants to see them. */
  readonly onNarrowed: (listener: () => void) => void;
}

/** Counts that filter, a search box, the order, and opening everything at once. */
export function toolbar(data: Payload, { el }: Dom, store: Store, setAll: (open: boolean) => void): Toolbar {
  const search = el("input", {
    type: "search",
    id: "search",
    placeholder: "Name, URN, field or value",
    autocomplete: "off",
    spellcheck: "false",
    "aria-label": "Search the changes",
  });
  const sort = el(
    "select",
    { id: "sort", "aria-label": "Order" },
    ...[
      ["order", "In order of the plan"],
      ["name", "By name"],
      ["kind", "By kind"],
      ["fields", "Most fields first"],
    ].map(([value, label]) => el("option", { value }, label)),
  );
  const status = el("p", { class: "status", role: "status", "aria-live": "polite" });
  const clear = el("button", { type: "button", class: "button clear" }, "Clear filters");
  const all = el("button", { type: "button", class: "button all", "aria-pressed": "false" }, "Open all");
  const states = data.counts.map(({ state, label, value }) => {
    if (store.countOf(state) === 0)
      return { state, button: el("span", { class: `filter still ${state}` }, number(value), ` ${label}`) };
    return {
      state,
      button: el(
        "button",
        { type: "button", class: `filter ${state}`, "data-state": state },
        number(value),
        ` ${label}`,
      ),
    };
  });
  const kinds = data.kinds.map((kind) => {
    const value = data.items.filter((entry) => entry.kind === kind).length;
    return {
      kind,
      button: el(
        "button",
        { type: "button", class: "filter kind", "data-kind": kind },
        number(value),
        ` ${kind}`,
      ),
    };
  });

  function number(value: number): HTMLElement {
    return el("b", {}, value.toLocaleString("en"));
  }

  function toggled(set: ReadonlySet<string>, value: string): ReadonlySet<string> {
    const next = new Set(set);
    if (!next.delete(value)) next.add(value);
    return next;
  }

  function group(label: string, buttons: readonly HTMLElement[]): HTMLElement {
    return el("div", { class: "filters", role: "group", "aria-label": label }, ...buttons);
  }

  let timer = 0;
  search.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => store.set({ query: search.value }), 120) as unknown as number;
  });
  // Whatever is shown by now, what was typed before is not to take its place.
  store.onChange(() => clearTimeout(timer));
  sort.addEventListener("change", () => store.set({ sort: sort.value }));
  clear.addEventListener("click", () => store.set({ query: "", states: new Set(), kinds: new Set() }));
  const isAllOpen = (): boolean => all.getAttribute("aria-pressed") === "true";
  all.addEventListener("click", () => {
    const open = !isAllOpen();
    all.setAttribute("aria-pressed", String(open));
    all.textContent = open ? "Close all" : "Open all";
    setAll(open);
  });
  let narrowed = (): void => {};
  function press(change: Parameters<Store["set"]>[0]): void {
    store.set(change);
    if (store.isNarrow()) narrowed();
  }
  for (const { state, button } of states)
    button.addEventListener("click", () => press({ states: toggled(store.current().states, state) }));
  for (const { kind, button } of kinds)
    button.addEventListener("click", () => press({ kinds: toggled(store.current().kinds, kind) }));

  const stateButtons = states.map(({ button }) => button);
  const kindButtons = kinds.map(({ button }) => button);
  const kindGroup = kinds.length > 1 ? group("Kinds", kindButtons) : undefined;
  const controls = el("div", { class: "controls" }, search, sort, all, clear, status);
  const element = el(
    "div",
    { class: "toolbar" },
    el("div", { class: "chips" }, group("Actions", stateButtons), kindGroup),
    data.items.length === 0 ? undefined : controls,
  );

  function update(shown: number): void {
    const { query, states: chosen, kinds: chosenKinds, sort: order } = store.current();
    if (document.activeElement !== search || query === "") search.value = query;
    sort.value = order;
    for (const { state, button } of states)
      if (button instanceof HTMLButtonElement) button.ariaPressed = String(chosen.has(state));
    for (const { kind, button } of kinds) button.ariaPressed = String(chosenKinds.has(kind));
    clear.hidden = query === "" && chosen.size === 0 && chosenKinds.size === 0;
    const total = data.items.length.toLocaleString("en");
    status.textContent =
      shown === data.items.length ? `${total} shown` : `${shown.toLocaleString("en")} of ${total} shown`;
  }

  return { element, update, isAllOpen, onNarrowed: (listener) => void (narrowed = listener) };
}
