import type { Registry } from "../../kinds/registry.ts";
import type { MappingTable } from "../../model/mapping-table.ts";
import type { Plan } from "../../model/plan.ts";
import type { AbandonedList, AppliedTrees, DecidedList, SnapshotReader } from "../../store/index.ts";
import type { Scratch } from "../../model/packed/spool.ts";
import type { SourceIndex } from "../read/source-index.ts";
import type { Replayed } from "../settle/replay.ts";
import type { TargetState } from "../read/target.ts";

/** By kind: members of its memberwise fields that an environment was asked for; undefined where that is not known. */
export type Asked = ReadonlyMap<string, ReadonlySet<string> | undefined>;

/** All that a diff is made of: it reads nothing else, and the same input gives the same diff. */
export interface DiffInput {
  readonly registry: Registry;
  readonly plan: Plan;
  readonly source: SnapshotReader;
  /** Of the source; without it the snapshot is looked through. */
  readonly index?: SourceIndex | undefined;
  readonly target: TargetState;
  readonly mapping: MappingTable;
  /** `<kind>/<step>` that the target was seen not to offer, such as `rules/patch`. */
  readonly notOffered?: ReadonlySet<string>;
  /** Keys of source objects with an operation in doubt. */
  readonly inDoubt: ReadonlySet<string>;
  /** Those of them that a run is at work on while this is compared. */
  readonly onItsWay?: ReadonlySet<string> | undefined;
  /** The command that settles what is in doubt; an apply, where it is not said. */
  readonly goesOn?: string | undefined;
  /** Keys of objects whose change an interrupted run has sent, and the next apply brings to its end: for looking. */
  readonly finishing?: ReadonlySet<string>;
  /** By key, why what an interrupted run had changed could not be published now. */
  readonly unpublished?: ReadonlyMap<string, string> | undefined;
  /** What a run has made new objects in the place of, and may not have come to delete. */
  readonly displaced?: Replayed["displaced"];
  /** What a person decided to leave as it is (`ferry resolve --abandon`). */
  readonly abandoned?: Pick<AbandonedList, "get">;
  readonly asked?: { readonly source: Asked; readonly target: Asked } | undefined;
  /** Objects as they were last brought to the target, as far as that is known. */
  readonly applied?: AppliedTrees | undefined;
  /** Whose version a person wants. */
  readonly decided?: Pick<DecidedList, "get"> | undefined;
  /** Room on disk for what it comes to, where that is much. */
  readonly scratch?: (() => Scratch) | undefined;
}
