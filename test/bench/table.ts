import type { Figures } from "./figures/file.ts";
import type { Row } from "./row.ts";
import { amount, goalText, isMet } from "./row.ts";

/** `what | measured | goal | met or MISSED`, and below it what each was made of. */
export function measuredTable(rows: readonly Row[]): string {
  const cells = rows.map((row) => [row.what, measuredText(row), goalText(row), verdict(row)]);
  const notes = rows.map(({ what, from }) => `${what}: ${from}\n`).join("");
  return `${columns([["what", "measured", "goal", ""], ...cells])}\n${notes}`;
}

/** `goal | last release | now | change`: less is better in every row. */
export function comparedTable(rows: readonly Row[], last: Figures | undefined): string {
  if (last === undefined) return "There are no figures of an earlier release to compare with.\n";
  const cells = rows.map((row) => {
    const before = last.figures.find(({ key }) => key === row.key);
    if (before === undefined)
      return [row.what, goalText(row), "not measured", amount(row.value, row.unit), ""];
    const marked =
      before.published === true ? `${amount(before.value, row.unit)} *` : amount(before.value, row.unit);
    return [row.what, goalText(row), marked, amount(row.value, row.unit), change(before.value, row.value)];
  });
  const published = last.figures.some((figure) => figure.published === true);
  const note = published ? `* as ${last.version} published it; measured in another way\n` : "";
  return `${columns([["what", "goal", last.version, "now", "change"], ...cells])}${note}`;
}

function measuredText({ value, unit, spread }: Row): string {
  const text = amount(value, unit);
  if (spread === undefined) return text;
  const [least, most] = spread.map((end) => amount(end, unit).split(" ")[0]);
  return `${text} (${least} to ${most})`;
}

function verdict(row: Row): string {
  return isMet(row) ? "met" : "MISSED";
}

export function change(before: number, now: number): string {
  if (before === 0 || !Number.isFinite(before)) return "";
  const share = Math.round((now / before - 1) * 100);
  return share === 0 ? "the same" : `${share > 0 ? "+" : "-"}${Math.abs(share)} %`;
}

/** Reads well on a terminal, and is a table in Markdown. */
export function columns(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0), 3),
  );
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |\n`;
  const [head, ...rest] = rows.map((row) =>
    line(row.map((cell, column) => cell.padEnd(widths[column] ?? 0))),
  );
  return [head, line(widths.map((width) => "-".repeat(width))), ...rest].join("");
}
