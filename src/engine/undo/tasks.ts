import type { Built, Unbuilt } from "../apply/built.ts";
import { builtBare, builtChange, builtCreate } from "../apply/built.ts";
import type { StepDone } from "../apply/entry-after.ts";
import { entryAfter, keysWith, knownOf, ofTwin } from "../apply/entry-after.ts";
import { wholeAt } from "../apply/address.ts";
import { lookingForSaid } from "../apply/said-of.ts";
import type { ReferredSince } from "../apply/referred-since.ts";
import type { Task } from "../apply/task.ts";
import { currentStep, newTask, TaskMap } from "../apply/task.ts";
import { only, without } from "../../model/fields.ts";
import type { TargetState } from "../read/target.ts";
import type { Registry } from "../../kinds/registry.ts";
import type { Target } from "../checks/users.ts";
import { fingerprint, printOf } from "../../model/canonical.ts";
import type { Step } from "../../kinds/kind.ts";
import { components, leadsTo } from "../../model/graph.ts";
import type { JsonObject } from "../../model/json.ts";
import type { IntentItem, Known } from "../../model/journal.ts";
import type { MappingEntry } from "../../model/mapping.ts";
import type { MappingTable } from "../../model/mapping-table.ts";
import { strip } from "../../model/shape.ts";
import { subEntityKeys } from "../../model/sub-entity.ts";
import { uuidOf } from "../../model/urn.ts";
import { references } from "../../model/walk.ts";
import { deletedBefore } from "../delete-order.ts";
import type { Deed } from "./deed.ts";
import { partsGoneIn } from "./parts-referred.ts";
import { referredSincePlan } from "./referred-since.ts";
import type { Planned, Reverse } from "./plan.ts";
import type { Returning } from "./rewrite.ts";
import { deedId } from "./words.ts";
import { afterChange } from "../facets/content.ts";
import { isToPublish } from "../facets/steps.ts";

interface Work {
  readonly planned: Planned;
  readonly reverse: Reverse;
}

/**
 * A rollback as tasks for the executor, which journals, batches, settles and orders them as it does an apply: what
 * comes back comes before what refers to it, and what goes, goes after everything that referred to it.
 */
export class RollbackTasks {
  readonly tasks = new TaskMap();
  readonly #works = new Map<string, Work>();
  readonly #standing: TargetState;
  readonly #mapping: MappingTable;
  readonly #returning: Returning;
  readonly #registry: Pick<Registry, "moved">;
  readonly #referred: ReferredSince;

  constructor(
    planned: readonly Planned[],
    context: {
      readonly standing: TargetState;
      readonly mapping: MappingTable;
      readonly returning: Returning;
      readonly registry: Registry;
      readonly now: () => number;
    },
  ) {
    this.#standing = context.standing;
    this.#mapping = context.mapping;
    this.#returning = context.returning;
    this.#registry = context.registry;
    for (const item of planned) {
      if (item.reverse === undefined) continue;
      this.#works.set(item.change.id, { planned: item, reverse: item.reverse });
      this.#add(item, item.reverse);
    }
    this.#lastThingsLast(planned);
    this.#roomFirst();
    const gone = partsGoneIn(planned, context);
    this.#partsLast(planned, gone);
    this.#referred = referredSincePlan(planned, gone, context, {
      now: context.now,
      isWaitedFor: (user, by) => this.tasks.get(by)?.waits.has(user) === true,
    });
  }

  /** Between the plan and a delete lie a question that a person answers, and all rows that the run had written. */
  readonly build = (task: Task): Built | Unbuilt => {
    const mapping = { registry: this.#registry, mapping: this.#mapping };
    return this.#referred.looking(lookingForSaid(this.#build(task), task, mapping), task);
  };

  #build(task: Task): Built | Unbuilt {
    const work = this.#works.get(task.change.id);
    if (work === undefined) throw new Error(`nothing is planned for ${task.id}`);
    const { planned, reverse } = work;
    if (task.pass === "second" && reverse.what === "create") return this.#secondPass(planned, reverse.body);
    switch (currentStep(task).effect) {
      case "creates":
        return this.#create(planned, reverse);
      case "changes":
        return this.#patch(planned, reverse);
      case "releases":
      case "starts":
      case "removes":
        return this.#bare(work, task);
    }
  }

  readonly entryAfter = (done: StepDone): MappingEntry | null => {
    const { task, before, intent } = done;
    // The source object stands for another one by now, or for none: of that nothing is known by what is done to this one.
    if (currentStep(task).effect !== "creates" && before?.target !== intent.target) return before ?? null;
    const entry = entryAfter(done);
    return entry === null ? null : this.#changedBack(done, entry);
  };

  #changedBack({ task, answer, before, intent }: StepDone, entry: MappingEntry): MappingEntry {
    if (currentStep(task).effect !== "changes" || task.pass === "second") return entry;
    const { keys: _old, ...rest } = entry;
    const known = keysWith(before?.keys, intent);
    const keys = keysAfter(known, answer.keys ?? {}, task.patched?.expected ?? {});
    return Object.keys(keys).length === 0 ? rest : { ...rest, keys };
  }

  #add({ change, deed, kind }: Planned, reverse: Reverse): void {
    const task = (pass: Task["pass"], steps: readonly Step[], waits: Iterable<string>): void => {
      const made = newTask(change, kind, pass, steps, waits);
      this.tasks.set(made.id, made);
    };
    const idsOf = (body: JsonObject): readonly string[] =>
      [...this.#returning.referredBy(body, deed)].map(deedId);
    if (reverse.what === "delete") return task("main", reverse.steps, []);
    if (reverse.what === "patch") return task("main", reverse.steps, idsOf(reverse.patch));
    const later = this.#returning.deferred(kind, reverse.body);
    const first = without(reverse.body, later);
    task("main", reverse.steps, idsOf(first));
    if (later.length > 0 && kind.update !== undefined)
      task("second", kind.update, [change.id, ...idsOf(reverse.body)]);
  }

  /** A delete waits for what refers to the object: to be deleted, or to let go of it. */
  #lastThingsLast(planned: readonly Planned[]): void {
    const deletes = new Map<string, Task>();
    for (const { planned: item, reverse } of this.#works.values()) {
      const task = this.tasks.get(item.change.id);
      if (reverse.what === "delete" && task !== undefined) deletes.set(item.deed.target, task);
    }
    const { snapshot } = this.#standing;
    const deleted = Array.from(deletes, ([urn, { id, kind }]) => ({
      id,
      urn,
      shape: kind.shape,
      // There may be as many as the run has made: each is read when it is looked at.
      get body(): JsonObject {
        return snapshot.body(kind.name, urn);
      },
    }));
    // What goes with a delete refers to others until then.
    const withIt = planned.flatMap(({ deed, kind, goesWith }) =>
      goesWith === undefined
        ? []
        : Array.from(
            references(wholeAt(snapshot, kind, deed.target)),
            ({ value }) => [value, goesWith] as const,
          ),
    );
    for (const [id, first] of deletedBefore(deleted, withIt))
      for (const user of first) this.tasks.get(id)?.waits.add(user);
    for (const [id, changes] of this.#lettingGo())
      for (const change of changes) this.tasks.get(id)?.waits.add(change);
  }

  /**
   * What comes back waits for what stands in its place to go, which then goes before the other deletes, and after
   * what lets go of it. Where that is a circle the place is made at the end, as any delete is.
   */
  #roomFirst(): void {
    const wanted = new Map<string, readonly string[]>();
    for (const [id, { reverse }] of this.#works)
      if (reverse.what === "create" && reverse.after !== undefined) wanted.set(id, reverse.after);
    if (wanted.size === 0) return;
    const lettingGo = this.#lettingGo();
    const graph = (room: ReadonlyMap<string, readonly string[]>): Map<string, string[]> => {
      const early = this.#together([...room.values()].flat());
      return new Map(
        [...this.tasks].map(([id, { waits }]): [string, string[]] => [
          id,
          [...waits, ...(early.has(id) ? (lettingGo.get(id) ?? []) : []), ...(room.get(id) ?? [])],
        ]),
      );
    };
    // Without what is wanted here there is no circle: each holds some of it.
    const circle = new Map(components(graph(wanted)).flatMap((ids, index) => ids.map((id) => [id, index])));
    const room = new Map(
      [...wanted].map(([id, after]): [string, string[]] => [
        id,
        after.filter((other) => circle.get(other) !== circle.get(id)),
      ]),
    );
    for (const [id, after] of graph(room)) for (const other of after) this.tasks.get(id)?.waits.add(other);
    for (const id of this.#together([...room.values()].flat())) {
      const task = this.tasks.get(id);
      if (task === undefined) continue;
      // As far as the executor goes it is a write like others: deletes come last there.
      const { change, kind, pass, steps, waits } = task;
      this.tasks.set(id, newTask({ ...change, action: "update" }, kind, pass, steps, waits));
    }
  }

  /** What loses a part waits for what lets go of that, or goes, but where this maps what comes back with it. */
  #partsLast(planned: readonly Planned[], gone: ReadonlyMap<string, Required<Target>>): void {
    if (gone.size === 0) return;
    const owners = new Map([...gone].flatMap(([id, { parts }]) => parts.map((part) => [part, id] as const)));
    const waits = new Map([...this.tasks].map(([id, task]) => [id, [...task.waits]]));
    for (const { change, deed, kind, reverse, goesWith } of planned) {
      const user = goesWith ?? change.id;
      if (reverse?.what === "create" || !this.tasks.has(user)) continue;
      const urn = reverse?.what === "patch" ? reverse.target : deed.target;
      for (const { value } of references(wholeAt(this.#standing.snapshot, kind, urn))) {
        const owner = owners.get(uuidOf(value)) ?? owners.get(value);
        if (owner === undefined || owner === user || leadsTo(user, owner, waits)) continue;
        this.tasks.get(owner)?.waits.add(user);
        waits.get(owner)?.push(user);
      }
    }
  }

  /** The deletes among these, with all that wait for them or that they wait for. */
  #together(ids: readonly string[]): ReadonlySet<string> {
    const isDelete = (id: string): boolean => this.#works.get(id)?.reverse.what === "delete";
    const near = new Map<string, string[]>();
    for (const { id, waits } of this.tasks.values()) {
      for (const other of isDelete(id) ? waits : []) {
        near.set(id, [...(near.get(id) ?? []), other]);
        near.set(other, [...(near.get(other) ?? []), id]);
      }
    }
    const found = new Set<string>();
    const open = [...ids];
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      if (found.has(id) || !isDelete(id)) continue;
      found.add(id);
      open.push(...(near.get(id) ?? []));
    }
    return found;
  }

  /** By delete: the changes after which nothing that is changed refers to its object any more. */
  #lettingGo(): ReadonlyMap<string, ReadonlySet<string>> {
    const targets = new Map<string, string>();
    for (const [id, { planned, reverse }] of this.#works)
      if (reverse.what === "delete") targets.set(planned.deed.target, id);
    const found = new Map<string, Set<string>>();
    for (const [user, { planned, reverse }] of this.#works) {
      if (reverse.what !== "patch") continue;
      for (const { value } of references(this.#standing.snapshot.body(planned.kind.name, reverse.target))) {
        const id = targets.get(value);
        if (id !== undefined) found.set(id, (found.get(id) ?? new Set()).add(user));
      }
    }
    return found;
  }

  #create({ deed, kind }: Planned, reverse: Reverse): Built | Unbuilt {
    if (reverse.what !== "create") return notPlanned("created");
    const { source, name } = deed;
    const whole = this.#returning.rewrite(reverse.body);
    const later = this.#returning.deferred(kind, reverse.body);
    const built = builtCreate(kind, { source, name }, without(whole, later));
    const known = later.length > 0 ? {} : knownBefore(deed);
    // Whoever refers to it is told by that, also where another run finds out that it was made.
    return { ...built, intent: { ...built.intent, ...known, former: deed.target } };
  }

  #secondPass({ deed, kind }: Planned, original: JsonObject): Built {
    const { source, name } = deed;
    const tree = this.#returning.rewrite(original);
    const later = this.#returning.deferred(kind, original);
    const body = only(tree, later);
    const before = without(tree, later);
    const target = this.#mapping.get(kind.name, source)?.target ?? "";
    const change = { body, whole: tree, before, expected: tree };
    return builtChange(kind, { source, name, target }, change, knownBefore(deed));
  }

  #patch({ deed, kind }: Planned, reverse: Reverse): Built | Unbuilt {
    if (reverse.what !== "patch") return notPlanned("changed");
    const { source, name } = deed;
    const { target } = reverse;
    const whole = this.#standing.snapshot.body(kind.name, target);
    const before = strip(whole, kind.shape);
    const body = this.#returning.rewrite(reverse.patch);
    const expected = afterChange(kind, before, body);
    const { paired } = deed.intent;
    const parted = paired === undefined ? {} : { parted: Object.keys(paired) };
    const known = { ...knownBefore(deed), ...driftedBefore(deed), ...parted };
    const change = { body, whole, before, expected, opensDraft: isToPublish(reverse.steps) };
    return builtChange(kind, { source, name, target }, change, known);
  }

  /**
   * A publish or a delete: nothing is sent but the address. What is published is what was patched, whatever the source object
   * stands for by now; only what comes back is known by its row alone.
   */
  #bare({ planned: { deed, kind }, reverse }: Work, task: Task): Built {
    const { source, name } = deed;
    const entry = this.#mapping.get(kind.name, source);
    const target =
      reverse.what === "patch"
        ? reverse.target
        : reverse.what === "create"
          ? (entry?.target ?? deed.target)
          : deed.target;
    const whole = wholeAt(this.#standing.snapshot, kind, target);
    if (currentStep(task).effect !== "releases")
      return builtBare(kind, { source, name, target }, whole, undefined);
    const { targetFingerprint, over } = ofTwin(entry, target) ?? drafted(task, whole);
    return builtBare(kind, { source, name, target }, whole, targetFingerprint, { over });
  }
}

/** What a row would say of it that is of something else by now. */
function drafted(
  { kind, patched }: Task,
  whole: JsonObject,
): Pick<MappingEntry, "targetFingerprint" | "over"> {
  if (patched === undefined) return {};
  return { targetFingerprint: fingerprint(patched.expected, kind.shape), over: printOf(whole, kind.shape) };
}

function notPlanned(what: string): Unbuilt {
  return { state: "failed", reason: `it is not planned to be ${what}` };
}

/**
 * What the target had been brought to before the run: it is that again. Of what was changed and then deleted in one
 * run only the state in between is on record.
 */
function knownBefore({ what, intent, undos }: Deed): Known {
  return what === "deleted" && undos.length > 0 ? {} : knownOf(intent.was);
}

/** What a colleague had changed before the run was drift then, and is again: the row goes by what was known before. */
function driftedBefore({ intent: { was } }: Deed): Pick<IntentItem, "drifted"> {
  return was?.targetFingerprint === undefined ? {} : { drifted: was.targetFingerprint };
}

/**
 * Parts that came back stand under new keys, and those that the run had added are gone. A part without a twin at the
 * source is known by the key that it had: what refers to it may come back later.
 */
function keysAfter(
  before: Readonly<Record<string, string>>,
  fresh: Readonly<Record<string, string>>,
  expected: JsonObject,
): Readonly<Record<string, string>> {
  const there = new Set([...subEntityKeys(expected), ...Object.values(fresh)]);
  const known = new Set(Object.values(before));
  return Object.fromEntries([
    ...Object.entries(fresh).filter(([old]) => !known.has(old)),
    ...Object.entries(before)
      .map(([source, key]): [string, string] => [source, fresh[key] ?? key])
      .filter(([, key]) => there.has(key)),
  ]);
}
