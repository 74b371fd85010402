import { isDeepStrictEqual } from "node:util";
import type { Registry } from "../../kinds/registry.ts";
import type { AppliedChange, Change, Outcome } from "../../model/change.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Key } from "../../model/key.ts";
import type { MappingTable } from "../../model/mapping-table.ts";
import { altered } from "../../model/packed/changes.ts";
import type { Plan } from "../../model/plan.ts";
import { uuidOf } from "../../model/urn.ts";
import { numberOf, packed } from "../../model/packed/change-list.ts";
import type { WriteClient } from "../../service/index.ts";
import type { TreeToKeep, SnapshotReader } from "../../store/index.ts";
import { troubleOf } from "../../kinds/trouble.ts";
import type { Trouble } from "../../kinds/trouble.ts";
import { instead } from "../diff/instead.ts";
import { causeOf } from "../diff/not-offered.ts";
import type { Renewed } from "../diff/renewed.ts";
import { rowOf } from "../diff/row-of.ts";
import type { Report } from "../progress.ts";
import type { TargetState } from "../read/target.ts";
import { adoptedTree, appliedTree } from "./applied-tree.ts";
import { begunOf } from "./begun.ts";
import { Births } from "./births.ts";
import type { Built, Unbuilt } from "./built.ts";
import { buildItem } from "./build-item.ts";
import type { Stood } from "./contradictions.ts";
import { stoodAt } from "./contradictions.ts";
import type { EntryAfter } from "./entry-after.ts";
import { entryAfter } from "./entry-after.ts";
import type { OpenDoubt } from "./executor-options.ts";
import { asFilled, filledFor, filledNote } from "./filled.ts";
import { Executor } from "./executor.ts";
import { hasDrafts } from "../facets/drafts.ts";
import { hiddenLeftover } from "../settle/hidden.ts";
import { ledToBy, LiveLookup } from "./live-lookup.ts";
import { changeReads, publishReads } from "../settle/reads.ts";
import { madeByNow } from "./made-by-now.ts";
import { passOn } from "./passed-on.ts";
import type { Recorder } from "./recorder.ts";
import type { Settler, Verdict } from "../settle/settler.ts";
import type { Task, Tasks } from "./task.ts";
import { referredSinceDiff } from "./referred-since-diff.ts";
import { forgetSaidOf, lookingForSaid } from "./said-of.ts";
import { turnAfter } from "../turns.ts";
import { currentStep } from "./task.ts";
import { tasksOf } from "./task-table.ts";

export interface ApplyOptions {
  readonly registry: Registry;
  readonly plan: Plan;
  readonly source: SnapshotReader;
  readonly target: TargetState;
  readonly mapping: MappingTable;
  readonly client: WriteClient;
  readonly recorder: Recorder;
  readonly settler: Settler;
  readonly changes: readonly Change[];
  readonly forgotten: readonly Key[];
  readonly renewed: Renewed;
  /** What the diff has told beside its changes. */
  readonly told: readonly Diagnostic[];
  readonly allowDelete: boolean;
  readonly concurrency: number;
  readonly report: Report;
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  readonly stop: AbortSignal;
  /** Told of each object that was brought to the target. */
  readonly applied?: ((tree: TreeToKeep) => void) | undefined;
  /** Is told what will be written and when that has ended. */
  readonly watcher?: Watcher | undefined;
}

export interface Watcher {
  begin(tasks: Tasks): void;
  /** No task of the kind is left. */
  kindDone(kind: string): void;
}

export interface Applied {
  readonly changes: readonly AppliedChange[];
  readonly interrupted: boolean;
  /** Why the run could not go on. */
  readonly fatal: Trouble | undefined;
  /** Doubts, and how many of them a person has to decide. */
  readonly inDoubt: number;
  readonly asked: number;
  /** `<kind>/<step>` that the service was seen not to offer. */
  readonly notOffered: ReadonlySet<string>;
  /** What a person should know that belongs to no outcome. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Most times that one object is sent again after its answers were lost. */
const mostAttempts = 5;

/** Carries out the changes of a diff; what they refer to, in which order and how often is all decided by them. */
export async function applyChanges(options: ApplyOptions): Promise<Applied> {
  const { registry, plan, source, target, mapping, stop } = options;
  await recordEntries(options);
  const tasks = tasksOf(options.changes, registry, options.allowDelete);
  await turnAfter(tasks.size);
  await recordBaselines(tasks, options);
  options.watcher?.begin(tasks);
  const births = new Births({ ...options, pairs: target.pairs });
  await turnAfter(tasks.size);
  const context = {
    live: new LiveLookup({
      registry,
      mapping,
      target,
      plan,
      source,
      births,
      ledTo: ledToBy(options),
    }),
    target,
    mapping,
    policy: plan.policy,
  };
  /** By change. */
  const taken = new Map<string, Omit<Diagnostic, "coordinate">>();
  const referred = referredSinceDiff({ ...options, tasks });
  const { unsettled, ...carried } = await carryOut({
    ...options,
    tasks,
    stood: stoodAt(target, plan.target.realm),
    births,
    build(task) {
      const built = referred.looking(lookingForSaid(buildItem(task, context), task, options), task);
      if ("item" in built && built.takenOver !== undefined) taken.set(task.id, built.takenOver);
      return built;
    },
    entryAfter: (done) => {
      const { task } = done;
      const filled = filledFor(task, plan.policy);
      const entry = asFilled(task, entryAfter(done), filled);
      if (filled !== undefined) taken.set(task.id, filledNote(task, filled, plan.target.name));
      noteTree(appliedTree(done, entry, filled), options);
      return entry;
    },
    kindDone: (kind) => options.watcher?.kindDone(kind),
  });
  await turnAfter(tasks.size);
  const ended = { ...options, unsettled, asked: carried.asked };
  const changes = packed(
    options.changes
      .values()
      .map((change) => withTaken(withOutcome(change, tasks, ended), taken.get(change.id))),
  );
  await forgetSaidOf(changes, options);
  return {
    ...carried,
    changes,
    interrupted:
      stop.aborted &&
      changes.some(({ outcome = "done" }) => ["begun", "not-started", "in-doubt"].includes(outcome)),
    inDoubt: numberOf(changes, ({ outcome }) => outcome === "in-doubt"),
  };
}

export interface CarryOutOptions extends Pick<
  ApplyOptions,
  "client" | "mapping" | "recorder" | "settler" | "concurrency" | "report" | "now" | "stop"
> {
  readonly stood: Stood;
  readonly tasks: Tasks;
  readonly build: (task: Task) => Built | Unbuilt;
  readonly births?: Births;
  readonly entryAfter: EntryAfter;
  readonly kindDone?: ((kind: string) => void) | undefined;
}

/** What carrying out tasks came to, beside the outcome that each task has. */
export interface Carried extends Pick<Applied, "fatal" | "notOffered" | "diagnostics" | "asked"> {
  /** Tasks whose answers were lost, and nobody got to settle that; by id. */
  readonly unsettled: ReadonlySet<string>;
}

/** Works through tasks, and settles the answers that are lost on the way. */
export async function carryOut(options: CarryOutOptions): Promise<Carried> {
  const { stop } = options;
  const executor = new Executor(options);
  const diagnostics: Diagnostic[] = [];
  let lost: Trouble | undefined;
  for (;;) {
    await executor.work();
    if (executor.doubts.length === 0 || executor.fatal !== undefined || stop.aborted) break;
    try {
      await settleAll([...executor.doubts], executor, options, diagnostics);
    } catch (error) {
      // The doubts are in the journal: the next run settles them. This one says what kept it from doing so.
      lost = troubleOf(error);
      if (stop.aborted || lost !== undefined) break;
      throw error;
    }
  }
  const unsettled = new Set(executor.doubts.map(({ task }) => task.id));
  executor.leaveRest();
  return {
    unsettled,
    fatal: executor.fatal ?? (stop.aborted ? undefined : lost),
    notOffered: executor.notOffered,
    diagnostics: [...diagnostics, ...(options.births?.diagnostics ?? [])],
    asked: executor.asked,
  };
}

/** A patch or publish of this run, looked at. */
async function settleOne(open: OpenDoubt, settler: Settler, client: WriteClient): Promise<Verdict> {
  const { task, doubt, built } = open;
  const { kind } = task;
  const step = currentStep(task);
  const target = built.item.target ?? "";
  if (step.readBack === undefined) return { state: "again" };
  if (step.settle === "by-reading") {
    const { before = {}, expected = {} } = built;
    const reads = changeReads(step, client, built.item);
    const verdict = await settler.change({ kind, doubt, target, before, expected, ...reads });
    // Without drafts the next diff sees where it stands, and nobody has to say.
    return verdict.state === "unknown" && !hasDrafts(kind) ? { ...verdict, state: "later" } : verdict;
  }
  const prints = [built.intent.fingerprint, task.patched?.print].filter((print) => print !== undefined);
  const reads = publishReads(kind, step, client, built.item);
  return settler.publish({ kind, doubt, target, prints: new Set(prints), ...reads });
}

async function settleAll(
  doubts: readonly OpenDoubt[],
  executor: Executor,
  { settler, client, report }: CarryOutOptions,
  diagnostics: Diagnostic[],
): Promise<void> {
  const listed = new Map<string, OpenDoubt[]>();
  for (const open of doubts) {
    const step = currentStep(open.task);
    if (open.task.attempts >= mostAttempts) {
      await executor.settled(open, {
        state: "later",
        reason: `it was sent ${open.task.attempts} times, and no answer says what became of it: ${open.doubt.reason}`,
      });
    } else if (step.settle === "by-listing" && executor.mayTurnUp(open.task.kind.name)) {
      await executor.settled(open, {
        state: "later",
        reason: `${open.doubt.reason}; others of the kind were accepted by the service and may turn up in its place`,
      });
    } else if (step.settle === "by-listing") {
      listed.set(open.task.kind.name, [...(listed.get(open.task.kind.name) ?? []), open]);
    } else {
      await executor.settled(open, await settleOne(open, settler, client));
    }
  }
  for (const group of listed.values()) {
    const [first] = group;
    if (first === undefined) continue;
    const verdicts = await settler.creates(
      first.task.kind,
      first.doubt.run,
      group.map(({ doubt }) => doubt),
    );
    for (const open of group) {
      const verdict: Verdict = verdicts.get(open.doubt) ?? { state: "later", reason: "it was not settled" };
      if (verdict.state === "again") diagnostics.push(...hiddenLeftover(open.task.kind, open.doubt, report));
      await executor.settled(open, verdict);
    }
  }
}

/** Adoptions and pairs change the mapping without a request; they come first, since others refer to them. */
async function recordEntries(options: ApplyOptions): Promise<void> {
  const { mapping, recorder, registry } = options;
  await passOn(options);
  const writes: Promise<void>[] = [];
  for (const change of options.changes) {
    if (change.work === undefined) continue;
    const source = change.source?.urn;
    const target = change.target?.urn;
    const kind = registry.movedKind(change.kind);
    if (source === undefined || target === undefined || kind === undefined) continue;
    const { action, work } = change;
    const row = mapping.get(kind.name, source);
    // What lies over a thing with another twin by now lies elsewhere: who refers to it, publishes it or settles it in a
    // later run goes by the row, and what the row knows of the former place says nothing of this one.
    const isElsewhere = action === "update" && row !== undefined && row.target !== target;
    if (action !== "adopt" && action !== "unchanged" && !isElsewhere) continue;
    const stands = {
      kind,
      action: action === "adopt" ? action : "unchanged",
      name: change.source?.name ?? "",
      target,
      work,
    } as const;
    const entry = rowOf(stands, row, recorder.run);
    const isPairedAnew = !isDeepStrictEqual(row?.keys, entry.keys);
    if (action === "adopt" ? work.patch === undefined : action === "unchanged" && isPairedAnew)
      noteTree(adoptedTree(change, kind, options.target.snapshot), options);
    if (row === undefined || !isDeepStrictEqual(row, entry))
      writes.push(recorder.entry(kind.name, source, entry));
  }
  await Promise.all(writes);
}

function noteTree(tree: TreeToKeep | undefined, { applied }: Pick<ApplyOptions, "applied">): void {
  if (tree !== undefined) applied?.(tree);
}

/** What existed of each kind that is about to be created, so that a lost answer can be settled by subtraction. */
async function recordBaselines(tasks: Tasks, { recorder, target }: ApplyOptions): Promise<void> {
  const kinds = new Set<string>();
  for (const task of tasks.values()) if (currentStep(task).settle === "by-listing") kinds.add(task.kind.name);
  for (const kind of kinds) {
    const urns = target.snapshot.kinds().includes(kind) ? target.snapshot.urns(kind) : [];
    await recorder.baseline(kind, Array.from(urns, uuidOf));
  }
}

function inThePast(found: Diagnostic): Diagnostic {
  return found.afterwards === undefined ? found : { ...found, summary: found.afterwards };
}

/** What was found out while it was written. */
function withTaken(change: AppliedChange, found: Omit<Diagnostic, "coordinate"> | undefined): AppliedChange {
  const isWritten = change.outcome === "done" || change.outcome === "in-doubt";
  if (found === undefined || !isWritten) return change;
  const { urn = "", name = "" } = change.source ?? {};
  const told = { ...found, coordinate: { kind: change.kind, urn, name } };
  return altered(change, { diagnostics: [...change.diagnostics, told] });
}

/** One for all that share it. */
const done: Partial<AppliedChange> = { outcome: "done" };
const withheld: Partial<AppliedChange> = { outcome: "withheld" };

/** A change with what became of its tasks. */
export function withOutcome(
  change: Change,
  tasks: Tasks,
  {
    unsettled,
    asked,
    allowDelete,
    mapping,
    plan,
  }: Pick<Carried, "unsettled" | "asked"> & Pick<ApplyOptions, "allowDelete" | "mapping" | "plan">,
): AppliedChange {
  const parts = [tasks.get(change.id), tasks.get(`${change.id}#2`)].filter((task) => task !== undefined);
  if (parts.length === 0) {
    if (change.action === "delete" && !allowDelete) return altered(change, withheld);
    return change.action === "adopt" ? altered(change, done) : change;
  }
  const worst = parts.find((task) => task.outcome !== "done") ?? parts[0];
  const inDoubt = parts.some(({ id }) => unsettled.has(id));
  const begun = inDoubt ? undefined : begunOf(parts, mapping);
  const outcome: Outcome = inDoubt
    ? "in-doubt"
    : begun === undefined
      ? (worst?.outcome ?? "not-started")
      : "begun";
  if (outcome === "done")
    return altered(
      change,
      change.diagnostics.length === 0 ? done : { ...done, diagnostics: change.diagnostics.map(inThePast) },
    );
  if (worst?.absent !== undefined) {
    const { code, reason, suggestion } = worst.absent;
    return instead(change, "manual", reason, { code, suggestion, cause: causeOf(worst.absent) });
  }
  const reason = inDoubt
    ? "its answer was lost and is not settled yet"
    : (begun?.reason ?? worst?.reason ?? outcome);
  return altered<AppliedChange>(change, {
    outcome,
    ...begun?.fields,
    fields: madeByNow(change.fields, mapping),
    diagnostics: [
      ...change.diagnostics,
      {
        severity: "error",
        code: outcome,
        coordinate: { kind: change.kind, urn: change.source?.urn ?? "", name: change.source?.name ?? "" },
        summary: reason,
        ...(outcome === "in-doubt" ? { suggestion: afterDoubt(asked, plan) } : {}),
      },
    ],
  });
}

/** Where nobody has to decide anything, `ferry resolve` is no help. */
function afterDoubt(asked: number, { name }: Pick<Plan, "name">): string {
  return asked === 0 ? "Run the same command again: that settles it." : `Decide: ferry resolve ${name}`;
}
