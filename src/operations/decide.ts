import { z } from "zod";
import { glob } from "../engine/read/selection.ts";
import type { AppliedChange, FieldChange } from "../model/change.ts";
import { keyText, parseKey } from "../model/key.ts";
import { isCarriedOut } from "../model/mapping.ts";
import type { Choice, DecidedList } from "../store/index.ts";
import { isOf } from "./acknowledge.ts";
import { lastDiff } from "./last-diff.ts";
import type { Migration } from "./migration.ts";
import { locked, newRunId, owner } from "./run.ts";
import type { WritingState } from "./state.ts";

/** One drift or conflict of the last diff, or what was decided of one and is not done yet. */
export interface Contested {
  readonly kind: string;
  /** What plans call the kind. */
  readonly selectedAs: string;
  readonly urn: string;
  readonly name: string;
  /** `decided`: the last diff tells it as what was decided, or does not show it any more. */
  readonly action: "drift" | "conflict" | "decided";
  readonly reason: string;
  /** The value at the target, the source's, and, where it is known, the one that was applied last. */
  readonly fields: readonly FieldChange[];
  readonly sourcePrint: string;
  readonly targetPrint: string;
  /** A print of its row in the mapping, where the diff has told one. */
  readonly row: string | undefined;
  /** What was decided for these two versions before. */
  readonly choice: Choice | undefined;
  /** Something is decided about it, of these versions or of others. */
  readonly isDecided: boolean;
}

const named = z.looseObject({ urn: z.string(), name: z.string() });
const contestedSchema = z.looseObject({
  kind: z.string(),
  action: z.enum(["drift", "conflict"]),
  reason: z.string(),
  source: named,
  fields: z.array(z.looseObject({ path: z.string() })),
  work: z.looseObject({
    sourceFingerprint: z.string(),
    targetFingerprint: z.string(),
    row: z.string().optional(),
  }),
});
const diffSchema = z.looseObject({ changes: z.array(z.looseObject({ action: z.string() })) });
const carriedOutSchema = z.looseObject({
  kind: z.string(),
  source: named,
  fields: z.array(z.looseObject({ path: z.string() })),
});

/**
 * What the last diff leaves to a person, and after it what was decided and waits for the next apply: a diff that was made
 * since tells that as the update that it will be, and whoever has another mind by then is to find it.
 */
export async function contested(migration: Migration): Promise<readonly Contested[]> {
  const decided = await migration.store.state.decided();
  // Without a diff of one's own: a decision may have come with the mapping.
  const hasDiff = decided.size === 0 || (await migration.store.work.lastDiff()) !== undefined;
  const { changes } = hasDiff ? await lastDiff(migration, diffSchema, "decide anything of") : { changes: [] };
  const open = contestedIn(changes, decided);
  const isOpen = new Set(open.map(({ kind, urn }) => keyText(kind, urn)));
  const later = waiting(changes, decided).filter(({ kind, urn }) => !isOpen.has(keyText(kind, urn)));
  return [...open, ...later].map((one) => ({
    ...one,
    selectedAs: migration.registry.movedKind(one.kind)?.selectedAs ?? one.kind,
  }));
}

type Unnamed = Omit<Contested, "selectedAs">;

function waiting(changes: readonly unknown[], decided: DecidedList): readonly Unnamed[] {
  const told = new Map(
    changes.flatMap((change) => {
      const { data } = carriedOutSchema.safeParse(change);
      return data === undefined ? [] : [[keyText(data.kind, data.source.urn), data.fields] as const];
    }),
  );
  return [...decided].map(({ kind, source: urn, name, choice, sourcePrint, targetPrint, row, by, at }) => ({
    kind,
    urn,
    name,
    action: "decided",
    reason: `by ${by} on ${at.slice(0, 10)}, and not carried out yet`,
    fields: told.get(keyText(kind, urn)) ?? [],
    sourcePrint,
    targetPrint,
    row,
    choice,
    isDecided: true,
  }));
}

function contestedIn(changes: readonly unknown[], decided: DecidedList): readonly Unnamed[] {
  return changes.flatMap((change): readonly Unnamed[] => {
    const parsed = contestedSchema.safeParse(change);
    if (!parsed.success) return [];
    const { kind, action, reason, source, fields, work } = parsed.data;
    const before = decided.get(kind, source.urn);
    const isSame =
      before?.sourcePrint === work.sourceFingerprint &&
      before.targetPrint === work.targetFingerprint &&
      before.row === work.row;
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
        row: work.row,
        choice: isSame ? before.choice : undefined,
        isDecided: before !== undefined,
      },
    ];
  });
}

/** Those that a person means: by URN, by name or pattern, each with or without its kind in front. */
export function contestedNamed(all: readonly Contested[], text: string): readonly Contested[] {
  const { kind, id } = parseKey(text);
  const byKey = all.filter((one) => one.urn === id && (kind === undefined || isOf(one, kind)));
  if (byKey.length > 0) return byKey;
  return all.filter(
    (one) => glob(text).test(one.name) || (kind !== undefined && isOf(one, kind) && glob(id).test(one.name)),
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
      const { kind, urn: source, name, sourcePrint, targetPrint, row } = of;
      if (choice === undefined) list.delete(kind, source);
      else {
        const at = new Date(migration.now()).toISOString();
        const prints = { sourcePrint, targetPrint, ...(row === undefined ? {} : { row }) };
        list.set({ kind, source, name, choice, ...prints, by: owner(), at });
      }
    }
    await state.saveDecided(lease, list);
  });
}

/** What was decided is so now, by this run or by one that died with it; the rest waits until its two versions are there again. */
export async function forgetDecided(
  { store: { state } }: Pick<Migration, "store">,
  { lease, mapping }: Pick<WritingState, "lease" | "mapping">,
  changes: readonly AppliedChange[],
): Promise<void> {
  const decided = await state.decided();
  const before = decided.size;
  for (const { kind, source, outcome } of changes)
    if (outcome === "done" && source !== undefined) decided.delete(kind, source.urn);
  for (const one of decided)
    if (isCarriedOut(one, mapping.get(one.kind, one.source))) decided.delete(one.kind, one.source);
  if (decided.size < before) await state.saveDecided(lease, decided);
}
