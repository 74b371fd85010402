import type { DiagnosticCode } from "./codes/index.ts";
import type { Coordinate } from "./coordinate.ts";
import { formatCoordinate } from "./coordinate.ts";

/** `error`: something asked for cannot happen. `warning`: it can, but a person should look. `info`: good to know. */
export type Severity = "error" | "warning" | "info";

/** The weightiest first. */
export const severities: readonly Severity[] = ["error", "warning", "info"];

/** What several blocked objects have in common, and what a person does about it once for all of them. */
export interface Cause {
  /** The same for all that it blocks. */
  readonly key: string;
  /** One line that does without the object's name. */
  readonly summary: string;
  readonly detail?: string;
  readonly suggestion?: string;
}

/**
 * Expected trouble is a value. A diagnostic says what happened, to which object and where in it, why, and the
 * command or step that comes next.
 */
export interface Diagnostic {
  readonly severity: Severity;
  /** Stable, kebab-case: people filter on it. */
  readonly code: DiagnosticCode;
  readonly coordinate?: Coordinate;
  /** JSON pointer into the object's body. */
  readonly pointer?: string;
  readonly summary: string;
  readonly detail?: string;
  readonly suggestion?: string;
  /** What is special about this one where several share a cause and that is said before. */
  readonly brief?: string;
  /** The summary in the past tense, for when the change that it is about was made. */
  readonly afterwards?: string;
  /** What is behind it, as far down as it is known. */
  readonly cause?: Cause;
}

export function formatDiagnostic(diagnostic: Diagnostic): string {
  const where = diagnostic.coordinate === undefined ? "" : `${formatCoordinate(diagnostic.coordinate)}: `;
  const at = diagnostic.pointer === undefined ? "" : ` at ${diagnostic.pointer}`;
  return `${diagnostic.severity}: ${where}${diagnostic.summary}${at}`;
}
