import type { Keyed } from "./keyed-list.ts";
import { KeyedList } from "./keyed-list.ts";

export const choices = ["keep-target", "take-source"] as const;
export type Choice = (typeof choices)[number];

/** Whose version of one object that drifted, or that both sides changed, is to hold. It is for these versions alone. */
export interface Decided extends Keyed {
  readonly name: string;
  readonly choice: Choice;
  /** Prints of the two versions that the person has seen. */
  readonly sourcePrint: string;
  readonly targetPrint: string;
  /**
   * A print of its row in the mapping then: once something is brought to the object it is done, also when the same two versions
   * meet again. Absent in what an earlier version has kept.
   */
  readonly row?: string | undefined;
  readonly by: string;
  /** ISO 8601. */
  readonly at: string;
}

export class DecidedList extends KeyedList<Decided> {}
