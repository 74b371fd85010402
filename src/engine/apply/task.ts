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
  /** Ids of tasks that must be done first. */
  readonly waits: Set<string>;
  /** Its place among those that are carried out together. */
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

/** What an earlier run has done is not done again. */
function stepsLeft(steps: readonly Step[], unfinished: string | undefined): readonly Step[] {
  if (unfinished === undefined) return steps;
  const first = steps.findIndex((step) => step.name === unfinished);
  if (first < 0) throw new Error(`no step is called ${unfinished}`);
  return steps.slice(first);
}

/** A task that nobody has begun; `waits` are the ids of those that come first, where its change does not say so. */
export function newTask(
  change: Change,
  kind: MovedKind,
  pass: Task["pass"],
  steps: readonly Step[],
  waits?: Iterable<string>,
): Task {
  return new OneTask(change, { kind, pass, steps }, waits === undefined ? undefined : new Set(waits));
}

/** What is the same for many tasks. */
interface Form {
  readonly kind: MovedKind;
  readonly pass: Task["pass"];
  readonly steps: readonly Step[];
}

/** What most tasks never have, and the others for a while. */
interface Rare {
  waits?: Set<string>;
  patched?: Patched | undefined;
  attempts?: number;
  reason?: string | undefined;
  absent?: Absent | undefined;
}

class OneTask implements Task {
  readonly change: Change;
  readonly #form: Form;
  number = -1;
  at = 0;
  isReleased = false;
  outcome: Outcome | undefined = undefined;
  #rare: Rare | undefined = undefined;

  constructor(change: Change, form: Form, waits: Set<string> | undefined) {
    this.change = change;
    this.#form = form;
    if (waits !== undefined) this.#rare = { waits };
  }

  get kind(): MovedKind {
    return this.#form.kind;
  }

  get pass(): Task["pass"] {
    return this.#form.pass;
  }

  get steps(): readonly Step[] {
    return this.#form.steps;
  }

  get patched(): Patched | undefined {
    return this.#rare?.patched;
  }

  set patched(patched: Patched | undefined) {
    if (patched !== this.patched) this.#more().patched = patched;
  }

  get attempts(): number {
    return this.#rare?.attempts ?? 0;
  }

  set attempts(attempts: number) {
    this.#more().attempts = attempts;
  }

  get reason(): string | undefined {
    return this.#rare?.reason;
  }

  set reason(reason: string | undefined) {
    if (reason !== this.reason) this.#more().reason = reason;
  }

  get absent(): Absent | undefined {
    return this.#rare?.absent;
  }

  set absent(absent: Absent | undefined) {
    this.#more().absent = absent;
  }

  /** Told by the change, as most of what it waits for: there may be a million of them. */
  get id(): string {
    return this.pass === "main" ? this.change.id : `${this.change.id}#2`;
  }

  get waits(): Set<string> {
    const known = this.#rare?.waits;
    if (known !== undefined) return known;
    const { id, dependsOn, work } = this.change;
    return new Set(this.pass === "main" ? dependsOn : [id, ...(work?.deferredOn ?? [])]);
  }

  ended(): void {
    const rare = this.#rare;
    if (rare === undefined) return;
    rare.patched = undefined;
    // Most that had anything had nothing else.
    if (
      rare.waits === undefined &&
      rare.reason === undefined &&
      rare.absent === undefined &&
      rare.attempts === undefined
    )
      this.#rare = undefined;
  }

  #more(): Rare {
    return (this.#rare ??= {});
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
  const forms: Form[] = [];
  const add = (change: Change, kind: MovedKind, pass: Task["pass"], steps: readonly Step[]): void => {
    const isSame = (one: Form): boolean =>
      one.kind === kind &&
      one.pass === pass &&
      one.steps.length === steps.length &&
      one.steps.every((step, at) => step === steps[at]);
    let form = forms.find(isSame);
    if (form === undefined) forms.push((form = { kind, pass, steps }));
    tasks.add(new OneTask(change, form, undefined));
  };
  for (const change of changes) {
    const kind = registry.movedKind(change.kind);
    if (kind === undefined) continue;
    switch (change.action) {
      case "create":
      case "replace":
        if (!standsAlone(kind)) continue;
        add(change, kind, "main", stepsLeft(kind.create, change.work?.unfinished));
        if ((change.work?.deferred?.length ?? 0) > 0 && kind.update !== undefined) {
          add(change, kind, "second", kind.update);
        }
        break;
      case "update":
      case "adopt":
        if (change.work?.patch !== undefined && kind.update !== undefined) {
          add(change, kind, "main", kind.update);
        }
        break;
      case "delete":
        if (!standsAlone(kind) || kind.remove === undefined || !allowDelete) continue;
        add(change, kind, "main", [kind.remove]);
        break;
      case "unchanged":
      case "blocked":
      case "manual":
      case "drift":
      case "conflict":
        break;
    }
  }
  return tasks;
}
