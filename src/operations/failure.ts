import { EngineError } from "../engine/progress.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { display } from "../model/display.ts";
import type { ExitCode } from "../model/result.ts";
import { exitCodes } from "../model/result.ts";
import { PlanError } from "../plan/plan-error.ts";
import type { PlanProblem } from "../plan/plan-error.ts";
import { certificateAdvice, ServiceError, tooLarge } from "../service/index.ts";
import { explainIo, StoreError } from "../store/index.ts";
import { LockedError } from "./run.ts";

/** The diagnostics say why. */
const nothing = "Nothing was done.";

/** Why something could not be done, in the words of a result. */
export interface Failure {
  readonly exitCode: ExitCode;
  readonly headline: string;
  readonly diagnostics: readonly Diagnostic[];
  readonly next?: readonly string[];
  readonly details?: string;
}

/** Undefined: no trouble that was to be expected, but a defect of ours. `begun` as for `failureResult`. */
export function failureOf(error: unknown, begun: boolean): Failure | undefined {
  if (error instanceof PlanError) return plan(error);
  if (error instanceof LockedError) {
    return single(
      exitCodes.locked,
      "locked",
      error.message,
      "Wait for it to end; the lock frees by itself when its holder does.",
    );
  }
  if (error instanceof ServiceError) return error.kind === "aborted" ? stopped() : service(error);
  if (error instanceof StoreError)
    return single(storeExit(error, begun), error.code, error.message, error.suggestion);
  if (error instanceof EngineError) return engine(error);
  if (error instanceof Error && error.name === "AbortError") {
    return stopped();
  }
  const system = explainIo(error, pathOf(error), isReading(error) ? "read" : "write");
  return system === undefined
    ? undefined
    : single(exitCodes.failed, system.code, system.message, system.suggestion);
}

export function defect(error: unknown): Failure {
  const message = error instanceof Error ? error.message : String(error);
  return single(
    exitCodes.failed,
    "defect",
    `something unexpected happened: ${message}`,
    "Run again with -vv for the details, and report it.",
  );
}

/** Which request it was that was not sent any more is nothing to a person. */
function stopped(): Failure {
  const advice = "Run the same command again to continue.";
  return single(exitCodes.interrupted, "interrupted", "interrupted; nothing is lost", advice);
}

function plan({ problems, path }: PlanError): Failure {
  // What is missing at one place is told each by itself, and its line shown once.
  const excerpt = new Set(
    problems.flatMap((problem) => (problem.excerpt === undefined ? [] : [problem.excerpt.join("\n")])),
  );
  return {
    exitCode: exitCodes.usage,
    // Lines are of a file, and a plan is called by its name.
    headline: path === undefined ? nothing : `Nothing was done. The plan is ${display(path)}.`,
    diagnostics: problems.map((problem) => ({
      severity: "error",
      code: "plan",
      summary: `${whereIn(problem)}${problem.summary}`,
      ...(problem.suggestion === undefined ? {} : { suggestion: problem.suggestion }),
    })),
    ...(excerpt.size === 0 ? {} : { details: [...excerpt].join("\n") }),
  };
}

function whereIn({ line, column }: PlanProblem): string {
  if (line === undefined) return "";
  return column === undefined ? `line ${line}: ` : `line ${line}, column ${column}: `;
}

function service(error: ServiceError): Failure {
  const denied = error.kind === "sign-in" || error.kind === "permission";
  const exitCode = denied ? exitCodes.permission : exitCodes.failed;
  const advice: Partial<Record<ServiceError["kind"], string>> = {
    "sign-in":
      "Check realm, clientId and clientSecret of this environment in the plan; `ferry doctor PLAN` tests them.",
    permission:
      "Give the API client the permission, or select fewer kinds; `ferry doctor PLAN` shows what is missing.",
    unreachable:
      "Check baseUrl in the plan and the network; then run the same command again: nothing is lost.",
    timeout: "Raise --timeout or limits.requestTimeout, or run again later: nothing is lost.",
    unreadable:
      "Something other than the service may have answered: check baseUrl and what lies between (a proxy, a sign-in page); " +
      "then run the same command again: nothing is lost.",
    refused: "Look at what the service says; with -vv every request is told.",
    "not-found": "Check baseUrl and realm of this environment in the plan; `ferry doctor PLAN` tests them.",
  };
  return single(
    exitCode,
    error.kind,
    error.message,
    error.advice ??
      addressAdvice(error) ??
      certificateAdvice(error) ??
      sizeAdvice(error) ??
      advice[error.kind] ??
      "Run the same command again: nothing is lost.",
  );
}

/** It will be as large the next time. */
function sizeAdvice({ cause }: ServiceError): string | undefined {
  const isLarge = cause instanceof Error && "code" in cause && cause.code === tooLarge;
  return isLarge
    ? "Where the service has objects of this size, raise limits.answerSize in the plan; else look at what answers there."
    : undefined;
}

/** Of all that can be wrong on disk only the path of a file that is not there may be a slip of the command line. */
function storeExit(error: StoreError, begun: boolean): ExitCode {
  return error.code === "not-found" && !begun ? exitCodes.usage : exitCodes.failed;
}

function isReading(error: unknown): boolean {
  return (
    error instanceof Error && "syscall" in error && /^(?:l?stat|read|scandir)/.test(String(error.syscall))
  );
}

function pathOf(error: unknown): string {
  return error instanceof Error && "path" in error ? String(error.path) : "a file";
}

function engine(error: EngineError): Failure {
  const codes: Record<EngineError["code"], ExitCode> = {
    selection: exitCodes.usage,
    "one-environment": exitCodes.usage,
    incomplete: exitCodes.failed,
    permission: exitCodes.permission,
    "in-doubt": exitCodes.inDoubt,
    interrupted: exitCodes.interrupted,
    "diff-moved": exitCodes.expectation,
    "too-many-deletes": exitCodes.expectation,
    "wrong-target": exitCodes.expectation,
    "wrong-source": exitCodes.expectation,
    "not-confirmed": exitCodes.failed,
    "flow-failed": exitCodes.failed,
  };
  const failure = single(codes[error.code], error.code, error.message, error.suggestion);
  const details = error.details.map((summary): Diagnostic => ({
    severity: "error",
    code: error.code,
    summary,
  }));
  const headline = error.code === "not-confirmed" ? nothing : failure.headline;
  return { ...failure, headline, diagnostics: [...failure.diagnostics, ...details] };
}

export function single(
  exitCode: ExitCode,
  code: Diagnostic["code"],
  message: string,
  suggestion?: string,
): Failure {
  return {
    exitCode,
    headline: headlines[exitCode] ?? nothing,
    diagnostics: [
      { severity: "error", code, summary: message, ...(suggestion === undefined ? {} : { suggestion }) },
    ],
  };
}

/** Where something may have been done before. */
const headlines: Partial<Record<ExitCode, string>> = {
  [exitCodes.failed]: "It could not go on.",
  [exitCodes.permission]: "It could not go on.",
  [exitCodes.interrupted]: "It did not come to its end.",
};

/** Wrong credentials are not answered with 404. */
function addressAdvice(error: ServiceError): string | undefined {
  if (error.kind !== "sign-in" || error.status !== 404) return undefined;
  return "Check authUrl (baseUrl, where the plan has none) and realm of this environment in the plan; `ferry doctor PLAN` tests them.";
}
