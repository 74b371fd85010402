import type { HeaderData, Port } from "../payload.ts";
import type { Cards } from "./cards.ts";
import type { Dom } from "./dom.ts";

export interface Header {
  readonly element: () => HTMLElement;
  /** About the run as a whole; undefined when there is nothing to say. */
  readonly notes: () => HTMLElement | undefined;
}

/** Who, where from, where to, how it ended, and what comes next. */
export function header(data: HeaderData, { el, name }: Dom, cards: Pick<Cards, "note" | "commands">): Header {
  const themes = ["auto", "light", "dark"];
  /** So many warnings are read by themselves; a hundred would hide what they are about. */
  const mostWarnings = 10;

  function element(): HTMLElement {
    const run = data.run === undefined ? "" : `, run ${data.run}`;
    return el(
      "header",
      {},
      el(
        "div",
        { class: "top" },
        el("p", { class: "tool" }, `urn-ferry ${data.version}, ferry ${data.command}${run}`),
        theme(),
      ),
      el("h1", {}, name(data.plan, "plan")),
      route(),
      verdict(),
    );
  }

  function route(): HTMLElement | undefined {
    if (data.source === undefined || data.target === undefined) return undefined;
    const line = el("span", { class: "crossing", role: "img", "aria-label": "to" });
    return el("div", { class: "route" }, port(data.source, "source"), line, port(data.target, "target"));
  }

  function port(party: Port, role: string): HTMLElement {
    return el(
      "div",
      { class: `port ${role}` },
      el("span", { class: "role" }, role),
      name(party.name, "where"),
      el("span", { class: "address" }, `${party.tenant} at ${party.baseUrl.replace(/^https?:\/\//u, "")}`),
    );
  }

  function verdict(): HTMLElement {
    const deletes = data.items.filter((entry) => entry.group === "delete").length;
    const loud =
      deletes === 0
        ? undefined
        : el("a", { class: "alarm", href: "#deletes" }, `${data.deletes}: ${deletes}`);
    loud?.addEventListener("click", (event) => {
      event.preventDefault();
      document.querySelector("#deletes")?.scrollIntoView({ block: "start" });
    });
    return el(
      "div",
      { class: `verdict ${data.tone}`, role: "status" },
      el("p", { class: "headline", dir: "auto" }, ...whole(data.headline), " ", loud),
      ...data.consequences.map(({ text, names }) =>
        el("p", { class: "consequence", dir: "auto" }, el("b", {}, ...whole(text)), ` ${names}`),
      ),
      data.cost === "" ? undefined : el("p", { class: "cost" }, data.cost),
      data.next.length === 0
        ? undefined
        : el(
            "div",
            { class: "next" },
            el("b", {}, "Next"),
            ...data.next.map((command) => cards.commands(command)),
          ),
    );
  }

  /** A browser breaks a line behind a hyphen, and `--` would stand alone at its end. */
  function whole(text: string): readonly (HTMLElement | string)[] {
    return text
      .split(/(--[a-z][a-z-]*)/u)
      .map((part, at) => (at % 2 === 1 ? el("span", { class: "flag" }, part) : part));
  }

  function theme(): HTMLElement {
    const button = el("button", { type: "button", class: "button theme" });
    const choose = (chosen: string): void => {
      if (chosen === "auto") delete document.documentElement.dataset["theme"];
      else document.documentElement.dataset["theme"] = chosen;
      button.textContent = `Theme: ${chosen}`;
    };
    let index = 0;
    choose("auto");
    button.addEventListener("click", () => {
      index = (index + 1) % themes.length;
      choose(themes[index] ?? "auto");
    });
    return button;
  }

  function notes(): HTMLElement | undefined {
    if (data.notes.length === 0 && data.details.length === 0) return undefined;
    const details =
      data.details.length === 0
        ? undefined
        : el("pre", { class: "details", tabindex: 0 }, data.details.join("\n"));
    const of = (...wanted: readonly string[]): HeaderData["notes"] =>
      data.notes.filter(({ severity }) => wanted.includes(severity));
    const [errors, warnings, others] = [of("error"), of("warning"), of("info")];
    return el(
      "section",
      { id: "run", "aria-label": "About the run" },
      el("h2", {}, "About the run"),
      ...errors.map(cards.note),
      ...warnings.slice(0, mostWarnings).map(cards.note),
      folded([...warnings.slice(mostWarnings), ...others]),
      details,
    );
  }

  /** Notes fold: they are there for who wants to read them. */
  function folded(found: HeaderData["notes"]): HTMLElement | undefined {
    if (found.length === 0) return undefined;
    const warnings = found.filter((one) => one.severity === "warning").length;
    const parts = [
      warnings === 0 ? "" : `${warnings} more ${warnings === 1 ? "warning" : "warnings"}`,
      found.length === warnings
        ? ""
        : `${found.length - warnings} ${found.length - warnings === 1 ? "note" : "notes"}`,
    ];
    const title = parts.filter((part) => part !== "").join(", ");
    return el("details", { class: "folded" }, el("summary", {}, title), ...found.map(cards.note));
  }

  return { element, notes };
}
