import type { Candidate, Doubt } from "../engine/settle/subtraction.ts";
import { effectOf } from "../model/journal.ts";
import { subtract } from "../engine/settle/subtraction.ts";
import { formerOf, printsOf } from "../engine/apply/entry-after.ts";
import type { TargetState } from "../engine/read/target.ts";
import type { Change } from "../model/change.ts";
import { keyText } from "../model/key.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { Result } from "../model/result.ts";
import { consequenceSentence, consequencesOf } from "../model/consequences.ts";
import { exitCodes } from "../model/result.ts";
import { uuidOf } from "../model/urn.ts";
import { numberOf } from "../model/packed/change-list.ts";
import { plural } from "../model/plural.ts";
import type { SnapshotReader } from "../store/index.ts";
import type { Lock } from "./at-work.ts";
import { atWorkFinding, isOnItsWay, lockOf, waitForIt } from "./at-work.ts";
import { diffFileOf, writeDiffFile } from "./approved-file.ts";
import { printOfPairs } from "./bound-pairs.ts";
import { compareTold, readSides } from "./compare.ts";
import { needsPerson as asksPerson } from "./doubts.ts";
import { afterDiff, toDecide } from "./fixes.ts";
import type { Migration } from "./migration.ts";
import { flowsAhead } from "./planned-flows.ts";
import { Rows } from "./records/index.ts";
import { countOf, resultOf } from "./result.ts";
import type { FailOn } from "./ending.ts";
import { goingOn, goingOnWithOpen, needsPerson, nothingSelected } from "./ending.ts";
import { sourceDrafts } from "./source-drafts.ts";
import type { State } from "./state.ts";
import { readState } from "./state.ts";
import { standsAlone } from "../engine/facets/standing.ts";

export interface DiffPlanOptions {
  readonly command?: string;
  /** A snapshot to use in place of a new one. */
  readonly snapshot?: string;
  /** Where else to write the diff, for an approval. */
  readonly out?: string;
  readonly detailedExitCode?: boolean;
  /** Also look for unpublished changes at the source: one request for each selected object that can have them. */
  readonly drafts?: boolean;
  /** Most new instances of a table of which the target is asked which master they would join: one request each. */
  readonly identify?: number;
  /** What of that which waits for a person makes the diff end with 4; nothing, unless it is said. */
  readonly failOn?: FailOn | undefined;
}

/** Dry run: what apply would do, and why. Reads both sides and writes only its own files. */
export async function diffPlan(migration: Migration, options: DiffPlanOptions = {}): Promise<Result> {
  const wasHeld = await migration.store.state.isHeld();
  const state = await readState(migration);
  const lock = await lockOf(migration, wasHeld);
  const client = migration.targetReads();
  const flows = await flowsAhead(migration, state.replayed);
  const { source, target: read, index } = await readSides(migration, state.mapping, client, options.snapshot);
  const { inDoubt, onItsWay, goesOn, diagnostics } = foresee(migration, state, read, lock);
  const { diff: settings, target } = await compareTold(migration, source, read, state.mapping, client, {
    inDoubt,
    onItsWay,
    goesOn,
    index: index.take(),
    isLooking: true,
  });
  const rows = new Rows(migration);
  await rows.open(false, goesOn);
  await rows.compare({ dry: true });
  await rows.explain(options.identify ?? 0);
  const diff = rows.join(settings);
  const file = diffFileOf(migration, diff, {
    snapshot: source.manifest.digest,
    target: target.snapshot.manifest.digest,
    mapping: state.digest,
    ...(diff.changes.some(({ action }) => action !== "unchanged")
      ? {
          pairs: printOfPairs(target.pairs, diff.changes, {
            mapping: state.mapping,
            source,
            registry: migration.registry,
          }),
        }
      : {}),
  });
  await migration.store.work.saveDiff(file);
  if (options.out !== undefined) await writeDiffFile(migration.disk, options.out, file);
  const bad = rows.foreseeBad();
  const drafts = options.drafts === true ? await sourceDrafts(migration, diff, source) : [];
  close(source, target);

  const writes = countOf(diff.changes, ["create", "update", "replace", "adopt", "delete"]);
  const isRed =
    options.failOn !== undefined && diff.changes.some((change) => needsPerson(change, options.failOn));
  const detailed = options.detailedExitCode === true && writes > 0;
  return resultOf(migration, {
    command: options.command ?? "diff",
    exitCode: isRed ? exitCodes.partial : detailed ? exitCodes.changes : exitCodes.done,
    changes: diff.changes,
    diagnostics: [...flows, ...diff.diagnostics, ...drafts, ...diagnostics, ...bad],
    writes: {},
    headline: `${headlineOf(diff.changes, migration.plan.target.name)}${waitForIt(lock)}`,
    // Whatever is advised, an apply is refused meanwhile, and what there is to do is another thing afterwards.
    next:
      lock.isHeld === true
        ? [`ferry status ${migration.plan.name}`, `ferry diff ${migration.plan.name}`]
        : [
            // Whoever applies over a rollback that was killed has brought again what it was taking back.
            ...(goesOn.startsWith("ferry rollback ") ? [goesOn] : []),
            ...(bad.length > 0
              ? [`ferry diff ${migration.plan.name}`]
              : afterDiff(
                  diff.changes,
                  migration.plan.name,
                  goingOn(migration.plan.name, options.command ?? "apply", options.out),
                )),
            ...toDecide(diff.changes, migration.plan.name),
          ],
  });
}

function headlineOf(changes: readonly Change[], target: string): string {
  const count = (...actions: readonly Change["action"][]): number => countOf(changes, actions);
  const blocked = count("blocked");
  const known = numberOf(changes, ({ acknowledged }) => acknowledged !== undefined);
  const person = `${count("manual", "drift", "conflict") === 0 ? "" : " Some objects need a person."}${known === 0 ? "" : ` ${plural(known, "object")} acknowledged.`}`;
  const waiting = `${plural(blocked, "object")} ${blocked === 1 ? "is" : "are"} blocked`;
  // Deletes are told by what they come to: without --allow-delete they are none.
  const writes = count("create", "update", "replace", "adopt");
  const also = consequenceSentence(consequencesOf(changes), target);
  if (changes.length === 0) return nothingSelected;
  if (writes === 0)
    return blocked === 0
      ? `Nothing to do${count("delete") === 0 ? "" : " without --allow-delete"}.${person}${also}`
      : `Nothing can be done yet: ${waiting}.${person}${also}`;
  return `${plural(writes, "change")} to make${blocked === 0 ? "" : `; ${waiting}`}. Nothing was written.${person}${also}`;
}

export function close(source: SnapshotReader, target: TargetState): void {
  source.close();
  target.snapshot.close();
}

/** What settling would find, so that a dry run after a crash is right; nothing is recorded. */
function foresee(
  migration: Migration,
  state: State,
  target: TargetState,
  lock: Lock,
): {
  inDoubt: ReadonlySet<string>;
  onItsWay: ReadonlySet<string>;
  /** The command that settles it. */
  goesOn: string;
  diagnostics: readonly Diagnostic[];
} {
  const goesOn = goingOnWithOpen(migration.plan.name, state.replayed);
  const inDoubt = new Set<string>();
  const onItsWay = new Set<string>();
  const { doubts, baselines } = state.replayed;
  for (const kind of migration.registry.moved()) {
    if (!standsAlone(kind)) continue;
    const creates = doubts.filter((doubt) => doubt.kind === kind.name && effectOf(doubt) === "creates");
    for (const run of new Set(creates.map((doubt) => doubt.run))) {
      const before = baselines.get(run)?.get(kind.name);
      const candidates = newAtTarget(target, kind.name, state, before);
      const { taken, absent, ask } = subtract(
        kind,
        creates.filter((doubt) => doubt.run === run),
        candidates,
      );
      for (const { doubt, urn, keys } of taken) {
        state.mapping.set(kind.name, doubt.item.source, {
          name: doubt.item.name,
          target: urn,
          origin: "created",
          keys,
          ...printsOf(doubt.item),
          ...formerOf(state.mapping.get(kind.name, doubt.item.source), urn),
        });
      }
      for (const doubt of [...absent, ...ask.map((item) => item.doubt)]) {
        inDoubt.add(keyText(kind.name, doubt.item.source));
        if (isOnItsWay(lock, doubt)) onItsWay.add(keyText(kind.name, doubt.item.source));
      }
    }
  }
  const atWork = atWorkFinding(migration, state.replayed, lock);
  const left = doubts.filter((doubt) => !isOnItsWay(lock, doubt)).length;
  if (left === 0) return { inDoubt, onItsWay, goesOn, diagnostics: atWork };
  const summary = `${plural(left, "operation")} of an earlier run had no answer; the run that goes on settles them before it does anything else`;
  return {
    inDoubt,
    onItsWay,
    goesOn,
    diagnostics: [
      ...atWork,
      {
        severity: "warning",
        code: "in-doubt",
        summary,
        suggestion: `Run: ${goesOn}`,
      },
    ],
  };
}

function newAtTarget(
  target: TargetState,
  kind: string,
  state: State,
  before: ReadonlySet<string> | undefined,
): readonly Candidate[] {
  return [...target.snapshot.stream(kind)].filter(
    ({ urn }) => before?.has(uuidOf(urn)) !== true && state.mapping.takenBy(kind, urn) === undefined,
  );
}

/** What a person does about each: decide, or let another run settle it. */
export function doubtFindings(
  doubts: readonly Doubt[],
  plan: string,
  command = "apply",
): readonly Diagnostic[] {
  return doubts.map((doubt) => ({
    severity: "error",
    code: "in-doubt",
    coordinate: { kind: doubt.kind, urn: doubt.item.source, name: doubt.item.name },
    summary: doubtLine(doubt),
    suggestion: asksPerson(doubt)
      ? `Decide: ferry resolve ${plan}`
      : `Run again: ${goingOn(plan, command, undefined)}`,
  }));
}

export function doubtLine(doubt: Doubt): string {
  return `${doubt.kind} "${doubt.item.name}" (${doubt.item.source}): ${doubt.step} of ${new Date(doubt.at).toISOString()}: ${doubt.reason}`;
}
