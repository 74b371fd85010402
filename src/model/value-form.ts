import type { Json, JsonObject } from "./json.ts";
import { fromEntries, isExact, own } from "./json.ts";
import { spelt } from "./exact-number.ts";

/**
 * Whether a value may be how a service keeps the one that it was sent: trimmed, shortened, in other letters, none for an empty text, a
 * number with fewer digits, a day with its midnight. Any other value may be somebody else's word.
 */
export function isFormOf(kept: Json | undefined, sent: Json | undefined): boolean {
  const [short, whole] = [bare(kept), bare(sent)];
  if (short === undefined || whole === undefined) return false;
  if (short === whole || isRounded(short, whole)) return true;
  if (typeof kept !== "string" || typeof sent !== "string" || short === "") return false;
  return whole.startsWith(short) || (isDay.test(whole) && short.startsWith(`${whole}t00:00`));
}

/**
 * What was sent, each value as it is kept there where that may be a form of it. What was there before is none: nobody would see that what
 * was sent has not come, or is gone again.
 */
export function asKept(
  { values, before = {} }: { readonly values: JsonObject; readonly before?: JsonObject | undefined },
  kept: JsonObject,
  reading: { text(name: string, value: Json): string },
): JsonObject {
  return fromEntries(
    Object.entries(values).map(([name, sent]): [string, Json] => {
      const [now, was] = [own(kept, name) ?? null, own(before, name) ?? null];
      return [name, isFormOf(now, sent) && reading.text(name, now) !== reading.text(name, was) ? now : sent];
    }),
  );
}

const isDay = /^\d{4}-\d\d-\d\d$/;
const isDecimal = /^[+-]?\d+(?:\.(\d+))?(?:e[+-]?\d+)?$/;

/** Rounded, or cut off, to the digits that it shows; or what four bytes hold of it. */
function isRounded(kept: string, sent: string): boolean {
  const shown = isDecimal.exec(kept);
  if (shown === null || !isDecimal.test(sent)) return false;
  const [one, other] = [Number(kept), Number(sent)];
  if (one === Math.fround(other)) return true;
  const unit = 10 ** -(shown[1]?.length ?? 0);
  const distance = Math.abs(one - other);
  const isCut = distance < unit && Math.abs(one) <= Math.abs(other);
  return !Number.isInteger(other) && (isCut || distance <= (unit / 2) * (1 + 1e-9));
}

/** Undefined for what no letters tell: lists and objects. */
function bare(value: Json | undefined): string | undefined {
  if (value === undefined || value === null) return "";
  if (typeof value === "string") return value.normalize().trim().toLowerCase();
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return isExact(value) ? spelt(value) : undefined;
}
