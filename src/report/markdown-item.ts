import type { FieldChange } from "../model/change.ts";
import { display, shorten } from "../model/display.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { Item } from "./item.ts";
import { code, fenced, htmlCode, htmlText, prose } from "./markdown-escape.ts";
import { labels } from "./states.ts";
import { blockValue, fromSide, inlineValue, toSide } from "./values.ts";
import type { Side } from "./values.ts";

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

export function entryOf(item: Item, loud: boolean): Entry {
  const note = loud ? `**${item.note ?? labels[item.state]}** ` : "";
  const after = !loud && item.note !== undefined ? ` (${item.note})` : "";
  const named = `${note}${prose(item.kind)} ${code(shorten(item.name, nameLength))}${after}`;
  const pulled =
    item.pulledInBy === undefined ? "" : `, needed by ${code(shorten(item.pulledInBy, nameLength))}`;
  const lines = [
    `- ${named}: ${prose(shorten(item.reason, textLength))}${pulled}`,
    ...(loud
      ? [`  ${code(shorten(item.urn, nameLength))}`, ...item.change.diagnostics.flatMap(diagnosticLines)]
      : []),
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

function diagnosticLines(found: Diagnostic): readonly string[] {
  const at = found.pointer === undefined ? "" : ` at ${code(shorten(display(found.pointer), nameLength))}`;
  const detail = found.detail === undefined ? "" : `: ${prose(shorten(display(found.detail), textLength))}`;
  return [`  - ${found.severity}: ${prose(shorten(display(found.summary), textLength))}${at}${detail}`];
}

/** A command is to be copied as it stands. */
function stepText(step: string): string {
  const text = shorten(step, textLength);
  return text.startsWith("ferry ") ? code(text) : prose(text);
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
  const from = sideLines(fromSide(field)).map((line) => `- ${line}`);
  const to = sideLines(toSide(field)).map((line) => `+ ${line}`);
  return [`@@ ${shorten(display(field.path), lineLength)} @@`, ...from, ...to];
}

/** Text of several lines as such, so that a host's diff colours help; everything else on one line. */
function sideLines(side: Side | undefined): readonly string[] {
  if (side === undefined) return [];
  const lines =
    side.name === undefined && isLong(side) ? blockValue(side.value).split("\n") : [inlineValue(side)];
  const left = lines.length - lineLimit;
  const more = left > 0 ? [`... and ${left} more lines`] : [];
  return [...lines.slice(0, lineLimit).map((line) => shorten(line, lineLength)), ...more];
}

function isLong({ value }: Side): boolean {
  return typeof value === "string" ? value.includes("\n") : JSON.stringify(value).length > 100;
}
