import { EngineError } from "../../src/engine/progress.ts";
import type { Policy } from "../../src/model/plan.ts";
import type { Result } from "../../src/model/result.ts";
import { PlanError } from "../../src/plan/plan-error.ts";
import { LockedError } from "../../src/operations/run.ts";
import { ServiceError } from "../../src/service/index.ts";
import { StoreError } from "../../src/store/index.ts";
import type { Command } from "./story.ts";

/** How a command ended. */
export interface Ended {
  readonly command: Command;
  readonly result: Result | undefined;
  readonly error: Error | undefined;
  readonly killed: boolean;
  /** Somebody else was at work meanwhile, or the network was bad: what it says of the world may be old. */
  readonly disturbed: boolean;
  /** No second process was there, and it was on the machine that has the runs before it on record. */
  readonly isAlone: boolean;
  /** The name of its plan. */
  readonly plan: string;
  /** It has selected less than the story moves. */
  readonly isNarrowed: boolean;
  /** Where the folders of the machine lie that it was given on. */
  readonly root: string;
  readonly began: number;
  /** When it began to read the source. */
  readonly readSource: number;
  readonly policy: Policy;
}

export interface Tally {
  rounds: number;
  commands: number;
  acts: number;
  faults: number;
  kills: number;
  stops: number;
  doubts: number;
  windows: number;
  /** Somebody set the clock. */
  jumps: number;
  /** Of the kills, those with the power gone. */
  powers: number;
  /** A second process was there. */
  seconds: number;
}

export function noTally(): Tally {
  return {
    rounds: 0,
    commands: 0,
    acts: 0,
    faults: 0,
    kills: 0,
    stops: 0,
    doubts: 0,
    windows: 0,
    jumps: 0,
    powers: 0,
    seconds: 0,
  };
}

/** Errors that the project knows: they end a command with a message. */
export function isExpected(error: Error): boolean {
  return (
    error instanceof EngineError ||
    error instanceof ServiceError ||
    error instanceof StoreError ||
    error instanceof LockedError ||
    // The model of an environment has not what the plan names.
    error instanceof PlanError ||
    error.name === "AbortError"
  );
}
