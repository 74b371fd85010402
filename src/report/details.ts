import { display } from "../model/display.ts";
import { columns, pad } from "./columns.ts";

/**
 * What a command has to tell beside changes, as an outline: rows of plain values as a table, all else as
 * `key: value` with deeper levels indented.
 */
export function detailLines(details: unknown, width: number): readonly string[] {
  if (details === undefined || details === null) return [];
  return outline(details, width);
}

function outline(value: unknown, width: number): readonly string[] {
  if (typeof value === "string") return value.split("\n").map(display);
  if (Array.isArray(value)) return listLines(value, width);
  if (typeof value !== "object" || value === null) return [scalar(value)];
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

/** Undefined when the rows are no flat objects, or too wide for the page. */
function tableLines(values: readonly unknown[], width: number): readonly string[] | undefined {
  if (values.length === 0 || !values.every(isFlat)) return undefined;
  const keys = [...new Set(values.flatMap((row) => Object.keys(row)))];
  const rows = [
    keys.map(display),
    ...values.map((row) => keys.map((key) => scalar(Object.hasOwn(row, key) ? row[key] : undefined))),
  ];
  const widths = keys.map((_, column) => Math.max(...rows.map((row) => columns(row[column] ?? ""))));
  if (widths.reduce((sum, cell) => sum + cell + 2, -2) > width) return undefined;
  return rows.map((row) =>
    row
      .map((cell, column) => pad(cell, widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}

function isFlat(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).every(isScalar)
  );
}

function isScalar(value: unknown): boolean {
  return value === null || typeof value !== "object";
}

function scalar(value: unknown): string {
  if (value === undefined || value === null) return "";
  return display(typeof value === "string" ? value : JSON.stringify(value));
}
