import type { AppliedChange } from "../model/change.ts";
import { TextNumbers } from "../model/packed/numbers.ts";

/**
 * Kinds so that what is depended upon comes first; ties, and kinds that depend on each other, stay in the
 * order in which they first occur.
 */
export function orderKinds(changes: readonly AppliedChange[]): readonly string[] {
  const needs = new Map<string, Set<string>>();
  for (const { kind } of changes) if (!needs.has(kind)) needs.set(kind, new Set());
  const kinds = [...needs.keys()];
  /** By id of a change, the number of its kind: ids are long, and there may be a million of them. */
  const kindOf = new TextNumbers();
  for (const { id, kind } of changes) kindOf.set(id, kinds.indexOf(kind));
  for (const change of changes) {
    for (const id of change.dependsOn) {
      const kind = kinds[kindOf.get(id) ?? -1];
      if (kind !== undefined && kind !== change.kind) needs.get(change.kind)?.add(kind);
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
