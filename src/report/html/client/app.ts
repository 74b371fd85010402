import type { Entry, GraphNode, Payload } from "../payload.ts";
import type { bodies as makeBodies } from "./bodies.ts";
import type { Cards, cards as makeCards } from "./cards.ts";
import type { dom as makeDom } from "./dom.ts";
import type { filters as makeStore } from "./filters.ts";
import type { header as makeHeader } from "./header.ts";
import type { List, lists as makeLists } from "./lists.ts";
import type { picture as makePicture } from "./picture.ts";
import type { toolbar as makeToolbar } from "./toolbar.ts";
import type { values as makeValues } from "./values.ts";
import type { words as makeWords } from "./words.ts";

export interface Modules {
  readonly bodies: typeof makeBodies;
  readonly cards: typeof makeCards;
  readonly dom: typeof makeDom;
  readonly filters: typeof makeStore;
  readonly header: typeof makeHeader;
  readonly lists: typeof makeLists;
  readonly picture: typeof makePicture;
  readonly toolbar: typeof makeToolbar;
  readonly values: typeof makeValues;
  readonly words: typeof makeWords;
}

/**
 * Puts the page together: what needs a person, deletes, what changes, the run, the picture, what is new. Where something is wrong with
 * the run, or may be, that comes first: whoever approves must have seen it.
 */
export function app(data: Payload, modules: Modules): void {
  const dom = modules.dom();
  const bodies = modules.bodies(data);
  const store = modules.filters(data, bodies);
  const cards: Cards = modules.cards(dom, modules.values(data, dom, modules.words()), bodies, jump);
  const header = modules.header(data, dom, cards);
  const list = modules.lists(dom, cards);
  const sections: readonly { readonly group: Entry["group"]; readonly list: List }[] = (
    [
      ["person", "Needs a person", 12],
      ["delete", data.deletes, 12],
      ["change", "Changes", 3],
      ["create", "Creates", 3],
      ["known", "Acknowledged", 0],
    ] as const
  ).map(([group, title, openUpTo]) => {
    const total = data.items.filter((entry) => entry.group === group).length;
    const head = group === "person" ? data.causes.map(cards.cause) : [];
    return { group, list: list({ id: `${group}s`, title, total, openUpTo, head }) };
  });
  const toolbar = modules.toolbar(data, dom, store, setAll);
  const empty = dom.el("p", { class: "empty" });
  const picture = modules.picture(data, dom, goTo).element();

  function refresh(): void {
    const found = store.select();
    const isNarrow = store.isNarrow();
    for (const section of sections) {
      const own = found.filter((entry) => entry.group === section.group);
      section.list.show(own, section.group === "create" && !isNarrow);
    }
    toolbar.update(found.length);
    if (toolbar.isAllOpen()) setAll(true);
    if (graph !== undefined) graph.hidden = found.length === 0;
    // Who lists or looks, and compares nothing, has no word on changes.
    const isCompared = ["diff", "apply", "sync", "verify", "rollback"].includes(data.command);
    empty.hidden = found.length > 0 || (data.items.length === 0 && !isCompared);
    empty.textContent =
      data.items.length === 0 ? "There is nothing to change." : "Nothing passes these filters.";
  }

  function setAll(open: boolean): void {
    for (const section of sections) section.list.setAll(open);
  }

  function reveal(at: number): HTMLDetailsElement | undefined {
    for (const section of sections) {
      const card = section.list.reveal(at);
      if (card !== undefined) return card;
    }
    return undefined;
  }

  /** A change that the filters hide is worth more than the filters. */
  function jump(at: number): void {
    const entry = data.items[at];
    if (entry === undefined) return;
    let card = reveal(at);
    if (card === undefined) {
      store.set({ query: "", states: new Set(), kinds: new Set() });
      card = reveal(at);
    }
    if (card === undefined) return;
    card.scrollIntoView({ block: "center" });
    card.querySelector("summary")?.focus({ preventScroll: true });
    for (const old of document.querySelectorAll(".found")) old.classList.remove("found");
    card.classList.add("found");
    store.open(entry);
  }

  function goTo(node: GraphNode): void {
    if (node.at !== undefined) {
      jump(node.at);
      return;
    }
    store.set({ kinds: new Set([node.kind]) });
    document.querySelector(".toolbar")?.scrollIntoView({ block: "start" });
  }

  /** Paper has no buttons: everything is opened for it, and put back after. */
  let putBack: (() => void) | undefined;
  function print(): void {
    if (putBack !== undefined) return;
    const open = new Set(document.querySelectorAll<HTMLDetailsElement>("details[open]"));
    // Creates are a list on paper: what each will hold is in the page, where somebody looks for one of them.
    for (const section of sections)
      if (!["create", "known"].includes(section.group)) section.list.setAll(true);
    for (const notes of document.querySelectorAll<HTMLDetailsElement>("#run details")) notes.open = true;
    putBack = () => {
      for (const card of document.querySelectorAll<HTMLDetailsElement>("details[open]"))
        card.open = open.has(card);
      refresh();
      putBack = undefined;
    };
  }

  const [person, deletes, changes, creates, known] = sections.map((section) => section.list.element);
  const graph =
    picture &&
    dom.el(
      "section",
      { id: "dependencies", "aria-label": "Dependencies" },
      dom.el("h2", {}, "Dependencies"),
      picture,
    );
  const notes = header.notes();
  const isLoud = data.notes.some(({ severity }) => severity !== "info");
  const parts = [
    header.element(),
    isLoud ? notes : undefined,
    toolbar.element,
    person,
    deletes,
    changes,
    isLoud ? undefined : notes,
    graph,
    creates,
    known,
    empty,
  ];
  document.querySelector("main")?.replaceChildren(...parts.filter((part) => part !== undefined));
  store.onChange(refresh);
  toolbar.onNarrowed(() => {
    const first = sections.find((section) => !section.list.element.hidden);
    first?.list.element.scrollIntoView({ block: "start" });
  });
  refresh();
  addEventListener("beforeprint", print);
  addEventListener("afterprint", () => putBack?.());
  matchMedia("print").addEventListener("change", (event) => {
    if (event.matches) print();
    else putBack?.();
  });
  const opened = data.items.find((entry) => entry.id === store.opened());
  if (opened !== undefined) jump(opened.at);
  document.documentElement.dataset["ready"] = "true";
}
