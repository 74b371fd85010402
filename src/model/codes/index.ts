import type { Explanation } from "./explanation.ts";
import { objectCodes } from "./objects.ts";
import { rowCodes } from "./rows.ts";
import { runCodes } from "./runs.ts";
import { serviceRunCodes } from "./service-runs.ts";
import { surroundingCodes } from "./surroundings.ts";

export type { Explanation } from "./explanation.ts";

/**
 * Every code that a diagnostic can have, in one place: people filter on them, and `ferry explain` tells what they mean.
 * A code that is not here does not compile; one that is here and nowhere used fails a test.
 */
export const codes = { ...objectCodes, ...rowCodes, ...runCodes, ...serviceRunCodes, ...surroundingCodes };

/** The doctor's checks are named after what they look at; their codes share one entry. */
const checked = "doctor-*";
export type DiagnosticCode = Exclude<keyof typeof codes, typeof checked> | `doctor-${string}`;

export function explanationOf(code: string): Explanation | undefined {
  const all: Readonly<Record<string, Explanation>> = codes;
  if (Object.hasOwn(all, code)) return all[code];
  return code.startsWith("doctor-") ? codes[checked] : undefined;
}
