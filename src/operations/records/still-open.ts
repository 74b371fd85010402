import { EngineError } from "../../engine/progress.ts";
import { openRows } from "../../engine/records/open-rows.ts";
import type { Written } from "../../engine/records/written.ts";
import { quotedWord } from "../../model/shell-word.ts";
import { plural } from "../../model/plural.ts";
import type { RowLog } from "../../store/index.ts";

interface Left {
  /** `the rollback 2026-11-21T08-45-00-123Z-3f2a9c`. */
  readonly who: string;
  readonly table: string;
  readonly plan: string;
  /** The command that goes on with them. */
  readonly again: string;
  /** By what `resolve --abandon` knows the table. */
  readonly word: string;
}

/** What a person does about rows that no run brings to their end. */
export function seenTo(plan: string, word: string): string {
  return `If the next run says so again: see to it in the web application of the target (publish or discard what stands in its draft), then: ferry resolve ${plan} --abandon ${quotedWord(word)}`;
}

/** The same of rows that a person was asked about: to publish all that stands in a draft would carry out a deletion, too. */
export function seenToNow(word: string): string {
  return `See to what stands in its draft in the web application (discard a deletion, unless the row is to go; publish or discard anything else), then: ferry resolve PLAN --abandon ${quotedWord(word)}`;
}

/** Of rows that nobody has gone on with here: all of them wait in a review, and to run again brings none of them to its end. */
export async function onlyHeld(log: RowLog): Promise<Pick<Written, "held"> | undefined> {
  const rows = [...(await openRows([log])).values()];
  // One whose name is not known (its answer was lost) is looked for by an apply.
  const reviews = Map.groupBy(rows, ({ state, review }) =>
    state === "held" && review?.urn !== "" ? review?.urn : undefined,
  );
  if (rows.length === 0 || reviews.has(undefined)) return undefined;
  return {
    held: [...reviews].map(([urn = "", [first, ...others]]) => ({
      urn,
      name: first?.review?.name ?? "",
      rows: 1 + others.length,
    })),
  };
}

/** Why rows that were gone on with are open still: whether to run again helps, or a person has to see to it first. */
export function stillOpen(
  { who, table, plan, again, word }: Left,
  written: (Pick<Written, "held"> & Partial<Written>) | undefined,
): EngineError {
  const what = `${who} has left rows of "${table}" open, and nothing was taken back`;
  const { fatal, unclear, held, refusals, refusedAgain } = written ?? {};
  const [asked] = unclear ?? [];
  const [review] = held ?? [];
  const [refused] = refusals ?? [];
  if (fatal?.fatal === "permission" || fatal?.fatal === "sign-in")
    return new EngineError("permission", `${what}: ${fatal.reason}`, `Run: ferry doctor ${plan}`);
  if (fatal !== undefined && fatal.fatal !== "stopped")
    return new EngineError("incomplete", `${what}: ${fatal.reason}`, `Run: ${again}`);
  if (fatal === undefined && asked !== undefined)
    return new EngineError(
      "in-doubt",
      `${what}: the row ${asked.name}: ${asked.reason}`,
      `Decide: ferry resolve ${plan}`,
    );
  if (fatal === undefined && review !== undefined)
    return new EngineError(
      "interrupted",
      `${what}: ${plural(review.rows, "row")} of it in the review "${review.name}" (${review.urn})`,
      `Approve or reject it in the web application of the target, and run: ${again}`,
    );
  const [left] = refusedAgain ?? [];
  if (fatal === undefined && left !== undefined)
    return new EngineError(
      "interrupted",
      `${what}: the row ${left.name}: ${left.reason}`,
      `Run: ${again}. ${seenTo(plan, word)}`,
    );
  const why =
    fatal?.reason ?? (refused === undefined ? undefined : `the row ${refused.name}: ${refused.reason}`);
  return new EngineError("interrupted", why === undefined ? what : `${what}: ${why}`, `Run: ${again}`);
}
