import type { Replayed } from "../engine/settle/replay.ts";
import { keyText } from "../model/key.ts";
import type { MappingTable } from "../model/mapping-table.ts";
import type { RunRecord } from "../model/journal.ts";
import type { ExitCode, Result } from "../model/result.ts";
import { exitCodes } from "../model/result.ts";
import { plural } from "../model/plural.ts";
import type { Holder } from "../store/index.ts";
import type { Lock } from "./at-work.ts";
import { heldBy, isOnItsWay, lockOf, ownRun } from "./at-work.ts";
import { doubtLine } from "./diff.ts";
import { codeOfDoubts, needsPerson, openDoubts } from "./doubts.ts";
import { goingOnWithLast, goingOnWithOpen } from "./ending.ts";
import type { RunOnRecord } from "./kept-runs.ts";
import { runsOf } from "./kept-runs.ts";
import type { Migration } from "./migration.ts";
import { kindFilter } from "./mappings.ts";
import type { TableStanding } from "./records/standing.ts";
import { leaveFor, openRowsText, tablesStanding } from "./records/standing.ts";
import { owedKeys } from "./owed-flows.ts";
import { resultOf } from "./result.ts";
import { flowKind } from "./service-runs.ts";
import { readState } from "./state.ts";

export interface StatusDetails {
  /** By kind, where there is anything. */
  readonly counts: Readonly<Record<string, KindCounts>>;
  readonly mapped: Readonly<Record<string, number>>;
  /** A line for each operation. */
  readonly inDoubt: readonly string[];
  /** Tables whose rows are, or were, at work. */
  readonly tables: readonly TableStanding[];
  readonly unfinished: readonly Unfinished[];
  readonly interrupted: readonly {
    readonly run: string;
    readonly at: string;
    readonly command: string;
  }[];
  /** The last ten that are on record: when, who, what they came to. */
  readonly runs: readonly RunOnRecord[];
  /** Whether a run, of whatever plan, is at work at the target at this moment; absent where that cannot be told. */
  readonly isLocked?: boolean;
  readonly lastLockHolder?: Holder;
}

export interface KindCounts {
  readonly mapped: number;
  readonly unfinished: number;
  readonly inDoubt: number;
}

export interface Unfinished {
  readonly kind: string;
  readonly source: string;
  readonly name: string;
  readonly target: string;
  /** The step that is still to be done. */
  readonly left: string;
}

/** What is done, in flight, in doubt, left; reads files only. */
export async function planStatus(
  migration: Migration,
  options: {
    /** The plan's words: `monitors` means primary ones too. */
    readonly kinds?: readonly string[] | undefined;
  } = {},
): Promise<Result & { readonly details: StatusDetails }> {
  const { state: shared } = migration.store;
  const wasHeld = await shared.isHeld();
  const { mapping, replayed } = await readState(migration);
  const isWanted = kindFilter(migration, options.kinds);
  const kinds = [...new Set([...mapping.kinds(), ...replayed.doubts.map(({ kind }) => kind)])]
    .filter(isWanted)
    .sort();
  const unfinished = unfinishedOf(mapping, kinds, replayed);
  const doubts = replayed.doubts.filter(({ kind }) => isWanted(kind));
  const counts = Object.fromEntries(
    kinds
      .map((kind): [string, KindCounts] => [
        kind,
        {
          mapped: mapping.entries(kind).size,
          unfinished: unfinished.filter((entry) => entry.kind === kind).length,
          inDoubt: doubts.filter((doubt) => doubt.kind === kind).length,
        },
      ])
      .filter(([, { mapped, inDoubt }]) => mapped + inDoubt > 0),
  );
  const lock = await lockOf(migration, wasHeld);
  const { isHeld: isLocked, holder } = lock;
  const runs = await runsOf(migration);
  const details: StatusDetails = {
    counts,
    mapped: Object.fromEntries(
      Object.entries(counts).flatMap(([kind, { mapped }]) => (mapped > 0 ? [[kind, mapped]] : [])),
    ),
    inDoubt: [...doubts, ...replayed.starts].map((doubt) =>
      isOnItsWay(lock, doubt) ? doubtLine({ ...doubt, reason: "it is on its way" }) : doubtLine(doubt),
    ),
    tables: await tablesStanding(migration, goingOnWithOpen(migration.plan.name, replayed)),
    unfinished,
    interrupted: stopped(replayed, lock)
      .filter(({ command }) => command !== "resolve")
      .map(({ run, at, command }) => ({ run, at, command })),
    runs: runs.slice(-10),
    ...(isLocked === undefined ? {} : { isLocked }),
    ...(holder === undefined ? {} : { lastLockHolder: holder }),
  };
  // How it stands is said of the whole, whichever kinds are shown.
  const own = ownRun(migration, replayed, lock);
  const stands = standingOf(migration, mapping, replayed, details.tables, lock, runs);
  const standing = isLocked === true ? atWorkToo(stands, lock, own, migration.plan.name) : stands;
  const { exitCode, headline, next } = standing;
  return { ...resultOf(migration, { command: "status", exitCode, headline, next }), details };
}

/**
 * The runs that did not come to their end, but for the one that is at work. While something is in doubt the journal
 * keeps what was decided with `ferry resolve` too: that has come to its end, and counts only where it is all there is: what it decided is to
 * be done.
 * Of a flow that has ended at the service, or was cancelled, nothing is left to be continued, however its run ended.
 */
function stopped({ open, starts }: Replayed, { isHeld, holder }: Lock): Replayed["open"] {
  const isUnderWay = starts.some(({ kind }) => kind === flowKind);
  const ended = open.filter(
    ({ run, command }) => (isHeld !== true || run !== holder?.run) && (command !== "flow" || isUnderWay),
  );
  const runs = ended.filter(({ command }) => command !== "resolve");
  return runs.length === 0 ? ended : runs;
}

interface Standing {
  readonly exitCode: ExitCode;
  readonly headline: string;
  readonly next: readonly string[];
  /** In numbers. */
  readonly state: string;
}

/** What is open while an own run is at work is no one's to continue; another one's changes nothing here, and is told. */
function atWorkToo(standing: Standing, lock: Lock, own: string | undefined, plan: string): Standing {
  const who = heldBy(lock);
  if (own === undefined)
    return { ...standing, headline: `${standing.headline} A run is at work at the target${who}.` };
  return {
    exitCode: exitCodes.locked,
    headline: `${own} is at work at the target${who}. As it stands: ${standing.state}; what is in doubt may be on its way.`,
    next: [`ferry status ${plan}`],
    state: standing.state,
  };
}

/** The code says what has to happen next: a decision, another run, or nothing. */
function standingOf(
  migration: Migration,
  mapping: MappingTable,
  replayed: Replayed,
  tables: readonly TableStanding[],
  lock: Lock,
  runs: readonly RunOnRecord[],
): Standing {
  const { name } = migration.plan;
  const mapped = plural(
    mapping.kinds().reduce((sum, kind) => sum + mapping.entries(kind).size, 0),
    "object",
  );
  // Runs of the service that were started, or may have been, stand as open as any other operation.
  const inDoubt = [...replayed.doubts, ...replayed.starts];
  const doubts = plural(inDoubt.length, "operation");
  const unfinished = unfinishedOf(mapping, mapping.kinds(), replayed).length;
  const rows = openRowsText(tables);
  const owed = owedKeys(replayed, name);
  const flows = owed.size === 0 ? "" : `, ${plural(owed.size, "flow")} to be run`;
  const state = `${doubts} in doubt, ${plural(unfinished, "object")} unfinished, ${mapped} mapped${flows}${rows === "" ? "" : `; ${rows}`}`;
  const code = codeOfDoubts(openDoubts(inDoubt));
  const goingOn = tables.filter(({ todo }) => todo === undefined);
  const areRowsAsked = goingOn.some(({ asked }) => asked !== undefined);
  if (code === exitCodes.inDoubt || areRowsAsked) {
    return {
      state,
      exitCode: exitCodes.inDoubt,
      headline: `A person has to decide: ${state}.`,
      next: [
        ...(replayed.doubts.some(needsPerson) || areRowsAsked ? [`ferry resolve ${name}`] : []),
        ...(replayed.starts.some(needsPerson) ? [`ferry flow ${name} watch`] : []),
      ],
    };
  }
  const last = stopped(replayed, lock).at(-1);
  if (last !== undefined && last.command !== "resolve") {
    const why = whyOpen(
      runs.find(({ run }) => run === last.run),
      lock,
    );
    const again: Readonly<Record<string, string>> = {
      parity: `ferry parity ${name} --run`,
      flow: `ferry flow ${name} watch`,
    };
    return {
      state,
      exitCode: exitCodes.interrupted,
      headline: `The ${last.command} of ${last.at} did not come to its end: ${state}. ${why.said}.${leaveAgain(last)}`,
      next: [
        ...(why.isRefused ? [`ferry doctor ${name}`] : []),
        again[last.command] ?? goingOnWithLast(name, [last]),
      ],
    };
  }
  const isGoingOn = openRowsText(goingOn) !== "";
  if (last !== undefined || unfinished + owed.size > 0 || code !== undefined || isGoingOn) {
    return {
      state,
      exitCode: exitCodes.interrupted,
      headline: `Something is left to do: ${state}. The command below finishes it.${leaveFor(goingOn)}`,
      next: [goingOnWithOpen(name, replayed)],
    };
  }
  if (rows !== "") {
    const todos = [...new Set(tables.flatMap(({ todo = [] }) => todo))];
    return {
      state,
      exitCode: exitCodes.partial,
      headline: `A person has to see to rows: ${state}. ${todos.join(". ")}.`,
      next: [`ferry diff ${name}`],
    };
  }
  // Whether their review is there still, or a run had to ask about them, is in no file.
  const held = tables.reduce((sum, { waiting }) => sum + waiting, 0);
  const none =
    held === 0
      ? "and nothing is in doubt"
      : `and no object is in doubt; ${plural(held, "row")} that a run has put up for a review ${held === 1 ? "is" : "are"} not known to be published`;
  return {
    state,
    exitCode: exitCodes.done,
    headline: `${mapped} mapped; no run was interrupted, ${none}.`,
    next: [`ferry diff ${name}`],
  };
}

/** What kept a run from its end: what it has told itself, where it could. Without rights the same run does not come further. */
function whyOpen(
  run: RunOnRecord | undefined,
  { isHeld }: Lock,
): { readonly said: string; readonly isRefused: boolean } {
  const { ending, exitCode, headline } = run ?? {};
  const isRefused = exitCode === exitCodes.permission;
  if (ending === undefined && headline !== undefined && (isRefused || exitCode === exitCodes.failed)) {
    const after = isRefused
      ? "`ferry doctor` shows what is missing; once that is there, the last command below continues it"
      : "once that is mended, the command below continues it";
    return { said: `It said: ${headline.replace(/\.$/, "")}. Nothing is lost: ${after}`, isRefused };
  }
  const interrupted =
    isHeld === undefined ? "Unless it is still at work, it was interrupted" : "It was interrupted";
  return { said: `${interrupted}; nothing is lost, and the command below continues it`, isRefused: false };
}

/** Leave to delete counts for one command line. A rollback that goes on without it leaves what its run has created. */
function leaveAgain({ mayDelete }: RunRecord): string {
  return mayDelete === true
    ? " It was run with --allow-delete: say so again for what is still to be deleted."
    : "";
}

/** Those that nothing is known to be in doubt of: what is in doubt is told as that, and counted once. */
function unfinishedOf(
  mapping: MappingTable,
  kinds: readonly string[],
  { doubts }: Pick<Replayed, "doubts">,
): readonly Unfinished[] {
  const inDoubt = new Set(doubts.map(({ kind, item }) => keyText(kind, item.source)));
  return kinds.flatMap((kind) =>
    [...mapping.entries(kind)].flatMap(([source, { name, target, unfinished }]) =>
      unfinished === undefined || inDoubt.has(keyText(kind, source))
        ? []
        : [{ kind, source, name, target, left: unfinished }],
    ),
  );
}
