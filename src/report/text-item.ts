import { display } from "../model/display.ts";
import type { FieldChange } from "../model/change.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { formatDiagnostic } from "../model/diagnostic.ts";
import { columns, pad, wrap } from "./columns.ts";
import type { Item } from "./item.ts";
import type { Paint } from "./paint.ts";
import { labels, personStates } from "./states.ts";
import type { State } from "./states.ts";
import type { SideNames } from "./text-field.ts";
import { fieldLines, versionLines } from "./text-field.ts";

export interface Page {
  readonly paint: Paint;
  readonly width: number;
  readonly verbose: number;
  /** What the environments are called. */
  readonly names?: SideNames | undefined;
  /** What differs was shown before. */
  readonly brief: boolean;
}

export const stateStyles = {
  create: "green",
  update: "cyan",
  replace: "magenta",
  adopt: "blue",
  delete: "red",
  unchanged: "dim",
  blocked: "yellow",
  manual: "yellow",
  drift: "yellow",
  conflict: "yellow",
  failed: "red",
  inDoubt: "yellow",
  acknowledged: "dim",
} as const satisfies Record<State, string>;

const fieldLimit = 8;
const nameColumns = 32;

/** A table of symbol, kind, name and reason, for what needs no second look. */
export function compactLines(items: readonly Item[], page: Page): readonly string[] {
  const widest = (of: "kind" | "name"): number =>
    items.reduce((most, item) => Math.max(most, columns(item[of])), 0);
  const kindWidth = widest("kind");
  const nameWidth = Math.min(nameColumns, widest("name"));
  const hanging = " ".repeat(5 + kindWidth);
  return items.flatMap((item) => {
    const symbol = page.paint(stateStyles[item.state], item.symbol);
    const start = `  ${symbol} ${pad(item.kind, kindWidth)} `;
    const used = 2 + columns(item.symbol) + 1 + kindWidth + 1;
    const reason = reasonOf(item);
    const room = page.width - used - Math.max(nameWidth, columns(item.name)) - 2;
    if (columns(reason) <= room) {
      return [`${start}${pad(item.name, nameWidth)}  ${page.paint("dim", reason)}`.trimEnd()];
    }
    const under = wrap(reason, page.width - hanging.length);
    return [`${start}${item.name}`, ...under.map((line) => `${hanging}${page.paint("dim", line)}`)];
  });
}

function reasonOf(item: Item): string {
  const parts = [briefNote(item), item.reason, item.pulledInBy && `needed by ${item.pulledInBy}`];
  return parts.filter((part) => part !== undefined && part !== "").join("; ");
}

/** What is acknowledged stands under that title, and its reason says what it was. */
export function briefNote({ state, note }: Item): string | undefined {
  return state === "acknowledged" ? undefined : note;
}

/** Everything about one change: where, why, what differs, what a person can do. */
export function itemLines(item: Item, page: Page): readonly string[] {
  const style = stateStyles[item.state];
  const suffix =
    personStates.includes(item.state) || item.note !== undefined
      ? `: ${item.note ?? labels[item.state]}`
      : "";
  const reason = wrap(item.reason, page.width - 6).filter((line) => line !== "");
  return [
    `  ${page.paint(style, item.symbol)} ${item.kind} ${page.paint("bold", `"${item.name}"`)}${page.paint(style, suffix)}`,
    `      ${page.paint("dim", item.urn)}`,
    ...(page.verbose > 0 && item.otherUrn !== undefined
      ? [`      ${page.paint("dim", `from ${item.otherUrn}`)}`]
      : []),
    ...reason.map((line) => `      ${line}`),
    ...(item.pulledInBy === undefined ? [] : [`      needed by ${item.pulledInBy}`]),
    ...changedLines(item, page),
    ...item.change.diagnostics.flatMap((found) => ownDiagnosticLines(found, item, page)),
    ...item.steps.flatMap((step) => stepLines(step, page, "      ")),
  ];
}

function changedLines(item: Item, page: Page): readonly string[] {
  if (page.brief) return [];
  const { fields } = item.change;
  const shown = page.verbose > 0 ? fields : fields.slice(0, fieldLimit);
  const left = fields.length - shown.length;
  const more = left === 0 ? [] : [`      ... and ${left} more (see --format html or --json)`];
  const lines = (field: FieldChange): readonly string[] =>
    field.base !== undefined
      ? versionLines(field, page.names ?? { source: "source", target: "target" }, page, "      ")
      : fieldLines(field, page, "      ");
  return [...shown.flatMap(lines), ...more];
}

/** What the reason has said is not said again; its steps follow at the end. */
function ownDiagnosticLines(found: Diagnostic, item: Item, page: Page): readonly string[] {
  const { suggestion: _, ...rest } = found;
  const said = display(found.summary);
  if (!said.endsWith(item.reason) || found.detail !== undefined || page.verbose > 0)
    return diagnosticLines(rest, page, "      ", item);
  return found.pointer === undefined ? [] : [`      at ${display(found.pointer)}`];
}

type Found = Omit<Diagnostic, "suggestion"> & { readonly suggestion?: string | undefined };

/** The coordinate is left out where the lines stand under the object itself. */
export function diagnosticLines(found: Found, page: Page, indent: string, under?: Item): readonly string[] {
  const { coordinate, suggestion, ...rest } = found;
  const same =
    coordinate === undefined ||
    display(coordinate.urn) === under?.urn ||
    display(coordinate.urn) === under?.otherUrn;
  const line = withCode(display(formatDiagnostic(same ? rest : { ...rest, coordinate })), found, page);
  const width = page.width - indent.length;
  const detail = found.detail === undefined ? [] : wrap(display(found.detail), width - 2);
  return [
    ...wrap(line, width - 2).map(
      (part, index) => indent + (index === 0 ? severity(part, found, page) : `  ${part}`),
    ),
    ...detail.map((part) => `${indent}  ${page.paint("dim", part)}`),
    ...(suggestion === undefined ? [] : stepLines(display(suggestion), page, indent)),
  ];
}

/** With -v: what `ferry explain` takes. */
function withCode(line: string, { severity, code }: Found, { verbose }: Page): string {
  return verbose > 0 && line.startsWith(severity)
    ? `${severity} [${display(code)}]${line.slice(severity.length)}`
    : line;
}

function severity(line: string, found: Found, { paint }: Page): string {
  const style = { error: "red", warning: "yellow", info: "cyan" } as const;
  return line.startsWith(found.severity)
    ? paint(style[found.severity], found.severity) + line.slice(found.severity.length)
    : line;
}

/** A command, or a line for the plan, is never broken: it is there to be copied. */
export function stepLines(step: string, page: Page, indent: string): readonly string[] {
  const lines = step.startsWith("ferry ") ? [step] : wrapStep(step, page.width - indent.length - 6);
  return lines.map(
    (line, index) => `${indent}${index === 0 ? page.paint("cyan", "next: ") : "      "}${line}`,
  );
}

export function wrapStep(step: string, width: number): readonly string[] {
  const glue = "\u0000"; // What is shown has no control characters left.
  const glued = step.replaceAll(/`[^`]*`/gu, (code) => code.replaceAll(" ", glue));
  return wrap(glued, width).map((line) => line.replaceAll(glue, " "));
}
