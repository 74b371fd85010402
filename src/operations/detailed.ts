import type { Detailed } from "../engine/diff/index.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { DiffFile } from "./approved-file.ts";

/**
 * A diff is what a reviewer reads. Of what a run makes fewer are told with what they hold: each costs as much once more as
 * making it, and it stands at the target, and in the snapshot of the source.
 */
const detailedOfRun = 1_000;

/** Which creates a run tells with what they will hold: those that were approved so, whatever is left of them by now. */
export function detailedOf(approved?: DiffFile): Detailed {
  if (approved === undefined) return detailedOfRun;
  const ids = new Set<string>();
  for (const { id, action, inBrief } of approved.changes)
    if (action === "create" && inBrief !== true) ids.add(id);
  return ids;
}

/** What there is to say of them once the run is over: a diff shows no more what they were to hold. */
export function onceMade(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return diagnostics.map((found) => {
    if (found.code !== "creates-in-brief") return found;
    const { suggestion: _past, ...rest } = found;
    return rest;
  });
}
