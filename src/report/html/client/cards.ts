import type { CauseEntry, Entry, Link, Note } from "../payload.ts";
import type { Bodies } from "./bodies.ts";
import type { Dom } from "./dom.ts";
import type { Values } from "./values.ts";

export interface Cards {
  /** The row of a change; its body is built when it is first opened. */
  readonly card: (entry: Entry) => HTMLDetailsElement;
  /** Opens it with its body in place at once: paper does not wait for the toggle event. */
  readonly open: (element: HTMLDetailsElement, entry: Entry) => void;
  readonly note: (note: Note) => HTMLElement;
  /** What several changes share, with links to them. */
  readonly cause: (found: CauseEntry) => HTMLElement;
  readonly step: (text: string) => HTMLElement;
  /** A text with what is to be copied set apart. */
  readonly commands: (text: string) => HTMLElement;
}

export function cards(
  { el, name }: Dom,
  values: Values,
  { whole, sizeOf }: Bodies,
  jump: (at: number) => void,
): Cards {
  function card(entry: Entry): HTMLDetailsElement {
    const fields = sizeOf(entry);
    const row = el(
      "summary",
      {},
      el(
        "span",
        { class: `badge ${entry.state}` },
        el("span", { "aria-hidden": "true" }, entry.symbol),
        ` ${entry.label}`,
      ),
      el("span", { class: "kind" }, entry.kind),
      name(entry.name),
      el("span", { class: "size" }, fields === 0 ? "" : counted(fields, "field"), said(entry)),
      el("span", { class: "reason", dir: "auto" }, entry.reason),
    );
    const element = el("details", { class: "card", id: `c${entry.at}`, "data-state": entry.state }, row);
    element.addEventListener("toggle", () => {
      if (element.open) open(element, entry);
    });
    return element;
  }

  function said({ said: notes }: Entry): HTMLElement | undefined {
    if (notes === undefined) return undefined;
    return el("span", { class: `said ${notes.severity}` }, counted(notes.count, "note"));
  }

  function counted(count: number, what: string): string {
    return `${count} ${count === 1 ? what : `${what}s`}`;
  }

  function open(element: HTMLDetailsElement, entry: Entry): void {
    if (element.childElementCount === 1) element.append(body(whole(entry)));
    element.open = true;
  }

  function body(entry: Entry): HTMLElement {
    const urns = entry.otherUrn === undefined ? [entry.urn] : [entry.urn, `from ${entry.otherUrn}`];
    return el(
      "div",
      { class: "body" },
      ...urns.map((urn) => el("p", { class: "urn" }, urn)),
      el("p", { class: "why", dir: "auto" }, entry.reason),
      ...entry.notes.map(note),
      ...entry.steps.map(step),
      values.table(entry),
      links("Needs", entry.needs),
      links("Needed by", entry.neededBy),
      entry.pulledInBy === undefined ? undefined : links("Pulled in by", [entry.pulledInBy]),
    );
  }

  function note(found: Note): HTMLElement {
    return el(
      "div",
      { class: `note ${found.severity}` },
      el(
        "p",
        { dir: "auto" },
        el("b", {}, found.severity),
        " ",
        el("span", { class: "code" }, found.code),
        " ",
        found.text,
      ),
      found.where === undefined ? undefined : el("p", { class: "urn" }, found.where),
      found.detail === undefined ? undefined : el("p", { dir: "auto" }, found.detail),
      found.step === undefined ? undefined : step(found.step),
    );
  }

  function cause(found: CauseEntry): HTMLElement {
    return el(
      "article",
      { class: `cause ${found.state}` },
      el("h3", { dir: "auto" }, el("span", { "aria-hidden": "true" }, `${found.symbol} `), found.summary),
      el("p", { class: "size" }, found.size),
      found.detail === undefined ? undefined : el("p", { class: "why", dir: "auto" }, found.detail),
      ...found.steps.map(step),
      ...found.kinds.map(({ kind, count, links: own }) => links(`${kind} (${count})`, own, count)),
    );
  }

  function step(text: string): HTMLElement {
    return el("p", { class: "step" }, el("b", {}, "Next"), " ", commands(text));
  }

  /** A command, or what stands between backticks, is to be copied. */
  function commands(text: string): HTMLElement {
    if (text.startsWith("ferry ")) return el("code", {}, text);
    const parts = text.split(/`([^`]+)`/u);
    return el(
      "span",
      { dir: "auto" },
      ...parts.map((part, at) => (at % 2 === 1 ? el("code", {}, part) : part)),
    );
  }

  function links(label: string, found: readonly Link[], total = found.length): HTMLElement | undefined {
    if (found.length === 0) return undefined;
    const shown = found.slice(0, 40).map(chip);
    const left = total - shown.length;
    const more = left > 0 ? [el("span", { class: "rest" }, `and ${left} more`)] : [];
    return el("div", { class: "links" }, el("b", {}, label), ...shown, ...more);
  }

  /** What is not among the changes is there already, or is not this run's business: nowhere to jump to. */
  function chip({ text, at }: Link): HTMLElement {
    if (at === undefined) return el("span", { class: "chip still" }, name(text, "label"));
    const button = el("button", { type: "button", class: "chip", "data-at": at }, name(text, "label"));
    button.addEventListener("click", () => jump(at));
    return button;
  }

  return { card, open, note, cause, step, commands };
}
