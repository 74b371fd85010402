import { z } from "zod";
import { glob } from "../engine/read/selection.ts";
import type { AppliedChange, FieldChange } from "../model/change.ts";
import { parseKey } from "../model/key.ts";
import type { Choice, Lease } from "../store/index.ts";
import { lastDiff } from "./last-diff.ts";
import type { Migration } from "./migration.ts";
import { locked, newRunId, owner } from "./run.ts";

/** One drift or conflict of the last diff: what a person has to decide. */
export interface Contested {
  readonly kind: string;
  readonly urn: string;
  readonly name: string;
  readonly action: "drift" | "conflict";
  readonly reason: string;
  /** The value at the target, the source's, and, where it is known, the one that was applied last. */
  readonly fields: readonly FieldChange[];
  readonly sourcePrint: string;
  readonly targetPrint: string;
  /** What was decided for these two versions before. */
  readonly choice: Choice | undefined;
}

const named = z.looseObject({ urn: z.string(), name: z.string() });
const contestedSchema = z.looseObject({
  kind: z.string(),
  action: z.enum(["drift", "conflict"]),
  reason: z.string(),
  source: named,
  fields: z.array(z.looseObject({ path: z.string() })),
  work: z.looseObject({ sourceFingerprint: z.string(), targetFingerprint: z.string() }),
});
const diffSchema = z.looseObject({ changes: z.array(z.looseObject({ action: z.string() })) });

export async function contestedInLastDiff(migration: Migration): Promise<readonly Contested[]> {
  const { changes } = await lastDiff(migration, diffSchema, "decide anything of");
  const decided = await migration.store.state.decided();
  return changes.flatMap((change): readonly Contested[] => {
    const parsed = contestedSchema.safeParse(change);
    if (!parsed.success) return [];
    const { kind, action, reason, source, fields, work } = parsed.data;
    const before = decided.get(kind, source.urn);
    const isSame =
      before?.sourcePrint === work.sourceFingerprint && before.targetPrint === work.targetFingerprint;
    return [
      {
        kind,
        urn: source.urn,
        name: source.name,
        action,
        reason,
        fields,
        sourcePrint: work.sourceFingerprint,
        targetPrint: work.targetFingerprint,
        choice: isSame ? before.choice : undefined,
      },
    ];
  });
}

/** Those that a person means: by URN, by name or pattern, each with or without its kind in front. */
export function contestedNamed(contested: readonly Contested[], text: string): readonly Contested[] {
  const { kind, id } = parseKey(text);
  const byKey = contested.filter((one) => one.urn === id && (kind === undefined || kind === one.kind));
  if (byKey.length > 0) return byKey;
  return contested.filter(
    (one) => glob(text).test(one.name) || (kind === one.kind && glob(id).test(one.name)),
  );
}

/** Kept beside the mapping, to be reviewed and committed with it; the next apply does it. */
export async function decide(
  migration: Migration,
  decisions: readonly { readonly of: Contested; readonly choice: Choice | undefined }[],
): Promise<void> {
  const { state } = migration.store;
  await state.prepare();
  await locked(migration, newRunId(migration.now()), async (lease) => {
    const list = await state.decided();
    for (const { of, choice } of decisions) {
      const { kind, urn: source, name, sourcePrint, targetPrint } = of;
      if (choice === undefined) list.delete(kind, source);
      else {
        const at = new Date(migration.now()).toISOString();
        list.set({ kind, source, name, choice, sourcePrint, targetPrint, by: owner(), at });
      }
    }
    await state.saveDecided(lease, list);
  });
}

/** What was decided is so now; the rest waits until its two versions are there again. */
export async function forgetDecided(
  { store: { state } }: Pick<Migration, "store">,
  lease: Lease,
  changes: readonly AppliedChange[],
): Promise<void> {
  const decided = await state.decided();
  const before = decided.size;
  for (const { kind, source, outcome } of changes)
    if (outcome === "done" && source !== undefined) decided.delete(kind, source.urn);
  if (decided.size < before) await state.saveDecided(lease, decided);
}
