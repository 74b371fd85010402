import { unseenIn } from "../engine/checks/parts-referred.ts";
import type { Diff } from "../engine/diff/index.ts";
import type { Change } from "../model/change.ts";

/** What a person who approves a diff has read of parts that go. */
type Told = Pick<Diff, "changes" | "diagnostics">;

export const unseenNow =
  "who at the target refers to a part of it that goes could be seen then, and cannot be any more";

/** For the file that is approved. */
export function unseenOf(diff: Told): { readonly unseen?: readonly string[] } {
  const unseen = unseenIn(diff);
  return unseen.length === 0 ? {} : { unseen };
}

/** What whoever approved it was not told of. */
export function unseenSince(now: Told, approved: readonly string[] = []): readonly Change[] {
  const since = new Set(unseenIn(now).filter((id) => !approved.includes(id)));
  return since.size === 0 ? [] : now.changes.filter(({ id }) => since.has(id));
}
