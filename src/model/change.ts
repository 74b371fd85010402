import type { Diagnostic } from "./diagnostic.ts";
import type { Json, JsonObject } from "./json.ts";

/** The closed set of answers the diff can give for an object. */
export const actions = [
  "create",
  "update",
  "replace",
  "adopt",
  "delete",
  "unchanged",
  "blocked",
  "manual",
  "drift",
  "conflict",
] as const;
export type Action = (typeof actions)[number];

/** What a person has to look at first. */
export const waitingActions = ["blocked", "manual", "conflict", "drift"] as const;
const waiting: ReadonlySet<Action> = new Set(waitingActions);

/** Nothing is done before a person has looked at it. */
export function waits(action: Action): boolean {
  return waiting.has(action);
}

export interface Named {
  readonly urn: string;
  readonly name: string;
}

/** One difference, with references shown by name where they are known. */
export interface FieldChange {
  /** JSON pointer; sub-entities are named by their label where they have one. */
  readonly path: string;
  /** Value at the target now; absent when there is none. */
  readonly from?: Json;
  /** Value after the change; absent when it is removed. */
  readonly to?: Json;
  /** Value as it was last applied, where that is known; without a value in it there was none. */
  readonly base?: { readonly value?: Json; readonly name?: string };
  /** Who has changed it since then. */
  readonly movedAt?: "source" | "target" | "both";
  readonly fromName?: string;
  readonly toName?: string;
}

/** The delete of what a new object takes the place of, by the id of the replacement. */
export function idOfOld(replacement: string): string {
  return `${replacement}#old`;
}

export function isOfOld(id: string): boolean {
  return id.endsWith("#old");
}

export interface Change {
  /** `kind:source urn`, or `kind:target urn` when nothing is left at the source. */
  readonly id: string;
  readonly action: Action;
  readonly kind: string;
  readonly source?: Named;
  readonly target?: Named;
  /** One line: why this action. */
  readonly reason: string;
  readonly fields: readonly FieldChange[];
  /** A create of so many that its fields are not listed: they stand in the snapshot. */
  readonly inBrief?: true;
  readonly diagnostics: readonly Diagnostic[];
  /** Ids of the changes that must be done first. */
  readonly dependsOn: readonly string[];
  /** The object whose reference pulled this one into the selection. */
  readonly pulledInBy?: Named & { readonly kind: string };
  /** Of what waits for a person: a print of all that is told of it and of the object on both sides. */
  readonly finding?: string;
  /** A person knows of it and accepts it: it is told, and makes no run red. */
  readonly acknowledged?: { readonly reason: string; readonly until?: string };
  /** It is a table: what is done is done with its rows. */
  readonly records?: TableRows;
  /** What apply needs and people do not. */
  readonly work?: Work;
}

export interface Work {
  /** Fingerprint of the source object in the target's URN space, references still to be created as markers. */
  readonly sourceFingerprint?: string;
  /** The same in the source's own URNs; absent where it refers to nothing. */
  readonly ownFingerprint?: string;
  /** Fingerprint of the target object as the diff saw it. */
  readonly targetFingerprint?: string;
  /** Of a create that is told in brief: a print of what its references lead to; absent where it has none. */
  readonly leadsTo?: string;
  /** A print of what the target's metadata model has no place for in it, and what is left out; absent where nothing is. */
  readonly noPlace?: string;
  /** Update: what the source cannot be asked for, and only the target has, by JSON pointer; absent where that is nothing. */
  readonly unasked?: readonly string[];
  /** Update: what was brought before, and the target cannot be asked for by now, as a part of its body; absent where that is nothing. */
  readonly hidden?: JsonObject;
  /** Of what is left to a person's decision: a print of its row, as it was when the diff saw both sides. */
  readonly row?: string;
  /** Update: the smallest merge patch, references to objects that do not exist yet as markers. */
  readonly patch?: JsonObject;
  /** Update: the merge patch that takes it back. */
  readonly undo?: JsonObject;
  /** Sub-entity keys that are known or were paired by content: source UUID to target UUID. */
  readonly keys?: Readonly<Record<string, string>>;
  /** Fields of which the source says nothing, and which stay the target's own, by JSON pointer. */
  readonly left?: readonly string[];
  /** Fields in which the target stays as it is, as the mapping has them. */
  readonly kept?: Readonly<Record<string, string>>;
  /** Create: what it is made beside is deleted by this change; where that is not done, why this one is not made either. */
  readonly beside?: { readonly id: string; readonly reason: string; readonly suggestion: string };
  /** Create: top-level fields left out at first and patched when what they refer to exists (cycles). */
  readonly deferred?: readonly string[];
  /** Ids of the changes that the deferred fields wait for. */
  readonly deferredOn?: readonly string[];
  /**
   * The step that an interrupted run did not come to; those before it are done. With an update it is only told: an apply
   * brings that to its end before it compares.
   */
  readonly unfinished?: string;
}

/** `begun`: the first of its steps, or rows, are done, and a run that was stopped did not come to the others. */
export type Outcome = "done" | "failed" | "blocked" | "in-doubt" | "withheld" | "begun" | "not-started";

/** What is to be done with the rows of a table; they are counted, and a few are shown. */
export interface TableRows {
  readonly create: number;
  readonly update: number;
  readonly delete: number;
  readonly unchanged: number;
  readonly blocked: number;
  readonly drift: number;
  readonly conflict: number;
  readonly manual: number;
  /** Of those to be written, the ones in which somebody else has said something at the target. */
  readonly overwrites: number;
  /** Of those to be written, what was refused, and what has no known outcome. */
  readonly failed: number;
  readonly inDoubt: number;
  /** Written, and seen at the target. */
  readonly done: number;
  /** Those of them that are gone by it; absent where nothing was written. */
  readonly deleted?: number;
  /** Those in which somebody else had said something; absent where nothing was written, or an earlier run has written a part of them. */
  readonly overwritten?: number;
  readonly samples: readonly JsonObject[];
  /** Where all of them stand, in the folder of the plan's work. */
  readonly file: string;
  /** An interrupted run has compared them, or the first of them: what changed since comes with the next comparison. */
  readonly comparedBefore?: true;
  /** Of all of them: what an approval is bound to. */
  readonly digest: string;
  /** The same without rows that earlier runs have left open, which an apply brings to their end first; absent where none are. */
  readonly besideLeft?: string;
  /** Of those that are left to a person: what an acknowledgement is bound to. */
  readonly waiting: string;
}

/** Whether rows of it are for a person to look at; `failOn` says which of them make a run red. */
export function rowsWait({ records }: Pick<Change, "records">, failOn?: ReadonlySet<Action>): boolean {
  if (records === undefined) return false;
  const counts = waitingActions.filter((action) => records[action] > 0 && (failOn?.has(action) ?? true));
  return counts.length > 0 || records.failed > 0;
}

/** A change and what became of it. */
export interface AppliedChange extends Change {
  readonly outcome?: Outcome;
  /** Of what was begun: the step that is still to be done. */
  readonly left?: string;
}
