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

function parse(line: string): Json | undefined {
  try {
    return parseJson(line);
  } catch {
    return undefined;
  }
}
