import type { Found } from "../../model/found.ts";

export type { Found } from "../../model/found.ts";

/**
 * What there is of something is not known: its list was refused, or is not offered. That is not the same as none
 * (README, promise 4), and the next run looks again.
 */
export interface NotKnown {
  /** The refusal, in one line. */
  readonly notKnown: string;
}

/** What is there cannot be listed, and need not be: what the plan names is all that there is to pair. */
export interface OnlySaid {
  readonly onlySaid: readonly Found[];
}
