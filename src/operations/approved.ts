import type { Diff } from "../engine/diff/index.ts";
import { EngineError } from "../engine/progress.ts";
import type { Action, Change } from "../model/change.ts";
import { stableText } from "../model/canonical.ts";
import { display } from "../model/display.ts";
import type { Json } from "../model/json.ts";
import type { MappingEntry } from "../model/mapping.ts";
import type { MappingTable } from "../model/mapping-table.ts";
import type { DiffFile } from "./approved-file.ts";
import { anew, planDigest } from "./approved-file.ts";
import { sumOf } from "./approved-sum.ts";
import { unseenNow, unseenSince } from "./approved-unseen.ts";
import { goingOn } from "./ending.ts";
import type { Migration } from "./migration.ts";
import type { DoneOfDiff } from "./runs.ts";

/** Refuses a diff that belongs to another plan, tool or snapshot. */
export function checkBinding(migration: Migration, file: DiffFile, snapshot: string, path = "FILE"): void {
  refuseOtherSelection(migration, file, path);
  const moved: string[] = [];
  if (file.tool !== migration.tool)
    moved.push(`the tool: the diff was made by ${file.tool}, this is ${migration.tool}`);
  const { name } = migration.plan;
  if (file.plan !== name)
    moved.push(`another plan: the diff was made with ${display(file.plan)}, this is ${name}`);
  else if (file.bound.plan !== planDigest(migration)) moved.push("the plan was changed");
  if (file.bound.snapshot !== snapshot)
    moved.push("the snapshot is another one: the source moved, or it was exported again");
  if (moved.length > 0) throw refusal(moved);
}

/** The plan is the one that the diff was made of, and the flags on one of the two command lines make the difference. */
function refuseOtherSelection(migration: Migration, file: DiffFile, path: string): void {
  const { plan, whole, narrowed, registry } = migration;
  const isSame = file.bound.plan === planDigest(migration);
  if (isSame || file.plan !== plan.name || file.narrowed === narrowed) return;
  // One that was made without flags fits the plan as it is; with which it was made, only it can say.
  const { narrowed: was = "" } = file;
  if (was === "" && (whole === undefined || file.bound.plan !== planDigest({ plan: whole, registry })))
    return;
  const said = (flags: string, command: string): string =>
    flags === "" ? `${command} without --kinds, --include and --exclude` : `${command} with${flags}`;
  throw refusal(
    [`another selection: ${said(was, "the diff was made")}, and ${said(narrowed, "this is")}`],
    `Run: ${goingOn(plan.name, "apply", path, was)}  Or: ${anew}`,
  );
}

/**
 * Refuses when what would be done now is not what was approved. What this very diff's earlier, interrupted run has
 * done already (`before`) is no difference. `otherRows`: by change, why the rows that such a run has left are others.
 */
export function checkApproved(
  file: DiffFile,
  now: Diff,
  mapping: MappingTable,
  before: DoneOfDiff,
  {
    otherRows = new Map(),
    run,
    pairs,
  }: {
    readonly otherRows?: ReadonlyMap<string, string>;
    /** A print of what is whose twin now. */
    readonly pairs?: string | undefined;
    /** The run that applies it: it has brought to its end what the diff told to be left. */
    readonly run?: string;
  } = {},
): void {
  const moved: string[] = [];
  const current = new Map(now.changes.map((change) => [change.id, change]));
  const resumed = before.runs.size > 0;
  const isRepaired = resumed && pairs !== file.bound.pairs;
  const entryOf = ({ kind, source }: Change): MappingEntry | undefined =>
    mapping.get(kind, source?.urn ?? "");
  const made = new Set(
    file.changes.flatMap((change) =>
      change.action === "create" && isDoneOf(change, entryOf(change), before) ? [change.id] : [],
    ),
  );
  /** It was to lie over what an interrupted run has created since. */
  const isOverMade = ({ action, target, dependsOn }: Change): boolean =>
    action === "update" && target === undefined && dependsOn.some((id) => made.has(id));
  for (const approved of file.changes) {
    const change = current.get(approved.id);
    const entry = entryOf(approved);
    if (run !== undefined && isFinished(approved, change, entry, run)) continue;
    if (isWithoutLeft(approved, change)) continue;
    if (change === undefined || change.action === "unchanged") {
      const isBegun = resumed && (approved.records !== undefined || approved.action === "delete");
      // What was to lie over something new may have come with that just as it was to be.
      const isWell = isDoneOf(approved, entry, before) || isOverMade(approved);
      if (!isWell && !(isBegun && (approved.records !== undefined || change === undefined))) {
        moved.push(`${describe(approved)}: ${was(approved.action)}, and now there is nothing to do`);
      }
    } else {
      const isOver = isOverMade(approved);
      const why = isDoneOf(approved, entry, before)
        ? (touched(change, entry) ?? (isRepaired && isWrite(change) ? elsewhere : undefined))
        : difference(approved, change, { resumed, otherRows, isOver, isRepaired });
      if (why !== undefined) moved.push(`${describe(approved)}: ${why}`);
    }
  }
  for (const change of unseenSince(now, file.unseen)) moved.push(`${describe(change)}: ${unseenNow}`);
  const known = new Set(file.changes.map((change) => change.id));
  if (known.size < file.changes.length) moved.push("a change stands in it twice");
  for (const change of now.changes) {
    if (change.action !== "unchanged" && !known.has(change.id)) {
      moved.push(`${describe(change)}: ${change.action} was not in the approved diff (${change.reason})`);
    }
  }
  if (moved.length > 0) throw refusal(moved);
}

function difference(
  approved: Change,
  now: Change,
  {
    resumed,
    otherRows,
    isOver,
    isRepaired,
  }: {
    readonly resumed: boolean;
    readonly isRepaired: boolean;
    readonly otherRows: ReadonlyMap<string, string>;
    readonly isOver: boolean;
  },
): string | undefined {
  const other = otherObject(approved, now);
  if (other !== undefined) return other;
  // An interrupted run has done some of its rows: what is left is fewer of them, looked at one by one.
  const isSame = approved.records?.digest === now.records?.digest;
  if (approved.records !== undefined && resumed) return isSame ? undefined : otherRows.get(approved.id);
  if (!isSame) return "other rows would be written than were approved";
  if (approved.action !== now.action)
    return `${was(approved.action)}, and now it ${is(now.action)} (${now.reason})`;
  if (isRepaired && mayNameNew(approved)) return elsewhere;
  if (approved.work?.noPlace !== now.work?.noPlace)
    return "what is left out of it, since the target's metadata model has no place for it, is another thing than was approved";
  // What holds nothing there is what was approved.
  if (isOver && now.fields.every(({ from }) => from === undefined)) return undefined;
  if (approved.target?.urn !== now.target?.urn) {
    return `the target object is another one: it was ${approved.target?.urn ?? "none"}, and now it is ${now.target?.urn ?? "none"}`;
  }
  if (approved.work?.targetFingerprint !== now.work?.targetFingerprint)
    return "the target object has changed since";
  // References that were still to be created have URNs by now when an interrupted run is continued.
  if (resumed && mayNameNew(approved)) return undefined;
  const text = (value: unknown): string => stableText((value ?? null) as Json);
  // What they refer to may have another name by then.
  const isShownOtherwise = !resumed && text(approved.fields) !== text(now.fields);
  if (isShownOtherwise || text(approved.work?.patch) !== text(now.work?.patch))
    return "other fields would be changed than were approved";
  // Of a new object not all is shown, or nothing, and what its references lead to follows from the pairs, too.
  const isMade = approved.action === "create" || approved.action === "replace";
  if (isMade && text(heldBy(approved)) !== text(heldBy(now)))
    return "it would hold something else than was approved";
  return undefined;
}

const elsewhere =
  "it may lead elsewhere than was approved: what the source refers to has other twins at the target since";

function isWrite({ action }: Change): boolean {
  return action === "update" || action === "replace" || action === "delete";
}

/** It waits for others, or for itself, whose URNs were not known when it was approved. */
function mayNameNew({ dependsOn, work }: Change): boolean {
  return dependsOn.length > 0 || work?.deferred !== undefined;
}

function heldBy({ work }: Change): readonly (string | undefined)[] {
  return [work?.sourceFingerprint, work?.leadsTo];
}

/**
 * Whether an interrupted run of the diff has done it, as its row says; or a person has, who took what that run had made, and did not
 * know of: of what the diff did not make nobody has decided anything.
 */
export function isDoneOf(
  { action }: Pick<Change, "action">,
  entry: MappingEntry | undefined,
  { runs, decided }: DoneOfDiff,
): entry is MappingEntry {
  if (entry?.run === undefined) return false;
  return runs.has(entry.run) || ((action === "create" || action === "replace") && decided.has(entry.run));
}

/** What an interrupted run had left of it is done as approved; what the source says since is what was approved as well. */
function isFinished(
  { work }: Change,
  now: Change | undefined,
  entry: MappingEntry | undefined,
  run: string,
): boolean {
  if (work?.unfinished === undefined || entry?.run !== run) return false;
  if (now === undefined || now.action === "unchanged") return true;
  return now.action === "update" && now.work?.sourceFingerprint === work.sourceFingerprint;
}

/** Rows that earlier runs had left open were brought to their end, as the diff has told; of all others it says what was approved. */
function isWithoutLeft(approved: Change, now: Change | undefined): boolean {
  const [then, by] = [approved.records, now?.records];
  if (now === undefined || then?.besideLeft === undefined || by === undefined) return false;
  return then.besideLeft === (by.besideLeft ?? by.digest) && otherObject(approved, now) === undefined;
}

const states: Partial<Readonly<Record<Action, string>>> = {
  conflict: "in conflict",
  blocked: "blocked",
  manual: "left to a person",
  unchanged: "unchanged",
};

function is(action: Action): string {
  if (action === "drift") return "has drifted";
  const state = states[action];
  return state === undefined ? `is to ${action}` : `is ${state}`;
}

function was(action: Action): string {
  if (action === "drift") return "it had drifted";
  const state = states[action];
  return state === undefined ? `it was to ${action}` : `it was ${state}`;
}

/** Ids stay what they are when somebody edits the rest of a change: who approves reads kinds and names. */
function otherObject(approved: Change, now: Change): string | undefined {
  const text = (value: unknown): string => stableText((value ?? null) as Json);
  if (approved.kind === now.kind && text(approved.source) === text(now.source)) return undefined;
  return `the diff calls this ${now.kind} "${now.source?.name ?? now.target?.name ?? now.id}" something else`;
}

/** What an interrupted run has done and somebody has changed since was not approved to be changed back. */
function touched(now: Change, { target, targetFingerprint: left }: MappingEntry): string | undefined {
  const writes = isWrite(now);
  const isMade = now.action === "create" && now.work?.unfinished === undefined;
  // Another one would take its place: that is not what was approved, nor is what somebody has made of that one.
  const isElsewhere = (writes || now.action === "adopt") && now.target?.urn !== target;
  if (isMade || isElsewhere)
    return "somebody removed it at the target after an interrupted run of this diff had done its part";
  const found = now.work?.targetFingerprint;
  if (!writes || left === undefined || found === undefined || found === left) return undefined;
  return "somebody changed it at the target after an interrupted run of this diff had done its part";
}

/** Whoever approves reads reasons and names as well, which decide nothing. Asked last: what else was edited is told by name. */
export function refuseEdited(file: DiffFile): void {
  if (file.sum !== undefined && file.sum !== sumOf(file))
    throw refusal([
      "the file was edited since it was made, or a tool wrote it anew, in what decides nothing (a reason, a name, a note): it does not say any more what the diff said",
    ]);
}

function refusal(moved: readonly string[], act = anew): EngineError {
  return new EngineError(
    "diff-moved",
    "the approved diff no longer fits, and nothing of it was written",
    act,
    moved,
  );
}

function describe(change: Change): string {
  return `${change.kind} "${change.source?.name ?? change.target?.name ?? change.id}"`;
}
