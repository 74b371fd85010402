import { display } from "../model/display.ts";
import type { FieldChange } from "../model/change.ts";
import type { Json } from "../model/json.ts";

/** The two sides of a field: a value and, where it is a reference, the name of what it refers to. */
export interface Side {
  readonly value: Json;
  readonly name?: string;
}

export function fromSide(field: FieldChange): Side | undefined {
  return sideOf(field.from, field.fromName);
}

/** As it was last applied: undefined where that is not known, or where there was no value. */
export function baseSide({ base }: FieldChange): Side | undefined {
  return base === undefined ? undefined : sideOf(base.value, base.name);
}

export function toSide(field: FieldChange): Side | undefined {
  return sideOf(field.to, field.toName);
}

export function sideOf(value: Json | undefined, name: string | undefined): Side | undefined {
  if (value === undefined) return undefined;
  return name === undefined ? { value } : { value, name };
}

/** One line, safe for a terminal: a name with its URN for a reference, else JSON. */
export function inlineValue(side: Side | undefined): string {
  if (side === undefined) return "(none)";
  const json = display(JSON.stringify(side.value));
  return side.name === undefined ? json : `${display(JSON.stringify(side.name))} ${json}`;
}

/** Whether these texts do not all break their lines in one way: that may be all that differs. */
export function areBreaksMixed(sides: readonly (Side | undefined)[]): boolean {
  const texts = sides.flatMap((side) => (typeof side?.value === "string" ? [side.value] : []));
  return new Set(texts.flatMap((text) => text.match(/\r?\n/gu) ?? [])).size > 1;
}

/**
 * Text of several lines for a reader; only line breaks and tabs are left of the control characters. `isMixed`: the carriage return of
 * a line break is shown as any other.
 */
export function blockValue(value: Json, isMixed = false): string {
  const raw = typeof value === "string" ? value : JSON.stringify(value, undefined, 2);
  return (isMixed ? raw : raw.replaceAll("\r\n", "\n"))
    .split("\n")
    .map((line) => line.split("\t").map(display).join("\t"))
    .join("\n");
}
