import type { RowIntent } from "../../model/journal.ts";

/** What a run has done to a row, and brought to its end. */
export interface DoneRow {
  readonly intent: RowIntent;
  /** A print of how the target showed it, where that is otherwise than it was sent. */
  readonly shown?: string | undefined;
  /** A print of what it had then in attributes that are not moved, where that was looked at. */
  readonly unmoved?: string | undefined;
  /** What requests called it then. */
  readonly address?: string | undefined;
  /** It goes by another address, which no run has given to it. */
  readonly isMadeAgain?: boolean | undefined;
  /** It was removed, is there without counting, and says something that no run has written. */
  readonly isWrittenTo?: boolean | undefined;
  /** A part of it was refused. */
  readonly isShort?: boolean | undefined;
  /** A rollback has put a part of it back, and nobody has been there since. */
  readonly isPartBack?: boolean | undefined;
  /** Why it is not looked at: nobody would find it, or all of it, by the plan as it is now. */
  readonly otherwise?: string | undefined;
}
