import { z } from "zod";

const units = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const;

/** Longer than this no timer can wait, and nobody wants to. */
const longest = units.h * 24;

/** `60s`, `2m`, `500ms`; a bare number is seconds. Milliseconds inside. */
export const duration = z
  .union([
    z.number().positive(),
    z.string().regex(/^\d+(\.\d+)?(ms|s|m|h)$/, "write a time such as 60s, 2m or 500ms"),
  ])
  .transform((value) => {
    if (typeof value === "number") return Math.round(value * 1_000);
    const unit = /[a-z]+$/.exec(value)?.[0] as keyof typeof units;
    return Math.round(Number.parseFloat(value) * units[unit]);
  })
  .refine((ms) => ms > 0 && ms <= longest, "write a time of more than nothing and at most 24h");

const sizes = { KB: 1_024, MB: 1_024 ** 2, GB: 1_024 ** 3 } as const;

/** An answer becomes one text, and no text of the platform is longer than this. */
const largestAnswer = 500 * sizes.MB;

/** `64MB`, `512KB`, `0.25GB`, in steps of 1,024. Bytes inside. */
export const size = z
  .string("write a size such as 64MB, 512KB or 0.25GB")
  .regex(/^\d+(\.\d+)?(KB|MB|GB)$/, "write a size such as 64MB, 512KB or 0.25GB")
  .transform((value) => Math.round(Number.parseFloat(value) * sizes[value.slice(-2) as keyof typeof sizes]))
  .refine(
    (bytes) => bytes >= sizes.KB && bytes <= largestAnswer,
    "write a size of at least 1KB and at most 500MB",
  );

/** A day of the calendar, as `2027-03-31`. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const day = new Date(`${text}T00:00:00Z`);
  // The 30th of February would become the 2nd of March.
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

/** A regular expression. */
const pattern = z.string().refine(isExpression, "this is not a regular expression");

/** One of a list of renames. */
export const rename = z.strictObject({
  pattern: pattern.describe("A regular expression."),
  replace: z.string().describe("What takes the place of what it finds; $1 and so on stand for its groups."),
});

function isExpression(value: string): boolean {
  try {
    void new RegExp(value, "u");
    return true;
  } catch {
    return false;
  }
}
