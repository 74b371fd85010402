import { display } from "../model/display.ts";
import { isExact } from "../model/json.ts";
import { columns, cut, pad, wrap } from "./columns.ts";

/**
 * What a command has to tell beside changes, as an outline: rows of plain values as a table, all else as
 * `key: value` with deeper levels indented.
 */
export function detailLines(
  details: unknown,
  width: number,
  /** What is wider is broken at its spaces: a terminal would do it in the middle of a word. */
  isWrapped = false,
): readonly string[] {
  if (details === undefined || details === null) return [];
  if (typeof details !== "object" || Array.isArray(details)) return outline(details, width);
  // Text of several lines is there to be copied: it stands at the margin, apart from the rest.
  const blocks = Object.entries(details).flatMap(([key, value]) => (isBlock(key, value) ? [value] : []));
  const rest = Object.fromEntries(Object.entries(details).filter(([key, value]) => !isBlock(key, value)));
  const copied = blocks.flatMap((block) => ["", ...block.trimEnd().split("\n").map(display)]);
  const whole = outline(rest, width);
  const lines = isWrapped ? whole.flatMap((line) => hanging(line, width)) : whole;
  return lines.length === 0 ? copied.slice(1) : [...lines, ...copied];
}

/** What follows stands under the text of its first line, behind the dash of a list. */
function hanging(line: string, width: number): readonly string[] {
  if (columns(line) <= width) return [line];
  const start = /^ *(?:- )?/u.exec(line)?.[0] ?? "";
  const [first = "", ...rest] = wrap(line.slice(start.length), width - start.length - 2);
  // A URN is there to be copied: it stands further out where it would not fit, and is broken by no terminal.
  const indent = (more: string): number => Math.max(0, Math.min(start.length + 2, width - columns(more)));
  return [`${start}${first}`, ...rest.map((more) => " ".repeat(indent(more)) + more)];
}

/** Of our own making: a name that came from a service may hold a line break as well, and ends no line. */
function isBlock(key: string, value: unknown): value is string {
  return key === "pairing" && typeof value === "string";
}

function outline(value: unknown, width: number): readonly string[] {
  if (typeof value === "string") return value.split("\n").map(display);
  if (Array.isArray(value)) return listLines(value, width);
  if (typeof value !== "object" || value === null || isExact(value)) return [scalar(value)];
  return Object.entries(value).flatMap(([key, inner]) => {
    if (inner === undefined) return [];
    if (isScalar(inner)) return [`${display(key)}: ${scalar(inner)}`];
    const lines = outline(inner, width - 2);
    return lines.length === 0
      ? [`${display(key)}: none`]
      : [`${display(key)}:`].concat(lines.map((line) => `  ${line}`));
  });
}

function listLines(values: readonly unknown[], width: number): readonly string[] {
  const table = tableLines(values, width);
  if (table !== undefined) return table;
  return values.flatMap((value) =>
    (isScalar(value) ? [scalar(value)] : outline(value, width - 2)).map((line, index) =>
      index === 0 ? `- ${line}` : `  ${line}`,
    ),
  );
}

/** A column that is cut up more than this is read worse than an outline. */
const leastColumn = 20;

/** Undefined when the rows are no flat objects, or the page is too narrow for a table of them. */
function tableLines(values: readonly unknown[], width: number): readonly string[] | undefined {
  if (values.length === 0 || !values.every(isFlat)) return undefined;
  const keys = [...new Set(values.flatMap((row) => Object.keys(row)))];
  const rows = [
    keys.map(display),
    ...values.map((row) => keys.map((key) => scalar(Object.hasOwn(row, key) ? row[key] : undefined))),
  ];
  // There may be more rows than a call takes arguments.
  const widths = keys.map((_, column) =>
    rows.reduce((most, row) => Math.max(most, columns(row[column] ?? "")), 0),
  );
  const over = widths.reduce((sum, cell) => sum + cell + 2, -2) - width;
  if (over > 0) {
    // The widest column takes what the others leave, and is wrapped.
    const widest = widths.indexOf(Math.max(...widths));
    const room = (widths[widest] ?? 0) - over;
    if (room < leastColumn) return undefined;
    // A URN is there to be copied: in an outline it stays in one piece.
    if (rows.some((row) => isLongUrn(row[widest] ?? "", room))) return undefined;
    widths[widest] = room;
  }
  return rows.flatMap((row) => rowLines(row, widths));
}

function isLongUrn(cell: string, room: number): boolean {
  return cell.startsWith("urn:") && columns(cell) > room;
}

function rowLines(row: readonly string[], widths: readonly number[]): readonly string[] {
  const cells = row.map((cell, column) => {
    const width = widths[column] ?? 0;
    // An address is longer than any column: it is broken rather than let out of the table.
    return wrap(cell, width).flatMap((line) => broken(line, width));
  });
  const height = Math.max(...cells.map((lines) => lines.length));
  return Array.from({ length: height }, (_, at) =>
    cells
      .map((lines, column) => pad(lines[at] ?? "", widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}

/** A word that is wider than its column, an address: after a slash where there is one in its second half. */
function broken(line: string, width: number): readonly string[] {
  if (width < 2 || columns(line) <= width) return [line];
  const piece = cut(line, width + 1).slice(0, -1);
  const slash = piece.lastIndexOf("/") + 1;
  const at = slash > piece.length / 2 ? slash : piece.length;
  return at === 0 ? [line] : [piece.slice(0, at), ...broken(line.slice(at), width)];
}

function isFlat(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === "object" &&
    value !== null &&
    !isExact(value) &&
    !Array.isArray(value) &&
    Object.values(value).every(isScalar)
  );
}

function isScalar(value: unknown): boolean {
  return value === null || typeof value !== "object" || isExact(value);
}

function scalar(value: unknown): string {
  if (value === undefined || value === null) return "";
  return display(typeof value === "string" ? value : JSON.stringify(value));
}
