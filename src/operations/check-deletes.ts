import { EngineError } from "../engine/progress.ts";
import { plural } from "./result.ts";

interface CheckDeletes {
  readonly allowDelete?: boolean;
  readonly maxDeletes?: number;
  /** What was written until now; ends a sentence. */
  readonly wrote: string;
}

/** More deletes than a person thought of, and nothing more is done. */
export function checkDeletes(
  deletes: number,
  { allowDelete, maxDeletes, wrote }: CheckDeletes,
  plan: string,
): void {
  if (allowDelete !== true || maxDeletes === undefined || deletes <= maxDeletes) return;
  throw new EngineError(
    "diff-moved",
    `${plural(deletes, "delete")} would be made, more than --max-deletes ${maxDeletes}; ${wrote}`,
    `Look at them with \`ferry diff ${plan}\`, then raise --max-deletes.`,
  );
}
