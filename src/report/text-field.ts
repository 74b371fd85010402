import { display } from "../model/display.ts";
import type { FieldChange } from "../model/change.ts";
import { columns, cut } from "./columns.ts";
import type { Page } from "./text-item.ts";
import { fromSide, inlineValue, toSide } from "./values.ts";

/** `~ path: from -> to`, on one line where it fits; else a line for each side, shortened. */
export function fieldLines(field: FieldChange, page: Page, indent: string): readonly string[] {
  const [from, to] = [fromSide(field), toSide(field)];
  const path = display(field.path === "" ? "/" : field.path);
  if (from === undefined || to === undefined) {
    const [symbol, style] = from === undefined ? (["+", "green"] as const) : (["-", "red"] as const);
    const start = `${symbol} ${path}: `;
    const value = shortened(inlineValue(from ?? to), page, indent.length + columns(start));
    return [`${indent}${page.paint(style, `${symbol} ${path}`)}: ${value}`];
  }
  const [before, after] = [inlineValue(from), inlineValue(to)];
  const line = `${path}: ${before} -> ${after}`;
  const mark = page.paint("cyan", "~");
  if (columns(indent) + 2 + columns(line) <= page.width) return [`${indent}${mark} ${line}`];
  const skip = page.verbose > 1 ? 0 : commonStart(before, after);
  return [
    `${indent}${mark} ${path}:`,
    `${indent}     ${shortened(tail(before, skip), page, indent.length + 5)}`,
    `${indent}  -> ${shortened(tail(after, skip), page, indent.length + 5)}`,
  ];
}

/** A value that has no room at all keeps some: a line that is too long is better than a value nobody sees. */
function shortened(value: string, page: Page, used: number): string {
  return page.verbose > 1 ? value : cut(value, Math.max(24, page.width - used));
}

/** Long values that begin alike are shown from shortly before where they part. */
function commonStart(before: string, after: string): number {
  const [a, b] = [Array.from(before), Array.from(after)];
  let same = 0;
  while (same < a.length && same < b.length && a[same] === b[same]) same += 1;
  return same > 40 ? same - 16 : 0;
}

function tail(value: string, skip: number): string {
  return skip === 0 ? value : `…${Array.from(value).slice(skip).join("")}`;
}
