import type { AppliedChange } from "../model/change.ts";
import { numberOf, packed } from "../model/packed/change-list.ts";

/** So few causes are named: after they are mended the next diff names what is left. */
const most = 3;

const writing: ReadonlySet<string> = new Set(["create", "update", "replace", "adopt", "delete"]);

/** What a person can mend for the most blocked objects at once, the most useful first. */
export function fixesFor(changes: readonly AppliedChange[]): readonly string[] {
  const counts = new Map<string, { readonly suggestion: string; times: number }>();
  for (const change of changes) {
    if (change.action !== "blocked") continue;
    const causes = change.diagnostics.flatMap(({ cause }) =>
      cause?.suggestion === undefined ? [] : [cause],
    );
    for (const { key, suggestion = "" } of new Map(causes.map((cause) => [cause.key, cause])).values()) {
      const known = counts.get(key) ?? { suggestion, times: 0 };
      known.times += 1;
      counts.set(key, known);
    }
  }
  const sorted = [...counts.values()].toSorted((a, b) => b.times - a.times);
  return [...new Set(sorted.map(({ suggestion }) => suggestion))].slice(0, most);
}

/** Drift and conflicts wait for a person, whatever else there is to do; those of rows are not decided one by one. */
export function toDecide(changes: readonly AppliedChange[], plan: string): readonly string[] {
  const isOpen = changes.some(
    ({ action, acknowledged, records }) =>
      acknowledged === undefined && records === undefined && (action === "drift" || action === "conflict"),
  );
  return isOpen ? [`ferry decide ${plan}`] : [];
}

/**
 * What comes after a diff. To apply is no advice where there is nothing to apply, nor where nearly everything waits
 * for the same few lines of the plan: those come first.
 */
export function afterDiff(changes: readonly AppliedChange[], plan: string, apply: string): readonly string[] {
  const isDeletes = changes.some(isDelete) || changes.some(({ records }) => (records?.delete ?? 0) > 0);
  if (!isDeletes) return withoutDeletes(changes, plan, apply);
  // They are never made without being asked for, and nobody should have to look that up.
  const others = packed(changes.values().filter((change) => !isDelete(change)));
  return [...withoutDeletes(others, plan, apply), `${apply} --allow-delete`];
}

/** Of a table as well, where nothing else is to be done about its rows. */
function isDelete({ action, records }: AppliedChange): boolean {
  if (records === undefined) return action === "delete";
  return writing.has(action) && records.delete > 0 && records.create + records.update === 0;
}

function withoutDeletes(changes: readonly AppliedChange[], plan: string, apply: string): readonly string[] {
  const writes = numberOf(changes, ({ action }) => writing.has(action));
  const blocked = numberOf(changes, ({ action }) => action === "blocked");
  if (blocked === 0) return writes === 0 ? [] : [apply];
  const mend = [...fixesFor(changes), `ferry diff ${plan}`];
  if (writes === 0 || blocked > writes * 4) return mend;
  // A few that stay behind keep nobody from the rest.
  return blocked * 4 < writes ? [apply] : [...mend, apply];
}
