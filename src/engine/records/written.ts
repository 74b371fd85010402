import type { JsonObject } from "../../model/json.ts";
import type { RowTask } from "../../kinds/kind.ts";
import type { PlannedRow } from "./line.ts";
import { isOverwriting } from "./overwriting.ts";
import type { Trouble } from "../../kinds/trouble.ts";

/** What became of the rows of a table. */
export interface Written {
  readonly done: Readonly<Record<RowTask["action"], number>>;
  /** Of those that were written, also in part, the ones in which somebody else had said something. */
  readonly overwritten: number;
  /** Refused by the service, one by one. */
  readonly refused: number;
  /** The first of them. */
  readonly refusals: readonly RowTrouble[];
  /** Sent by a run before this one, and refused as it was sent again: it stays open. The first of them. */
  readonly refusedAgain: readonly RowTrouble[];
  readonly held: readonly HeldRows[];
  /** Accepted, and not shown in time. */
  readonly late: number;
  /** Whether they were written is not known yet: the next run settles it. */
  readonly lost: number;
  /** It was looked at, and a person has to decide. */
  readonly unclear: readonly RowTrouble[];
  /** The service shows them otherwise than they were sent. */
  readonly otherwise: readonly RowTrouble[];
  /** Values that no change has named are empty since. */
  readonly emptied: readonly RowTrouble[];
  /** Sent by a run before this one, and shown otherwise: they are compared. */
  readonly touched: number;
  /** Of these the first that may stand in a draft, behind what somebody has published since. */
  readonly behind: readonly RowTrouble[];
  readonly withoutOldValues: number;
  readonly fatal?: Trouble;
  /** It ended because more were refused than the plan puts up with: the next run compares anew. */
  readonly isTooBad: boolean;
  readonly interrupted: boolean;
}

/** Put up for a review; `left`: how many of all that is in it nobody has approved yet, where that is known. */
export interface HeldRows {
  readonly urn: string;
  readonly name: string;
  readonly rows: number;
  readonly left?: number;
}

export interface RowTrouble {
  readonly key: string;
  readonly name: string;
  readonly reason: string;
}

const theirsNow = "somebody has changed it since it was sent";
const mayStandInDraft =
  "what was sent may stand in its draft at the target: look for it in the web application";

/** Somebody has changed it since it was sent, and it may have come to its draft behind that. */
export function behindTheirs({ key, name }: Pick<RowTask, "key" | "name">): RowTrouble {
  return { key, name, reason: `${theirsNow}; ${mayStandInDraft}` };
}

/** Of each sort of trouble so many rows are told by name. */
export const mostNamed = 20;

/** Counts; of what is told by name a few. */
export class Outcomes {
  readonly done = { create: 0, update: 0, delete: 0 };
  overwritten = 0;
  refused = 0;
  readonly refusals: RowTrouble[] = [];
  readonly refusedAgain: RowTrouble[] = [];
  readonly held = new Map<string, HeldRows & { rows: number }>();
  late = 0;
  lost = 0;
  readonly unclear: RowTrouble[] = [];
  readonly otherwise: RowTrouble[] = [];
  readonly emptied: RowTrouble[] = [];
  touched = 0;
  readonly behind: RowTrouble[] = [];
  fatal: Trouble | undefined;
  isTooBad = false;
  interrupted = false;
  readonly #refusing: ((row: RowTrouble) => void) | undefined;
  readonly #asMade: JsonObject | undefined;

  /** Hears of each row that is refused. `asMade`: what a row has when it is made. */
  constructor(refusing?: (row: RowTrouble) => void, asMade?: JsonObject) {
    this.#refusing = refusing;
    this.#asMade = asMade;
  }

  get all(): number {
    return this.done.create + this.done.update + this.done.delete + this.refused;
  }

  /** It has not come to its end: whoever goes on with this run sends it again, and tells of it. */
  refuse(task: Pick<RowTask, "key" | "name">, reason: string): void {
    const { key, name } = task;
    this.refused += 1;
    this.#refusing?.({ key, name, reason });
    if (this.refusals.length < mostNamed) this.refusals.push({ key, name, reason });
  }

  /** Of what an earlier run has left, and is left now: whoever compares tells it. */
  leave({ key, name }: Pick<RowTask, "key" | "name">, reason: string): void {
    if (this.refusedAgain.length < mostNamed) this.refusedAgain.push({ key, name, reason });
  }

  /** Somebody has changed it since it was sent; `behind`: it may have come to its draft behind that. */
  overtake(task: Pick<RowTask, "key" | "name">, isLeft: boolean, behind: RowTrouble | undefined): void {
    const draft = behind === undefined ? "" : `; ${mayStandInDraft}`;
    if (!isLeft) return this.refuse(task, `${theirsNow}: the next run looks at it${draft}`);
    this.touched += 1;
    if (behind !== undefined && this.behind.length < mostNamed) this.behind.push(behind);
  }

  /** It shows; what was refused in part was counted as that. */
  end(planned: PlannedRow): void {
    if (isOverwriting(planned, this.#asMade)) this.overwritten += 1;
    if (planned.isShort !== true) this.done[planned.task.action] += 1;
  }

  /** The target shows it otherwise than it was sent. Where that is no form of it (`isTheirs`), it is not done as anybody meant it. */
  show({ action, key, name }: Pick<RowTask, "action" | "key" | "name">, isTheirs: boolean): void {
    const reason = "the target shows it otherwise than it was sent";
    if (isTheirs) {
      this.done[action] -= 1;
      this.refuse(
        { key, name },
        `${reason}, and in no form of that: somebody may have changed it since, so it counts as theirs`,
      );
    } else if (this.otherwise.length < mostNamed) this.otherwise.push({ key, name, reason });
  }

  empty({ key, name }: Pick<RowTask, "key" | "name">, reason: string | undefined): void {
    if (reason !== undefined && this.emptied.length < mostNamed) this.emptied.push({ key, name, reason });
  }

  /** A person has to decide. */
  ask({ key, name }: Pick<RowTask, "key" | "name">, reason: string): void {
    this.unclear.push({ key, name, reason });
  }

  hold(review: Omit<HeldRows, "rows">, rows: number): void {
    const known = this.held.get(review.urn) ?? { ...review, rows: 0 };
    known.rows += rows;
    this.held.set(review.urn, known);
  }

  result(withoutOldValues: number): Written {
    const { fatal, held, ...rest } = this;
    return {
      ...rest,
      held: [...held.values()],
      withoutOldValues,
      ...(fatal === undefined ? {} : { fatal }),
    };
  }
}
