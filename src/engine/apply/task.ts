import type { Absent, MovedKind, Step } from "../../kinds/kind.ts";
import type { Change, Outcome } from "../../model/change.ts";
import type { JsonObject } from "../../model/json.ts";
import type { MappingEntry } from "../../model/mapping.ts";

export interface Patched {
  readonly expected: JsonObject;
  /** The merge patch that was sent, less fields that the service fills itself: by these nobody can tell what is published. */
  readonly patch: JsonObject;
  /** Fingerprint of the draft as the service showed it. */
  readonly print: string | undefined;
  /** The object's row in the mapping before. */
  readonly entry: MappingEntry | undefined;
  readonly filled?: Filled;
}

/** What the service fills itself of a patch, or keeps in a form of its own: where, by JSON pointer, and all that is there with it. */
export interface Filled {
  readonly at: readonly string[];
  readonly body: JsonObject;
  /** All of it is a form of what was sent. */
  readonly isForm: boolean;
}

/** The steps of one change, or of its second pass; it moves through them one at a time. */
export interface Task {
  readonly id: string;
  readonly change: Change;
  readonly kind: MovedKind;
  readonly pass: "main" | "second";
  readonly steps: readonly Step[];
  /** Ids of tasks that must be done first. */
  readonly waits: Set<string>;
  /** Its place among those that are carried out together (`Tasks.at`). */
  number: number;
  at: number;
  /** What a patch has made of the draft, for the publish that follows. */
  patched: Patched | undefined;
  attempts: number;
  outcome: Outcome | undefined;
  reason: string | undefined;
  /** Nothing that it waits for is open any more. */
  isReleased: boolean;
  /** The service turned out not to have the interface for it. */
  absent: Absent | undefined;
  /** What its steps handed to each other is let go of: a task stays as long as the run. */
  ended(): void;
}

/**
 * Tasks by id, in the order in which they came. Two that are asked for by turns may be two objects that tell of one task: what
 * tells tasks apart is their id or number.
 */
export interface Tasks {
  readonly size: number;
  get(id: string): Task | undefined;
  has(id: string): boolean;
  values(): Iterable<Task>;
  /** By number. */
  at(number: number): Task | undefined;
}

export function currentStep(task: Task): Step {
  const step = task.steps[task.at];
  if (step === undefined) throw new Error(`${task.id} has no step ${task.at}`);
  return step;
}

/** A task that nobody has begun; `waits` are the ids of those that come first. */
export function newTask(
  change: Change,
  kind: MovedKind,
  pass: Task["pass"],
  steps: readonly Step[],
  waits: Iterable<string>,
): Task {
  return {
    id: idOf(change, pass),
    change,
    kind,
    pass,
    steps,
    waits: new Set(waits),
    number: -1,
    at: 0,
    patched: undefined,
    attempts: 0,
    outcome: undefined,
    reason: undefined,
    isReleased: false,
    absent: undefined,
    ended() {
      this.patched = undefined;
    },
  };
}

/** A change may have two tasks. */
export function idOf({ id }: Change, pass: Task["pass"]): string {
  return pass === "main" ? id : `${id}#2`;
}

/** Tasks that are put together one by one; each is numbered as it comes. */
export class TaskMap extends Map<string, Task> implements Tasks {
  readonly #inOrder: Task[] = [];

  override set(id: string, task: Task): this {
    task.number = this.get(id)?.number ?? this.#inOrder.length;
    this.#inOrder[task.number] = task;
    return super.set(id, task);
  }

  at(number: number): Task | undefined {
    return this.#inOrder[number];
  }
}
