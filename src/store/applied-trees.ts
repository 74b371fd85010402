import type { JsonObject } from "../model/json.ts";
import { jsonWithKeys } from "../model/pair-keys.ts";

/** An object as it was last brought to the target: what a conflict is told and merged by. */
export interface AppliedTree {
  readonly kind: string;
  readonly source: string;
  /** The print that the mapping has of the target since: with another one this is not what was applied last. */
  readonly print: string;
  /** In the target's URN space, stripped; under the keys of the target; one that nobody knew yet stands under `new_`. */
  readonly tree: JsonObject;
}

/** As it is handed in, to be kept. */
export interface TreeToKeep extends AppliedTree {
  /** What stands under a temporary key in it is kept under these: source key to key at the target. */
  readonly keys?: Readonly<Record<string, string>> | undefined;
}

/** Its JSON, as it is kept. */
export function keptJson({ tree, keys }: TreeToKeep): string {
  return keys === undefined ? JSON.stringify(tree) : jsonWithKeys(tree, keys);
}

export interface AppliedTrees {
  /** The last one that was kept; undefined where none is known here. */
  get(kind: string, source: string): AppliedTree | undefined;
}

/** Of larger objects no version is kept. */
export const largestTree = 65_536;
