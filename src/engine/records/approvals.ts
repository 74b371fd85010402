import type { Release, RowTask } from "../../kinds/kind.ts";
import { passingTrouble } from "../../kinds/trouble.ts";
import type { Outcomes } from "./written.ts";

/** A review in the web application of the target. */
export interface Review {
  readonly urn: string;
  readonly name: string;
}

/**
 * Where the plan approves reviews by itself. One that is refused does not take the run along: its rows stay in it, are told, and the
 * next run tries again.
 */
export async function approvedNow(
  release: Release,
  review: Review,
  rows: readonly Pick<RowTask, "key" | "name">[],
  outcomes: Outcomes,
): Promise<boolean> {
  try {
    await release.approve?.(review.urn);
    return true;
  } catch (error) {
    const { reason } = passingTrouble(error);
    for (const row of rows) outcomes.refuse(row, notApproved(review, reason));
    return false;
  }
}

/** Why what is put up for review stays there. */
export function notApproved({ name, urn }: Review, reason: string): string {
  return `it waits for the review "${name}" (${urn}), which could not be approved: ${reason}`;
}
