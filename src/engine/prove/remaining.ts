import type { AppliedChange, Change } from "../../model/change.ts";

/** Changes that verify does not accept: something is still to be done that policy did not leave to a person. */
export function remaining<T extends Change>(changes: readonly T[]): readonly T[] {
  return changes.filter((change) => ["create", "update", "replace", "adopt"].includes(change.action));
}

/** The run has said that it is not done, and why: nobody expects it to be. */
export function wasLeft({ action, outcome }: AppliedChange): boolean {
  const isLeft = ["failed", "blocked", "begun", "not-started", "withheld", "in-doubt"].includes(
    outcome ?? "done",
  );
  return isLeft || ["blocked", "manual", "drift", "conflict"].includes(action);
}

/** Somebody has changed it at the target. After a run that has not told of it, that happened while it ran. */
export function movedMeanwhile(changes: readonly Change[]): readonly Change[] {
  return changes.filter(({ action }) => action === "drift" || action === "conflict");
}
