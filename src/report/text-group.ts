import { wrap } from "./columns.ts";
import type { Item } from "./item.ts";
import type { Page } from "./text-item.ts";
import { compactLines, stateStyles } from "./text-item.ts";

/** From so many alike on, a line for each would say the same thing over and over. */
const fewest = 5;
const nameLines = 3;

/** Changes of one kind for one reason stand together, by name; the rest is a table. */
export function groupedLines(items: readonly Item[], page: Page): readonly string[] {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = JSON.stringify([
      item.kind,
      item.state,
      item.note,
      item.reason,
      item.pulledInBy !== undefined,
    ]);
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  const alike = [...groups.values()].filter((group) => group.length >= fewest);
  const single = items.filter((item) => !alike.some((group) => group.includes(item)));
  return [
    ...alike.flatMap((group) => groupLines(group, page)),
    ...(single.length === 0 ? [] : compactLines(single, page)),
  ];
}

function groupLines(group: readonly Item[], page: Page): readonly string[] {
  const [first] = group;
  if (first === undefined) return [];
  const symbol = page.paint(stateStyles[first.state], first.symbol);
  const note = first.note === undefined ? "" : `${first.note}; `;
  const pulled = first.pulledInBy === undefined ? "" : " (needed by others)";
  const start = `  ${symbol} ${first.kind} (${group.length})`;
  const reason = page.paint("dim", `${note}${first.reason}${pulled}`);
  return [`${start}  ${reason}`, ...names(group, page)];
}

/** As many names as fit in a few lines. */
function names(group: readonly Item[], page: Page): readonly string[] {
  const indent = "      ";
  const width = page.width - indent.length;
  let shown = group.length;
  let lines: readonly string[];
  do {
    const list = group
      .slice(0, shown)
      .map((item) => item.name)
      .join(", ");
    const left = group.length - shown;
    lines = wrap(left === 0 ? list : `${list}, ... and ${left} more`, width);
    shown = lines.length > nameLines * 2 ? Math.ceil(shown / 2) : shown - 1;
  } while (lines.length > nameLines && shown > 0);
  return lines.map((line) => `${indent}${line}`);
}
