import { computeDiff } from "../engine/diff/index.ts";
import { EngineError } from "../engine/progress.ts";
import type { FieldChange } from "../model/change.ts";
import type { EntryRecord } from "../model/journal.ts";
import type { MappingEntry } from "../model/mapping.ts";
import type { MappingTable } from "../model/mapping-table.ts";
import type { Result } from "../model/result.ts";
import { exitCodes } from "../model/result.ts";
import { isUrn, urnType } from "../model/urn.ts";
import { didYouMean } from "../plan/nearest.ts";
import { archiveJournal, ensureWritableFolder } from "../store/index.ts";
import { close } from "./diff.ts";
import { exportSnapshot, openExisting } from "./export.ts";
import type { Job } from "./job.ts";
import { readTargetFor } from "./compare.ts";
import { plural, resultOf } from "./result.ts";
import { locked, newRunId } from "./run.ts";
import { openState, readState, saveMapping } from "./state.ts";

export interface Pair {
  readonly kind?: string | undefined;
  readonly source: string;
  readonly target: string;
  readonly name?: string | undefined;
}

/** Every entry, or those of one kind or whose name, source or target holds a text. */
export async function listMappings(
  job: Job,
  filter: { readonly kind?: string | undefined; readonly text?: string | undefined } = {},
): Promise<Result> {
  refuseUnknownKind(job, filter.kind);
  const { mapping } = await readState(job);
  const text = filter.text?.toLowerCase();
  const rows = rowsOf(mapping).filter(
    ({ kind, source, name, target }) =>
      (filter.kind === undefined || filter.kind === kind) &&
      (text === undefined || [source, name, target].some((value) => value.toLowerCase().includes(text))),
  );
  return resultOf(job, {
    command: "mappings",
    exitCode: exitCodes.done,
    headline: plural(rows.length, "mapping"),
    details: { mappings: rows },
  });
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

/** Pairs that a person names. They win over natural keys, and count as told to adopt. */
export async function setMappings(job: Job, pairs: readonly Pair[]): Promise<Result> {
  return change(job, (mapping, set) => {
    for (const pair of pairs) {
      refuseUnknownKind(job, pair.kind);
      for (const urn of [pair.source, pair.target]) {
        if (!isUrn(urn))
          throw new EngineError(
            "selection",
            `"${urn}" is not a URN`,
            "A URN looks like urn:<namespace>:<tenant>:<area>:<type>:<uuid>.",
          );
      }
      if (urnType(pair.source) !== urnType(pair.target)) {
        throw new EngineError("selection", `${pair.source} and ${pair.target} are different types of things`);
      }
      const before = mapping.get(pair.source);
      if (before !== undefined && before.target !== pair.target) {
        throw new EngineError(
          "selection",
          `${pair.source} is mapped already: to ${before.target} (${before.origin})`,
          `Take that pair away first: ferry mappings ${job.plan.name} remove ${pair.source}`,
        );
      }
      const claimed = mapping.claimedBy(pair.target);
      if (claimed !== undefined && claimed.source !== pair.source) {
        throw new EngineError(
          "selection",
          `${pair.target} is already the twin of ${claimed.source}`,
          `Take that pair away first: ferry mappings ${job.plan.name} remove ${claimed.source}`,
        );
      }
      const entry: MappingEntry = {
        name: pair.name ?? mapping.get(pair.source)?.name ?? "",
        target: pair.target,
        origin: "explicit",
      };
      set(pair.kind ?? kindOf(job, pair.source), pair.source, entry);
    }
    return `${plural(pairs.length, "pair")} set.`;
  });
}

export async function removeMappings(job: Job, sources: readonly string[]): Promise<Result> {
  return change(job, (mapping, set) => {
    for (const source of sources) {
      const kind = mapping.kindOf(source);
      if (kind === undefined) throw new EngineError("selection", `${source} is not mapped`);
      set(kind, source, null);
    }
    return `${plural(sources.length, "pair")} removed. The objects themselves are untouched.`;
  });
}

/** Pairs of objects that may be the same in two environments that were built separately. */
export interface Suggestion extends Pair {
  readonly kind: string;
  readonly name: string;
  /** 0 to 1: how much of the two is equal. */
  readonly similarity: number;
  readonly differing: readonly string[];
}

/**
 * Proposes twins: unmapped objects of the same kind with the same natural key, whatever their content, best first.
 * Nothing is written.
 */
export async function suggestMappings(
  job: Job,
  options: { readonly snapshot?: string | undefined } = {},
): Promise<Result> {
  const source =
    options.snapshot === undefined ? await exportSnapshot(job) : await openExisting(job, options.snapshot);
  const { mapping } = await readState(job);
  const target = await readTargetFor(job, source, mapping, job.targetReads());
  const { registry } = job;
  // By name, so that each candidate is compared field by field; nothing of this diff is applied.
  const plan = { ...job.plan, policy: { ...job.plan.policy, adopt: "by-name" as const } };
  const diff = computeDiff({ registry, plan, source, target, mapping, inDoubt: new Set() });
  const suggestions: Suggestion[] = [];
  const ambiguous: { kind: string; source: string; name: string; reason: string }[] = [];
  for (const change of diff.changes) {
    if (change.source === undefined) continue;
    if (change.action === "adopt" && change.target !== undefined) {
      const size = leafCount(source.body(change.kind, change.source.urn));
      suggestions.push({
        kind: change.kind,
        source: change.source.urn,
        target: change.target.urn,
        name: change.source.name,
        similarity: Math.round(similarity(size, change.fields) * 100) / 100,
        differing: change.fields.map((field) => field.path),
      });
    } else if (change.diagnostics.some((diagnostic) => diagnostic.code === "ambiguous")) {
      ambiguous.push({
        kind: change.kind,
        source: change.source.urn,
        name: change.source.name,
        reason: change.reason,
      });
    }
  }
  close(source, target);
  suggestions.sort(
    (left, right) => right.similarity - left.similarity || (left.source < right.source ? -1 : 1),
  );
  return resultOf(job, {
    command: "mappings",
    exitCode: exitCodes.done,
    headline: `${plural(suggestions.length, "suggestion")}, ${ambiguous.length} ambiguous. Nothing was written.`,
    next:
      suggestions.length === 0
        ? []
        : [
            `ferry mappings ${job.plan.name} suggest --out pairs.json`,
            `ferry mappings ${job.plan.name} import pairs.json`,
          ],
    details: { suggestions, ambiguous },
  });
}

function similarity(leaves: number, fields: readonly FieldChange[]): number {
  return leaves === 0 ? 0 : Math.max(0, 1 - fields.length / leaves);
}

function leafCount(value: unknown): number {
  if (typeof value !== "object" || value === null) return 1;
  return Object.values(value).reduce((sum: number, item: unknown) => sum + leafCount(item), 0);
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

async function change(job: Job, edit: (mapping: MappingTable, set: Set) => string): Promise<Result> {
  await ensureWritableFolder(job.paths.mapping);
  const run = newRunId(job.now());
  return locked(job, run, async () => {
    const { mapping, journal, store, replayed } = await openState(job);
    try {
      const records: EntryRecord[] = [];
      const headline = edit(mapping, (kind, source, entry) => {
        mapping.set(kind, source, entry);
        records.push({ type: "entry", run, kind, source, entry });
      });
      // Behind what the journal holds of earlier runs, so that a replay does not bring the old pairs back.
      await journal.appendAll(records);
      await saveMapping(store, mapping);
      if (replayed.doubts.length === 0) {
        const last = replayed.runs.at(-1);
        if (last !== undefined) await archiveJournal(job.paths.journal, job.paths.runs, last.run);
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
  const known = [...job.registry.moved(), ...job.registry.given()].map(({ name }) => name).concat("others");
  if (kind === undefined || known.includes(kind)) return;
  const suggestion = didYouMean(kind, known) ?? `Kinds: ${known.join(", ")}.`;
  throw new EngineError("selection", `there is no kind "${kind}"`, suggestion);
}

/** The kind that a URN belongs to; `others` for types that no kind knows. */
function kindOf(job: Job, urn: string): string {
  const type = urnType(urn) ?? "";
  const kinds = [...job.registry.moved(), ...job.registry.given()];
  return kinds.find((kind) => kind.urnTypes.includes(type))?.name ?? "others";
}
