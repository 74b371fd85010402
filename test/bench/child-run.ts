import { join } from "node:path";
import { applyPlan } from "../../src/operations/apply.ts";
import type { EnginePoint } from "../../src/engine/apply/recorder.ts";
import { Migration, partiesOf } from "../../src/operations/migration.ts";
import type { StorePoint } from "../../src/store/index.ts";
import { fileStore, memoryStore } from "../../src/store/index.ts";
import { registry } from "../../src/kinds/index.ts";
import type { Plan } from "../../src/model/plan.ts";
import type { Result } from "../../src/model/result.ts";

export interface RunTask {
  readonly type: "run";
  readonly plan: Plan;
  readonly folder: string;
  /** As `ferry sync`: read everything back. */
  readonly verify: boolean;
  /** `memory`: records are kept in a list, and mapping files are not written. */
  readonly journal: "disk" | "memory";
}

export interface RunReport {
  readonly exitCode: number;
  readonly headline: string;
  readonly summary: Result["summary"];
  readonly requests: Result["requests"];
  readonly wallMs: number;
  /** User and system time. */
  readonly cpuMs: number;
  /** From the start of each stage to the start of the next; to verify is to read and compare once more. */
  readonly stages: Readonly<Record<string, number>>;
  readonly peakBytes: number;
  readonly syncs: number;
  /** Requests that were journalled before they were sent. */
  readonly intents: number;
}

/** export + diff + apply, as the command line does it, without the command line. */
export async function runOnce({ plan, folder, verify, journal }: RunTask): Promise<RunReport> {
  const counts = { syncs: 0, intents: 0 };
  const stages: { readonly name: string; readonly at: number }[] = [];
  const hooks = {
    reached(point: EnginePoint | StorePoint): void {
      if (point === "journal:after-sync") counts.syncs += 1;
      if (point === "intent:after") counts.intents += 1;
    },
  };
  const parties = partiesOf(plan);
  const tool = "urn-ferry bench";
  const [workDir, mappingsDir] = [join(folder, "plans"), join(folder, "mappings")];
  const files = fileStore({ plan: plan.name, parties, workDir, mappingsDir, tool, hooks });
  const migration = new Migration({
    plan,
    registry,
    tool,
    version: "bench",
    store:
      journal === "memory" ? { ...files, state: memoryStore({ plan: plan.name, parties }).state } : files,
    hooks,
    report: (progress) => {
      if (progress.type === "stage") stages.push({ name: progress.stage, at: performance.now() });
    },
  });
  const began = performance.now();
  const cpu = process.cpuUsage();
  const result = await applyPlan(migration, { command: "sync", confirm: async () => true, verify });
  const ended = performance.now();
  const used = process.cpuUsage(cpu);
  await migration.close();
  const spans: Record<string, number> = {};
  for (const [index, { name, at }] of stages.entries()) {
    spans[name] = (spans[name] ?? 0) + ((stages[index + 1]?.at ?? ended) - at);
  }
  return {
    exitCode: result.exitCode,
    headline: result.headline ?? "",
    summary: result.summary,
    requests: result.requests,
    wallMs: ended - began,
    cpuMs: (used.user + used.system) / 1000,
    stages: spans,
    peakBytes: process.resourceUsage().maxRSS * 1024,
    ...counts,
  };
}
