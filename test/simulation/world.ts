import { openEmulator } from "../../src/emulator/index.ts";
import type { OpenedEmulator } from "../../src/emulator/index.ts";
import { registry } from "../../src/kinds/index.ts";
import type { Plan, PlanEnvironment } from "../../src/model/plan.ts";
import { Migration, partiesOf } from "../../src/operations/migration.ts";
import type { Disk } from "../../src/store/index.ts";
import { fileStore } from "../../src/store/index.ts";
import type { WorldOptions } from "../support/world.ts";
import { planOf, type PlanChanges } from "../support/plan.ts";
import type { DiskFault } from "./machinery/disk.ts";
import { Locks, SimulatedDisk } from "./machinery/disk.ts";
import { inPlaceOfGlobals } from "./machinery/globals.ts";
import { Media } from "./machinery/media.ts";
import { Network } from "./machinery/network.ts";
import { Machine, Simulation } from "./machinery/simulation.ts";

const tool = "urn-ferry 0.0.0-test";
const address = "http://service.simulated";
/** Leads to the same place. */
const other = "http://other.simulated";

/** Where the folders of a machine lie: of the one where most is done, and of another one. */
export const here = "/work";
export const elsewhere = "/elsewhere";

/** Two emulated environments, a disk and processes that work with them: nothing of the machine that we run on. */
export class SimulatedWorld {
  readonly simulation: Simulation;
  readonly emulator: OpenedEmulator;
  readonly network: Network;
  readonly media = new Media();
  readonly locks = new Locks();
  /** Judges and people who look: they take no time. */
  readonly observer = new Machine("observer");
  readonly #restore: () => void;
  readonly #plans = new Map<string, Plan>();
  #machines = 0;

  readonly #environment: (name: string, at?: string) => PlanEnvironment;

  constructor(seed: number, hasMasterData = false) {
    this.simulation = new Simulation(seed);
    const clock = (): number => Math.floor(this.simulation.trueTime);
    this.emulator = openEmulator({ url: address, seed, clock, ...(hasMasterData ? { masterData: {} } : {}) });
    this.#environment = hasMasterData ? withMasterData : environment;
    this.network = new Network(this.simulation, this.emulator);
    this.#restore = inPlaceOfGlobals(this.simulation, this.network.fetch);
  }

  /** A new process. */
  machine(): Machine {
    this.#machines += 1;
    return new Machine(`ferry ${this.#machines}`);
  }

  disk(machine: Machine, faults: readonly DiskFault[], onFault: (fault: string) => void): SimulatedDisk {
    const { media, locks, simulation } = this;
    return new SimulatedDisk({ media, locks, simulation, machine, isObserver: false, faults, onFault });
  }

  observing(): SimulatedDisk {
    const { media, locks, simulation, observer } = this;
    const onFault = (): void => undefined;
    return new SimulatedDisk({
      media,
      locks,
      simulation,
      machine: observer,
      isObserver: true,
      faults: [],
      onFault,
    });
  }

  /** The target of every plan is the source, by another name. */
  isOne = false;

  /** Read once each: a story has a handful of plans, and asks for each of them again and again. */
  plan(changes: PlanChanges): Plan {
    const text = JSON.stringify(changes);
    const plan = this.#plans.get(text) ?? planOf(changes, this.#environment);
    this.#plans.set(text, plan);
    return this.isOne ? { ...plan, target: { ...environment("dev", other), name: "prod" } } : plan;
  }

  /** A plan of another name, that calls both environments otherwise. */
  otherPlan(changes: PlanChanges): Plan {
    const { source, target, ...plan } = this.plan(changes);
    return {
      ...plan,
      name: "other",
      source: { ...source, name: "staging" },
      target: { ...target, name: "live" },
    };
  }

  migration(
    disk: Disk,
    changes: PlanChanges,
    options: WorldOptions = {},
    plan: Plan = this.plan(changes),
    root = here,
  ): Migration {
    const { hooks, ...rest } = options;
    const folders = { workDir: `${root}/plans`, mappingsDir: `${root}/mappings` };
    const store = fileStore({ plan: plan.name, parties: partiesOf(plan), ...folders, tool, disk });
    return new Migration({
      plan,
      registry,
      tool,
      version: "0.0.0-test",
      store,
      disk,
      ...rest,
      ...(hooks === undefined ? {} : { hooks }),
    });
  }

  close(): void {
    this.network.close();
    this.#restore();
  }
}

function environment(name: string, at = address): PlanEnvironment {
  return {
    name,
    baseUrl: `${at}/${name}`,
    authUrl: `${at}/${name}`,
    realm: name,
    clientId: `${name}-client`,
    clientSecret: `${name}-secret`,
  };
}

function withMasterData(name: string, at = address): PlanEnvironment {
  const masterData = {
    baseUrl: `${at}/master-data/${name}`,
    username: `${name}-mdm`,
    password: `${name}-mdm-secret`,
  };
  return { ...environment(name, at), masterData };
}
