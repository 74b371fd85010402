import type { Action, AppliedChange } from "./change.ts";
import type { Consequence } from "./consequences.ts";
import type { Diagnostic } from "./diagnostic.ts";
import type { Party } from "./mapping.ts";
import type { ParityPair } from "./parity.ts";

/** One code, one meaning. */
export const exitCodes = {
  done: 0,
  failed: 1,
  changes: 2,
  permission: 3,
  partial: 4,
  interrupted: 5,
  inDoubt: 6,
  expectation: 7,
  locked: 8,
  usage: 64,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/**
 * One number for each action of the diff, two for what apply adds, and one for what would wait for a person and was
 * acknowledged: that counts here and under no action.
 */
export type Summary = Readonly<Record<Action | "failed" | "inDoubt" | "acknowledged", number>>;

/** The one model from which text, JSON, Markdown and HTML are made. */
export interface Result {
  /** The tool's version. */
  readonly version: string;
  readonly command: string;
  /** The plan's name. */
  readonly plan: string;
  readonly exitCode: ExitCode;
  readonly summary: Summary;
  /** Everything but `unchanged`, which is only counted. */
  readonly changes: readonly AppliedChange[];
  /** What they do at the target that must not be read past, or did. */
  readonly consequences?: readonly Consequence[];
  /** About the run as a whole; those about one object are with its change. */
  readonly diagnostics: readonly Diagnostic[];
  readonly requests: {
    readonly source: { readonly reads: number };
    readonly target: { readonly reads: number; readonly writes: number };
  };
  readonly durationMs: number;
  readonly source?: Party;
  readonly target?: Party;
  /** The run that wrote, where one did. */
  readonly run?: string;
  /** One line that says how it ended. */
  readonly headline?: string;
  /** Commands or steps that come next, ready to be run as they stand. */
  readonly next?: readonly string[];
  /** Whether moved monitors say the same as their originals, where that was asked. */
  readonly parity?: readonly ParityPair[];
  /** What a command other than diff, apply, sync and verify has to tell (status, mappings, resolve, doctor). */
  readonly details?: unknown;
}

export function emptySummary(): Record<keyof Summary, number> {
  return {
    create: 0,
    update: 0,
    replace: 0,
    adopt: 0,
    delete: 0,
    unchanged: 0,
    blocked: 0,
    manual: 0,
    drift: 0,
    conflict: 0,
    failed: 0,
    inDoubt: 0,
    acknowledged: 0,
  };
}
