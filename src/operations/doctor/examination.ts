import type { Diagnostic } from "../../model/diagnostic.ts";
import type { ExitCode } from "../../model/result.ts";
import { exitCodes } from "../../model/result.ts";
import { ServiceError } from "../../service/index.ts";
import { StoreError } from "../../store/index.ts";
import { adviceFor } from "./advice.ts";

/** One thing that the doctor looked at. */
export interface Check {
  readonly side: string;
  readonly name: string;
  readonly state: "ok" | "warning" | "failed";
  readonly detail: string;
}

/** What a look has found: a text where all is well. */
export type Finding = string | Pick<Check, "detail" | "state">;

/** What was looked at so far, in its order, and what a person is told of it. */
export class Examination {
  readonly #checks: Check[] = [];
  readonly #diagnostics: Diagnostic[] = [];
  readonly #codes: ExitCode[] = [];

  get checks(): readonly Check[] {
    return this.#checks;
  }

  get diagnostics(): readonly Diagnostic[] {
    return this.#diagnostics;
  }

  get failed(): number {
    return this.#checks.filter(({ state }) => state === "failed").length;
  }

  /** What a pipeline acts upon comes first: a permission, then what the plan says wrong. */
  get exitCode(): ExitCode {
    if (this.failed === 0) return exitCodes.done;
    const telling = [exitCodes.permission, exitCodes.usage].find((code) => this.#codes.includes(code));
    return telling ?? exitCodes.failed;
  }

  /**
   * Looks, and writes down what was found; false where the look itself had no answer. `optional` says what is lost where
   * the service does not have such a thing, which is a warning then. An interruption goes on to whoever called.
   */
  async look(side: string, name: string, work: () => Promise<Finding>, optional?: string): Promise<boolean> {
    try {
      const found = await work();
      const finding = typeof found === "string" ? ({ state: "ok", detail: found } as const) : found;
      this.#checks.push({ side, name, ...finding });
      return true;
    } catch (error) {
      if (!(error instanceof ServiceError) && !(error instanceof StoreError)) throw error;
      if (error instanceof ServiceError && error.kind === "aborted") throw error;
      this.#unanswered(error, side, name, optional);
      return false;
    }
  }

  /** What is wrong without a look at a service. */
  fail(check: Omit<Check, "state">, diagnostic: Diagnostic, code: ExitCode): void {
    this.#checks.push({ ...check, state: "failed" });
    this.#diagnostics.push(diagnostic);
    this.#codes.push(code);
  }

  tell(diagnostics: readonly Diagnostic[], code?: ExitCode): void {
    this.#diagnostics.push(...diagnostics);
    if (code !== undefined) this.#codes.push(code);
  }

  #unanswered(
    error: ServiceError | StoreError,
    side: string,
    name: string,
    optional: string | undefined,
  ): void {
    const failed = optional === undefined || !isAbsent(error);
    this.#checks.push({ side, name, state: failed ? "failed" : "warning", detail: error.message });
    const suggestion = (failed ? adviceFor(error, side, name) : undefined) ?? optional;
    this.#diagnostics.push({
      severity: failed ? "error" : "warning",
      code: `doctor-${name.replaceAll(" ", "-")}`,
      summary: `${side}: ${name}: ${error.message}`,
      ...(suggestion === undefined ? {} : { suggestion }),
    });
    if (failed) this.#codes.push(codeOf(error));
  }
}

function isAbsent(error: ServiceError | StoreError): boolean {
  return error instanceof ServiceError && (error.kind === "not-found" || error.kind === "refused");
}

function codeOf(error: ServiceError | StoreError): ExitCode {
  if (!(error instanceof ServiceError)) return exitCodes.failed;
  return error.kind === "sign-in" || error.kind === "permission" ? exitCodes.permission : exitCodes.failed;
}
