import type { Absent, MovedKind, Step } from "../../kinds/kind.ts";
import type { Registry } from "../../kinds/registry.ts";
import type { Change, Outcome } from "../../model/change.ts";
import type { JsonObject } from "../../model/json.ts";
import type { MappingEntry } from "../../model/mapping.ts";
import { TextNumbers } from "../../model/packed/numbers.ts";
import { standsAlone } from "../facets/standing.ts";

export interface Patched {
  readonly expected: JsonObject;
  /** The merge patch that was sent. */
  readonly patch: JsonObject;
  /** Fingerprint of the draft as the service showed it. */
  readonly print: string | undefined;
  /** The object's row in the mapping before. */
  readonly entry: MappingEntry | undefined;
}

/** The steps of one change, or of its second pass; it moves through them one at a time. */
export interface Task {
  readonly id: string;
  readonly change: Change;
  readonly kind: MovedKind;
  readonly pass: "main" | "second";
  readonly steps: readonly Step[];
  /** Ids of tasks that must be done first; shrinks while the run goes on. */
  readonly waits: Set<string>;
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
}

/** Tasks by id, in the order in which they came. */
export interface Tasks {
  readonly size: number;
  get(id: string): Task | undefined;
  has(id: string): boolean;
  values(): Iterable<Task>;
}

export function currentStep(task: Task): Step {
  const step = task.steps[task.at];
  if (step === undefined) throw new Error(`${task.id} has no step ${task.at}`);
  return step;
}

/** By id: the ids of those that wait for it. */
export function usersOf(tasks: Tasks): ReadonlyMap<string, readonly string[]> {
  const users = new Map<string, string[]>();
  for (const task of tasks.values()) {
    for (const id of task.waits) {
      const known = users.get(id);
      if (known === undefined) users.set(id, [task.id]);
      else known.push(task.id);
    }
  }
  return users;
}

/** What an earlier run has done is not done again. */
function stepsLeft(steps: readonly Step[], unfinished: string | undefined): readonly Step[] {
  if (unfinished === undefined) return steps;
  const first = steps.findIndex((step) => step.name === unfinished);
  if (first < 0) throw new Error(`no step is called ${unfinished}`);
  return steps.slice(first);
}

/** One for all tasks of an apply that wait for nothing: theirs only shrink. */
const nobody = new Set<string>();

/** A task that nobody has begun; `waits` are the ids of those that come first. */
export function newTask(
  change: Change,
  kind: MovedKind,
  pass: Task["pass"],
  steps: readonly Step[],
  waits: Iterable<string>,
): Task {
  return new OneTask(change, kind, pass, steps, waits === nobody ? nobody : new Set(waits));
}

class OneTask implements Task {
  readonly change: Change;
  readonly kind: MovedKind;
  readonly pass: Task["pass"];
  readonly steps: readonly Step[];
  readonly waits: Set<string>;
  at = 0;
  patched: Patched | undefined = undefined;
  attempts = 0;
  outcome: Outcome | undefined = undefined;
  reason: string | undefined = undefined;
  isReleased = false;
  absent: Absent | undefined = undefined;

  constructor(
    change: Change,
    kind: MovedKind,
    pass: Task["pass"],
    steps: readonly Step[],
    waits: Set<string>,
  ) {
    this.change = change;
    this.kind = kind;
    this.pass = pass;
    this.steps = steps;
    this.waits = waits;
  }

  /** Told by the change: there may be a million of them. */
  get id(): string {
    return this.pass === "main" ? this.change.id : `${this.change.id}#2`;
  }
}

/** In little room: ids are long, and there may be a million of them. */
class TaskTable implements Tasks {
  readonly #all: Task[] = [];
  readonly #places = new TextNumbers();

  get size(): number {
    return this.#all.length;
  }

  add(task: Task): void {
    const { id } = task;
    const place = this.#places.get(id) ?? this.#all.length;
    this.#places.set(id, place);
    this.#all[place] = task;
  }

  get(id: string): Task | undefined {
    return this.#all[this.#places.get(id) ?? -1];
  }

  has(id: string): boolean {
    return this.#places.get(id) !== undefined;
  }

  values(): Iterable<Task> {
    return this.#all;
  }
}

/** The tasks of a diff, in its order; changes that write nothing have none. */
export function tasksOf(changes: readonly Change[], registry: Registry, allowDelete: boolean): Tasks {
  const tasks = new TaskTable();
  const add = (
    change: Change,
    kind: MovedKind,
    pass: Task["pass"],
    steps: readonly Step[],
    waits: readonly string[],
  ): void => {
    tasks.add(newTask(change, kind, pass, steps, waits.length === 0 ? nobody : waits));
  };
  for (const change of changes) {
    const kind = registry.movedKind(change.kind);
    if (kind === undefined) continue;
    switch (change.action) {
      case "create":
      case "replace":
        if (!standsAlone(kind)) continue;
        add(change, kind, "main", stepsLeft(kind.create, change.work?.unfinished), change.dependsOn);
        if ((change.work?.deferred?.length ?? 0) > 0 && kind.update !== undefined) {
          add(change, kind, "second", kind.update, [change.id, ...(change.work?.deferredOn ?? [])]);
        }
        break;
      case "update":
      case "adopt":
        if (change.work?.patch !== undefined && kind.update !== undefined) {
          add(change, kind, "main", kind.update, change.dependsOn);
        }
        break;
      case "delete":
        if (!standsAlone(kind) || kind.remove === undefined || !allowDelete) continue;
        add(change, kind, "main", [kind.remove], change.dependsOn);
        break;
      case "unchanged":
      case "blocked":
      case "manual":
      case "drift":
      case "conflict":
        break;
    }
  }
  // A wait for something that has no task of its own (an adoption without a patch) is no wait.
  for (const task of tasks.values()) for (const id of task.waits) if (!tasks.has(id)) task.waits.delete(id);
  return tasks;
}
