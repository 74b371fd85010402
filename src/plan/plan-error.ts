/** A plan that cannot be used: each problem says where and what to do. Exit code 64. */
export class PlanError extends Error {
  readonly problems: readonly PlanProblem[];
  /** Where it was read; absent where there was nothing to read. */
  readonly path: string | undefined;

  constructor(file: string, problems: readonly PlanProblem[], path?: string) {
    super(
      problems.length === 1
        ? `${file}: ${problems[0]?.summary ?? ""}`
        : `${file} has ${problems.length} problems`,
    );
    this.name = "PlanError";
    this.problems = problems;
    this.path = path;
  }
}

export interface PlanProblem {
  /** Dotted path in the plan, such as `policy.adopt`. */
  readonly path: string;
  /** 1-based line in the file, where it is known. */
  readonly line?: number;
  /** 1-based; with it comes the excerpt. */
  readonly column?: number;
  /** The line and a caret under the place, to be shown as they stand. */
  readonly excerpt?: readonly string[];
  readonly summary: string;
  readonly suggestion?: string;
  /** The environment variable that is wanted there, where that is all: what else is said of the same place follows from it. */
  readonly variable?: { readonly name: string; readonly isEmpty: boolean };
}
