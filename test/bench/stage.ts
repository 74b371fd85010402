import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Emulator } from "../../src/emulator/index.ts";
import { startEmulator } from "../../src/emulator/index.ts";
import { demoPairing, scenario } from "../../src/emulator/scenarios/index.ts";
import type { Plan, PlanEnvironment } from "../../src/model/plan.ts";
import { measured } from "./process.ts";
import type { RunTask, RunReport } from "./child-run.ts";

/** The concurrency of every measurement. */
export const concurrency = 8;

/** Two emulated environments in this process, and a folder. */
export interface Stage {
  readonly emulator: Emulator;
  readonly folder: string;
  readonly plan: Plan;
  /** A whole run in a process of its own. */
  run(task?: Partial<RunTask>): Promise<RunReport>;
  /** A new folder: nothing is known of earlier runs. */
  forget(): void;
  close(): Promise<void>;
}

export async function stage(name: string, options: { readonly keepLog?: boolean } = {}): Promise<Stage> {
  const emulator = await startEmulator();
  emulator.log.keepEntries = options.keepLog ?? false;
  scenario(name)?.prepare(emulator);
  const folder = mkdtempSync(join(tmpdir(), "ferry-bench-"));
  let count = 1;
  const environment = (side: string): PlanEnvironment => ({
    name: side,
    baseUrl: emulator.baseUrl(side),
    authUrl: emulator.baseUrl(side),
    realm: side,
    clientId: `${side}-client`,
    clientSecret: `${side}-secret`,
  });
  const plan: Plan = {
    name: "bench",
    source: environment("dev"),
    target: environment("prod"),
    select: {
      kinds: ["terms", "rules", "monitors", "dashboards"],
      include: [],
      exclude: [],
      dependencies: "include",
    },
    pairing: demoPairing,
    policy: {
      adopt: "identical",
      drift: "report",
      conflict: "report",
      missingTarget: "report",
      schedules: "keep",
      targetOnly: "keep",
      missingGroup: "block",
      replace: "manual",
      termLinks: "pending",
    },
    limits: { concurrency, requestTimeoutMs: 60_000, quietPeriodMs: 1_000, answerSizeBytes: 64 * 1_024 ** 2 },
  };
  return {
    emulator,
    folder,
    plan,
    async run(task = {}) {
      const report = await measured<RunReport>({
        type: "run",
        plan,
        folder: join(folder, String(count)),
        verify: false,
        journal: "disk",
        ...task,
      } satisfies RunTask);
      if (report.exitCode !== 0) throw new Error(`a run ended with ${report.exitCode}: ${report.headline}`);
      return report;
    },
    forget() {
      count += 1;
    },
    async close() {
      await emulator.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
