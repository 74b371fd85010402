import type { FieldChange } from "../model/change.ts";
import { display, shorten } from "../model/display.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { CauseGroup } from "./causes.ts";
import { byKind, sizeOf } from "./causes.ts";
import type { Item } from "./item.ts";
import { code, fenced, htmlCode, htmlText, prose } from "./markdown-escape.ts";
import { isSaid, ownWords } from "./own-words.ts";
import { labels } from "./states.ts";
import { areBreaksMixed, baseSide, blockValue, fromSide, inlineValue, toSide } from "./values.ts";
import type { Side } from "./values.ts";
import { linesWindowed } from "./window.ts";

/** A change in one line or so, and with its fields; the larger is shown where there is room. */
export interface Entry {
  readonly short: string;
  readonly full: string;
}

const nameLength = 160;
const textLength = 600;
const fieldLimit = 30;
const lineLimit = 24;
const lineLength = 400;
const namedInCause = 5;

/** Written when it is asked for: of a long list most entries find no room. */
class ItemEntry implements Entry {
  readonly #item: Item;
  readonly #loud: boolean;
  #written: Entry | undefined;

  constructor(item: Item, loud: boolean) {
    this.#item = item;
    this.#loud = loud;
  }

  get short(): string {
    return this.#entry.short;
  }

  get full(): string {
    return this.#entry.full;
  }

  get #entry(): Entry {
    this.#written ??= written(this.#item, this.#loud);
    return this.#written;
  }
}

export function entryOf(item: Item, loud: boolean): Entry {
  return new ItemEntry(item, loud);
}

function written(item: Item, loud: boolean): Entry {
  const note = loud ? `**${item.note ?? labels[item.state]}** ` : "";
  const after = !loud && item.note !== undefined ? ` (${item.note})` : "";
  const named = `${note}${prose(item.kind)} ${code(shorten(item.name, nameLength))}${after}`;
  const pulled =
    item.pulledInBy === undefined ? "" : `, needed by ${code(shorten(item.pulledInBy, nameLength))}`;
  const lines = [
    `- ${named}: ${prose(shorten(item.reason, textLength))}${pulled}`,
    ...(loud ? [`  ${code(shorten(item.urn, nameLength))}`] : []),
    // A table may be updated, and rows of it wait for a person all the same.
    ...(loud || item.change.records !== undefined ? item.change.diagnostics : ownWords(item)).flatMap(
      (found) => ownLines(found, item),
    ),
    ...item.steps.map((step) => `  - next: ${stepText(step)}`),
  ];
  const short = `${lines.join("\n")}\n`;
  if (item.change.fields.length === 0) return { short, full: short };
  const summary = `${htmlText(fieldCount(item.change.fields.length))} of ${htmlCode(shorten(item.name, nameLength))}`;
  const block = fenced("diff", fieldsLines(item.change.fields)).replaceAll(/^/gmu, "  ");
  return {
    short,
    full: `${short}\n  <details><summary>${summary}</summary>\n\n${block}\n\n  </details>\n\n`,
  };
}

export function noteLines(found: Diagnostic): string {
  const { coordinate, suggestion } = found;
  const where = coordinate === undefined ? "" : ` (${prose(coordinate.kind)} ${code(name(coordinate.name))})`;
  const [first, ...rest] = diagnosticLines(found);
  const next = suggestion === undefined ? [] : [`  - next: ${stepText(display(suggestion))}`];
  return `${[`${(first ?? "").trimStart()}${where}`, ...rest, ...next].join("\n")}\n`;
}

/** What the reason has said is not said again. */
function ownLines(found: Diagnostic, item: Item): readonly string[] {
  if (!isSaid(found, item.reason) || found.detail !== undefined) return diagnosticLines(found);
  return found.pointer === undefined ? [] : [`  - at ${code(shorten(display(found.pointer), nameLength))}`];
}

function diagnosticLines(found: Diagnostic): readonly string[] {
  const at = found.pointer === undefined ? "" : ` at ${code(shorten(display(found.pointer), nameLength))}`;
  const detail = found.detail === undefined ? "" : `: ${prose(shorten(display(found.detail), textLength))}`;
  return [`  - ${found.severity}: ${prose(shorten(display(found.summary), textLength))}${at}${detail}`];
}

/** A command, or a line for the plan, is to be copied as it stands. */
export function stepText(step: string): string {
  const text = shorten(step, textLength);
  if (text.startsWith("ferry ")) return code(text);
  return text
    .split(/(`[^`]+`)/u)
    .map((part, at) => (at % 2 === 1 ? code(part.slice(1, -1)) : prose(part)))
    .join("");
}

/** What several share: said once, with the objects by name; the larger form has each with its URN. */
export function causeEntry(group: CauseGroup): Entry {
  const lines = [
    `- **${prose(shorten(group.summary, textLength))}**: ${prose(sizeOf(group))}`,
    ...(group.detail === undefined ? [] : [`  - ${prose(shorten(group.detail, textLength))}`]),
    ...group.steps.map((step) => `  - next: ${stepText(step)}`),
    ...[...byKind(group)].map(
      ([kind, items]) => `  - ${prose(kind)} (${items.length.toLocaleString("en")}): ${someNames(items)}`,
    ),
  ];
  const short = `${lines.join("\n")}\n`;
  const all = group.items.map(
    (item) =>
      `  - ${prose(item.kind)} ${code(shorten(item.name, nameLength))} ${code(shorten(item.urn, nameLength))}`,
  );
  const summary = htmlText(`All ${group.items.length}`);
  return {
    short,
    full: `${short}\n  <details><summary>${summary}</summary>\n\n${all.join("\n")}\n\n  </details>\n\n`,
  };
}

function someNames(items: readonly Item[]): string {
  const shown = items.slice(0, namedInCause).map((item) => code(shorten(item.name, 60)));
  const left = items.length - shown.length;
  return `${shown.join(", ")}${left === 0 ? "" : `, ... and ${left.toLocaleString("en")} more`}`;
}

function name(text: string): string {
  return text.trim() === "" ? "(no name)" : shorten(display(text), nameLength);
}

function fieldCount(count: number): string {
  return count === 1 ? "1 field" : `${count} fields`;
}

function fieldsLines(fields: readonly FieldChange[]): readonly string[] {
  const left = fields.length - fieldLimit;
  const more = left > 0 ? [`... and ${left} more fields`] : [];
  return [...fields.slice(0, fieldLimit).flatMap(fieldLines), ...more];
}

function fieldLines(field: FieldChange): readonly string[] {
  const sides = [fromSide(field), toSide(field)] as const;
  const isMixed = areBreaksMixed(sides);
  const [from, to] = partingLines(linesOf(sides[0], isMixed), linesOf(sides[1], isMixed));
  return [
    `@@ ${shorten(display(field.path), lineLength)} @@`,
    ...(field.base === undefined
      ? []
      : [shorten(`  last applied: ${inlineValue(baseSide(field))}`, lineLength)]),
    ...shortLines(from).map((line) => `- ${line}`),
    ...shortLines(to).map((line) => `+ ${line}`),
  ];
}

/** Text of several lines as such, so that a host's diff colours help; everything else on one line. */
function linesOf(side: Side | undefined, isMixed: boolean): readonly string[] {
  if (side === undefined) return [];
  return side.name === undefined && isLong(side)
    ? blockValue(side.value, isMixed).split("\n")
    : [inlineValue(side)];
}

/** From shortly before where the two sides part: what is cut off must not be the difference. */
function partingLines(
  from: readonly string[],
  to: readonly string[],
): readonly [readonly string[], readonly string[]] {
  if (from.length === 0 || to.length === 0) return [from, to];
  let same = 0;
  while (same < from.length && same < to.length && from[same] === to[same]) same += 1;
  const skip = same > 3 ? same - 2 : 0;
  const note = skip === 0 ? [] : [`... ${skip} lines as they are`];
  const [was, will] = linesWindowed(from.slice(skip), to.slice(skip), lineLength);
  return [
    [...note, ...was],
    [...note, ...will],
  ];
}

function shortLines(lines: readonly string[]): readonly string[] {
  const left = lines.length - lineLimit;
  const more = left > 0 ? [`... and ${left} more lines`] : [];
  return [...lines.slice(0, lineLimit).map((line) => shorten(line, lineLength)), ...more];
}

function isLong({ value }: Side): boolean {
  return typeof value === "string" ? value.includes("\n") : JSON.stringify(value).length > 100;
}
