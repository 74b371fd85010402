import { checkDrafts } from "../engine/check.ts";
import { confirmGone } from "../engine/confirm-gone.ts";
import type { Diff } from "../engine/diff/index.ts";
import { computeDiff } from "../engine/diff/index.ts";
import type { TargetState } from "../engine/read-target.ts";
import { readTarget } from "../engine/read-target.ts";
import { kindsToList } from "../engine/selection.ts";
import { together } from "../engine/together.ts";
import type { MappingTable } from "../model/mapping-table.ts";
import type { ReadClient } from "../service/index.ts";
import type { SnapshotReader } from "../store/index.ts";
import { createSnapshot, readAbandoned } from "../store/index.ts";
import { readNotOffered } from "./capabilities.ts";
import { exportSnapshot, openExisting } from "./export.ts";
import type { Job } from "./job.ts";

/** Snapshots the source and reads the target at the same time: neither waits for the other's pages. */
export async function readBoth(
  job: Job,
  mapping: MappingTable,
  client: ReadClient,
): Promise<{ readonly source: SnapshotReader; readonly target: TargetState }> {
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
  const exported = orStop(exportSnapshot(job, failed.signal));
  const kinds = kindsToList(job.registry, job.plan.select);
  const read = orStop(
    targetFor(job, {
      source: exported,
      kinds,
      mapping,
      client,
      stop: failed.signal,
      failed: (error) => {
        failed.abort(error);
      },
    }),
  );
  const [source, target] = await together([exported, read]);
  return { source, target };
}

/** Both sides; the source from an existing snapshot when there is one to use. */
export async function readSides(
  job: Job,
  mapping: MappingTable,
  client: ReadClient,
  snapshot: string | undefined,
): Promise<{ readonly source: SnapshotReader; readonly target: TargetState }> {
  if (snapshot === undefined) return readBoth(job, mapping, client);
  const source = await openExisting(job, snapshot);
  return { source, target: await readTargetFor(job, source, mapping, client) };
}

/** Reads the target as far as the snapshot needs it. */
export async function readTargetFor(
  job: Job,
  source: SnapshotReader,
  mapping: MappingTable,
  client: ReadClient,
): Promise<TargetState> {
  return targetFor(job, { source, kinds: new Set(source.kinds()), mapping, client });
}

async function targetFor(
  job: Job,
  reading: {
    readonly source: SnapshotReader | Promise<SnapshotReader>;
    readonly kinds: ReadonlySet<string>;
    readonly mapping: MappingTable;
    readonly client: ReadClient;
    readonly stop?: AbortSignal;
    readonly failed?: (error: unknown) => void;
  },
): Promise<TargetState> {
  job.report({ type: "stage", stage: "read target", detail: job.plan.target.name });
  return readTarget({
    ...reading,
    registry: job.registry,
    plan: job.plan,
    report: job.report,
    createWriter: async () =>
      createSnapshot(job.paths.target, {
        tool: job.tool,
        party: job.parties.target,
        at: new Date(job.now()).toISOString(),
      }),
    keep: (reader) => job.keep(reader),
  });
}

/** The diff and the checks that only the target can answer. */
export async function compare(
  job: Job,
  source: SnapshotReader,
  target: TargetState,
  mapping: MappingTable,
  client: ReadClient,
  inDoubt: ReadonlySet<string> = new Set(),
): Promise<Diff> {
  job.report({ type: "stage", stage: "diff" });
  const { registry, plan } = job;
  const notOffered = await readNotOffered(job);
  const abandoned = await readAbandoned(job.paths.mapping, job.parties);
  const computed = computeDiff({ registry, plan, source, target, mapping, inDoubt, notOffered, abandoned });
  const diff = await confirmGone(computed, {
    source,
    target,
    mapping,
    registry,
    clients: { source: () => job.source(), target: () => client },
    names: { source: plan.source.name, target: plan.target.name },
    report: job.report,
  });
  return checkDrafts(diff, { client, registry, target });
}
