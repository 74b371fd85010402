import { join } from "node:path";
import { computeDiff } from "../../src/engine/diff/index.ts";
import { readTargetFor } from "../../src/job/compare.ts";
import { exportSnapshot } from "../../src/job/export.ts";
import { Job } from "../../src/job/job.ts";
import { readState } from "../../src/job/state.ts";
import { registry } from "../../src/kinds/index.ts";
import type { Plan } from "../../src/model/plan.ts";

export interface DiffTask {
  readonly type: "diff";
  readonly plan: Plan;
  readonly folder: string;
  readonly times: number;
}

export interface DiffReport {
  readonly ms: readonly number[];
  readonly changes: number;
  readonly unchanged: number;
}

/** The diff alone, over snapshots on disk: both sides were read before. */
export async function timeDiff({ plan, folder, times }: DiffTask): Promise<DiffReport> {
  const job = new Job({
    plan,
    registry,
    tool: "urn-ferry bench",
    version: "bench",
    workDir: join(folder, "plans"),
    mappingsDir: join(folder, "mappings"),
  });
  const source = await exportSnapshot(job);
  const { mapping } = await readState(job);
  const target = await readTargetFor(job, source, mapping, job.targetReads());
  const ms: number[] = [];
  let changes: readonly { readonly action: string }[] = [];
  for (let time = 0; time < times; time += 1) {
    const began = performance.now();
    ({ changes } = computeDiff({
      registry,
      plan,
      source,
      target,
      mapping,
      inDoubt: new Set(),
      notOffered: new Set(),
    }));
    ms.push(performance.now() - began);
  }
  await job.close();
  return {
    ms,
    changes: changes.length,
    unchanged: changes.filter(({ action }) => action === "unchanged").length,
  };
}
