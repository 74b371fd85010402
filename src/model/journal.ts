import type { Json, JsonObject } from "./json.ts";
import type { MappingEntry, Parties } from "./mapping.ts";

/**
 * The records of the journal. An intent is durable before its request is sent; outcomes follow per item. An
 * intent without an outcome is in doubt: its request may or may not have happened.
 */
export type JournalRecord =
  | RunRecord
  | BaselineRecord
  | IntentRecord
  | OutcomeRecord
  | EntryRecord
  | TableRecord
  | RowsRecord
  | RowsOutcomeRecord
  | RowsHeldRecord
  | NoteRecord
  | EndRecord;

export interface RunRecord {
  readonly type: "run";
  readonly run: string;
  /** ISO 8601, as are all times here. */
  readonly at: string;
  readonly command: string;
  readonly plan: string;
  readonly tool: string;
  readonly parties: Parties;
  /** Digest of the approved diff when there was one. */
  readonly diff?: string;
  /** Digest of the mapping as it was stored when the run began; earlier versions did not say. */
  readonly mapping?: string;
  /**
   * The flags that narrowed it, as a shell takes them: whoever goes on with it does no more than was selected. Of a rollback the
   * one that named the run.
   */
  readonly narrowed?: string;
  /** It was allowed to delete. Whoever goes on with it has to say so anew, and is told. */
  readonly mayDelete?: true;
  /** Keys of runs of the service that are to follow upon what it writes. */
  readonly follows?: readonly string[];
}

/** Commands whose runs do no more than start runs of the service: they leave nothing in the journal once these have ended. */
export const onlyStart: ReadonlySet<string> = new Set(["parity", "flow"]);

/** What of a kind existed at the target before the run's first create: settling subtracts it. Comes in pieces. */
export interface BaselineRecord {
  readonly type: "baseline";
  readonly run: string;
  readonly kind: string;
  /** UUID parts only, to keep it small. */
  readonly uuids: readonly string[];
}

/**
 * What a step does to an object; the engine knows no more of it, whatever the kind calls the step.
 *
 * - `creates`: something new that has an identity of its own from then on.
 * - `changes`: something that exists; where the kind has drafts, its draft.
 * - `releases`: makes a draft count.
 * - `removes`: something that exists.
 * - `starts`: a run of the service; no object is the better or worse for it.
 */
export type StepEffect = "creates" | "changes" | "releases" | "removes" | "starts";

/** Journals of earlier versions name the step alone. */
const effects: Readonly<Record<string, StepEffect>> = {
  create: "creates",
  patch: "changes",
  assign: "changes",
  publish: "releases",
  delete: "removes",
};

export function effectOf(intent: Pick<IntentRecord, "step" | "effect">): StepEffect {
  return intent.effect ?? effects[intent.step] ?? "changes";
}

export interface IntentRecord {
  readonly type: "intent";
  readonly run: string;
  /** Unique within the journal. */
  readonly op: string;
  readonly at: string;
  readonly kind: string;
  readonly step: string;
  readonly effect?: StepEffect;
  readonly items: readonly IntentItem[];
}

export interface IntentItem {
  /** URN at the source; for a delete of an orphan the URN it had there. */
  readonly source: string;
  readonly name: string;
  /** URN at the target, where it is known before the request. */
  readonly target?: string;
  /** Fingerprint that the object will have at the target when the step has happened. */
  readonly fingerprint?: string;
  /** Fingerprint of the object at the target before the step; of what is started, of what it is about. */
  readonly before?: string;
  /** Fingerprint of the source object in the target's URN space, for the mapping entry. */
  readonly sourceFingerprint?: string;
  /** The same in the source's own URNs, for the mapping entry. */
  readonly ownFingerprint?: string;
  /** Fields that stay the target's own, for the mapping entry. */
  readonly left?: readonly string[];
  /** Fields in which the target stays as it is, for the mapping entry. */
  readonly kept?: Readonly<Record<string, string>>;
  /** Parts that both sides had made, and that the change takes for twins, for the mapping entry: source key to target key. */
  readonly paired?: Readonly<Record<string, string>>;
  /** Of what is made again: the URN that it had, for the mapping entry. */
  readonly former?: string;
  /** Source keys of those that are none any more: what made them so is taken back. */
  readonly parted?: readonly string[];
  /**
   * What the object's row in the mapping said before the step: taken back, it says so again. The target's fingerprint
   * is among it where somebody had changed the object since: that is told again, too; and where a new one is made in its place.
   */
  readonly was?: Known & Pick<MappingEntry, "targetFingerprint">;
  /** The run that the row was of then: a row that is still of that one is none that was written since. */
  readonly by?: string;
  /**
   * The print that the row has of the target once all of it is done, where that is not what the step makes of it: what
   * comes back is what somebody had changed.
   */
  readonly drifted?: string;
  /** Of a change that opens a draft, and of its publish: the print of what is published under it. */
  readonly over?: string;
  /** The body as sent (sub-entity keys still under `new_`): settling matches candidates and keys against it. */
  readonly body?: Json;
  /** The part of the object that paths need, such as a monitor's catalog item: it may be gone when this is settled. */
  readonly whole?: Json;
  /** What takes the step back: for an update the reverse patch, for a delete the body to create again. */
  readonly undo?: Json;
}

/** What of the source a target object has been brought to. */
export type Known = Pick<MappingEntry, "sourceFingerprint" | "ownFingerprint" | "left" | "kept">;

export interface OutcomeRecord {
  readonly type: "outcome";
  readonly op: string;
  readonly at: string;
  readonly items: readonly OutcomeItem[];
}

export type OutcomeItem =
  /** It happened; `entry` is the object's new row in the mapping, null when it was removed. */
  | {
      readonly source: string;
      readonly result: "done";
      readonly target?: string;
      readonly entry: MappingEntry | null;
    }
  /** It is known not to have happened. */
  | { readonly source: string; readonly result: "not-done"; readonly reason: string }
  /** The answer was lost or unreadable; to be settled. */
  | {
      readonly source: string;
      readonly result: "doubt";
      readonly reason: string;
      /** It was looked at, and a person has to decide. Absent: the next run settles it. */
      readonly asks?: true;
    }
  /** The service has taken it on under this handle and was not finished: it is asked about, and never sent again. */
  | { readonly source: string; readonly result: "accepted"; readonly handle: string }
  /** A person decided to leave it. */
  | { readonly source: string; readonly result: "abandoned"; readonly reason: string };

/** The mapping changed without a request: an adoption, an overlay that was equal, `ferry mappings set`. */
export interface EntryRecord {
  readonly type: "entry";
  readonly run: string;
  readonly kind: string;
  readonly source: string;
  readonly entry: MappingEntry | null;
  /** The run that the row was of before. */
  readonly by?: string;
}

/** The run writes rows of this table: what it does to them stands in the table's own log. */
export interface TableRecord {
  readonly type: "table";
  readonly run: string;
  readonly at: string;
  readonly kind: string;
  readonly table: string;
  /** As people call it. */
  readonly name: string;
}

/** In the log of a table: these rows are about to be written. */
export interface RowsRecord {
  readonly type: "rows";
  readonly run: string;
  readonly op: string;
  readonly at: string;
  /** By what the plan told rows apart then; versions before it was written down had no word for it. */
  readonly naming?: string;
  /** What of its rows the plan moved then; the same of versions. */
  readonly sense?: string;
  /** The table of the target that they go to, as the target calls it; the same of versions. */
  readonly place?: string;
  readonly rows: readonly RowIntent[];
}

export interface RowIntent {
  /** The digest of its key. */
  readonly key: string;
  /** Its key as people read it. */
  readonly name: string;
  readonly action: "create" | "update" | "delete";
  /** What it is called at the target, where that is known. */
  readonly target?: string;
  /** What is sent, and what it takes the place of: to find a create again, and to take the row back. */
  readonly values?: JsonObject;
  readonly before?: JsonObject;
  /** What it had in attributes that are not moved, where it is deleted or made again. */
  readonly unmoved?: JsonObject;
  /** Prints of it, source and target, as it was found. */
  readonly print?: readonly [source: string, target: string];
  /** What was known of it before, source and target; absent where nothing was. */
  readonly was?: readonly [source: string, target: string];
  /** Where it takes a row back: what was known of it until then, which is known again when that is taken back itself. */
  readonly stood?: readonly [source: string, target: string];
  /** It takes a row back, also where a run that takes nothing back brings it to its end: what was known is known again. */
  readonly back?: true;
}

export interface RowsOutcomeRecord {
  readonly type: "rows-done";
  readonly op: string;
  readonly at: string;
  readonly rows: readonly RowOutcome[];
}

export type RowOutcome =
  /** It shows. */
  | {
      readonly key: string;
      readonly result: "done";
      readonly target?: string;
      /** A part of it was refused: the next run tries that again. */
      readonly short?: true;
      /** A print of how the target showed it, where that is otherwise than it was sent. */
      readonly shown?: string;
      /** Of what was made: a print of what it had then in attributes that are not moved. */
      readonly unmoved?: string;
    }
  /** The service has it and does not show it yet: it is never sent again, only brought to its end. */
  | {
      readonly key: string;
      readonly result: "sent";
      readonly target: string;
      readonly short?: true;
      /** The service keeps what was sent just as it was before, in a form of its own: nothing of it will show. */
      readonly asBefore?: true;
      /** The run has asked a person, for this reason, and the next one looks all the same. */
      readonly told?: true;
      readonly reason?: string;
    }
  | {
      readonly key: string;
      readonly result: "not-done" | "doubt";
      readonly reason: string;
      /** It was looked for, which may have moved it to where it is not found again. */
      readonly looked?: true;
      /** The service has it, and not as what was asked for: it is never sent again, a person is asked. */
      readonly asks?: true;
      /** The run has asked a person, and the next one looks all the same. */
      readonly told?: true;
    };

/** What was sent waits for a person's word on a review. */
export interface RowsHeldRecord {
  readonly type: "rows-held";
  readonly at: string;
  readonly review: { readonly urn: string; readonly name: string };
  readonly keys: readonly string[];
}

/**
 * Something about the rows of a table that a person has to hear of and that no later look finds: each run tells it until one has come
 * to its end.
 */
export interface NoteRecord extends Omit<TableRecord, "type"> {
  readonly type: "note";
  readonly severity: "info" | "warning";
  /** A sentence. */
  readonly text: string;
}

export interface EndRecord {
  readonly type: "end";
  readonly run: string;
  readonly at: string;
  readonly exitCode: number;
  /** Keys of runs of the service that were to follow upon what it wrote, and have come to no good end. */
  readonly owes?: readonly string[];
  /** Whose run it was, where all else that was on record of it was put away by one of another plan. */
  readonly plan?: string;
}
