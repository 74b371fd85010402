import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Emulator, EmulatorOptions } from "../../src/emulator/index.ts";
import { startEmulator } from "../../src/emulator/index.ts";
import { demoPairing, scenario } from "../../src/emulator/scenarios/index.ts";
import type { MigrationOptions } from "../../src/operations/migration.ts";
import { Migration } from "../../src/operations/migration.ts";
import { registry } from "../../src/kinds/index.ts";
import type { Pairing, Plan, PlanEnvironment, Policy, Selection, Limits } from "../../src/model/plan.ts";

/** Two emulated environments, a folder of their own, and plans and migrations over them. */
export interface World {
  readonly emulator: Emulator;
  readonly folder: string;
  plan(changes?: PlanChanges): Plan;
  migration(changes?: PlanChanges, options?: Partial<MigrationOptions>): Migration;
  close(): Promise<void>;
}

export interface PlanChanges {
  readonly name?: string;
  readonly select?: Partial<Selection>;
  readonly policy?: Partial<Policy>;
  readonly pairing?: Partial<Pairing>;
  readonly limits?: Partial<Limits>;
}

export async function world(scenarioName: string, options: EmulatorOptions = {}): Promise<World> {
  const emulator = await startEmulator(options);
  scenario(scenarioName)?.prepare(emulator);
  const folder = mkdtempSync(join(tmpdir(), "ferry-"));
  const migrations: Migration[] = [];
  const environment = (name: string): PlanEnvironment => ({
    name,
    baseUrl: emulator.baseUrl(name),
    authUrl: emulator.baseUrl(name),
    realm: name,
    clientId: `${name}-client`,
    clientSecret: `${name}-secret`,
  });
  const plan = (changes: PlanChanges = {}): Plan => ({
    name: changes.name ?? "test",
    source: environment("dev"),
    target: environment("prod"),
    select: {
      kinds: ["terms", "rules", "monitors", "dashboards"],
      include: [],
      exclude: [],
      dependencies: "include",
      ...changes.select,
    },
    pairing: { ...demoPairing, ...changes.pairing },
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
      ...changes.policy,
    },
    limits: {
      concurrency: 8,
      requestTimeoutMs: 10_000,
      quietPeriodMs: 50,
      answerSizeBytes: 64 * 1_024 ** 2,
      ...changes.limits,
    },
  });
  return {
    emulator,
    folder,
    plan,
    migration(changes, overrides) {
      const migration = new Migration({
        plan: plan(changes),
        registry,
        tool: "urn-ferry 0.0.0-test",
        version: "0.0.0-test",
        workDir: join(folder, "plans"),
        mappingsDir: join(folder, "mappings"),
        ...overrides,
      });
      migrations.push(migration);
      return migration;
    },
    async close() {
      await Promise.all(migrations.map(async (migration) => migration.close()));
      await emulator.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
