import { EngineError } from "../engine/progress.ts";
import { counted, mostGone, namedOf } from "../engine/checks/most-gone.ts";
import type { Change } from "../model/change.ts";
import { display } from "../model/display.ts";
import type { MappingTable } from "../model/mapping-table.ts";
import type { Plan } from "../model/plan.ts";
import { plural } from "../model/plural.ts";

interface CheckDeletes {
  readonly allowDelete?: boolean;
  readonly maxDeletes?: number;
  /** What was written until now; ends a sentence. */
  readonly wrote: string;
}

/** Fewer may well go together. */
const fewestOfMost = 10;

/** More deletes than a person thought of, and nothing more is done. */
export function checkDeletes(
  deletes: number,
  { allowDelete, maxDeletes, wrote }: CheckDeletes,
  plan: string,
): void {
  if (allowDelete !== true || maxDeletes === undefined || deletes <= maxDeletes) return;
  throw new EngineError(
    "too-many-deletes",
    `${plural(deletes, "delete")} would be made, more than --max-deletes ${maxDeletes}; ${wrote}`,
    `Look at them with \`ferry diff ${plan}\`, then raise --max-deletes.`,
  );
}

/**
 * Where most of what was moved would be deleted, the source may have been emptied, or be another one: that is done where somebody
 * has said how many, or has approved these deletes, and not because a flag allows deletes every night.
 */
export function checkMostDeleted(
  changes: readonly Change[],
  mapping: Pick<MappingTable, "get">,
  { allowDelete, maxDeletes, wrote }: CheckDeletes,
  { name, source }: Pick<Plan, "name" | "source">,
): void {
  if (allowDelete !== true || maxDeletes !== undefined) return;
  const found = mostGone(changes, mapping, ({ action }) => action === "delete");
  if (found === undefined || found.gone.length < fewestOfMost) return;
  const { gone, mapped } = found;
  const told = { gone: gone.length, moved: mapped, what: "objects", deletes: gone.length };
  throw mostWouldGo(told, wrote, { name, source }, [`would be deleted: ${namedOf(gone)}`]);
}

/** What is to go of a table, and was moved before. */
export interface RowsToGo {
  readonly name: string;
  readonly moved: number;
  readonly movedGone: number;
}

/** The same of the rows of a table. `deletes`: all that the run would make. */
export function checkMostRowsDeleted(
  tables: readonly RowsToGo[],
  deletes: number,
  { allowDelete, maxDeletes, wrote }: CheckDeletes,
  { name, source }: Pick<Plan, "name" | "source">,
): void {
  if (allowDelete !== true || maxDeletes !== undefined) return;
  const found = tables.find(({ moved, movedGone }) => movedGone >= fewestOfMost && movedGone * 2 > moved);
  if (found === undefined) return;
  const { moved, movedGone } = found;
  const told = { gone: movedGone, moved, what: `rows of "${display(found.name)}"`, deletes };
  throw mostWouldGo(told, wrote, { name, source });
}

/** `deletes`: so many are to be allowed, if all of them are to go. */
function mostWouldGo(
  told: { readonly gone: number; readonly moved: number; readonly what: string; readonly deletes: number },
  wrote: string,
  { name, source }: Pick<Plan, "name" | "source">,
  details?: readonly string[],
): EngineError {
  const { gone, moved, what, deletes } = told;
  return new EngineError(
    "too-many-deletes",
    `${counted(gone)} of ${counted(moved)} ${what} that were moved would be deleted, since they are gone at ${source.name}: is ${source.baseUrl} (${source.realm}) as it should be? (${wrote})`,
    `Look at them with \`ferry diff ${name}\`. If all of them are to go: add --max-deletes ${deletes}, or approve that diff and apply it with --diff.`,
    details,
  );
}
