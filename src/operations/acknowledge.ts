import { z } from "zod";
import { glob } from "../engine/read/selection.ts";
import type { Action } from "../model/change.ts";
import { waits } from "../model/change.ts";
import { parseKey } from "../model/key.ts";
import type { Acknowledged } from "../model/plan.ts";
import { lastDiff } from "./last-diff.ts";
import type { Migration } from "./migration.ts";

/** What of the last diff waits for a person; read from what was kept of it, so that nothing has to be asked. */
export interface Waiting {
  readonly kind: string;
  /** What plans call the kind. */
  readonly selectedAs: string;
  readonly urn: string;
  readonly name: string;
  readonly action: Action;
  readonly reason: string;
  readonly finding: string | undefined;
  readonly isAcknowledged: boolean;
}

const named = z.looseObject({ urn: z.string(), name: z.string() });
const diffSchema = z.looseObject({
  changes: z.array(
    z.looseObject({
      kind: z.string(),
      action: z.string(),
      reason: z.string(),
      source: named.optional(),
      target: named.optional(),
      finding: z.string().optional(),
      acknowledged: z.looseObject({}).optional(),
    }),
  ),
});

export async function waitingInLastDiff(migration: Migration): Promise<readonly Waiting[]> {
  const { changes } = await lastDiff(migration, diffSchema, "acknowledge anything of");
  return changes.flatMap(({ kind, action, reason, source, target, finding, acknowledged }) => {
    const object = source ?? target;
    // A table of which rows are written has a print where others wait.
    if (object === undefined || (!waits(action as Action) && finding === undefined)) return [];
    const { urn, name: called } = object;
    const isAcknowledged = acknowledged !== undefined;
    const selectedAs = migration.registry.movedKind(kind)?.selectedAs ?? kind;
    const about = { kind, selectedAs, urn, name: called, action: action as Action };
    return [{ ...about, reason, finding, isAcknowledged }];
  });
}

/** Those that a person means: by URN, by name or pattern, each with or without its kind in front. */
export function meant(waiting: readonly Waiting[], text: string): readonly Waiting[] {
  const { kind, id } = parseKey(text);
  const byKey = waiting.filter((one) => one.urn === id && (kind === undefined || isOf(one, kind)));
  if (byKey.length > 0) return byKey;
  const patterns = [
    ...(kind === undefined ? [] : [{ kind, pattern: glob(id) }]),
    { kind: undefined, pattern: glob(text) },
  ];
  return waiting.filter((one) =>
    patterns.some(
      ({ kind: wanted, pattern }) => (wanted === undefined || isOf(one, wanted)) && pattern.test(one.name),
    ),
  );
}

/** By the program's word or the plan's: `monitors` means primary ones too. */
export function isOf(one: Pick<Waiting, "kind" | "selectedAs">, kind: string): boolean {
  return kind === one.kind || kind === one.selectedAs;
}

/** Whether an entry of the plan is about it, bound or not. */
export function acknowledges({ kind, name, urn }: Acknowledged, one: Waiting): boolean {
  if (!isOf(one, kind)) return false;
  return urn === undefined ? glob(name ?? "").test(one.name) : urn === one.urn;
}

/** As it stands in the plan: bound to what was found, so that a change of the object is told again. */
export function acknowledgement(
  { selectedAs, urn, finding }: Waiting,
  { reason, until }: { readonly reason: string; readonly until?: string | undefined },
): Acknowledged {
  return {
    kind: selectedAs,
    urn,
    reason,
    ...(until === undefined ? {} : { until }),
    ...(finding === undefined ? {} : { print: finding }),
  };
}
