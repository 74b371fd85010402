import type { WantsFinished } from "../engine/settle/leftovers.ts";
import type { Diff } from "../engine/diff/index.ts";
import { withoutLeave } from "../engine/diff/make-room.ts";
import type { TargetReading } from "../engine/read/target.ts";
import type { Action } from "../model/change.ts";
import { keyText } from "../model/key.ts";
import type { SnapshotReader } from "../store/index.ts";
import type { DiffFile } from "./approved-file.ts";
import { isDoneOf } from "./approved.ts";
import { compare } from "./compare.ts";
import { detailedOf } from "./detailed.ts";
import type { Migration } from "./migration.ts";
import { notConfirmed } from "./not-confirmed.ts";
import { runsOfDiff } from "./runs.ts";
import type { WritingState } from "./state.ts";

/** What a person has approved, or an interrupted run of this very diff has begun; whatever else is left stays so. */
export async function approvedToFinish(
  migration: Migration,
  { replayed }: Pick<WritingState, "replayed">,
  { file, digest }: { readonly file: DiffFile; readonly digest: string },
): Promise<WantsFinished> {
  const earlier = await runsOfDiff(migration, digest, replayed.runs);
  const named = new Map(file.changes.map((change) => [change.id, change]));
  return ({ name }, source, row) => {
    const change = named.get(keyText(name, source));
    return change !== undefined && (change.work?.unfinished !== undefined || isDoneOf(change, row, earlier));
  };
}

/** What a person was asked to have done, by change. */
export type Asked = ReadonlyMap<string, Action>;

/**
 * What an interrupted run has left is published before the two sides are compared, since only then they can be: a
 * person is asked before that, with what there is to do as a diff tells it. Throws EngineError `not-confirmed`.
 */
export async function askBefore(
  migration: Migration,
  { source, target }: { readonly source: SnapshotReader; readonly target: TargetReading },
  { mapping }: Pick<WritingState, "mapping">,
  options: {
    readonly allowDelete?: boolean;
    readonly confirm: (diff: Diff) => Promise<boolean>;
  },
): Promise<Asked> {
  const found = await compare(migration, source, target, mapping, migration.target(), {
    isLooking: true,
    detailed: detailedOf(),
  });
  const diff = withoutLeave(found, options.allowDelete === true);
  if (!(await options.confirm(diff))) throw notConfirmed(migration, "nothing was written");
  return new Map(diff.changes.map((change) => [change.id, change.action]));
}

/** Whether all that is to be done now was told when a person was asked; rows are compared later than that. */
export function wasAsked(asked: Asked | undefined, { changes }: Diff): boolean {
  if (asked === undefined) return false;
  return changes.every(
    ({ id, action, records }) =>
      action === "unchanged" || (records === undefined && asked.get(id) === action),
  );
}
