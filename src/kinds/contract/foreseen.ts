import type { JsonObject } from "../../model/json.ts";
import type { ReadClient } from "../../service/index.ts";
import type { Found } from "./found.ts";

/** What of a given kind is sure to be asked for, said while listings still run. */
export interface Certain {
  /** Something of the kind is referred to by what is selected. */
  readonly isWanted: boolean;
  /** At the target: records of the source that were not certain before, whose twins will be looked for. */
  readonly records: readonly Found[];
  /** How many of what it stands in (`after`) will be looked into, at least. */
  readonly holders: number;
}

export interface ForeseenAt {
  readonly client: ReadClient;
  /** A path or name of the source after the plan's renames. */
  readonly rename: (text: string) => string;
  /** Aborted: nobody will ask any more, and nothing new is begun. */
  readonly stop: AbortSignal;
}

/** Takes what a listing shows, page by page; what is asked of it meanwhile waits for the end. */
export interface Gathered {
  take(page: readonly JsonObject[]): void;
  /** After the last page; with an error where the listing did not come to its end, which is thrown to whoever waits. */
  ended(error?: unknown): void;
}
