import { EngineError } from "../engine/progress.ts";
import type { Change } from "../model/change.ts";
import { countOf, plural } from "./result.ts";

/** More deletes than a person thought of, and nothing at all is done. */
export function checkDeletes(
  changes: readonly Change[],
  { allowDelete, maxDeletes }: { readonly allowDelete?: boolean; readonly maxDeletes?: number },
  plan: string,
): void {
  const deletes = countOf(changes, ["delete"]);
  if (allowDelete !== true || maxDeletes === undefined || deletes <= maxDeletes) return;
  throw new EngineError(
    "diff-moved",
    `${plural(deletes, "delete")} would be made, more than --max-deletes ${maxDeletes}; nothing was written`,
    `Look at them with \`ferry diff ${plan}\`, then raise --max-deletes.`,
  );
}
