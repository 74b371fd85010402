import type { Policy } from "../../src/model/plan.ts";

/** A promise that was broken: which one, and what happened. */
export interface Breach {
  readonly invariant: Invariant;
  readonly what: string;
}

export type Invariant =
  | "source-written"
  | "overwritten"
  | "first-contact"
  | "deleted"
  | "deleted-though-used"
  | "deleted-though-wanted"
  | "draft-published"
  | "draft-discarded"
  | "draft-mixed"
  | "made-twice"
  | "made-beside"
  /** A run of the service beside one that the tool had started, or that nobody has asked for. */
  | "started-twice"
  | "not-bijective"
  /** What was brought to its end has a row of something that is not there. */
  | "dead-row"
  /** The plan never lets it take what it has not made. */
  | "taken-all-the-same"
  | "lost"
  | "wrong-content"
  | "exit-code"
  | "defect"
  | "not-approved"
  | "no-rest"
  /** Two processes were at work on one target. */
  | "two-at-once"
  /** It waits for what never comes. */
  | "hangs"
  /** A request was sent whose intent was not durable. */
  | "not-recorded"
  /** What was left can be lost. */
  | "not-durable"
  /** A list that was known not to be whole was gone by. */
  | "taken-for-whole"
  /** What was sent to the target names an object of the source. */
  | "source-reference"
  | "secret-told"
  /** Somebody who only wanted to look has written. */
  | "looked-and-wrote"
  /** What a list was refused for is told as if there were nothing. */
  | "refusal-hidden"
  /** The last run that wrote something is not the one that is taken back. */
  | "rollback-missed"
  /** Nobody has been there, and it is told as drift or conflict. */
  | "false-alarm"
  /** The same two estates are not paired again as they were. */
  | "not-as-before"
  | "not-paired-again"
  | "status";

/** The command that is at work, as far as it says what may be done. */
export interface Under {
  readonly does: string;
  /** The name of its plan. */
  readonly plan: string;
  readonly began: number;
  /** When it began to read the source: an approved diff goes by what was read for it. */
  readonly readSource: number;
  readonly policy: Policy;
  readonly allowDelete: boolean;
  /** Since then it writes: what it looks at from now on, it looks at right before it writes. */
  writesSince: number | undefined;
  /** Since then rows are written: all of them were compared before. */
  rowsSince?: number;
  /** Target URN to source URN, as it was when the command began. */
  readonly pairs: ReadonlyMap<string, string>;
  /** Target URNs of what it has said to have done, where it left something else open. */
  readonly done?: ReadonlySet<string>;
  /** When its process was gone: what arrives of it from then on was on its way. */
  overAt?: number;
}

export interface Excuses {
  /** Acts that fell between our last look at an object and our write. */
  window: number;
  /** Changes that a policy asks for. */
  policy: number;
  /** What only the target had was kept, and then the source got a value there. */
  kept: number;
}

/** Commands that bring the target to what the source says. */
export const appliers: ReadonlySet<string> = new Set(["apply", "approved", "kept"]);

/** Those among them that go by what was read of the source before. */
export const goingByBefore: ReadonlySet<string> = new Set(["approved", "kept"]);

/** Commands that write nothing at either side. */
export const looks: ReadonlySet<string> = new Set(["verify", "status", "diff", "export", "plan", "decide"]);

/** Commands that start runs of the service, and write to no object. */
export const starters: ReadonlySet<string> = new Set(["flow", "watch", "evaluate"]);
