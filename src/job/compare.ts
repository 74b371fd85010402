import { checkDrafts } from "../engine/check.ts";
import type { Diff } from "../engine/diff/index.ts";
import { computeDiff } from "../engine/diff/index.ts";
import type { TargetState } from "../engine/read-target.ts";
import { readTarget } from "../engine/read-target.ts";
import type { MappingTable } from "../model/mapping-table.ts";
import type { ReadClient } from "../service/index.ts";
import type { SnapshotReader } from "../store/index.ts";
import { createSnapshot, openSnapshot } from "../store/index.ts";
import { readNotOffered } from "./capabilities.ts";
import type { Job } from "./job.ts";

/** Reads the target as far as the snapshot needs it. */
export async function readTargetFor(
  job: Job,
  source: SnapshotReader,
  mapping: MappingTable,
  client: ReadClient,
): Promise<TargetState> {
  job.report({ type: "stage", stage: "read target", detail: job.plan.target.name });
  return readTarget({
    client,
    registry: job.registry,
    plan: job.plan,
    source,
    mapping,
    report: job.report,
    createWriter: async () =>
      createSnapshot(job.paths.target, {
        tool: job.tool,
        party: job.parties.target,
        at: new Date(job.now()).toISOString(),
      }),
    open: async () => job.keep(await openSnapshot(job.paths.target)),
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
  const diff = computeDiff({ registry, plan, source, target, mapping, inDoubt, notOffered });
  return checkDrafts(diff, { client, registry, target });
}
