/** What the engine tells while it works: for a progress bar, a log line, an event file. */
export type Progress =
  | { readonly type: "stage"; readonly stage: string; readonly detail?: string }
  | {
      readonly type: "read";
      readonly side: "source" | "target";
      readonly kind: string;
      readonly count: number;
      readonly total?: number;
    }
  | {
      readonly type: "applied";
      readonly kind: string;
      readonly name: string;
      readonly source: string;
      readonly step: string;
      readonly state: string;
      readonly reason?: string;
    }
  | { readonly type: "work"; readonly done: number; readonly total: number; readonly inFlight: number }
  | { readonly type: "waiting"; readonly ms: number; readonly reason: string };

export type Report = (progress: Progress) => void;

/** Something a person asked for cannot be done; it ends the command with a message and no stack trace. */
export class EngineError extends Error {
  readonly code:
    | "selection"
    | "one-environment"
    | "incomplete"
    | "permission"
    | "in-doubt"
    | "interrupted"
    | "diff-moved"
    | "too-many-deletes"
    | "wrong-target"
    | "wrong-source"
    | "not-confirmed"
    | "flow-failed";
  readonly suggestion: string | undefined;
  readonly details: readonly string[];

  constructor(
    code: EngineError["code"],
    message: string,
    suggestion?: string,
    details: readonly string[] = [],
  ) {
    super(message);
    this.name = "EngineError";
    this.code = code;
    this.suggestion = suggestion;
    this.details = details;
  }
}
