import type { Change } from "../../model/change.ts";
import { withSome } from "../../model/packed/change-list.ts";
import { blockDependents } from "../diff/block-dependents.ts";
import type { Diff } from "../diff/index.ts";

/** The diff with what a check has put otherwise, by place: what waits for it is blocked. */
export function withHeld(diff: Diff, put: ReadonlyMap<number, Change>): Diff {
  return put.size === 0 ? diff : { ...diff, changes: blockDependents(withSome(diff.changes, put)) };
}
