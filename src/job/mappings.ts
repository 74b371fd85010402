import type { Doubt } from "../engine/apply/settle.ts";
import { EngineError } from "../engine/progress.ts";
import type { GivenKind, MovedKind } from "../kinds/kind.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { EntryRecord } from "../model/journal.ts";
import type { MappingEntry } from "../model/mapping.ts";
import type { MappingTable } from "../model/mapping-table.ts";
import type { Result } from "../model/result.ts";
import { exitCodes } from "../model/result.ts";
import { isUrn, urnType } from "../model/urn.ts";
import { didYouMean } from "../plan/nearest.ts";
import { ensureWritableFolder, readAbandoned, writeAbandoned } from "../store/index.ts";
import { checkPair } from "./check-pair.ts";
import type { Job } from "./job.ts";
import { plural, resultOf } from "./result.ts";
import { locked, newRunId } from "./run.ts";
import { archiveRuns } from "./runs.ts";
import { openState, readState, saveMapping } from "./state.ts";

export interface Pair {
  readonly kind?: string | undefined;
  readonly source: string;
  readonly target: string;
  readonly name?: string | undefined;
}

export interface MappingDetails {
  readonly mappings: readonly Row[];
}

/** Every entry, or those of some kinds or whose name, source or target holds a text. */
export async function listMappings(
  job: Job,
  filter: {
    readonly kind?: string | undefined;
    /** The plan's words: `monitors` means primary ones too. */
    readonly kinds?: readonly string[] | undefined;
    readonly text?: string | undefined;
  } = {},
): Promise<Result & { readonly details: MappingDetails }> {
  refuseUnknownKind(job, filter.kind);
  const { mapping } = await readState(job);
  const text = filter.text?.toLowerCase();
  const isWanted = kindFilter(job, filter.kinds);
  const rows = rowsOf(mapping).filter(
    ({ kind, source, name, target }) =>
      (filter.kind === undefined || filter.kind === kind) &&
      isWanted(kind) &&
      (text === undefined || [source, name, target].some((value) => value.toLowerCase().includes(text))),
  );
  const headline = plural(rows.length, "mapping");
  const result = resultOf(job, { command: "mappings", exitCode: exitCodes.done, headline });
  return { ...result, details: { mappings: rows } };
}

export async function showMapping(job: Job, urn: string): Promise<Result> {
  const { mapping } = await readState(job);
  const source = mapping.get(urn) === undefined ? mapping.claimedBy(urn)?.source : urn;
  const entry = source === undefined ? undefined : mapping.get(source);
  if (source === undefined || entry === undefined) {
    throw new EngineError(
      "selection",
      `${urn} is neither a mapped source nor a mapped target`,
      `See them: ferry mappings ${job.plan.name} list`,
    );
  }
  return resultOf(job, {
    command: "mappings",
    exitCode: exitCodes.done,
    headline: `${mapping.kindOf(source) ?? ""} "${entry.name}"`,
    details: { kind: mapping.kindOf(source), source, ...entry },
  });
}

/**
 * Pairs that a person names. They win over natural keys, and count as told to adopt. `check` reads both objects of
 * each pair first.
 */
export async function setMappings(
  job: Job,
  pairs: readonly Pair[],
  options: { readonly check?: boolean } = {},
): Promise<Result> {
  const diagnostics: Diagnostic[] = [];
  const names = new Map<string, string>();
  if (options.check === true) {
    // What is wrong without asking anybody is told without asking anybody.
    const { mapping, replayed } = await readState(job);
    refuseInDoubt(job, replayed.doubts, sourcesOf(pairs));
    for (const pair of pairs) refuse(job, mapping, pair);
    for (const pair of pairs) {
      const checked = await checkPair(job, kindOfPair(job, pair), pair);
      diagnostics.push(...checked.diagnostics);
      if (checked.name !== undefined) names.set(pair.source, checked.name);
    }
  }
  const result = await change(job, sourcesOf(pairs), (mapping, set) => {
    let already = 0;
    for (const pair of pairs) {
      refuse(job, mapping, pair);
      const before = mapping.get(pair.source);
      if (before !== undefined) {
        // What it was when it was last applied is worth keeping: without it no drift would show.
        already += 1;
        set(mapping.kindOf(pair.source) ?? kindOfPair(job, pair), pair.source, before);
        continue;
      }
      const entry: MappingEntry = {
        name: pair.name ?? names.get(pair.source) ?? "",
        target: pair.target,
        origin: "explicit",
      };
      set(kindOfPair(job, pair), pair.source, entry);
    }
    const were = already === 1 ? "was" : "were";
    return `${plural(pairs.length - already, "pair")} set.${already === 0 ? "" : ` ${already} ${were} so already.`}`;
  });
  return { ...result, diagnostics };
}

/** What no reading is needed for to know that the pair cannot be. */
function refuse(job: Job, mapping: MappingTable, { kind, source, target }: Pair): void {
  refuseUnknownKind(job, kind);
  for (const urn of [source, target]) {
    if (isUrn(urn)) continue;
    throw new EngineError(
      "selection",
      `"${urn}" is not a URN`,
      "A URN looks like urn:<namespace>:<tenant>:<area>:<type>:<uuid>.",
    );
  }
  if (urnType(source) !== urnType(target))
    throw new EngineError("selection", `${source} and ${target} are different types of things`);
  const types = kindsOf(job).find(({ name }) => name === kind)?.urnTypes ?? [];
  if (types.length > 0 && !types.includes(urnType(source) ?? "")) {
    throw new EngineError(
      "selection",
      `${source} is none of the kind ${kind ?? ""}`,
      `Leave --kind out: it is of the kind ${kindOf(job, source)}.`,
    );
  }
  const before = mapping.get(source);
  if (before !== undefined && before.target !== target) {
    throw new EngineError(
      "selection",
      `${source} is mapped already: to ${before.target} (${before.origin})`,
      `Take that pair away first: ferry mappings ${job.plan.name} remove ${source}`,
    );
  }
  const claimed = mapping.claimedBy(target);
  if (claimed !== undefined && claimed.source !== source) {
    throw new EngineError(
      "selection",
      `${target} is already the twin of ${claimed.source}`,
      `Take that pair away first: ferry mappings ${job.plan.name} remove ${claimed.source}`,
    );
  }
}

export async function removeMappings(job: Job, sources: readonly string[]): Promise<Result> {
  return change(job, sources, (mapping, set) => {
    for (const source of sources) {
      const kind = mapping.kindOf(source);
      if (kind === undefined) throw new EngineError("selection", `${source} is not mapped`);
      set(kind, source, null);
    }
    return `${plural(sources.length, "pair")} removed. The objects themselves are untouched.`;
  });
}

export interface Row extends Pair {
  readonly kind: string;
  readonly name: string;
  readonly origin: string;
}

export function rowsOf(mapping: MappingTable): readonly Row[] {
  return [...mapping.kinds()].sort().flatMap((kind) =>
    [...mapping.entries(kind)].map(([source, { target, name, origin }]) => ({
      kind,
      source,
      target,
      name,
      origin,
    })),
  );
}

type Set = (kind: string, source: string, entry: MappingEntry | null) => void;

/** What becomes of an operation in doubt is put into the mapping when it is settled, over whatever a person set. */
function refuseInDoubt(job: Job, doubts: readonly Doubt[], sources: readonly string[]): void {
  const doubt = doubts.find(({ item }) => sources.includes(item.source));
  if (doubt === undefined) return;
  throw new EngineError(
    "in-doubt",
    `the pair of ${doubt.kind} "${doubt.item.name}" (${doubt.item.source}) cannot be changed while its ${doubt.step} is in doubt: settling it would overrule you`,
    `Decide: ferry resolve ${job.plan.name}`,
  );
}

function sourcesOf(pairs: readonly Pair[]): readonly string[] {
  return pairs.map(({ source }) => source);
}

/** Whoever names a twin has taken the object up again. */
async function takeUp(job: Job, records: readonly EntryRecord[]): Promise<void> {
  const { parties, paths, tool } = job;
  const abandoned = new Map(await readAbandoned(paths.mapping, parties));
  const before = abandoned.size;
  for (const { source, entry } of records) if (entry !== null) abandoned.delete(source);
  if (abandoned.size < before) await writeAbandoned(paths.mapping, { tool, parties }, abandoned);
}

async function change(
  job: Job,
  sources: readonly string[],
  edit: (mapping: MappingTable, set: Set) => string,
): Promise<Result> {
  await ensureWritableFolder(job.paths.mapping);
  const run = newRunId(job.now());
  return locked(job, run, async () => {
    const { mapping, journal, store, replayed } = await openState(job);
    try {
      refuseInDoubt(job, replayed.doubts, sources);
      const records: EntryRecord[] = [];
      const headline = edit(mapping, (kind, source, entry) => {
        mapping.set(kind, source, entry);
        records.push({ type: "entry", run, kind, source, entry });
      });
      // Behind what the journal holds of earlier runs, so that a replay does not bring the old pairs back.
      await journal.appendAll(records);
      await saveMapping(store, mapping);
      await takeUp(job, records);
      if (replayed.doubts.length === 0) {
        await archiveRuns(job, replayed.runs);
        await journal.restart();
      }
      return resultOf(job, {
        command: "mappings",
        exitCode: exitCodes.done,
        headline,
        next: [`ferry diff ${job.plan.name}`],
      });
    } finally {
      await journal.close();
    }
  });
}

function refuseUnknownKind(job: Job, kind: string | undefined): void {
  const known = kindsOf(job)
    .map(({ name }) => name)
    .concat("others");
  if (kind === undefined || known.includes(kind)) return;
  const suggestion = didYouMean(kind, known) ?? `Kinds: ${known.join(", ")}.`;
  throw new EngineError("selection", `there is no kind "${kind}"`, suggestion);
}

function kindOfPair(job: Job, { kind, source }: Pair): string {
  return kind ?? kindOf(job, source);
}

/** The kind that a URN belongs to; `others` for types that no kind knows. */
function kindOf(job: Job, urn: string): string {
  const type = urnType(urn) ?? "";
  return kindsOf(job).find((kind) => kind.urnTypes.includes(type))?.name ?? "others";
}

function kindsOf({ registry }: Job): readonly (MovedKind | GivenKind)[] {
  return [...registry.moved(), ...registry.given()];
}

/** Whether a kind is among those that the plan's words mean; without words every kind is. */
export function kindFilter(
  { registry }: Job,
  words: readonly string[] | undefined,
): (kind: string) => boolean {
  if (words === undefined) return () => true;
  const moved = registry.moved().filter(({ selectedAs }) => words.includes(selectedAs));
  const names = new Set(moved.map(({ name }) => name));
  return (kind) => names.has(kind);
}
