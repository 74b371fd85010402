import type { MovedKind } from "../../kinds/kind.ts";
import type { Change } from "../../model/change.ts";
import { fingerprint } from "../../model/canonical.ts";
import { isObject } from "../../model/json.ts";
import type { MappingEntry } from "../../model/mapping.ts";
import { withKeys } from "../../model/pair-keys.ts";
import { strip } from "../../model/shape.ts";
import type { AppliedTree, SnapshotReader, TreeToKeep } from "../../store/index.ts";
import { withHidden } from "../diff/unasked-there.ts";
import type { StepDone } from "./entry-after.ts";
import { currentStep, type Filled } from "./task.ts";

/** What the object is at the target from now on: what a later conflict is told and merged by. */
export function appliedTree(
  { task, intent }: StepDone,
  entry: Pick<MappingEntry, "keys"> | null | undefined,
  filled?: Filled,
): TreeToKeep | undefined {
  const { effect } = currentStep(task);
  const changed = effect === "changes" ? (filled?.body ?? task.patched?.expected) : undefined;
  const tree = effect === "creates" ? intent.body : changed;
  if (!isObject(tree) || intent.fingerprint === undefined) return undefined;
  const print = filled === undefined ? intent.fingerprint : fingerprint(filled.body, task.kind.shape);
  const named = { kind: task.kind.name, source: intent.source, print };
  // Under the keys that are known now: whose twin a part is may be another one later.
  const keys = entry?.keys ?? {};
  const { hidden } = task.change.work ?? {};
  if (hidden === undefined) return { ...named, tree, keys };
  // What the target cannot be asked for for a while stands there still.
  return { ...named, tree: withHidden(withKeys(tree, keys), hidden, task.kind.shape) };
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
