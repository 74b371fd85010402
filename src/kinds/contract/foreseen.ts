import type { ReadClient } from "../../service/index.ts";
import type { Found, GivenKind } from "../kind.ts";

/**
 * A given kind whose reading at one side begins while listings still run: what is sure to be asked for in the end is
 * asked for as soon as that is known, and whoever reads the kind later gets what was begun.
 */
export interface Foreseen extends Pick<GivenKind, "read" | "candidates"> {
  /** Called whenever more is certain. A failure of what it begins is thrown to whoever reads the kind. */
  certain(now: Certain): void;
}

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
