import type { AppliedChange } from "../model/change.ts";

/**
 * Kinds so that what is depended upon comes first; ties, and kinds that depend on each other, stay in the
 * order in which they first occur.
 */
export function orderKinds(changes: readonly AppliedChange[]): readonly string[] {
  const kindOf = new Map(changes.map((change) => [change.id, change.kind]));
  const needs = new Map<string, Set<string>>();
  for (const change of changes) {
    const set = needs.get(change.kind) ?? new Set();
    needs.set(change.kind, set);
    for (const id of change.dependsOn) {
      const kind = kindOf.get(id);
      if (kind !== undefined && kind !== change.kind) set.add(kind);
    }
  }
  const ordered: string[] = [];
  const seen = new Set<string>();
  const visit = (kind: string): void => {
    if (seen.has(kind)) return;
    seen.add(kind);
    for (const first of needs.keys()) if (needs.get(kind)?.has(first) === true) visit(first);
    ordered.push(kind);
  };
  for (const kind of needs.keys()) visit(kind);
  return ordered;
}
