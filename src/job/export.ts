import { exportSource } from "../engine/export.ts";
import { EngineError } from "../engine/progress.ts";
import type { SnapshotReader } from "../store/index.ts";
import { createSnapshot, openSnapshot } from "../store/index.ts";
import type { Job } from "./job.ts";

/** Snapshots the source into the plan's folder and opens it. Stopped, it throws the reason and leaves the old one. */
export async function exportSnapshot(job: Job, stop?: AbortSignal): Promise<SnapshotReader> {
  job.report({ type: "stage", stage: "export", detail: job.plan.source.name });
  const writer = await createSnapshot(job.paths.snapshot, {
    tool: job.tool,
    party: job.parties.source,
    at: new Date(job.now()).toISOString(),
    ...(job.hooks === undefined ? {} : { hooks: job.hooks }),
  });
  try {
    return job.keep(
      await exportSource({
        client: job.source(),
        registry: job.registry,
        plan: job.plan,
        writer,
        report: job.report,
        stop,
      }),
    );
  } catch (error) {
    await writer.abandon();
    throw error;
  }
}

/** Opens a snapshot that was made before; one of another environment is refused. */
export async function openExisting(job: Job, folder: string): Promise<SnapshotReader> {
  const snapshot = job.keep(await openSnapshot(folder));
  const { party } = snapshot.manifest;
  const { source } = job.parties;
  if (party.baseUrl !== source.baseUrl || party.tenant !== source.tenant) {
    snapshot.close();
    throw new EngineError(
      "incomplete",
      `the snapshot in ${folder} is of ${party.name} (${party.baseUrl}, tenant ${party.tenant}), not of the plan's source ${source.name} (${source.baseUrl}, tenant ${source.tenant})`,
      "Name the right folder, or make a snapshot with `ferry export`.",
    );
  }
  return snapshot;
}
