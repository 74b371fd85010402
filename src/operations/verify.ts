import type { Diff } from "../engine/diff/index.ts";
import type { KeptOtherwise } from "../engine/prove/kept-otherwise.ts";
import { keptOtherwise } from "../engine/prove/kept-otherwise.ts";
import type { ReadBack } from "../engine/prove/read-back.ts";
import { notDeleted } from "../engine/prove/not-deleted.ts";
import { movedMeanwhile, remaining, wasLeft } from "../engine/prove/remaining.ts";
import { marksOf } from "../engine/read/source-marks.ts";
import { survivors } from "../engine/prove/survivors.ts";
import type { SourceIndex } from "../engine/read/source-index.ts";
import type { TargetReading, TargetState } from "../engine/read/target.ts";
import type { AppliedChange, Change } from "../model/change.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { MappingTable } from "../model/mapping-table.ts";
import type { Result } from "../model/result.ts";
import { exitCodes } from "../model/result.ts";
import { plural } from "../model/plural.ts";
import type { SnapshotReader } from "../store/index.ts";
import { atWorkFinding, isOnItsWay, lockOf, waitForIt } from "./at-work.ts";
import { compareTold, readSides, readTargetFor } from "./compare.ts";
import type { FailOn } from "./ending.ts";
import { goingOnWithOpen, leftOver, needsPerson, nextSteps } from "./ending.ts";
import type { Migration } from "./migration.ts";
import { Rows } from "./records/index.ts";
import { countOf, resultOf } from "./result.ts";
import type { WritingState } from "./state.ts";
import { readState, saveMapping } from "./state.ts";

export interface Proof {
  /** Nothing differs beyond what was reported already. */
  readonly clean: boolean;
  /** Objects that the run itself has named as not done; they are not part of the proof. */
  readonly left: number;
  readonly changes: readonly Change[];
  readonly diagnostics: readonly Diagnostic[];
  /** What the run has brought there, and the service keeps in a form of its own. */
  readonly kept: readonly KeptOtherwise[];
}

/** Reads the target back and proves that the diff is empty and that nothing of the source survives there. */
export async function proveTarget(
  migration: Migration,
  source: SnapshotReader,
  mapping: MappingTable,
  reported: readonly AppliedChange[],
): Promise<Proof> {
  migration.report({ type: "stage", stage: "verify", detail: migration.plan.target.name });
  return prove(
    migration,
    source,
    mapping,
    await readTargetFor(migration, source, mapping, migration.targetReads()),
    reported,
  );
}

/** What a run has read of both sides, and what became of its changes. */
export interface Seen {
  readonly source: SnapshotReader;
  /** Before the run wrote. */
  readonly target: TargetState;
  readonly state: WritingState;
  readonly diff: Diff;
  readonly changes: readonly AppliedChange[];
}

/**
 * The proof of a run, from what it has read itself: the diff saw what it did not write, and `back` what it wrote, each
 * kind after the last write to it. Without `back` it wrote nothing. Where anything is not as it was sent, and where a
 * person has still to link terms, the whole comparison tells why.
 */
export async function proveRun(migration: Migration, seen: Seen, back: ReadBack | undefined): Promise<Proof> {
  const { source, target, state, diff, changes } = seen;
  const { mapping } = state;
  migration.report({ type: "stage", stage: "verify", detail: migration.plan.target.name });
  const shown = await back?.shown(changes);
  const isLinking = diff.diagnostics.some(({ code }) => code === "link-term-rule");
  const isOpen = remaining(changes).some((change) => !wasLeft(change) && change.outcome !== "done");
  if (isOpen || (back !== undefined && (isLinking || shown?.isAsSent !== true))) {
    const proof = await proveTarget(migration, source, mapping, changes);
    await takeAsBrought(migration, state, proof.kept);
    return proof;
  }
  const left = changes.filter(wasLeft);
  const touched = new Set(left.map((change) => change.target?.urn));
  const kinds = target.snapshot.kinds().filter((kind) => shown?.kinds.has(kind) !== true);
  const foreign = [
    ...survivors({ ...marksOf(migration.plan, source), target, mapping, kinds }),
    ...(shown?.survivors ?? []),
  ].filter(({ coordinate }) => !touched.has(coordinate?.urn));
  return {
    clean: foreign.every(({ severity }) => severity !== "error"),
    left: left.length,
    changes: [],
    diagnostics: [...foreign, ...diff.diagnostics.filter(({ code }) => code === "link-term-rule")],
    kept: [],
  };
}

/** What each of these shows is what the target was brought to. */
async function takeAsBrought(
  migration: Migration,
  state: WritingState,
  kept: readonly KeptOtherwise[],
): Promise<void> {
  if (kept.length === 0) return;
  for (const { kind, source, targetFingerprint } of kept) {
    const row = state.mapping.get(kind, source);
    if (row !== undefined) state.mapping.set(kind, source, { ...row, targetFingerprint });
  }
  await saveMapping(migration, state);
}

async function prove(
  migration: Migration,
  source: SnapshotReader,
  mapping: MappingTable,
  read: TargetReading,
  reported?: readonly AppliedChange[],
  index?: SourceIndex,
): Promise<Proof> {
  const left = (reported ?? []).filter(wasLeft);
  const known = new Set(left.map(({ id }) => id));
  const touched = new Set(left.map((change) => change.target?.urn));
  const client = migration.targetReads();
  let target = read;
  try {
    const compared = await compareTold(migration, source, read, mapping, client, { index, isLooking: true });
    target = compared.target;
    const { diff } = compared;
    const moved = reported === undefined ? [] : movedMeanwhile(diff.changes);
    const kept = keptOtherwise(diff.changes, reported ?? []);
    for (const { id } of kept) known.add(id);
    const unexpected = [...remaining(diff.changes), ...moved].filter(({ id }) => !known.has(id));
    const foreign = survivors({ ...marksOf(migration.plan, source), target, mapping }).filter(
      ({ coordinate }) => !touched.has(coordinate?.urn),
    );
    const different = unexpected.map((change): Diagnostic => ({
      severity: "error",
      code: "verify-difference",
      coordinate: { kind: change.kind, urn: change.source?.urn ?? "", name: change.source?.name ?? "" },
      summary: `the target is not as it should be: ${change.action} (${change.reason})${
        change.fields.length === 0
          ? ""
          : ` at ${change.fields
              .map((field) => field.path)
              .slice(0, 5)
              .join(", ")}`
      }`,
    }));
    const back = await notDeleted(reported ?? [], target.snapshot, {
      client: migration.targetReads(),
      registry: await migration.kinds("target"),
    });
    return {
      clean:
        unexpected.length === 0 &&
        back.length === 0 &&
        foreign.every((diagnostic) => diagnostic.severity !== "error"),
      left: left.length,
      changes: diff.changes,
      diagnostics: [
        ...different,
        ...kept.map(({ told }) => told),
        ...back,
        ...foreign,
        ...diff.diagnostics.filter(({ code }) => code === "link-term-rule"),
      ],
      kept,
    };
  } finally {
    target.snapshot.close();
  }
}

/** `ferry verify`: against a fresh snapshot, or one that is given. */
export async function verifyPlan(
  migration: Migration,
  options: { readonly snapshot?: string; readonly failOn?: FailOn | undefined } = {},
): Promise<Result> {
  const wasHeld = await migration.store.state.isHeld();
  const { mapping, replayed } = await readState(migration);
  const lock = await lockOf(migration, wasHeld);
  const { source, target, index } = await readSides(
    migration,
    mapping,
    migration.targetReads(),
    options.snapshot,
  );
  const proof = await prove(migration, source, mapping, target, undefined, index.take());
  source.close();
  const rows = new Rows(migration);
  await rows.open(false, goingOnWithOpen(migration.plan.name, replayed));
  await rows.compare({ dry: true });
  const open = replayed.doubts.filter((doubt) => !isOnItsWay(lock, doubt)).length;
  const { changes, diagnostics: about } = rows.join(proof);
  const diagnostics: Diagnostic[] = [
    ...atWorkFinding(migration, replayed, lock, "verify"),
    ...about,
    ...rowDifferences(rows.changes),
  ];
  if (open > 0) {
    diagnostics.push({
      severity: "error",
      code: "in-doubt",
      summary: `${plural(open, "operation")} of an earlier run had no answer yet`,
      suggestion: `Run: ${goingOnWithOpen(migration.plan.name, replayed)}`,
    });
  }
  const differs =
    !proof.clean ||
    replayed.doubts.length > 0 ||
    countOf(rows.changes, ["create", "update", "delete"]) > 0 ||
    countOf(changes, ["drift", "conflict"]) > 0;
  const left = changes.filter(
    ({ action, records }) => action === "blocked" || action === "manual" || records !== undefined,
  );
  const unproven = left.filter((change) => needsPerson(change, options.failOn)).length;
  const isPartial = unproven > 0 || rows.isLeftBehind;
  const exitCode = differs ? exitCodes.expectation : isPartial ? exitCodes.partial : exitCodes.done;
  return resultOf(migration, {
    command: "verify",
    exitCode,
    changes,
    diagnostics,
    headline: `${headlineOf(differs, unproven, changes)}${waitForIt(lock)}`,
    next:
      lock.isHeld === true
        ? [`ferry status ${migration.plan.name}`, `ferry verify ${migration.plan.name}`]
        : exitCode === exitCodes.expectation
          ? [`ferry diff ${migration.plan.name}`]
          : nextSteps(migration, exitCode, changes, {}),
  });
}

function rowDifferences(changes: readonly Change[]): readonly Diagnostic[] {
  return changes.flatMap(({ kind, source, reason, records }): Diagnostic[] => {
    if (records === undefined || records.create + records.update + records.delete === 0) return [];
    const summary = `the target is not as it should be: ${reason}`;
    const coordinate = source === undefined ? {} : { coordinate: { kind, ...source } };
    return [{ severity: "error", code: "verify-difference", ...coordinate, summary }];
  });
}

function headlineOf(differs: boolean, unproven: number, changes: readonly Change[]): string {
  if (differs) return "The target is not as it should be.";
  if (unproven === 0) {
    const rest = leftOver(changes);
    return rest === "" ? "Verified: the target is as it should be." : `Verified what was moved.${rest}`;
  }
  return `Verified what was moved; ${plural(unproven, "object")} that ferry cannot move ${unproven === 1 ? "is" : "are"} not part of the proof.`;
}
