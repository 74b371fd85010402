import type { Row } from "./collection.ts";
import type { Call } from "./http/call.ts";
import { isArray, isObject } from "./json.ts";
import { type Order, type Position, type SortValue, valuesOf } from "./order.ts";
import { invalid } from "./problem.ts";

export function encode<T>(list: string, order: Order<T>, row: Row<T>): string {
  return encodePosition(list, order, { seq: row.seq, values: valuesOf(row, order) });
}

export function encodePosition<T>(list: string, order: Order<T>, position: Position): string {
  const content = JSON.stringify([list, order.name, position.seq, ...position.values]);
  return Buffer.from(content).toString("base64url");
}

/** Cursors are opaque: one that this list did not give out for this order is refused. */
export function cursorOf<T>(call: Call, name: string, list: string, order: Order<T>): Position | undefined {
  const value = call.query.get(name);
  if (value === null) return undefined;
  const refused = invalid(`${name} is not a cursor of this list.`);
  let content: unknown;
  try {
    content = JSON.parse(Buffer.from(value, "base64url").toString());
  } catch {
    throw refused;
  }
  if (!isArray(content) || content[0] !== list || content[1] !== order.name) throw refused;
  const [, , seq, ...values] = content;
  if (typeof seq !== "number" || values.length > order.terms.length) throw refused;
  return { seq, values: values.filter((entry): entry is SortValue => !isArray(entry) && !isObject(entry)) };
}
