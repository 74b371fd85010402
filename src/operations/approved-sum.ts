import { createHash } from "node:crypto";
import { stableText } from "../model/canonical.ts";
import { isArray } from "../model/json.ts";
import type { Json } from "../model/json.ts";
import { formatJson } from "../model/json-pieces.ts";
import { parseJson } from "../model/json-text.ts";

/** The field of an approved diff that holds the sum of all others. */
const ownField = "sum";

/**
 * Of all that stands in an approved diff, whatever its layout: also of what decides nothing, and is read by whoever approves
 * it. Change by change, since there may be very many.
 */
export function sumOf(file: object): string {
  const sum = createHash("sha256");
  for (const [name, field] of Object.entries(file).sort(([one], [other]) => (one < other ? -1 : 1))) {
    if (name === ownField || field === undefined) continue;
    sum.update(`${JSON.stringify(name)}\n`);
    if (isArray(field as Json)) for (const item of field as Iterable<unknown>) sum.update(asRead(item));
    else sum.update(asRead(field));
  }
  return sum.digest("hex").slice(0, 32);
}

/** As it is when it was written to a file and read again. */
function asRead(value: unknown): string {
  return `${stableText(parseJson(formatJson(value)))}\n`;
}
