import type { Replayed } from "../engine/settle/replay.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { plural } from "../model/plural.ts";
import type { Holder } from "../store/index.ts";
import type { Migration } from "./migration.ts";
import { describeHolder } from "./run.ts";

/** Whether somebody is at work at the target while this plan is looked at, and who. */
export interface Lock {
  /** Undefined where that cannot be told. */
  readonly isHeld: boolean | undefined;
  /** Who is, or was last, as far as that is known. */
  readonly holder: Holder | undefined;
}

/**
 * Asked before the state is read and after it (`wasHeld`), so that a run that begins or ends meanwhile is not taken for
 * one that was killed.
 */
export async function lockOf({ store }: Migration, wasHeld: boolean | undefined): Promise<Lock> {
  const holder = await store.state.lastHolder();
  return { isHeld: wasHeld === true || (await store.state.isHeld()), holder };
}

/** The run that is at work where it is this plan's, or stands in this journal. */
export function ownRun(
  { plan }: Pick<Migration, "plan">,
  { open }: Replayed,
  { holder }: Lock,
): string | undefined {
  const begun = open.find(({ run }) => run === holder?.run);
  if (begun !== undefined) return `The ${begun.command} of ${begun.at}`;
  return holder?.plan === plan.name ? "A run of this plan" : undefined;
}

/** `: the run ... of ... on ...`, for the end of a sentence; empty where nothing is known of it. */
export function heldBy({ holder }: Lock): string {
  return holder === undefined ? "" : `: ${describeHolder(holder).replace(/,$/, "")}`;
}

/** A request of it that has no answer yet is on its way, and nobody's to settle. */
export function isOnItsWay({ isHeld, holder }: Lock, { run }: { readonly run: string }): boolean {
  return isHeld === true && run === holder?.run;
}

/** For the end of a headline. */
export function waitForIt({ isHeld }: Lock): string {
  return isHeld === true ? " A run is at work at the target: wait for it." : "";
}

/** Said with whatever is compared meanwhile: an apply would be refused, and what is seen may be old when it is read. */
export function atWorkFinding(
  { plan }: Pick<Migration, "plan">,
  replayed: Replayed,
  lock: Lock,
  again: "diff" | "verify" = "diff",
): readonly Diagnostic[] {
  if (lock.isHeld !== true) return [];
  const count = replayed.doubts.filter((doubt) => isOnItsWay(lock, doubt)).length;
  const way =
    count === 0 ? "" : `; ${plural(count, "operation")} of it ${count === 1 ? "is" : "are"} on the way`;
  return [
    {
      severity: "warning",
      code: "run-at-work",
      summary: `${ownRun({ plan }, replayed, lock) ?? "A run"} is at work at the target${heldBy(lock)}${way}: what was read of the target may have changed by now`,
      suggestion: `Wait until it has ended (ferry status ${plan.name} tells), then run: ferry ${again} ${plan.name}`,
    },
  ];
}
