import { draftLeft } from "../engine/settle/left-to-finish.ts";
import type { Doubt } from "../engine/settle/subtraction.ts";
import { EngineError } from "../engine/progress.ts";
import { wordFor } from "../engine/word-for.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { display } from "../model/display.ts";
import type { EntryRecord } from "../model/journal.ts";
import type { MappingEntry } from "../model/mapping.ts";
import { keyText, parseKey } from "../model/key.ts";
import type { Mapped, MappingTable } from "../model/mapping-table.ts";
import type { Result } from "../model/result.ts";
import { exitCodes } from "../model/result.ts";
import { urnType } from "../model/urn.ts";
import { shellWord } from "../model/shell-word.ts";
import { plural } from "../model/plural.ts";
import type { Lease } from "../store/index.ts";
import { AfterWrites, unordered } from "./after-writes.ts";
import { checkPair } from "./check-pair.ts";
import type { Migration } from "./migration.ts";
import { mayOweFlows, owedToOthers } from "./owed-flows.ts";
import { tenantsOf } from "./pair-sides.ts";
import type { Pair } from "./refuse-pair.ts";
import { kindOfPair, refusePair, refuseUnknownKind } from "./refuse-pair.ts";
import { resultOf } from "./result.ts";
import { archiveRuns } from "./runs.ts";
import { acceptedPrints } from "./accepted-prints.ts";
import { readState, saveMapping, writing } from "./state.ts";

export interface MappingDetails {
  readonly mappings: readonly Row[];
}

/** Every entry, or those of some kinds or whose name, source or target holds a text. */
export async function listMappings(
  migration: Migration,
  filter: {
    readonly kind?: string | undefined;
    /** The plan's words: `monitors` means primary ones too. */
    readonly kinds?: readonly string[] | undefined;
    readonly text?: string | undefined;
  } = {},
): Promise<Result & { readonly details: MappingDetails }> {
  refuseUnknownKind(migration, filter.kind);
  const { mapping } = await readState(migration);
  const text = filter.text?.toLowerCase();
  const isWanted = kindFilter(migration, filter.kinds);
  const rows = rowsOf(mapping).filter(
    ({ kind, source, name, target }) =>
      (filter.kind === undefined || filter.kind === kind) &&
      isWanted(kind) &&
      (text === undefined || [source, name, target].some((value) => value.toLowerCase().includes(text))),
  );
  const headline = plural(rows.length, "mapping");
  const result = resultOf(migration, { command: "mappings", exitCode: exitCodes.done, headline });
  return { ...result, details: { mappings: rows } };
}

/** `text` is a URN of either side, or `kind:URN` of the source. */
export async function showMapping(migration: Migration, text: string): Promise<Result> {
  const { mapping } = await readState(migration);
  const row = rowOf(migration, mapping, text) ?? mapping.claimedBy(text);
  if (row === undefined) {
    throw new EngineError(
      "selection",
      `${text} is neither a mapped source nor a mapped target`,
      seeThem(migration),
    );
  }
  const { kind, source, entry } = row;
  return resultOf(migration, {
    command: "mappings",
    exitCode: exitCodes.done,
    headline: `${kind} "${entry.name}"`,
    details: { kind, source, ...entry },
  });
}

/**
 * The row that a person means by a URN: that of the thing itself, or the only one there is. What is laid over one thing
 * (its assignments, its description) has rows of its own, which go by `kind:URN`.
 */
function rowOf(migration: Migration, mapping: MappingTable, text: string): Mapped | undefined {
  const { kind, id } = parseKey(text);
  if (kind !== undefined) {
    const entry = mapping.get(kind, id);
    return entry === undefined ? undefined : { kind, source: id, entry };
  }
  const rows = mapping.all(id);
  const row = mapping.named(id) ?? rows[0];
  if (rows.length < 2 || mapping.named(id) !== undefined) return row;
  throw new EngineError(
    "selection",
    `${id} is mapped as several things: ${rows.map((found) => found.kind).join(", ")}`,
    `Say which one, for example: ferry mappings ${migration.plan.name} show ${shellWord(keyText(row?.kind ?? "", id))}`,
  );
}

/**
 * Pairs that a person names. They win over natural keys, and count as told to adopt. `check` reads both objects of
 * each pair first.
 */
export async function setMappings(
  migration: Migration,
  pairs: readonly Pair[],
  options: { readonly check?: boolean; readonly inFile?: boolean } = {},
): Promise<Result> {
  const diagnostics: Diagnostic[] = [];
  const names = new Map<string, string>();
  if (options.check === true) {
    // What is wrong without asking anybody is told without asking anybody.
    const { mapping, replayed } = await readState(migration);
    refuseInDoubt(migration, replayed.doubts, sourcesOf(pairs));
    const tenants = tenantsOf(migration.plan, mapping);
    for (const pair of pairs) refusePair(migration, mapping, pair, { tenants });
    for (const pair of pairs) {
      const checked = await checkPair(migration, kindOfPair(migration, mapping, pair), pair);
      diagnostics.push(...checked.diagnostics);
      if (checked.name !== undefined) names.set(pair.source, checked.name);
    }
  }
  const result = await change(migration, sourcesOf(pairs), async (mapping, set) => {
    const fresh = pairs.filter(
      (pair) => mapping.get(kindOfPair(migration, mapping, pair), pair.source) === undefined,
    );
    const mayBe = (pair: Pair): readonly string[] =>
      mayStandAs(migration, kindOfPair(migration, mapping, pair), pair.source);
    const kinds = new Set(fresh.flatMap(mayBe));
    const accepted = options.check === true ? await acceptedPrints(migration, kinds) : undefined;
    let already = 0;
    /** Keys of the sources that this file, or this command, has set: one that stands there twice counts once. */
    const named = new Set<string>();
    const tenants = tenantsOf(migration.plan, mapping);
    for (const pair of pairs) {
      refusePair(migration, mapping, pair, { tenants, set: named, inFile: options.inFile });
      const kind = kindOfPair(migration, mapping, pair);
      const key = keyText(kind, pair.source);
      if (named.has(key)) continue;
      const before = mapping.get(kind, pair.source);
      if (before !== undefined) {
        // What it was when it was last applied is worth keeping: without it no drift would show.
        already += 1;
        set(kind, pair.source, before);
        continue;
      }
      const entry: MappingEntry = {
        name: pair.name ?? names.get(pair.source) ?? "",
        target: pair.target,
        origin: "explicit",
        ...mayBe(pair)
          .map((name) => accepted?.get(keyText(name, pair.target)))
          .find((print) => print !== undefined),
      };
      set(kind, pair.source, entry);
      named.add(key);
    }
    const were = already === 1 ? "was" : "were";
    return `${plural(named.size, "pair")} set.${already === 0 ? "" : ` ${already} ${were} so already.`}`;
  });
  return { ...result, diagnostics: [...diagnostics, ...result.diagnostics] };
}

function seeThem({ plan }: Migration): string {
  return `See them: ferry mappings ${plan.name} list`;
}

/** A pair goes by its source; what stands at the target is what a person sees there, and may name. */
function notMapped(migration: Migration, mapping: MappingTable, text: string): EngineError {
  const owner = mapping.claimedBy(parseKey(text).id);
  if (owner === undefined) return new EngineError("selection", `${text} is not mapped`, seeThem(migration));
  const { kind, source, entry } = owner;
  return new EngineError(
    "selection",
    `${text} is the twin of ${kind} "${display(entry.name)}", and a pair goes by its source; nothing was done`,
    `Name that: ferry mappings ${migration.plan.name} remove ${wordFor(migration.registry, kind, source)}`,
  );
}

/** Each is a source URN, or `kind:URN`. */
export async function removeMappings(migration: Migration, sources: readonly string[]): Promise<Result> {
  const ids = sources.map((text) => parseKey(text).id);
  const diagnostics: Diagnostic[] = [];
  const result = await change(migration, ids, async (mapping, set) => {
    // Of a pair that is named twice both words are about the same row.
    const rows = new Map<string, Mapped>();
    for (const text of sources) {
      const row = rowOf(migration, mapping, text);
      if (row === undefined) throw notMapped(migration, mapping, text);
      rows.set(keyText(row.kind, row.source), row);
    }
    for (const row of rows.values()) {
      set(row.kind, row.source, null);
      diagnostics.push(...draftOf(migration, row));
    }
    return `${plural(rows.size, "pair")} removed. The objects themselves are untouched.`;
  });
  return { ...result, diagnostics: [...diagnostics, ...result.diagnostics] };
}

/** That of something new no list shows. */
function draftOf(migration: Migration, { kind, source: urn, entry }: Mapped): readonly Diagnostic[] {
  if (entry.unfinished === undefined) return [];
  const why = "no run does it without the pair:";
  return [draftLeft({ kind, urn, name: entry.name }, entry, migration.plan.target.name, why)];
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

type SetRow = (kind: string, source: string, entry: MappingEntry | null) => void;

/** What becomes of an operation in doubt is put into the mapping when it is settled, over whatever a person set. */
function refuseInDoubt(migration: Migration, doubts: readonly Doubt[], sources: readonly string[]): void {
  const doubt = doubts.find(({ item }) => sources.includes(item.source));
  if (doubt === undefined) return;
  throw new EngineError(
    "in-doubt",
    `the pair of ${doubt.kind} "${doubt.item.name}" (${doubt.item.source}) cannot be changed while its ${doubt.step} is in doubt: settling it would overrule you`,
    `Decide: ferry resolve ${migration.plan.name}`,
  );
}

function sourcesOf(pairs: readonly Pair[]): readonly string[] {
  return pairs.map(({ source }) => source);
}

/** Whoever names a twin has taken the object up again. */
async function takeUp(migration: Migration, lease: Lease, records: readonly EntryRecord[]): Promise<void> {
  const { registry } = migration;
  const { state } = migration.store;
  const abandoned = await state.abandoned();
  const before = abandoned.size;
  for (const { kind, source, entry } of records) {
    if (entry === null) continue;
    // A thing has one owner, whatever kind its pair is put down under; what lies over it is another thing.
    for (const { kind: name } of abandoned.of(source))
      if (name === kind || (registry.owns(name) && registry.owns(kind))) abandoned.delete(name, source);
  }
  if (abandoned.size < before) await state.saveAbandoned(lease, abandoned);
}

async function change(
  migration: Migration,
  sources: readonly string[],
  edit: (mapping: MappingTable, set: SetRow) => Promise<string>,
): Promise<Result> {
  return writing(migration, async (run, state) => {
    const { mapping, journal, replayed, lease } = state;
    refuseInDoubt(migration, replayed.doubts, sources);
    const records: EntryRecord[] = [];
    const headline = await edit(mapping, (kind, source, pair) => {
      // As any row, it tells by which run it is: a journal that is older than the pair does not bring another one back. And it tells which row
      // was there before: one that came after that, and was stored elsewhere, is not taken back by this journal either.
      const entry = pair === null ? null : { run, ...pair };
      const by = mapping.get(kind, source)?.run;
      mapping.set(kind, source, entry);
      records.push({ type: "entry", run, kind, source, entry, ...(by === undefined ? {} : { by }) });
    });
    // Behind what the journal holds of earlier runs, so that a replay does not bring the old pairs back.
    await journal.appendAll(records);
    // From here on it is so, whatever else fails: a pair that is set may be set again, one that is gone cannot be removed.
    const after = new AfterWrites({ isSaidOnce: records.some(({ entry }) => entry === null) });
    const diagnostics = await after.tried(unordered, async () => {
      await saveMapping(migration, state);
      await takeUp(migration, lease, records);
      // What it alone tells of stays for the next run.
      const { doubts, starts, displaced, untold } = replayed;
      const isNeeded = [doubts, starts, displaced, untold].some((left) => left.length > 0);
      if (isNeeded || mayOweFlows(migration, replayed)) return [];
      // What of an earlier run could not be kept for a rollback is told.
      const notKept = await archiveRuns(migration, lease, replayed.runs);
      await journal.restart(owedToOthers(migration, replayed));
      return notKept;
    });
    return after.onto(
      resultOf(migration, {
        command: "mappings",
        exitCode: exitCodes.done,
        headline,
        diagnostics: diagnostics ?? [],
        next: [`ferry diff ${migration.plan.name}`],
      }),
    );
  });
}

/**
 * What a thing whose pair is put down under a kind may be moved as: before a run has seen it, an SQL item goes by its type as a
 * catalog item, and an entity as something that no kind knows.
 */
function mayStandAs({ registry, plan }: Migration, kind: string, source: string): readonly string[] {
  if (!registry.owns(kind)) return [kind];
  const moved = registry.movedAs(urnType(source) ?? "");
  return [
    kind,
    ...moved.flatMap(({ name, selectedAs }) =>
      name !== kind && plan.select.kinds.includes(selectedAs) ? [name] : [],
    ),
  ];
}

/** Whether a kind is among those that the plan's words mean; without words every kind is. */
export function kindFilter(
  { registry }: Migration,
  words: readonly string[] | undefined,
): (kind: string) => boolean {
  if (words === undefined) return () => true;
  const moved = registry.moved().filter(({ selectedAs }) => words.includes(selectedAs));
  const names = new Set(moved.map(({ name }) => name));
  return (kind) => names.has(kind);
}
