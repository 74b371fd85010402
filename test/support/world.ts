import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Emulator, EmulatorOptions } from "../../src/emulator/index.ts";
import { startEmulator } from "../../src/emulator/index.ts";
import { demoPairing, scenario } from "../../src/emulator/scenarios/index.ts";
import type { MigrationOptions } from "../../src/operations/migration.ts";
import { Migration, partiesOf } from "../../src/operations/migration.ts";
import type { EngineHooks } from "../../src/engine/apply/recorder.ts";
import type { FileStoreOptions, Places, StoreHooks } from "../../src/store/index.ts";
import { fileStore, placesOf } from "../../src/store/index.ts";
import { registry } from "../../src/kinds/index.ts";
import type { Pairing, Plan, PlanEnvironment, Policy, Selection, Limits } from "../../src/model/plan.ts";

/** Hooks are of the engine and of the store: a test stops at the instants of either. */
export type WorldOptions = Omit<Partial<MigrationOptions>, "hooks"> & {
  readonly hooks?: (EngineHooks & StoreHooks) | undefined;
};

const tool = "urn-ferry 0.0.0-test";

/** Two emulated environments, a folder of their own, and plans and migrations over them. */
export interface World {
  readonly emulator: Emulator;
  readonly folder: string;
  plan(changes?: PlanChanges): Plan;
  migration(changes?: PlanChanges, options?: WorldOptions): Migration;
  /** Where the files of a plan are. */
  places(changes?: PlanChanges): Places;
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
  const filesAt = (wanted: Plan): FileStoreOptions => ({
    plan: wanted.name,
    parties: partiesOf(wanted),
    workDir: join(folder, "plans"),
    mappingsDir: join(folder, "mappings"),
  });
  return {
    emulator,
    folder,
    plan,
    migration(changes, overrides = {}) {
      const { hooks, ...rest } = overrides;
      const migration = new Migration({
        plan: plan(changes),
        registry,
        tool,
        version: "0.0.0-test",
        store: fileStore({ ...filesAt(rest.plan ?? plan(changes)), tool, hooks }),
        ...rest,
        ...(hooks === undefined ? {} : { hooks }),
      });
      migrations.push(migration);
      return migration;
    },
    places: (changes) => placesOf(filesAt(plan(changes))),
    async close() {
      await Promise.all(migrations.map(async (migration) => migration.close()));
      await emulator.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
