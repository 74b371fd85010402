import type { Entry, Field, Payload, Value } from "../payload.ts";
import type { Child, Dom } from "./dom.ts";
import type { Part, Words } from "./words.ts";

type Side = "base" | "before" | "after";

export interface Values {
  /** The differences of one object, side by side; the two sides are above each other on a phone. */
  readonly table: (entry: Entry) => HTMLElement | undefined;
}

export function values(data: Payload, { el, name }: Dom, words: Words): Values {
  const place = data.target?.name ?? "the target";

  function table(entry: Entry): HTMLElement | undefined {
    if (entry.fields.length === 0) return undefined;
    const waits = entry.state === "drift" || entry.state === "conflict";
    const after = waits ? (data.source?.name ?? "the source") : `${place} after`;
    const hasBase = entry.fields.some(({ base }) => base !== undefined);
    const titles = { base: "last applied", before: `${place} now`, after };
    const heads = ["Field", ...(hasBase ? [titles.base] : []), titles.before, titles.after];
    const head = heads.map((text) => el("th", { scope: "col" }, text));
    return el(
      "table",
      { class: "fields" },
      el("caption", { class: "unseen" }, `Fields of ${entry.name}`),
      el("thead", {}, el("tr", {}, ...head)),
      el("tbody", {}, ...entry.fields.map((field) => row(field, titles, hasBase))),
    );
  }

  /** On a phone the titles stand with each value. */
  function row(field: Field, titles: Record<Side, string>, hasBase: boolean): HTMLElement {
    const [before, after] = marked(field);
    return el(
      "tr",
      {},
      el("th", { scope: "row" }, name(field.path === "" ? "/" : field.path, "path")),
      hasBase ? cell("base", titles.base, field.base, undefined) : undefined,
      cell("before", titles.before, field.from, before),
      cell("after", titles.after, field.to, after),
    );
  }

  /** Words are marked when enough is the same; marking everything would say nothing. */
  function marked({ from, to }: Field): [readonly Part[] | undefined, readonly Part[] | undefined] {
    if (from === undefined || to === undefined || from.name !== undefined || to.name !== undefined)
      return [undefined, undefined];
    const { before, after } = words.diff(from.text, to.text);
    const same = before.reduce((sum, part) => sum + (part.same ? part.text.trim().length : 0), 0);
    return same * 4 >= Math.min(from.text.length, to.text.length) && same > 0
      ? [before, after]
      : [undefined, undefined];
  }

  function cell(
    side: Side,
    label: string,
    value: Value | undefined,
    parts: readonly Part[] | undefined,
  ): HTMLElement {
    if (value === undefined || value.absent === true)
      return el("td", { class: `${side} absent`, "data-label": label }, el("i", {}, "none"));
    const tag = side === "before" ? "del" : "ins";
    const content = parts?.flatMap((part) => (part.same ? [part.text] : lines(tag, part.text))) ?? [
      value.text,
    ];
    const box = el(
      "div",
      { class: value.plain ? "value plain" : "value json", dir: value.plain ? "auto" : "ltr" },
      ...content,
    );
    if (value.name === undefined) return el("td", { class: side, "data-label": label }, box);
    box.classList.add("urn");
    return el("td", { class: side, "data-label": label }, name(value.name, "refers"), box);
  }

  /** Line breaks and what indents a line are not marked: they hide what is. */
  function lines(tag: "del" | "ins", text: string): readonly Child[] {
    return text.split(/(\s*\n\s*)/u).map((piece, index) => (index % 2 === 1 ? piece : el(tag, {}, piece)));
  }

  return { table };
}
