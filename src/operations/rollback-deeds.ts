import type { Known } from "../engine/checks/one-environment.ts";
import { mappedSources } from "../engine/checks/one-environment.ts";
import type { Deed } from "../engine/undo/deed.ts";
import { Deeds } from "../engine/undo/deeds.ts";
import type { RunsBeside } from "../engine/undo/whose.ts";
import { onlyAdds } from "../engine/facets/standing.ts";
import { EngineError } from "../engine/progress.ts";
import type { RunRecord, TableRecord } from "../model/journal.ts";
import type { Replayed } from "../engine/settle/replay.ts";
import type { Archive } from "../store/index.ts";
import { needsPerson } from "./doubts.ts";
import { goingOnWithOpen } from "./ending.ts";
import type { Migration } from "./migration.ts";
import { isCalled } from "./run-name.ts";
import type { State } from "./state.ts";
import { toMinute } from "../model/moment.ts";

/** What one run did. */
export interface Undone {
  readonly run: string;
  /** When it began, and by which command. */
  readonly at: string;
  readonly command: string;
  /** Those that it went on with, or that went on with it: one is not taken back without the other. */
  readonly others: readonly string[];
  /** Newest first. */
  readonly deeds: readonly Deed[];
  /** Tables whose rows it wrote. */
  readonly tables: readonly TableRecord[];
  /** A run that came after it and is not on record here, where nobody has said which one is meant. */
  readonly later?: string;
}

/** Commands whose runs write nothing of their own that could be taken back, or take back themselves. */
const notMeant: ReadonlySet<string> = new Set(["rollback", "resolve"]);

/**
 * Without a name: the last run that wrote something and was not a rollback itself; one that only paired what was there
 * already has nothing to take back. A run that went on with an interrupted one answers for both, by the name of either;
 * for another plan's it never does.
 */
export async function deedsOf(
  migration: Migration,
  wanted: string | undefined,
  state: State,
): Promise<Undone> {
  const archives = [...(await migration.store.state.archives()), ...currentRuns(migration, state)];
  const known = await namesFor(wanted, archives);
  for await (const undone of undoable(migration, inFull(wanted, known), archives)) {
    const later = wanted === undefined ? await laterElsewhere(undone, state.mapping, archives) : undefined;
    return later === undefined ? undone : { ...undone, later };
  }
  const several = wanted === undefined ? [] : meantBy(wanted, known);
  if (several.length > 1)
    throw new EngineError(
      "selection",
      `${several.length} runs begin or end with ${wanted ?? ""}`,
      `Say which: ${several.slice(-10).join(", ")}.`,
    );
  throw new EngineError(
    "selection",
    wanted === undefined ? "there is no run to take back" : `there is no run ${wanted}`,
    known.length === 0
      ? `No run of the plan ${migration.plan.name} that wrote something is on record here. Records lie where it ran, under the name that the plan had then (plans/${migration.plan.name}/runs, or below --work-dir), and not in git.`
      : `Runs: ${known.slice(-10).join(", ")}.`,
  );
}

/**
 * The mapping is committed, and records of runs are not: it tells of a later run of another machine, which whoever takes back the
 * last run may mean. Another plan's of the same two environments cannot be told from that; what a person has paired is no run.
 */
async function laterElsewhere(
  { run: undone }: Undone,
  mapping: State["mapping"],
  archives: readonly Archive[],
): Promise<string | undefined> {
  const here = new Set<string>();
  for (const archive of archives.toReversed()) {
    if (here.has(undone)) break;
    for (const { run } of await runsIn(archive)) here.add(run);
  }
  let last = undone;
  for (const kind of mapping.kinds())
    for (const { run = "", origin } of mapping.entries(kind).values())
      if (origin !== "explicit" && last < run && !here.has(run)) last = run;
  return last === undone ? undefined : last;
}

/** Looking settles nothing, and what is in doubt says what there is to take back. Throws EngineError. */
export function refuseDoubts(plan: string, replayed: Replayed): void {
  const { doubts } = replayed;
  if (doubts.length === 0) return;
  const what = "an earlier run left operations in doubt";
  if (doubts.some(needsPerson))
    throw new EngineError("in-doubt", what, `They are a person's to decide: \`ferry resolve ${plan}\`.`);
  const again = goingOnWithOpen(plan, replayed);
  const advice = `\`${again}\` settles them; so does any rollback, before it takes anything back.`;
  throw new EngineError("interrupted", what, advice);
}

/** A name as a person gives it may be a part of one: by the next run it may be that of two. */
export async function fullName(
  migration: Migration,
  wanted: string | undefined,
  current: readonly Archive[],
): Promise<string | undefined> {
  if (wanted === undefined) return undefined;
  return inFull(wanted, await namesFor(wanted, [...(await migration.store.state.archives()), ...current]));
}

/** Their names stand in them: all are read only for a name that is none of an archive's own. */
async function namesFor(
  wanted: string | undefined,
  archives: readonly Archive[],
): Promise<readonly string[]> {
  const isSought = wanted !== undefined && !archives.some(({ run }) => run === wanted);
  return isSought ? runNames(archives) : archives.map(({ run }) => run);
}

/** For the record of a rollback: whoever goes on with it takes back the run that was named, and not the last one. */
export function saidOf({
  run: wanted = "",
  allowDelete = false,
}: {
  readonly run?: string | undefined;
  readonly allowDelete?: boolean;
}): Pick<RunRecord, "narrowed" | "mayDelete"> {
  return {
    ...(/^[\w.:-]+$/.test(wanted) ? { narrowed: ` --run ${wanted}` } : {}),
    ...(allowDelete ? { mayDelete: true } : {}),
  };
}

async function runNames(archives: readonly Archive[]): Promise<readonly string[]> {
  const inEach = await Promise.all(archives.map(runsIn));
  return [
    ...new Set(archives.flatMap(({ run }, at) => [...(inEach[at] ?? []).map((inside) => inside.run), run])),
  ];
}

/** The beginning or the end of a name will do, where it is that of one alone. */
function inFull(wanted: string | undefined, known: readonly string[]): string | undefined {
  if (wanted === undefined || known.includes(wanted)) return wanted;
  const meant = meantBy(wanted, known);
  return meant.length === 1 ? meant[0] : wanted;
}

function meantBy(wanted: string, known: readonly string[]): readonly string[] {
  return known.filter((run) => isCalled(run, wanted));
}

/** The last run that wrote something before this one. */
export async function runBefore(
  migration: Migration,
  { run }: Undone,
  current: readonly Archive[] = [],
): Promise<string | undefined> {
  const archives = [...(await migration.store.state.archives()), ...current];
  for await (const undone of undoable(migration, undefined, archives))
    if (undone.run !== run) return undone.run;
  return undefined;
}

/**
 * Runs that moved something, and are not what is taken back: a draft that one of them left is not its own, and what one has made
 * in the place of something that was deleted is no rollback's. `current` is the rollback itself.
 */
export async function runsBeside(
  { store }: Migration,
  { run, others, deeds }: Undone,
  { mapping, replayed }: State,
  current: string | undefined,
): Promise<RunsBeside> {
  const ownRuns = new Set([run, ...others]);
  const [otherRuns, backRuns] = [new Set<string>(), new Set(current === undefined ? [] : [current])];
  // Records are read for that only where it is asked.
  const isAsked = deeds.some(({ kind, source, what, target }) => {
    const row = mapping.row(kind, source);
    if (row === undefined) return false;
    return row.unfinished !== undefined || (what === "deleted" && row.target !== target && !row.former);
  });
  if (!isAsked) return { otherRuns, ownRuns, backRuns };
  const kept = await Promise.all((await store.state.archives()).map(runsIn));
  for (const { run: other, command } of [...kept.flat(), ...replayed.runs])
    if (notMeant.has(command)) backRuns.add(other);
    else if (!ownRuns.has(other)) otherRuns.add(other);
  return { otherRuns, ownRuns, backRuns };
}

/** The journal as it is: the run in it may have been interrupted, or may be the one before this. */
export function currentRuns({ plan, store }: Migration, { replayed }: State): readonly Archive[] {
  const last = replayed.runs.findLast((run) => run.plan === plan.name);
  return last === undefined ? [] : [{ run: last.run, records: () => store.state.readJournal() }];
}

/** The source is not read, but known: from the mapping, and from what is to be taken back or settled. */
export function sourcesOf(
  { mapping }: State,
  more: readonly { readonly kind: string; readonly source: string; readonly target?: string | undefined }[],
): Known {
  // What a replacement left to be deleted goes by its URN at the target.
  const own = more.filter(({ source, target }) => source !== target);
  return [...mappedSources(mapping), ...own.map(({ kind, source }) => [kind, [source]] as const)];
}

/** How a person knows the run again: when it was, by which command, and what it did. */
export function describeRun({ run, at, command, others, deeds, tables, later }: Undone): string {
  const counts = Object.entries(countsOf(deeds)).flatMap(([what, count]) =>
    count === 0 ? [] : [`${count} ${what}`],
  );
  counts.push(...namesOf(tables).map((name) => `rows of ${name}`));
  const did = counts.length === 0 ? "nothing written" : counts.join(", ");
  const along =
    others.length === 0 ? "" : `, together with ${others.join(", ")}, of which one goes on with the other`;
  const not =
    later === undefined
      ? ""
      : `, and not ${later}, which came after it and is not on record here (another machine's, or another plan's)`;
  return `Run ${run}, the ${command} of ${toMinute(at)}${along} (${did})${not}`;
}

export interface RunDetails extends Readonly<Record<Deed["what"], number>> {
  readonly id: string;
  readonly at: string;
  readonly command: string;
  /** Tables whose rows it wrote, by name: how many of each stands with their changes. Absent where there are none. */
  readonly rowsOf?: readonly string[];
}

export function runDetails({ run, at, command, deeds, tables }: Undone): RunDetails {
  const rows = tables.length === 0 ? {} : { rowsOf: namesOf(tables) };
  return { id: run, at, command, ...countsOf(deeds), ...rows };
}

function namesOf(tables: Undone["tables"]): readonly string[] {
  return [...new Set(tables.map(({ name }) => name))];
}

function countsOf(deeds: readonly Deed[]): Record<Deed["what"], number> {
  const counts = { created: 0, changed: 0, deleted: 0, assigned: 0 };
  for (const { what } of deeds) counts[what] += 1;
  return counts;
}

/** Newest first; by a name only that one, whatever it wrote. */
async function* undoable(
  migration: Migration,
  wanted: string | undefined,
  archives: readonly Archive[],
): AsyncGenerator<Undone, void, undefined> {
  const isName = wanted !== undefined && archives.some(({ run }) => run === wanted);
  for (const archive of archives.toReversed()) {
    if (isName && archive.run !== wanted) continue;
    const runs = await runsIn(archive);
    const named = runs.find(({ run }) => run === wanted);
    if (named !== undefined && named.plan !== migration.plan.name) throw another(named);
    const own = runs.filter(({ plan }) => plan === migration.plan.name);
    const isBack = wanted !== undefined && isRollback(named ?? own.at(-1));
    const meant = own.filter(({ command }) => (isBack ? command === "rollback" : !notMeant.has(command)));
    const isIt = wanted === undefined ? meant.length > 0 : isName || named !== undefined;
    if (!isIt) continue;
    const names = new Set(meant.map(({ run }) => run));
    const deeds = new Deeds(
      (run) => names.has(run),
      (kind) => onlyAdds(migration.registry.get(kind)),
      () => migration.store.work.openScratch(),
    );
    const tables: TableRecord[] = [];
    for await (const record of archive.records()) {
      deeds.feed(record);
      if (record.type === "table" && names.has(record.run)) tables.push(record);
    }
    const all = deeds.newestFirst();
    if (wanted === undefined && all.length + tables.length === 0) continue;
    const told = named ?? meant.at(-1);
    const { run = archive.run, at = "", command = "run" } = told ?? {};
    const others = [...names].filter((name) => name !== run);
    yield { run, at, command, others, deeds: all, tables };
  }
}

async function runsIn({ records }: Archive): Promise<readonly RunRecord[]> {
  const runs: RunRecord[] = [];
  for await (const record of records()) if (record.type === "run") runs.push(record);
  return runs;
}

function isRollback(run: RunRecord | undefined): boolean {
  return run?.command === "rollback";
}

function another({ run, plan }: RunRecord): EngineError {
  return new EngineError(
    "selection",
    `the run ${run} belongs to the plan "${plan}"`,
    `Run: ferry rollback ${plan} --run ${run}`,
  );
}
