import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Json, JsonObject } from "../../model/json.ts";
import type { Plan } from "../../model/plan.ts";
import type {
  MasterDataReadClient,
  MasterDataWriteClient,
  ReadClient,
  WriteClient,
} from "../../service/index.ts";

/**
 * The contract of kinds whose things are rows: they have a business key, there may be millions of them, and they are
 * never objects in memory. Pages stream; a page of the source is looked up at the target by its keys.
 */

/** The ways to one environment. */
export interface Connection {
  readonly platform: ReadClient;
  /** Where the plan names one. */
  readonly masterData?: MasterDataReadClient;
}

export interface WriteConnection extends Connection {
  readonly platform: WriteClient;
  readonly masterData?: MasterDataWriteClient;
}

export interface BothSides {
  readonly source: Connection;
  readonly target: Connection;
}

/** A table, or whatever else holds rows, as the plan names it. */
export interface RowTable {
  /** Names its files: lower-case letters, digits and hyphens. */
  readonly id: string;
  /** As people call it. */
  readonly name: string;
  /** What a print of its rows is of: what is known in another sense says nothing of what this plan moves. */
  readonly sense: string;
  /** By what its rows are told apart, on both sides: what was begun under another naming is another row's. */
  readonly naming: string;
  /** Rows that only the target has are to go. */
  readonly removes: boolean;
  /** The plan moves a part of the source's rows: one that is not among those that are read may be there. */
  readonly isFiltered?: true;
  /** Whether prints of this other sense are of the same rows, by the same keys, where only names of the table are others. */
  isOfSameRows?(sense: string): boolean;
  /** Where prints of this other sense are of rows of the same table of the source: what the table of the target was called. */
  ledTo?(sense: string): string | undefined;
  /** How rows were read whose prints are of this other sense; undefined where that cannot be told from what is read now. */
  formerly?(sense: string): FormerReading | undefined;
  /** What a plan with this other sense moves of rows that go by the same keys; undefined where that cannot be told. */
  readIn?(sense: string): FormerReading | undefined;
  /** Finds both sides of it, before anything is written. */
  open(sides: BothSides, plan: Plan, recorded: RecordedRelations): Promise<OpenTable | Unusable>;
}

/** Which attributes of a row were moved. */
export interface FormerReading {
  isOurs(attribute: string): boolean;
}

/** What is on record of the rows of a plan's tables, by the ids of these and the rows' keys. */
export interface RecordedRelations {
  /** Whether a run has made the row with this attribute, a relation; not where its log is kept no more. */
  made(table: string, key: string, attribute: string): Promise<boolean>;
  /** Present where a run is taken back: whether the row goes with it. */
  readonly goes?: ((table: string, key: string) => Promise<boolean>) | undefined;
}

/** It is not there, or not as the plan says: nothing of it is moved. */
export interface Unusable {
  readonly unusable: string;
  readonly suggestion: string;
}

export interface Row {
  /** The same text for the same key; undefined where it has none. */
  readonly key: string | undefined;
  /** The key as people read it. */
  readonly name: string;
  /** What is compared, by attribute; what is null is not here. */
  readonly values: JsonObject;
  /**
   * The same with, or without, what is compared only where the other side says something of it: what is known of the row
   * may be of any of these.
   */
  readonly aside?: readonly JsonObject[];
  /** Attributes that it has and that are not compared, since the other side says nothing of them. */
  readonly beside?: readonly string[];
  /** What it has in attributes that are not moved and that a person may write: worked out when it is asked for. */
  unmoved?(): JsonObject;
  /** What requests call it, on the side that it is of. */
  readonly address?: string;
  /** It is there and does not count any more. */
  readonly isGone?: true;
  /** Why it cannot be sent; ends a sentence about it. */
  readonly bad?: string;
  /** Why nothing is made of it where the target has none; ends a sentence about it. */
  readonly leftOut?: string;
  /** What belongs to it and no request brings over. */
  readonly byHand?: readonly HandWork[];
}

export interface RowPage {
  readonly rows: readonly Row[];
  /** Where it begins: whoever reads from there gets it first. */
  readonly from: string;
}

/** Something of a row that only a person can bring to the target. */
export interface HandWork {
  /** Ends a sentence; the same words on both sides for the same thing, unless `same` tells. */
  readonly what: string;
  /** The same text on both sides for the same thing, where each side may write it otherwise. */
  readonly same?: string;
  /** The request that makes the row makes it, too. */
  readonly comesWithCreation?: true;
}

/** A row that is to be written, and what the target has of it. */
export interface Meant {
  /** Attributes that it is given. */
  readonly given: readonly string[];
  /** Of the row as it is at the source. */
  readonly values: JsonObject;
  readonly there: Row | undefined;
}

/** A row of the same table that has something at the target, of which another one is to be written that would take it away. */
export interface Loser {
  /** Ends a sentence about the row that is written. */
  readonly what: string;
  /** By what it is looked up. */
  readonly values: JsonObject;
  /** The attribute that it loses. */
  readonly loses: string;
  /** Whether a run has given it that; where that is not said, what is known of the row tells. */
  readonly isMade?: boolean;
}

/** How the rows of a table are related to those of others. */
export interface Leads {
  readonly here: readonly string[];
  readonly to: readonly string[];
}

export interface OpenTable {
  /** Which table of the target it is, for people. */
  readonly target: { readonly urn: string; readonly name: string };
  readonly source: { readonly urn: string; readonly name: string };
  readonly diagnostics: readonly Diagnostic[];
  /** What only the rows of the source tell, once all of them were read: what the plan names and none of them has. */
  seen?(): readonly Diagnostic[];
  /** All of the source; from a page on, where it is given. Throws ServiceError where that place is not known any more. */
  rows(from?: string): AsyncIterable<RowPage>;
  /** All of the target: only for what only the target has. */
  targetRows(): AsyncIterable<readonly Row[]>;
  /** What the target has under the keys of these; at most `perLookUp` of them. */
  lookUp(rows: readonly Pick<Row, "values">[]): Promise<readonly Row[]>;
  readonly perLookUp: number;
  /**
   * These rows of the source as they are below what somebody has laid over them there, where that is not moved. Asked of
   * those alone that are new or differ: it costs a request each. In order. Throws ServiceError.
   */
  bared?(rows: readonly Row[]): Promise<readonly Row[]>;
  /**
   * Keys, of these rows of the target, that the source has after all: rows come and go while a list is read, and what it
   * did not show is asked for by itself before it counts as gone. At most 100 of them.
   */
  atSource(rows: readonly Row[]): Promise<ReadonlySet<string>>;
  /** Keys, of these rows of the target, that the plan looks at there (its filter). At most 100 of them; absent where it looks at all. */
  reached?(rows: readonly Row[]): Promise<ReadonlySet<string>>;
  /**
   * By what a row with these values is known now: what its table tells of its key may have changed since they were written down. Without a
   * `key` where they are none of it any more; undefined where they do not tell.
   */
  keyNow?(values: JsonObject): { readonly key?: string } | undefined;
  /** Whether the source says anything of this attribute; of others the target's word stands. */
  isOurs(attribute: string): boolean;
  /** The source names all attributes that it has: of one that is gone there it does not say that it is empty. */
  readonly namesAll?: true;
  /** Whether the plan reads this attribute at all; absent where it reads all that a record has. */
  isRead?(attribute: string): boolean;
  /** Whether it comes with the request that makes the row; absent where all of it does. */
  isMadeWith?(attribute: string): boolean;
  /** It is written when all rows of all tables are: what it leads to is there then. */
  isLater?(attribute: string): boolean;
  /** No request takes it away again: a relation, say. */
  stays?(attribute: string): boolean;
  /**
   * Of these attributes of rows those that are relations to what the target has no more: they went with it, whoever removed it.
   * Throws ServiceError.
   */
  deadEnds?(attributes: readonly string[]): Promise<ReadonlySet<string>>;
  /** Whether a row counts is one of the values that are moved: where it differs, that is a change like any other. */
  readonly isActivityMoved?: true;
  /** What a row has when it is made, whatever is sent: a record is active. */
  readonly asMade?: JsonObject;
  /** The same text for the same value, however it is written. */
  text(attribute: string, value: Json): string;
  /**
   * What the target would make of a row that is to be created, as it is now. Changes nothing. `notKnown`: of no row of the
   * table it can be asked. Throws ServiceError.
   */
  readonly identify?: (values: JsonObject) => Promise<Identification | { readonly notKnown: string }>;
  /** What the row was at the target, the newest first; undefined where nothing is told of it. Throws ServiceError. */
  history?(address: string): Promise<readonly RowVersion[] | undefined>;
  /**
   * Whose relations these rows would take away at the target: where a record has one parent only, whoever relates it to another one
   * moves it. In order. Throws ServiceError.
   */
  losers?(rows: readonly Meant[]): Promise<readonly (readonly Loser[])[]>;
  /**
   * Present where with a row that is deleted go the relations of others to it: what leads to these rows of the target, as people call it,
   * by their addresses. Throws ServiceError.
   */
  ledHere?(rows: readonly Row[]): Promise<ReadonlyMap<string, string>>;
  /**
   * Of the tables of the plan, by their ids: whose rows may lead to rows of this one, and to whose rows of this one may lead. What leads
   * to others goes before them. Throws ServiceError.
   */
  leads?(): Promise<Leads>;
  /** Why rows of the target are not removed here, where that is so; ends a sentence. */
  readonly keepsRows?: string;
  writer(to: WriteConnection): TableWriter;
}

/** A master that a row would join, or is proposed to. */
export interface MasterMatch {
  /** Its id; undefined where the answer does not say it. */
  readonly master: string | undefined;
  /** What people know it by. */
  readonly name?: string;
  readonly rule?: string;
  readonly quality?: number;
}

export interface Identification {
  /** Undefined where only proposal rules match, or none: it would be a master of its own. */
  readonly joins: MasterMatch | undefined;
  readonly proposals: readonly MasterMatch[];
  /** It was asked about without what it is related to, which the target refuses for this reason; ends a sentence. */
  readonly unrelated?: string;
}

/** What a row was for a while. */
export interface RowVersion {
  /** ISO 8601; undefined where it is not said. */
  readonly from: string | undefined;
  /** Whoever made it so, as far as that is told. */
  readonly by?: string;
  readonly values: JsonObject;
}

export interface RowTask {
  readonly action: "create" | "update" | "delete";
  readonly key: string;
  readonly name: string;
  /** A create: all of it. An update: what changes, null where it is cleared. A deletion: what it says when it does not count any more. */
  readonly values: JsonObject;
  /** What the target has of it, also of what the source does not. */
  readonly before?: JsonObject;
  /** Of a deletion: what the target has in attributes that are not moved. Of what is made again: what it had there. */
  readonly unmoved?: JsonObject;
  readonly address?: string;
  /** A request for it may have been there before this one: what is there may be its own. */
  readonly wasSent?: true;
}

export type RowAnswer =
  /**
   * `short`: a part of it was refused after another was done; ends a sentence about it. `error`: the ServiceError that says so, where
   * nothing else would get through either. `wasSo`: the service says that it was so before this request, which changed nothing.
   * `met`: it says of a create that one of that key was there, to which it has come. `asBefore`: it keeps what was sent just as it
   * was before, so that nothing will show.
   */
  | {
      readonly state: "done";
      readonly address: string;
      readonly short?: string;
      readonly error?: Error;
      readonly wasSo?: true;
      readonly met?: true;
      readonly asBefore?: true;
    }
  /** `begun`: another part of it was done before, and it is not yet what was asked for: whoever goes on sends it once more. */
  | { readonly state: "refused"; readonly reason: string; readonly begun?: true }
  | { readonly state: "unknown"; readonly reason: string }
  /** It was made, and not as what was asked for: to send it again would make one more, so a person is asked. */
  | { readonly state: "unclear"; readonly reason: string }
  /** The request of this row alone came to nothing, with a ServiceError. */
  | { readonly state: "failed"; readonly error: Error; readonly begun?: true };

export interface TableWriter {
  /** Tasks of one call of `send`; deletes never together with others. */
  readonly perBatch: number;
  /** To send a create again makes nothing twice; it may overwrite what somebody has made of it since. */
  readonly repeats: boolean;
  /**
   * One answer a task, in order. Throws ServiceError where all of them went in one request: where each has its own, what
   * became of one says nothing of the others.
   */
  send(tasks: readonly RowTask[]): Promise<readonly RowAnswer[]>;
  /** Of these, which were sent together, the tasks that a complaint about the whole points at. */
  blame(pointers: readonly string[], tasks: readonly RowTask[]): readonly RowTask[];
  readonly release: Release;
  /**
   * Of what an earlier run has sent, and nobody has released: what says something else by now, since somebody has written into it;
   * and what was made and stands in no draft any more, or shows none: it is under review, or gone. Absent where nobody can. Throws
   * ServiceError.
   */
  strayed?(
    tasks: readonly RowTask[],
    after: SentAfter,
  ): Promise<ReadonlyMap<RowTask, "changed" | "gone" | "hidden">>;
  /**
   * Of changes that an earlier run may have sent those of which no draft has anything: each value is as it was. Absent where nothing is
   * drafted. Throws ServiceError.
   */
  unsent?(tasks: readonly RowTask[]): Promise<ReadonlySet<RowTask>>;
  /**
   * Of deletions that an earlier run has begun, and that nobody asks for any more: takes them out of the draft. Gives those that may stand
   * in it all the same, and why. Absent where a deletion stands in none. Throws ServiceError.
   */
  withdraw?(tasks: readonly RowTask[]): Promise<ReadonlyMap<RowTask, string>>;
  /**
   * Of creates that were sent those that stand in a draft which nobody has ever published: what shows under such a key is another row.
   * Absent where nothing tells. Throws ServiceError.
   */
  unpublished?(tasks: readonly RowTask[]): Promise<ReadonlySet<RowTask>>;
  /**
   * Creates whose answers were lost: what of them is there, by key; undefined for none. `again`: they were looked for
   * before, and nobody knows what came of it. Throws ServiceError.
   */
  find?(
    tasks: readonly RowTask[],
    again: boolean,
  ): Promise<ReadonlyMap<string, FoundCreate> | { readonly notKnown: string }>;
}

export type FoundCreate =
  | { readonly state: "ours"; readonly address: string }
  /** It is there several times, or says something else: a person has to look. */
  | { readonly state: "unclear"; readonly reason: string };

/**
 * Where what was sent stood last: in the draft; in a review that nobody can name, since the answer that named it was lost: what is not in the
 * draft is there still, or somebody has discarded it; or in the draft again, after a review of it was approved.
 */
export type SentAfter = "draft" | "lost-review" | "approval";

/** What was sent is a draft until it is released, which shows after a while. */
export interface Release {
  readonly perRelease: number;
  /** Until then others see nothing of it, and may write into it: it is sent once more before it is released by a later run. */
  readonly fromDraft?: true;
  /** Of exactly these. */
  send(addresses: readonly string[], how: Releasing): Promise<Released>;
  /** The plan lets the run itself say yes to a review. */
  approve?(urn: string): Promise<void>;
  /** Milliseconds that a release may take to show. */
  readonly patienceMs: number;
  review(urn: string): Promise<"approved" | "gone" | InReview>;
}

/** It waits for a person. `left`: how many of its rows do still, where the service says that; others were approved already. */
export interface InReview {
  readonly left?: number;
}

export interface Releasing {
  /** After an approval nobody is asked again. */
  readonly after: "draft" | "approval";
  readonly title: string;
  /** An earlier run has sent them, and may have died while it asked for their release. */
  readonly isLeft: boolean;
  /** None of them shows a draft: where a review of them is refused, they are in one already, or gone. */
  readonly areHidden: boolean;
  /** All of them are deletions; where a person or the run has to say yes, none is released together with anything else. */
  readonly areDeletions: boolean;
}

export type Released =
  | { readonly state: "accepted" }
  /** None of them, for now: they stay in the draft, and the next run asks again. */
  | { readonly state: "refused"; readonly reason: string }
  /** `urn` is empty where nobody can name the review. */
  | { readonly state: "held"; readonly review: { readonly urn: string; readonly name: string } };
