import type { Release, SentAfter } from "../../kinds/kind.ts";
import { approvedNow } from "./approvals.ts";
import type { Review } from "./approvals.ts";
import { askedOf } from "./as-sent.ts";
import { sentFrom } from "./carried.ts";
import type { TableLog } from "./log.ts";
import type { OpenRow } from "./open-rows.ts";
import { mayGoOn } from "./open-rows.ts";
import type { Releases, SentRow } from "./releases.ts";
import type { Outcomes } from "./written.ts";

interface HeldOptions {
  readonly release: Release;
  readonly releases: Releases;
  readonly log: Pick<TableLog, "held" | "outcome">;
  readonly outcomes: Outcomes;
  /** Those of them that may be released. */
  readonly standing: (rows: readonly SentRow[], after: SentAfter) => Promise<readonly SentRow[]>;
  /** Those of them that do not show. */
  readonly notShown: (rows: readonly SentRow[]) => Promise<readonly SentRow[]>;
}

export interface Held {
  readonly review: Review;
  readonly rows: readonly OpenRow[];
  /** The intent that this run has them under. */
  readonly op: string;
  readonly allowDelete: boolean;
}

/** What an earlier run has put up for review: goes on where a person has said yes, and waits, or asks one, otherwise. */
export async function heldRows(
  { review, rows: all, op, allowDelete }: Held,
  options: HeldOptions,
): Promise<void> {
  const { release, releases, log, outcomes, standing, notShown } = options;
  // Of this log, too, before anything else: whoever goes on with it must not ask a person again.
  await log.held(
    review,
    all.map(({ intent }) => intent.key),
  );
  const rows = all.filter((row) => mayGoOn(row, allowDelete));
  if (rows.length === 0) return;
  const sent = rows.map((row) => sentFrom(row, op));
  // Once that was decided they are in the draft again; until then another one would hold nothing.
  if (review.urn === "") return releases.add(await standing(sent, "lost-review"));
  const before = await release.review(review.urn);
  const about = rows.map(({ intent }) => intent);
  const waits = typeof before === "object";
  if (waits && !(await approvedNow(release, review, about, outcomes))) return;
  const state = waits && release.approve !== undefined ? "approved" : before;
  if (state === "approved") return releases.approved(await standing(sent, "approval"));
  if (typeof state === "object") return outcomes.hold({ ...review, ...state }, rows.length);
  const reason = `its review "${review.name}" (${review.urn}) is gone: whether it was approved or rejected cannot be told`;
  // Whoever has approved it may have published it as well.
  await askedOf(await notShown(sent), reason, options);
}
