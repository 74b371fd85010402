import { refuseWrongSource } from "../engine/checks/right-source.ts";
import { refuseWrongTarget } from "../engine/checks/right-target.ts";
import { acknowledge } from "../engine/diff/acknowledge.ts";
import { acknowledging } from "./acknowledging.ts";
import { checkDrafts } from "../engine/checks/open-drafts.ts";
import { confirmGone } from "../engine/checks/gone.ts";
import {
  areToldApart,
  notToldApart,
  oneEnvironment,
  sharedByBoth,
} from "../engine/checks/one-environment.ts";
import { withoutHadOtherwise } from "../engine/checks/had-otherwise.ts";
import { holdPartsReferred } from "../engine/checks/parts-referred.ts";
import { holdReferred } from "../engine/checks/referred.ts";
import { holdSaidOf } from "../engine/checks/said-of.ts";
import { wordsLeft } from "../engine/checks/words-left.ts";
import type { Detailed, Diff, DiffInput } from "../engine/diff/index.ts";
import type { Asked } from "../engine/diff/input.ts";
import { computeDiff } from "../engine/diff/index.ts";
import { makeRoom } from "../engine/diff/make-room.ts";
import { missingBase } from "../engine/diff/missing-base.ts";
import { rehome } from "../engine/diff/rehome.ts";
import { toldApart } from "../engine/diff/told-apart.ts";
import { renamer } from "../engine/pair/rename.ts";
import type { Early } from "../engine/read/foresight.ts";
import { Foresight } from "../engine/read/foresight.ts";
import { shownBy } from "../engine/read/gather.ts";
import type { TargetReading, TargetState } from "../engine/read/target.ts";
import { readTarget } from "../engine/read/target.ts";
import { kindsToList } from "../engine/read/selection.ts";
import type { SourceIndex } from "../engine/read/source-index.ts";
import { together } from "../engine/together.ts";
import { turnAfter } from "../engine/turns.ts";
import type { Registry } from "../kinds/registry.ts";
import type { MappingTable } from "../model/mapping-table.ts";
import { besideWhatStays } from "../engine/diff/second-of-its-name.ts";
import { draftsElsewhere, leftToFinish } from "../engine/settle/left-to-finish.ts";
import type { ReadClient } from "../service/index.ts";
import type { SnapshotReader } from "../store/index.ts";
import { exportIndexed, openExisting, refuseNarrower } from "./export.ts";
import { refuseMadeElsewhere } from "./made-elsewhere.ts";
import type { Migration } from "./migration.ts";

/** Snapshots the source and reads the target at the same time: neither waits for the other's pages. */
export async function readBoth(
  migration: Migration,
  mapping: MappingTable,
  client: ReadClient,
): Promise<Sides> {
  // What one side cannot give, the other one need not be read for.
  const failed = new AbortController();
  const orStop = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      failed.abort(error);
      throw error;
    }
  };
  const kinds = kindsToList(migration.registry, migration.plan.select);
  const foresight = new Foresight({
    source: migration.source(),
    target: client,
    registry: migration.registry,
    rename: renamer(migration.plan.pairing),
    shown: shownBy(migration.registry.moved().filter(({ name }) => kinds.has(name))),
    hasTwin: (urn) => mapping.named(urn) !== undefined,
    stop: AbortSignal.any([failed.signal, migration.stop]),
  });
  const exported = orStop(exportIndexed(migration, failed.signal, foresight));
  const snapshotOf = exported.then(({ snapshot }) => snapshot);
  // The target may fail before it comes to ask for the source; then `together` throws what happened.
  snapshotOf.catch(() => undefined);
  const read = orStop(
    targetFor(migration, {
      source: snapshotOf,
      kinds,
      mapping,
      client,
      stop: failed.signal,
      early: foresight.target,
      failed: (error) => {
        failed.abort(error);
      },
    }),
  );
  const [{ snapshot, index }, target] = await together([exported, read]);
  return { source: snapshot, target, index: handed(index) };
}

export interface Sides {
  readonly source: SnapshotReader;
  readonly target: TargetReading;
  /** What was seen of the source as it was read, for the first who takes it; nobody holds it afterwards. */
  readonly index: { take(): SourceIndex | undefined };
}

function handed(index: SourceIndex | undefined): Sides["index"] {
  let held = index;
  return {
    take() {
      const taken = held;
      held = undefined;
      return taken;
    },
  };
}

/** Both sides; the source from an existing snapshot when there is one to use. */
export async function readSides(
  migration: Migration,
  mapping: MappingTable,
  client: ReadClient,
  snapshot: string | undefined,
): Promise<Sides> {
  if (snapshot === undefined) return readBoth(migration, mapping, client);
  const source = await openExisting(migration, snapshot);
  refuseNarrower(migration, source, snapshot);
  return {
    source,
    target: await readTargetFor(migration, source, mapping, client),
    index: handed(undefined),
  };
}

/** Reads the target as far as the snapshot needs it. */
export async function readTargetFor(
  migration: Migration,
  source: SnapshotReader,
  mapping: MappingTable,
  client: ReadClient,
  told?: ReadonlyMap<string, string>,
): Promise<TargetReading> {
  return targetFor(migration, { source, kinds: new Set(source.kinds()), mapping, client, told });
}

async function targetFor(
  migration: Migration,
  reading: {
    readonly source: SnapshotReader | Promise<SnapshotReader>;
    readonly kinds: ReadonlySet<string>;
    readonly mapping: MappingTable;
    readonly client: ReadClient;
    readonly stop?: AbortSignal;
    readonly early?: Early;
    readonly told?: ReadonlyMap<string, string> | undefined;
    readonly failed?: (error: unknown) => void;
  },
): Promise<TargetReading> {
  const { parties, plan } = migration;
  // Of a snapshot that was made before it is known already what it holds.
  if (!(reading.source instanceof Promise)) migration.remember(reading.source.kinds());
  const registry = await migration.kinds("target");
  migration.report({ type: "stage", stage: "read target", detail: plan.target.name });
  const target = await readTarget({
    ...reading,
    registry,
    open: async (more) => {
      migration.remember(more);
      return migration.kinds("target");
    },
    plan,
    report: migration.report,
    createWriter: async () =>
      migration.store.work.createSnapshot("target", new Date(migration.now()).toISOString()),
    keep: (reader) => migration.keep(reader),
  });
  // Whoever reads both sides comes by here, and nothing was written, settled or published before.
  const source = await reading.source;
  const shared = sharedByBoth(registry, source, target, reading.mapping);
  if (shared !== undefined) throw oneEnvironment(parties, shared);
  // A snapshot of before is applied without the source.
  const isAsked = reading.source instanceof Promise && plan.source.realm === plan.target.realm;
  if (
    isAsked &&
    !(await areToldApart(await migration.kinds("source"), source, {
      source: migration.source(),
      target: reading.client,
    }))
  )
    throw notToldApart(parties);
  return target;
}

/** What an environment, by its own kinds, was asked for of those that are moved. */
function askedOf(registry: Registry, there: Registry | undefined): Asked {
  return new Map(registry.moved().map(({ name }) => [name, there?.movedKind(name)?.asked?.()]));
}

/** What the source was asked for when it was read: its model may name more by now, or less. */
function askedFor({ manifest }: SnapshotReader, now: Asked): Asked {
  return new Map(
    Array.from(now, ([kind, names]) => {
      const asked = Object.hasOwn(manifest.kinds, kind) ? manifest.kinds[kind]?.asked : undefined;
      return [kind, asked === undefined ? names : new Set(asked)];
    }),
  );
}

/**
 * The diff, and the target as it was read last. Where several objects of it could be the twin of one that others stand in or
 * lie over (an SQL item with its columns), those were looked for nowhere, or in another one; as soon as the comparison has
 * told which it is, the target is read once more with that.
 */
export async function compareTold(
  migration: Migration,
  source: SnapshotReader,
  target: TargetReading,
  mapping: MappingTable,
  client: ReadClient,
  options: CompareOptions = {},
): Promise<{ readonly diff: Diff; readonly target: TargetReading }> {
  const diff = await compare(migration, source, target, mapping, client, options);
  const told = toldApart(diff.changes, target.pairs);
  if (told.size === 0) return { diff, target };
  target.snapshot.close();
  const again = await readTargetFor(migration, source, mapping, client, told);
  const { index: _taken, ...others } = options;
  return { diff: await compare(migration, source, again, mapping, client, others), target: again };
}

type CompareOptions = Pick<DiffInput, "index" | "unpublished"> &
  Partial<Pick<DiffInput, "inDoubt" | "onItsWay" | "goesOn">> & {
    /** Which creates are told with what they will hold; left out, those that a reviewer reads. */
    readonly detailed?: Detailed;
    /** Nothing was brought to its end before: what an apply would bring there is told. */
    readonly isLooking?: boolean;
  };

/** The diff and the checks that only the target can answer. */
export async function compare(
  migration: Migration,
  source: SnapshotReader,
  target: TargetState,
  mapping: MappingTable,
  client: ReadClient,
  options: CompareOptions = {},
): Promise<Diff> {
  const { inDoubt = new Set(), onItsWay, goesOn, unpublished, index, detailed, isLooking = false } = options;
  migration.report({ type: "stage", stage: "diff" });
  const { plan } = migration;
  const registry = await migration.kinds("target");
  const atSource = await migration.sourceKinds();
  const notOffered = await migration.store.work.notOffered();
  const abandoned = await migration.store.state.abandoned();
  rehome(mapping, registry, source, target.snapshot);
  const asking: DiffInput = {
    registry,
    plan,
    source,
    target,
    mapping,
    inDoubt,
    onItsWay,
    goesOn,
    unpublished,
    notOffered,
    abandoned,
    displaced: migration.displaced,
    ...(isLooking ? { finishing: await leftToFinish({ client, registry, mapping, target, abandoned }) } : {}),
    asked: { source: askedFor(source, askedOf(registry, atSource)), target: askedOf(registry, registry) },
    applied: await migration.store.state.openApplied(),
    decided: await migration.store.state.decided(),
    index,
    scratch: () => migration.store.work.openScratch(),
  };
  const computed = await computeDiff(asking, detailed);
  refuseWrongTarget(computed.changes, mapping, plan);
  refuseWrongSource(computed.changes, source, mapping, plan);
  await refuseMadeElsewhere(migration, computed.changes, target, mapping);
  const names = { source: plan.source.name, target: plan.target.name };
  const diff = await confirmGone(computed, {
    source,
    target,
    mapping,
    registry,
    clients: { source: () => migration.source(), target: () => client },
    kinds: { source: async () => migration.kinds("source"), target: async () => registry },
    names,
    report: migration.report,
  });
  const lacking = await withoutHadOtherwise(diff, { registry, mapping, client });
  const { snapshot } = target;
  const turn = (): Promise<void> | undefined => turnAfter(diff.changes.length);
  await turn();
  const words = await wordsLeft(lacking, { source, target, mapping, registry, client, names });
  const left = [...words, ...draftsElsewhere({ registry, mapping, target, abandoned }, names.target)];
  await turn();
  const kept = await holdSaidOf(lacking, { registry, snapshot, client, mapping });
  await turn();
  const looking = { registry, snapshot, client, report: migration.report };
  const held = await holdReferred(kept, looking);
  await turn();
  const drafts = await checkDrafts(held, { client, registry, target });
  await turn();
  const checked = await holdPartsReferred(drafts, looking);
  await turn();
  const roomy = makeRoom(besideWhatStays(checked.changes), {
    registry,
    plan,
    source,
    target: snapshot,
    mapping,
  });
  const { changes, diagnostics } = acknowledge(roomy, {
    ...acknowledging(migration, "objects"),
    source,
    target: target.snapshot,
  });
  const baseless = missingBase(changes, mapping, plan);
  return { ...checked, changes, diagnostics: [...checked.diagnostics, ...left, ...diagnostics, ...baseless] };
}
