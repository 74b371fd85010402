import type { CauseGroup } from "./causes.ts";
import { byKind, sizeOf } from "./causes.ts";
import { selectedBy } from "../model/packed/listed.ts";
import { columns, cut, wrap } from "./columns.ts";
import type { Item } from "./item.ts";
import type { Page } from "./text-item.ts";
import { briefNote, compactLines, stateStyles, stepLines } from "./text-item.ts";
import { symbols } from "./states.ts";

/** From so many alike on, a line for each would say the same thing over and over. */
export const fewest = 5;
const mostBegun = 20;
export const nameLines = 3;
/** Under a cause there may be several kinds. */
const shortLines = 2;

/** Changes of one kind for one reason stand together, by name; the rest is a table. */
export function groupedLines(items: readonly Item[], page: Page): readonly string[] {
  const groups = selectedBy(items, ({ kind, state, note, reason, pulledInBy }) =>
    JSON.stringify([kind, state, note, reason, pulledInBy !== undefined]),
  );
  const all = [...groups.values()];
  const alike = all.filter(({ length }) => length >= fewest).map((group) => group.of(items));
  const single = all
    .flatMap((group) => (group.length >= fewest ? [] : group.values()))
    .toSorted((a, b) => a - b)
    .flatMap((place) => items[place] ?? []);
  // Each of these is told with its place at the target: a stop may leave a batch for each request that was awaited.
  const begun = single.filter(({ change }) => change.outcome === "begun");
  const unseen = new Set(page.verbose > 0 ? [] : begun.slice(mostBegun));
  const shown = single.filter((item) => !unseen.has(item));
  return [
    ...alike.flatMap((group) => groupLines(group, page)),
    ...(shown.length === 0 ? [] : compactLines(shown, page)),
    ...(unseen.size === 0
      ? []
      : [`  ... and ${unseen.size.toLocaleString("en")} more begun (see --format html or --json)`]),
  ];
}

function groupLines(group: readonly Item[], page: Page): readonly string[] {
  const [first] = group;
  if (first === undefined) return [];
  const symbol = page.paint(stateStyles[first.state], first.symbol);
  const said = briefNote(first);
  const note = said === undefined ? "" : `${said}; `;
  const pulled = first.pulledInBy === undefined ? "" : " (needed by others)";
  const start = `${first.kind} (${group.length.toLocaleString("en")})`;
  const reason = `${note}${first.reason}${pulled}`;
  const isBeside = columns(`  ${first.symbol} ${start}  ${reason}`) <= page.width;
  const head = `  ${symbol} ${start}`;
  return [
    ...(isBeside
      ? [`${head}  ${page.paint("dim", reason)}`]
      : [head, ...wrap(reason, page.width - 8).map((line) => `        ${page.paint("dim", line)}`)]),
    ...names("", group, page, nameLines),
  ];
}

/** The cause first, with what mends it; then which objects it keeps. */
export function causeLines(group: CauseGroup, page: Page): readonly string[] {
  const indent = "      ";
  const symbol = page.paint(stateStyles[group.state], symbols[group.state]);
  const width = page.width - indent.length;
  // What stands before the colon is the cause, so that the eye finds it at the margin.
  const [first = "", ...rest] = wrap(`${group.summary}: ${sizeOf(group)}`, page.width - 4);
  const detail = group.detail === undefined ? [] : wrap(group.detail, width);
  return [
    `  ${symbol} ${page.paint("bold", first)}`,
    ...rest.map((line) => `    ${page.paint("bold", line)}`),
    ...detail.map((line) => indent + page.paint("dim", line)),
    ...group.steps.flatMap((step) => stepLines(step, page, indent)),
    ...(page.verbose > 0
      ? group.items.flatMap((item) => wholeLines(item, group, page))
      : namesByKind(group, page)),
  ];
}

function namesByKind(group: CauseGroup, page: Page): readonly string[] {
  return [...byKind(group)].flatMap(([kind, items]) =>
    names(`${kind} (${items.length.toLocaleString("en")}): `, items, page, shortLines),
  );
}

/** Every object by its URN, with what is said of it beyond the cause. */
function wholeLines(item: Item, { summary }: CauseGroup, page: Page): readonly string[] {
  const reason = item.reason === summary ? [] : wrap(item.reason, page.width - 8);
  return [
    `      ${item.kind} "${item.name}"`,
    `        ${page.paint("dim", item.urn)}`,
    ...reason.map((line) => `        ${page.paint("dim", line)}`),
  ];
}

/** As many names as fit in a few lines. */
export function names(
  start: string,
  group: readonly Pick<Item, "name">[],
  page: Pick<Page, "width">,
  most: number,
): readonly string[] {
  const indent = "      ";
  const width = page.width - indent.length;
  // A name and what parts it from the next take three columns.
  let shown = Math.min(group.length, Math.ceil((width * most) / 2));
  let lines: readonly string[];
  do {
    const list = group
      .slice(0, shown)
      // One that is longer than a line would keep all others out.
      .map(({ name }) => cut(name, width - 1))
      .join(", ");
    const left = group.length - shown;
    lines = wrap(start + (left === 0 ? list : `${list}, ... and ${left.toLocaleString("en")} more`), width);
    shown = lines.length > most * 2 ? Math.ceil(shown / 2) : shown - 1;
  } while (lines.length > most && shown > 0);
  return lines.map((line) => `${indent}${line}`);
}
