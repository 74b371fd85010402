import type { MovedKind } from "../../kinds/kind.ts";
import type { Change } from "../../model/change.ts";
import { isObject } from "../../model/json.ts";
import type { MappingEntry } from "../../model/mapping.ts";
import { withKeys } from "../../model/pair-keys.ts";
import { strip } from "../../model/shape.ts";
import type { AppliedTree, SnapshotReader } from "../../store/index.ts";
import type { StepDone } from "./entry-after.ts";
import { currentStep } from "./task.ts";

/** What the object is at the target from now on: what a later conflict is told and merged by. */
export function appliedTree(
  { task, intent }: StepDone,
  entry: Pick<MappingEntry, "keys"> | null | undefined,
): AppliedTree | undefined {
  const { effect } = currentStep(task);
  const tree = effect === "creates" ? intent.body : effect === "changes" ? task.patched?.expected : undefined;
  if (!isObject(tree) || intent.fingerprint === undefined) return undefined;
  // Under the keys that are known now: whose twin a part is may be another one later.
  const keyed = withKeys(tree, entry?.keys ?? {});
  return { kind: task.kind.name, source: intent.source, print: intent.fingerprint, tree: keyed };
}

/** It is taken, or kept, as it is at the target. */
export function adoptedTree(
  change: Change,
  kind: MovedKind,
  snapshot: SnapshotReader,
): AppliedTree | undefined {
  const [urn, print] = [change.target?.urn ?? "", change.work?.targetFingerprint];
  if (print === undefined || !snapshot.has(kind.name, urn)) return undefined;
  const tree = strip(snapshot.body(kind.name, urn), kind.shape);
  return { kind: kind.name, source: change.source?.urn ?? "", print, tree };
}
