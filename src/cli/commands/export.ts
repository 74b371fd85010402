import { exportSnapshot } from "../../job/export.ts";
import { plural, resultOf } from "../../job/result.ts";
import type { CommonFlags } from "../flags.ts";
import type { Io } from "../io.ts";
import { runOnPlan } from "../session.ts";

export async function runExport(io: Io, plan: string, flags: CommonFlags): Promise<number> {
  return runOnPlan({ io, command: "export", plan, flags }, async ({ job }) => {
    const snapshot = await exportSnapshot(job);
    snapshot.close();
    const { kinds, digest, at } = snapshot.manifest;
    const counts = Object.fromEntries(Object.entries(kinds).map(([kind, { count }]) => [kind, count]));
    const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
    return resultOf(job, {
      command: "export",
      exitCode: 0,
      headline: `${plural(total, "object")} of ${job.plan.source.name} in ${job.paths.snapshot}`,
      next: [`ferry diff ${job.plan.name} --snapshot ${job.paths.snapshot}`],
      details: { folder: job.paths.snapshot, at, digest, kinds: counts },
    });
  });
}
