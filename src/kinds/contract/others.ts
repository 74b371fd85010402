import type { ReadClient } from "../../service/index.ts";

/** Who refers to objects of a kind and belongs to no kind that is moved. */
export interface OthersReferring {
  /** Plural, for messages. */
  readonly what: string;
  find(client: ReadClient, urns: readonly string[]): Promise<readonly OtherUser[]>;
}

export interface OtherUser {
  readonly what: string;
  readonly urn: string;
  readonly name: string;
  readonly refersTo: readonly string[];
  /** Of these what it refers to is a part, by URN of the part: a column of an SQL item. */
  readonly parts?: ReadonlyMap<string, string>;
}

/** What goes with an object that is deleted, and others may refer to: the primary monitor of an SQL item. */
export interface GoingAlong {
  /** The kind that it is of. */
  readonly as: string;
  /** By its URN the URN of what it goes with, of those that are there. */
  find(client: ReadClient, urns: readonly string[]): Promise<ReadonlyMap<string, string>>;
}
