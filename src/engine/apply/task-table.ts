import type { Absent, MovedKind, Step } from "../../kinds/kind.ts";
import type { Registry } from "../../kinds/registry.ts";
import type { Change, Outcome } from "../../model/change.ts";
import { TextNumbers } from "../../model/packed/numbers.ts";
import { withRoom } from "../../model/packed/room.ts";
import { standsAlone } from "../facets/standing.ts";
import type { Patched, Task, Tasks } from "./task.ts";
import { idOf } from "./task.ts";

/** What is the same for many tasks. */
interface Form {
  readonly kind: MovedKind;
  readonly pass: Task["pass"];
  readonly steps: readonly Step[];
}

/** What most tasks never have, and the others for a while. */
interface Rare {
  patched?: Patched | undefined;
  attempts?: number;
  reason?: string | undefined;
  absent?: Absent | undefined;
}

const outcomes: readonly (Outcome | undefined)[] = [
  undefined,
  ...Object.keys({
    done: true,
    failed: true,
    blocked: true,
    "in-doubt": true,
    withheld: true,
    begun: true,
    "not-started": true,
  } satisfies Record<Outcome, true>).map((outcome) => outcome as Outcome),
];

/** How tasks stand, by number. */
class Standing {
  readonly at: Uint8Array;
  readonly released: Uint8Array;
  /** Places in `outcomes`. */
  readonly outcome: Uint8Array;
  readonly rare = new Map<number, Rare>();

  constructor(size: number) {
    this.at = new Uint8Array(size);
    this.released = new Uint8Array(size);
    this.outcome = new Uint8Array(size);
  }
}

/** Tells of a task, and of nothing by itself: there may be several of one, and they agree. */
class Handle implements Task {
  readonly change: Change;
  readonly number: number;
  readonly #form: Form;
  readonly #standing: Standing;

  constructor(change: Change, number: number, form: Form, standing: Standing) {
    this.change = change;
    this.number = number;
    this.#form = form;
    this.#standing = standing;
  }

  get id(): string {
    return idOf(this.change, this.pass);
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

  get waits(): Set<string> {
    const { id, dependsOn, work } = this.change;
    return new Set(this.pass === "main" ? dependsOn : [id, ...(work?.deferredOn ?? [])]);
  }

  get at(): number {
    return this.#standing.at[this.number] ?? 0;
  }

  set at(at: number) {
    this.#standing.at[this.number] = at;
  }

  get isReleased(): boolean {
    return this.#standing.released[this.number] === 1;
  }

  set isReleased(isReleased: boolean) {
    this.#standing.released[this.number] = isReleased ? 1 : 0;
  }

  get outcome(): Outcome | undefined {
    return outcomes[this.#standing.outcome[this.number] ?? 0];
  }

  set outcome(outcome: Outcome | undefined) {
    this.#standing.outcome[this.number] = outcomes.indexOf(outcome);
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

  ended(): void {
    const rare = this.#rare;
    if (rare === undefined) return;
    const { patched: _handed, ...rest } = rare;
    // Most that had anything had nothing else.
    if (Object.keys(rest).length === 0) this.#standing.rare.delete(this.number);
    else this.#standing.rare.set(this.number, rest);
  }

  get #rare(): Rare | undefined {
    return this.#standing.rare.get(this.number);
  }

  #more(): Rare {
    const { rare } = this.#standing;
    let more = rare.get(this.number);
    if (more === undefined) rare.set(this.number, (more = {}));
    return more;
  }
}

/** Which tasks there are: a change may have two. */
class TaskTable implements Tasks {
  readonly #changes: readonly Change[];
  readonly #forms: Form[] = [];
  readonly #numbers = new TextNumbers();
  #size = 0;
  /** By number: the place of its change, and that of its form. */
  #changeOf = new Uint32Array(16);
  #formOf = new Uint16Array(16);
  #standing = new Standing(0);

  constructor(changes: readonly Change[]) {
    this.#changes = changes;
  }

  get size(): number {
    return this.#size;
  }

  add(place: number, change: Change, form: Form): void {
    const id = idOf(change, form.pass);
    const number = this.#numbers.get(id) ?? this.#size;
    this.#numbers.set(id, number);
    this.#size = Math.max(this.#size, number + 1);
    this.#changeOf = withRoom(this.#changeOf, number);
    this.#formOf = withRoom(this.#formOf, number);
    this.#changeOf[number] = place;
    this.#formOf[number] = this.#placeOf(form);
  }

  /** All of them are there. */
  closed(): this {
    this.#standing = new Standing(this.#size);
    return this;
  }

  get(id: string): Task | undefined {
    const number = this.#numbers.get(id);
    return number === undefined ? undefined : this.at(number);
  }

  has(id: string): boolean {
    return this.#numbers.get(id) !== undefined;
  }

  at(number: number): Task | undefined {
    if (number >= this.#size) return undefined;
    const change = this.#changes[this.#changeOf[number] ?? -1];
    const form = this.#forms[this.#formOf[number] ?? -1];
    if (change === undefined || form === undefined) return undefined;
    return new Handle(change, number, form, this.#standing);
  }

  *values(): Generator<Task, undefined> {
    for (let number = 0; number < this.#size; number += 1) {
      const task = this.at(number);
      if (task !== undefined) yield task;
    }
  }

  #placeOf({ kind, pass, steps }: Form): number {
    const place = this.#forms.findIndex(
      (one) =>
        one.kind === kind &&
        one.pass === pass &&
        one.steps.length === steps.length &&
        one.steps.every((step, at) => step === steps[at]),
    );
    return place >= 0 ? place : this.#forms.push({ kind, pass, steps }) - 1;
  }
}

/** What an earlier run has done is not done again. */
function stepsLeft(steps: readonly Step[], unfinished: string | undefined): readonly Step[] {
  if (unfinished === undefined) return steps;
  const first = steps.findIndex((step) => step.name === unfinished);
  if (first < 0) throw new Error(`no step is called ${unfinished}`);
  return steps.slice(first);
}

/**
 * The tasks of a diff, in its order; changes that write nothing have none. There may be a million of them, and but for some that
 * are under way nobody looks at one before it is its turn: what tells of one is made when it is asked for.
 */
export function tasksOf(changes: readonly Change[], registry: Registry, allowDelete: boolean): Tasks {
  const tasks = new TaskTable(changes);
  for (const [place, change] of changes.entries()) {
    const kind = registry.movedKind(change.kind);
    if (kind === undefined) continue;
    switch (change.action) {
      case "create":
      case "replace":
        if (!standsAlone(kind)) continue;
        tasks.add(place, change, {
          kind,
          pass: "main",
          steps: stepsLeft(kind.create, change.work?.unfinished),
        });
        if ((change.work?.deferred?.length ?? 0) > 0 && kind.update !== undefined)
          tasks.add(place, change, { kind, pass: "second", steps: kind.update });
        break;
      case "update":
      case "adopt":
        if (change.work?.patch !== undefined && kind.update !== undefined)
          tasks.add(place, change, { kind, pass: "main", steps: kind.update });
        break;
      case "delete":
        if (!standsAlone(kind) || kind.remove === undefined || !allowDelete) continue;
        tasks.add(place, change, { kind, pass: "main", steps: [kind.remove] });
        break;
      case "unchanged":
      case "blocked":
      case "manual":
      case "drift":
      case "conflict":
        break;
    }
  }
  return tasks.closed();
}
