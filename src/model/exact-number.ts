import type { ExactNumber } from "./json.ts";

/**
 * The same text for the same value, however it is written: 1.0, 1 and 10e-1. A number that JavaScript can hold has the
 * text that JavaScript gives it, so that it is the same as a plain one.
 */
export function canonicalNumber({ rawJSON: written }: ExactNumber): string {
  const exact = decimal(written);
  const plain = Number(written);
  return Number.isFinite(plain) && decimal(JSON.stringify(plain)) === exact ? JSON.stringify(plain) : exact;
}

/** Beyond so many characters a number is left as it was written. */
const longestSpelt = 100;

/**
 * A number as requests and people have it: as JavaScript writes it where that can hold it, and else in digits, as any service writes what
 * it counts with. `canonicalNumber` gives what is compared, which nobody else knows.
 */
export function spelt(number: ExactNumber): string {
  const text = canonicalNumber(number);
  const [, sign = "", digits = "", raised = ""] = /^(-?)(\d+)e(-?\d+)$/.exec(text) ?? [];
  if (raised === "" || text === JSON.stringify(Number(number.rawJSON))) return text;
  const exponent = Number(raised);
  if (digits.length + Math.abs(exponent) > longestSpelt) return number.rawJSON;
  if (exponent >= 0) return `${sign}${digits}${"0".repeat(exponent)}`;
  const padded = digits.padStart(1 - exponent, "0");
  return `${sign}${padded.slice(0, exponent)}.${padded.slice(exponent)}`;
}

/** More digits than any exponent that means something; such a number is only the same as its like. */
const longestExponent = 15;

/** Sign, digits without zeros at either end, and exponent: `-12e-3`. */
function decimal(written: string): string {
  const [, sign = "", whole = "", fraction = "", raised = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(written) ?? [];
  const digits = withoutLeadingZeros(whole + fraction);
  if (digits === "") return "0e0";
  if (raised.length > longestExponent) return written;
  const significant = withoutTrailingZeros(digits);
  const exponent = Number(raised) - fraction.length + digits.length - significant.length;
  return `${sign}${significant}e${exponent}`;
}

function withoutLeadingZeros(digits: string): string {
  let from = 0;
  while (digits[from] === "0") from += 1;
  return digits.slice(from);
}

/** Not by an expression: a long run of zeros in the middle would take the square of its length. */
function withoutTrailingZeros(digits: string): string {
  let to = digits.length;
  while (digits[to - 1] === "0") to -= 1;
  return digits.slice(0, to);
}
