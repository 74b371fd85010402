import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Emulator, EmulatorOptions } from "../../src/emulator/index.ts";
import { startEmulator } from "../../src/emulator/index.ts";
import { scenario } from "../../src/emulator/scenarios/index.ts";
import type { MigrationOptions } from "../../src/operations/migration.ts";
import { Migration, partiesOf } from "../../src/operations/migration.ts";
import type { EngineHooks } from "../../src/engine/apply/recorder.ts";
import type { FileStoreOptions, Places, Store, StoreHooks } from "../../src/store/index.ts";
import { fileStore, MemoryPlace, memoryStore, placesOf } from "../../src/store/index.ts";
import { registry } from "../../src/kinds/index.ts";
import type { Plan, PlanEnvironment } from "../../src/model/plan.ts";
import { planOf, type PlanChanges } from "./plan.ts";

export type { PlanChanges } from "./plan.ts";

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

export interface Surroundings extends EmulatorOptions {
  /**
   * Where everything is kept: `files` as people have it, or `memory` where nothing is said of files. Points of the store
   * are reached with files alone.
   */
  readonly kept?: "files" | "memory";
}

export async function world(
  scenarioName: string,
  { kept = "files", ...options }: Surroundings = {},
): Promise<World> {
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
    ...(emulator.servesMasterData ? { masterData: masterDataOf(emulator, name) } : {}),
  });
  const plan = (changes: PlanChanges = {}): Plan => planOf(changes, environment);
  const filesAt = (wanted: Plan): FileStoreOptions => ({
    plan: wanted.name,
    parties: partiesOf(wanted),
    workDir: join(folder, "plans"),
    mappingsDir: join(folder, "mappings"),
  });
  const inMemory = rememberer();
  return {
    emulator,
    folder,
    plan,
    migration(changes, overrides = {}) {
      const { hooks, ...rest } = overrides;
      const wanted = rest.plan ?? plan(changes);
      const migration = new Migration({
        plan: plan(changes),
        registry,
        tool,
        version: "0.0.0-test",
        store: kept === "memory" ? inMemory(wanted) : fileStore({ ...filesAt(wanted), tool, hooks }),
        ...rest,
        ...(hooks === undefined ? {} : { hooks }),
      });
      migrations.push(migration);
      return migration;
    },
    places(changes) {
      if (kept === "memory") throw new Error("nothing is kept in files: ask for them");
      return placesOf(filesAt(plan(changes)));
    },
    async close() {
      await Promise.all(migrations.map(async (migration) => migration.close()));
      await emulator.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The master-data server that the emulator has for an environment. */
function masterDataOf(emulator: Emulator, name: string): NonNullable<PlanEnvironment["masterData"]> {
  return {
    baseUrl: emulator.masterDataUrl(name),
    username: `${name}-mdm`,
    password: `${name}-mdm-secret`,
  };
}

/** A store for each plan, over one place: what one run leaves the next one finds. */
function rememberer(): (plan: Plan) => Store {
  const place = new MemoryPlace();
  const stores = new Map<string, Store>();
  return (plan) => {
    const store = stores.get(plan.name) ?? memoryStore({ plan: plan.name, parties: partiesOf(plan) }, place);
    stores.set(plan.name, store);
    return store;
  };
}
