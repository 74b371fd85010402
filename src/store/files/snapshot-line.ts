import type { SnapshotObject } from "../store.ts";
import type { Json } from "../../model/json.ts";
import { child, isObject, text } from "../../model/json.ts";
import { parseJson } from "../../model/json-text.ts";

/**
 * A line of `<kind>.ndjson`: `{"urn":...,"name":...,"body":{...}}`, with `"meta":{...}` after it where there is
 * any; UTF-8, no other spaces, a line feed at the end. The body is what the service said, field by field.
 */
export function formatSnapshotLine({ urn, name, body, meta }: SnapshotObject): string {
  return `${JSON.stringify(meta === undefined ? { urn, name, body } : { urn, name, body, meta })}\n`;
}

/** Undefined when it is no such line. */
export function parseSnapshotLine(line: Buffer): SnapshotObject | undefined {
  const value = parse(line.toString("utf8"));
  if (!isObject(value)) return undefined;
  const [urn, name, body, meta] = [
    text(value, "urn"),
    text(value, "name"),
    child(value, "body"),
    child(value, "meta"),
  ];
  if (urn === undefined || name === undefined || body === undefined) return undefined;
  return meta === undefined ? { urn, name, body } : { urn, name, body, meta };
}

/** The name in such a line of the object with this URN, without reading its body; undefined when it is no such line. */
export function nameInLine(line: Buffer, urn: string): string | undefined {
  const before = `{"urn":${JSON.stringify(urn)},"name":`;
  const begin = Buffer.byteLength(before);
  if (line.toString("utf8", 0, begin) !== before || line[begin] !== quote) return undefined;
  const end = endOfText(line, begin + 1);
  const name = end < 0 ? undefined : parse(line.toString("utf8", begin, end + 1));
  return typeof name === "string" ? name : undefined;
}

const quote = 0x22;
const backslash = 0x5c;

/** Where the quotation mark is that ends the text whose first byte is at `from`; -1 where none does. */
function endOfText(line: Buffer, from: number): number {
  for (let at = from; at < line.length; at += 1) {
    if (line[at] === quote) return at;
    if (line[at] === backslash) at += 1;
  }
  return -1;
}

function parse(line: string): Json | undefined {
  try {
    return parseJson(line);
  } catch {
    return undefined;
  }
}
