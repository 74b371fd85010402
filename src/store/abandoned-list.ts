import type { Keyed } from "./keyed-list.ts";
import { KeyedList } from "./keyed-list.ts";

/** An operation in doubt that a person decided to leave as it is. */
export interface Abandoned extends Keyed {
  readonly name: string;
  /** The step that was in doubt. */
  readonly step: string;
  /** When the person decided; ISO 8601. */
  readonly at: string;
}

export class AbandonedList extends KeyedList<Abandoned> {}
