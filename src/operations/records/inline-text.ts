import { shorten } from "../../model/display.ts";
import type { Json } from "../../model/json.ts";

const longest = 80;

/** A value in a sentence. */
export function inlineText(value: Json): string {
  return value === null ? "empty" : shorten(JSON.stringify(value), longest);
}
