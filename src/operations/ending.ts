import type { Applied } from "../engine/apply/index.ts";
import type { Replayed } from "../engine/settle/replay.ts";
import type { Doubt } from "../engine/settle/subtraction.ts";
import type { Action, AppliedChange, Change } from "../model/change.ts";
import type { RunRecord } from "../model/journal.ts";
import { idOfOld, isOfOld, rowsWait, waitingActions, waits } from "../model/change.ts";
import type { ExitCode } from "../model/result.ts";
import { consequenceSentence, consequencesOf } from "../model/consequences.ts";
import { display } from "../model/display.ts";
import { exitCodes } from "../model/result.ts";
import { someOf } from "../model/some-of.ts";
import { shellWord } from "../model/shell-word.ts";
import { plural } from "../model/plural.ts";
import type { OpenDoubts } from "./doubts.ts";
import { codeOfDoubts, openDoubts } from "./doubts.ts";
import { fixesFor, toDecide } from "./fixes.ts";
import type { Migration } from "./migration.ts";

/** Of what waits for a person, what makes a run red; everything, unless `--fail-on` says otherwise. */
export type FailOn = ReadonlySet<Action>;

export function needsPerson(change: Change, failOn?: FailOn): boolean {
  const { action, acknowledged, records } = change;
  // What was refused in this very run nobody has seen before.
  if (acknowledged !== undefined) return (records?.failed ?? 0) > 0;
  return rowsWait(change, failOn) || (waits(action) && (failOn?.has(action) ?? true));
}

/** How an apply ended, in one number: the first that is true counts. */
export function exitCodeOf(
  applied: Pick<Applied, "fatal" | "changes" | "interrupted">,
  doubts: OpenDoubts,
  verified: boolean,
  unfinished: boolean,
  failOn?: FailOn,
): ExitCode {
  const { fatal, changes } = applied;
  if (fatal?.fatal === "sign-in" || fatal?.fatal === "permission") return exitCodes.permission;
  if (applied.interrupted || fatal?.fatal === "stopped") return exitCodes.interrupted;
  if (fatal !== undefined) return exitCodes.failed;
  const doubtful = codeOfDoubts(doubts);
  if (doubtful !== undefined) return doubtful;
  if (!verified) return exitCodes.expectation;
  const partly = changes.some(
    (change) => needsPerson(change, failOn) || unmade.has(change.outcome ?? "done"),
  );
  return partly || unfinished ? exitCodes.partial : exitCodes.done;
}

export function headline(ended: {
  readonly code: ExitCode;
  readonly done: number;
  readonly applied: Applied;
  readonly proof: { readonly clean: boolean; readonly left: number } | undefined;
  readonly target: string;
  /** So many were published that an interrupted run had left. */
  readonly finished?: number;
  readonly allowDelete?: boolean;
}): string {
  const { code, done, applied, proof, target, finished = 0, allowDelete } = ended;
  const earlier = comparedBefore(applied.changes);
  const rest = leftOver(applied.changes);
  const isWithheld = applied.changes.some((change) => holdsBack(change, allowDelete === true));
  const isWhole =
    proof?.left === 0 && earlier === "" && rest === "" && !isWithheld && !applied.changes.some(isShort);
  const verified =
    proof === undefined
      ? ""
      : proof.clean
        ? isWhole
          ? " Verified: the target is as it should be."
          : done === 0 && applied.changes.some(isShort)
            ? ""
            : " Verified what was done."
        : " Verify found differences.";
  const isHeld = applied.changes.some((change) => change.action === "blocked" || isShort(change));
  const nothing = applied.changes.some(isPutUp)
    ? "Nothing is published yet."
    : isHeld
      ? "Nothing was done."
      : applied.changes.length === 0
        ? nothingSelected
        : `Nothing to do${isWithheld ? " without --allow-delete" : ""}.`;
  const also = `${proof === undefined ? "" : rest}${earlier}${consequenceSentence(consequencesOf(applied.changes, { allowDelete }), target)}`;
  const before = finished === 0 ? "" : `${plural(finished, "object")} of an interrupted run published. `;
  const none = finished === 0 || isHeld ? nothing : "Nothing else to do.";
  const made = `${before}${done === 0 ? none : `${plural(done, "change")} made.`}`;
  switch (code) {
    case exitCodes.done:
      return `${made}${verified}${also}`;
    case exitCodes.interrupted:
      if (!applied.interrupted && applied.fatal === undefined)
        return `${made} Some operations had no answer to the end; nothing is lost. Run again: that settles them.`;
      return `Interrupted after ${plural(done, "change")}${begunText(applied.changes)}; nothing is lost. Run again to continue.${also}`;
    case exitCodes.permission:
    case exitCodes.failed:
      return `Stopped after ${plural(done, "change")}: ${applied.fatal?.reason ?? "it failed"}`;
    case exitCodes.inDoubt:
      return `${made} Some operations are in doubt and need a decision.${also}`;
    case exitCodes.expectation:
      return `${made}${verified}${also}`;
    case exitCodes.partial:
    case exitCodes.changes:
    case exitCodes.locked:
    case exitCodes.usage:
      return `${made} Some objects need a person.${verified}${also}`;
  }
}

/** Where nothing was looked at it is not as where all is well: a pattern may leave out more than was meant. */
export const nothingSelected = "Nothing to do: the source shows nothing that is selected.";

/** Who counts what is at the target finds these there as well; of a table the rows are counted that are done. */
function begunText(changes: readonly AppliedChange[]): string {
  const begun = changes.filter(({ outcome, records }) => outcome === "begun" && records === undefined).length;
  return begun === 0 ? "" : `, and ${begun.toLocaleString("en")} more begun`;
}

/** What is proved of rows is that comparison, and not what the sides say by now. */
function comparedBefore(changes: readonly AppliedChange[]): string {
  const tables = changes.filter(({ records }) => records?.comparedBefore === true).length;
  if (tables === 0) return "";
  return ` Rows of ${plural(tables, "table")} had been compared by an interrupted run: what changed since comes with the next one.`;
}

/** Rows of it were written, and wait for a review: that is neither nothing, nor is any of it there. */
function isPutUp({ action, outcome, diagnostics }: AppliedChange): boolean {
  return outcome === "done" && !waits(action) && diagnostics.some(({ code }) => code === "row-review");
}

/** Something of it is deleted only where that is allowed. */
function holdsBack({ outcome, records }: AppliedChange, allowDelete: boolean): boolean {
  return outcome === "withheld" || (!allowDelete && (records?.delete ?? 0) > 0);
}

/** It was to be done, and is not, or rows of it are not. */
function isShort({ outcome, records }: AppliedChange): boolean {
  return (outcome !== undefined && unmade.has(outcome)) || (records?.failed ?? 0) > 0;
}

const unmade: ReadonlySet<string> = new Set(["failed", "blocked", "begun", "not-started"]);

/** Says which is which: what was verified does not include these. */
export function leftOver(changes: readonly AppliedChange[]): string {
  const counts = new Map<string, number>();
  const count = (state: string, many = 1): void => {
    if (many > 0) counts.set(state, (counts.get(state) ?? 0) + many);
  };
  for (const { action, acknowledged, outcome, records } of changes) {
    const isWaiting = waits(action);
    if (isWaiting && acknowledged !== undefined) count("acknowledged");
    if (records !== undefined) {
      // Of a table the rows count, as in the summary, whatever is done with its others.
      if (acknowledged === undefined) for (const one of waitingActions) count(one, records[one]);
      count(records.failed === 1 ? "row failed" : "rows failed", records.failed);
    } else if (isWaiting) {
      if (acknowledged === undefined) count(action);
    } else if (outcome !== undefined && unmade.has(outcome)) count(outcome.replace("-", " "));
  }
  if (counts.size === 0) return "";
  const told = [...counts].map(([state, count]) => `${count.toLocaleString("en")} ${state}`);
  return ` Not part of it: ${told.join(", ")}.`;
}

/** The journal knows what was approved by its digest alone. */
const unnamed = "FILE  (the file that was approved)";

/**
 * What goes on with a run that was interrupted: the command that it was, and of what was approved, or selected by flags, nothing
 * else. `narrowed`: where this command line does not say those flags itself.
 */
export function goingOn(plan: string, command: string, approved: string | undefined, narrowed = ""): string {
  const diff =
    approved === undefined ? "" : ` --diff ${approved === unnamed ? approved : shellWord(approved)}`;
  return `ferry ${command === "sync" ? "sync" : "apply"} ${plan}${narrowed}${diff}`;
}

/** Of those that move something, or take it back. */
function lastOf(runs: readonly RunRecord[]): RunRecord | undefined {
  return runs.findLast(({ command }) => ["apply", "sync", "rollback"].includes(command));
}

/**
 * The same of the last run that was interrupted, for a command that is none; a plain apply where there is none. A rollback goes on as
 * one, also with what it has left in doubt: an apply would bring all of it again. What was decided meanwhile is no run to go on with.
 */
export function goingOnWithLast(plan: string, open: readonly RunRecord[]): string {
  const last = lastOf(open);
  if (last?.command === "rollback") return `ferry rollback ${plan}${last.narrowed ?? ""}`;
  if (last === undefined) return goingOn(plan, "apply", undefined);
  const diff = last.diff === undefined ? undefined : unnamed;
  return goingOn(plan, last.command, diff, last.narrowed);
}

/**
 * The same of what is open at all. A rollback that ended with a question, or without an answer, has what depends on it still to take
 * back, though its run came to its end: so it is when a person has decided the last of that.
 */
export function goingOnWithOpen(
  plan: string,
  { runs, open, doubts }: Pick<Replayed, "runs" | "open" | "doubts">,
): string {
  const last = lastOf(runs);
  const isDecided = open.some(({ command }) => command === "resolve");
  const isLeft = ({ run, command }: RunRecord): boolean =>
    command === "rollback" && ((isDecided && run === last?.run) || doubts.some((doubt) => doubt.run === run));
  return goingOnWithLast(
    plan,
    runs.filter((run) => open.includes(run) || isLeft(run)),
  );
}

export function nextSteps(
  migration: Migration,
  code: ExitCode,
  changes: readonly AppliedChange[],
  {
    command = "apply",
    diff,
    allowDelete = false,
  }: { readonly command?: string; readonly diff?: string; readonly allowDelete?: boolean },
): readonly string[] {
  const { name } = migration.plan;
  const steps: string[] = [];
  const again = goingOn(name, command, diff);
  if (code === exitCodes.interrupted || code === exitCodes.failed) steps.push(again);
  if (code === exitCodes.permission) steps.push(`ferry doctor ${name}`, again);
  if (code === exitCodes.inDoubt) steps.push(`ferry resolve ${name}`);
  if (code === exitCodes.partial) steps.push(...fixesFor(changes), `ferry diff ${name}`);
  if (code === exitCodes.partial) {
    const open = changes.filter(({ acknowledged }) => acknowledged === undefined);
    steps.push(...toDecide(changes, name));
    if (open.some(({ action }) => action === "manual")) steps.push(`ferry ack ${name}`);
  }
  const withheld = changes.filter((change) => holdsBack(change, allowDelete));
  const replaced = withheld.length === 0 ? new Set<string>() : replacedIn(changes);
  if (withheld.some(({ id }) => !replaced.has(id))) steps.push(`${again} --allow-delete`);
  const left = withheld.flatMap(({ id, target }) =>
    target !== undefined && replaced.has(id) ? [display(target.urn)] : [],
  );
  if (left.length > 0)
    steps.push(
      `Delete by hand at ${migration.plan.target.name}, since no later run does: ${someOf(left, 5)}`,
    );
  return steps;
}

/** Ids of the deletes of what a new object has taken the place of: it is nobody's twin any more, and no later diff knows of it. */
function replacedIn(changes: readonly AppliedChange[]): ReadonlySet<string> {
  const places = new Map(
    changes.map(({ id, action, outcome }) => [idOfOld(id), action !== "replace" || outcome === "done"]),
  );
  return new Set(changes.flatMap(({ id }) => (isOfOld(id) && places.get(id) !== false ? [id] : [])));
}

/** It came to its end, and nothing of it is open. */
export function isProvable({ fatal, interrupted, inDoubt }: Applied): boolean {
  return fatal === undefined && !interrupted && inDoubt === 0;
}

/** Those of this run, and those that earlier ones left. */
export function doubtsOf(applied: Applied, ask: readonly Doubt[]): OpenDoubts {
  const left = openDoubts(ask);
  return { all: applied.inDoubt + left.all, asked: applied.asked + left.asked };
}
