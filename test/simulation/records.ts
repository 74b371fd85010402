import type { Result } from "../../src/model/result.ts";
import type { Decision } from "../../src/operations/resolve.ts";
import { resolveDoubts } from "../../src/operations/resolve.ts";
import type { Ended } from "./ended.ts";
import type { State } from "../../src/operations/state.ts";
import type { Scene } from "./scene.ts";
import type { TimedAct } from "./story.ts";
import type { Asked, At } from "./what-was-sent.ts";

/**
 * Records of one sort that the plan moves with the rest, or runs of the service that it starts: what people do to them, and what
 * must hold of them.
 */
export interface Records {
  /** A colleague works on the records of one side, in words. */
  act(timed: TimedAct, at?: At): string | undefined;
  /** What a request is about that had been sent when a process was cut off. */
  keysIn?(asked: Asked): readonly string[];
  /** After every command. */
  judge(ended: Ended, state: State): void;
  /** Calm comes. */
  calm?(): Promise<void>;
  /** Whether a person could answer what a run has ended with, and has. */
  sayWhich?(error: Error): Promise<boolean>;
  /**
   * What a person does between two calm runs: what exit code 6 asks for, and what waits for somebody. Whether a run
   * after that may find something to do.
   */
  seeTo(result: Result | undefined): Promise<boolean>;
  /** What a person answers to `resolve` about them. */
  decided?(nature: number): readonly Decision[];
  /** At the end: each record once, and as the source says where nobody else was at work on it. */
  judgeWhole(result: Result | undefined): void;
}

/** A person has what is in doubt of a table forgotten, as exit code 6 asks for. */
export async function forgetDoubts(scene: Scene, source: string): Promise<void> {
  const decision = { decision: "abandon", source } as const;
  try {
    await scene.quietly((migration) => resolveDoubts(migration, { decisions: [decision] }));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    scene.judge.breach(
      "exit-code",
      `rows are told to be in doubt, and resolve refuses to forget them: ${why}`,
    );
  }
}
