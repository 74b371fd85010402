import type { Coordinate } from "./coordinate.ts";
import { formatCoordinate } from "./coordinate.ts";

/** `error`: something asked for cannot happen. `warning`: it can, but a person should look. `info`: good to know. */
export type Severity = "error" | "warning" | "info";

/**
 * Expected trouble is a value. A diagnostic says what happened, to which object and where in it, why, and the
 * command or step that comes next.
 */
export interface Diagnostic {
  readonly severity: Severity;
  /** Stable, kebab-case: people filter on it. */
  readonly code: string;
  readonly coordinate?: Coordinate;
  /** JSON pointer into the object's body. */
  readonly pointer?: string;
  readonly summary: string;
  readonly detail?: string;
  readonly suggestion?: string;
}

export function formatDiagnostic(diagnostic: Diagnostic): string {
  const where = diagnostic.coordinate === undefined ? "" : `${formatCoordinate(diagnostic.coordinate)}: `;
  const at = diagnostic.pointer === undefined ? "" : ` at ${diagnostic.pointer}`;
  return `${diagnostic.severity}: ${where}${diagnostic.summary}${at}`;
}
