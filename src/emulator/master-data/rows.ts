import type { JsonObject } from "../json.ts";
import type { Row } from "./table.ts";

/** A moment in the order of events; transaction id and timestamp follow from it. */
type Moment = number;

/** What a record was from a moment on. */
export interface Version {
  readonly from: Moment;
  readonly active: boolean;
  readonly attributes: JsonObject;
}

interface Common extends Row {
  readonly entity: string;
  /** Values that somebody set over those of the sources, by column. */
  overrides?: JsonObject;
  /** The activity that somebody set over the one of the sources. */
  activity?: boolean;
  readonly created: Moment;
  updated: Moment;
  activated: Moment;
  /** Oldest first; only where history is configured. */
  history?: Version[];
  /** The other end, by relationship, of a child. */
  parents?: Map<string, number>;
  /** Ids of children, by relationship. */
  children?: Map<string, number[]>;
}

export interface InstanceRow extends Common {
  readonly origin: string;
  readonly sourceId: string;
  /** What the source sent. */
  source: JsonObject;
  /** By the source's word; false after a DELETE. */
  active: boolean;
  /** Milliseconds. */
  sourceTime?: number;
  sourceUpdated: Moment;
  masterId?: number;
  /** A master that a rule proposes. */
  proposeId?: number;
  /** One for each match rule of the entity. */
  keys: readonly (string | undefined)[];
}

export interface MasterRow extends Common {
  /** Instances that it is merged from. */
  members: readonly number[];
  /** What a person wrote, and who: of an authored record. */
  authored?: { readonly values: JsonObject; readonly by: string; readonly active: boolean };
}
