import { display } from "../model/display.ts";
import type { FieldChange } from "../model/change.ts";
import { columns, cut, pad } from "./columns.ts";
import type { Page } from "./text-item.ts";
import { lineChange } from "./line-change.ts";
import type { Side } from "./values.ts";
import { areBreaksMixed, baseSide, blockValue, fromSide, inlineValue, toSide } from "./values.ts";
import { allWindowed, linesWindowed, windowed } from "./window.ts";

/** What to call the two sides. */
export interface SideNames {
  readonly source: string;
  readonly target: string;
}

/** All versions of a field that both sides may have changed: what was applied last, where it is known, and both of now. */
export function versionLines(
  field: FieldChange,
  names: SideNames,
  page: Page,
  indent: string,
): readonly string[] {
  const path = display(field.path === "" ? "/" : field.path);
  const { base, movedAt } = field;
  const who =
    movedAt === undefined ? "" : ` (changed at ${movedAt === "both" ? "both" : display(names[movedAt])})`;
  const rows = [
    ...(base === undefined ? [] : [["last applied", baseSide(field)] as const]),
    [display(names.source), toSide(field)] as const,
    [display(names.target), fromSide(field)] as const,
  ];
  const width = Math.max(...rows.map(([label]) => columns(label)));
  const room = Math.max(leastRoom, page.width - indent.length - width - 6);
  const whole = rows.flatMap(([, side]) => (side === undefined ? [] : [inlineValue(side)]));
  // Versions that differ must not be shown alike.
  const values = [...(page.verbose > 1 ? whole : allWindowed(whole, room))];
  return [
    `${indent}${page.paint("yellow", "!")} ${path}${who}`,
    ...rows.map(([label, side]) => {
      const value = side === undefined ? "(none)" : shortened(values.shift() ?? "", page, room);
      return `${indent}    ${pad(label, width)}  ${value}`;
    }),
  ];
}

/** `~ path: from -> to`, on one line where it fits; else a line for each side, shortened. */
export function fieldLines(field: FieldChange, page: Page, indent: string): readonly string[] {
  const [from, to] = [fromSide(field), toSide(field)];
  const path = display(field.path === "" ? "/" : field.path);
  const below = `${indent}     `;
  const room = Math.max(leastRoom, page.width - below.length);
  if (from === undefined || to === undefined) {
    const [symbol, style] = from === undefined ? (["+", "green"] as const) : (["-", "red"] as const);
    const start = `${indent}${page.paint(style, `${symbol} ${path}`)}:`;
    const value = inlineValue(from ?? to);
    const left = page.width - indent.length - columns(`${symbol} ${path}: `);
    // A line of its own is worth it when it holds much more of the value.
    if (columns(value) <= left || room - left < leastRoom)
      return [`${start} ${shortened(value, page, left)}`];
    return [start, `${below}${shortened(value, page, room)}`];
  }
  const lines = changedLines(from, to, page, below);
  if (lines !== undefined) return [`${indent}${page.paint("cyan", "~")} ${path}:`, ...lines];
  const [before, after] = [inlineValue(from), inlineValue(to)];
  const line = `${path}: ${before} -> ${after}`;
  const mark = page.paint("cyan", "~");
  if (columns(indent) + 2 + columns(line) <= page.width) return [`${indent}${mark} ${line}`];
  const [was, will] = page.verbose > 1 ? [before, after] : windowed(before, after, room);
  return [
    `${indent}${mark} ${path}:`,
    `${below}${shortened(was, page, room)}`,
    `${indent}  -> ${shortened(will, page, room)}`,
  ];
}

/** A text of several lines, such as a query, is read line by line: one long line of it would say nothing. */
function changedLines(from: Side, to: Side, page: Page, indent: string): readonly string[] | undefined {
  const isText = (side: Side): boolean => typeof side.value === "string" && side.name === undefined;
  if (!isText(from) || !isText(to)) return undefined;
  const isMixed = areBreaksMixed([from, to]);
  const [was, will] = [from, to].map(({ value }) => blockValue(value, isMixed).split("\n"));
  if (was === undefined || will === undefined || (was.length === 1 && will.length === 1)) return undefined;
  const { before, removed, added, after } = lineChange(was, will);
  const room = Math.max(leastRoom, page.width - indent.length - 2);
  const shown = (mark: string, texts: readonly string[]): readonly string[] => {
    const most = page.verbose > 1 ? texts.length : mostLines;
    const more = texts.length - most;
    return [
      ...texts.slice(0, most).map((text) => `${indent}${mark} ${shortened(text, page, room)}`),
      ...(more > 0 ? [`${indent}${mark} ... and ${more} more lines`] : []),
    ];
  };
  const [gone, come] = page.verbose > 1 ? [removed, added] : linesWindowed(removed, added, room);
  return [
    ...shown(" ", before),
    ...shown("-", gone).map((text) => page.paint("red", text)),
    ...shown("+", come).map((text) => page.paint("green", text)),
    ...shown(" ", after),
  ];
}

/** Of each side; the whole text is in the other reports, and here with -vv. */
const mostLines = 8;

/** A value that has no room at all keeps some: a line that is too long is better than a value nobody sees. */
const leastRoom = 24;

function shortened(value: string, page: Page, room: number): string {
  return page.verbose > 1 ? value : cut(value, Math.max(leastRoom, room));
}
