import { computeDiff } from "../engine/diff/index.ts";
import { rehome } from "../engine/diff/rehome.ts";
import type { FieldChange } from "../model/change.ts";
import { keyText } from "../model/key.ts";
import type { Result } from "../model/result.ts";
import { exitCodes } from "../model/result.ts";
import { plural } from "../model/plural.ts";
import { readSides } from "./compare.ts";
import { close } from "./diff.ts";
import type { Migration } from "./migration.ts";
import type { Pair } from "./refuse-pair.ts";
import { resultOf } from "./result.ts";
import { readState } from "./state.ts";

/** Pairs of objects that may be the same in two environments that were built separately. */
export interface Suggestion extends Pair {
  readonly kind: string;
  readonly name: string;
  /** What it is called at the target. */
  readonly targetName: string;
  /** 0 to 1: how much of the two is equal. */
  readonly similarity: number;
  readonly differing: readonly string[];
}

/** What a source object may be paired with, as far as that is clear, and those of which it is not. */
export interface SuggestedPairs {
  readonly suggestions: readonly Suggestion[];
  readonly ambiguous: readonly {
    readonly kind: string;
    readonly source: string;
    readonly name: string;
    readonly reason: string;
  }[];
}

/**
 * Proposes twins: unmapped objects of the same kind with the same natural key, whatever their content, best first.
 * Nothing is written.
 */
export async function suggestMappings(
  migration: Migration,
  options: { readonly snapshot?: string | undefined } = {},
): Promise<Result & { readonly details: SuggestedPairs }> {
  const { mapping, replayed } = await readState(migration);
  const { source, target } = await readSides(migration, mapping, migration.targetReads(), options.snapshot);
  const registry = await migration.kinds("target");
  // By name, so that each candidate is compared field by field; nothing of this diff is applied.
  const plan = { ...migration.plan, policy: { ...migration.plan.policy, adopt: "by-name" as const } };
  rehome(mapping, registry, source, target.snapshot);
  // No pair is taken of what is in doubt, and of many none where one of them is refused.
  const inDoubt = new Set(replayed.doubts.map(({ kind, item }) => keyText(kind, item.source)));
  const diff = await computeDiff({ registry, plan, source, target, mapping, inDoubt });
  const suggestions: Suggestion[] = [];
  const ambiguous: { kind: string; source: string; name: string; reason: string }[] = [];
  for (const change of diff.changes) {
    if (change.source === undefined) continue;
    if (change.action === "adopt" && change.target !== undefined) {
      const size = leafCount(source.body(change.kind, change.source.urn));
      suggestions.push({
        kind: change.kind,
        source: change.source.urn,
        target: change.target.urn,
        name: change.source.name,
        targetName: change.target.name,
        similarity: Math.round(similarity(size, change.fields) * 100) / 100,
        differing: change.fields.map((field) => field.path),
      });
    } else if (change.diagnostics.some((diagnostic) => diagnostic.code === "ambiguous")) {
      ambiguous.push({
        kind: change.kind,
        source: change.source.urn,
        name: change.source.name,
        reason: change.reason,
      });
    }
  }
  close(source, target);
  suggestions.sort(
    (left, right) => right.similarity - left.similarity || (left.source < right.source ? -1 : 1),
  );
  const result = resultOf(migration, {
    command: "mappings",
    exitCode: exitCodes.done,
    headline: `${plural(suggestions.length, "suggestion")}, ${ambiguous.length} ambiguous. Nothing was written.`,
    next:
      suggestions.length === 0
        ? []
        : [
            `ferry mappings ${migration.plan.name} suggest --out pairs.json`,
            `ferry mappings ${migration.plan.name} import pairs.json`,
          ],
  });
  return { ...result, details: { suggestions, ambiguous } };
}

function similarity(leaves: number, fields: readonly FieldChange[]): number {
  return leaves === 0 ? 0 : Math.max(0, 1 - fields.length / leaves);
}

function leafCount(value: unknown): number {
  if (typeof value !== "object" || value === null) return 1;
  return Object.values(value).reduce((sum: number, item: unknown) => sum + leafCount(item), 0);
}
