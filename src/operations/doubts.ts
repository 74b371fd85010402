import type { Doubt } from "../engine/settle/subtraction.ts";
import type { ExitCode } from "../model/result.ts";
import { exitCodes } from "../model/result.ts";

/** How many operations have no known outcome, and how many of them a person has to decide. */
export interface OpenDoubts {
  readonly all: number;
  readonly asked: number;
}

/** A run has looked at it and could not tell; every other doubt the next run settles alone. */
export function needsPerson({ asks }: Pick<Doubt, "asks">): boolean {
  return asks === true;
}

export function openDoubts(doubts: readonly Pick<Doubt, "asks">[]): OpenDoubts {
  return { all: doubts.length, asked: doubts.filter(needsPerson).length };
}

/**
 * What is in doubt as a run, `status`, `resolve` and a rollback say it alike: 6 where a person has to decide, 5 where
 * another run is all that it takes; undefined when nothing is.
 */
export function codeOfDoubts({ all, asked }: OpenDoubts): ExitCode | undefined {
  if (asked > 0) return exitCodes.inDoubt;
  return all > 0 ? exitCodes.interrupted : undefined;
}
