import { stableText } from "../../model/canonical.ts";
import { display, shorten } from "../../model/display.ts";
import type { Json } from "../../model/json.ts";

/** A value of a record, safe to show and short enough for a table. */
export function cellText(value: Json | undefined): string {
  if (value === undefined || value === null) return "(empty)";
  return shorten(display(typeof value === "string" ? value : stableText(value)), 60);
}
