import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { runProgram } from "../../src/cli/program.ts";
import { toolVersion } from "../../src/cli/version.ts";
import { startEmulator } from "../../src/emulator/index.ts";
import type { Emulator, EmulatorOptions, Tenant } from "../../src/emulator/index.ts";
import { bundleFolder } from "../support/launcher.ts";
import type { Meaning } from "../support/meaning.ts";
import { catalogMeaningOf, meaningOf } from "../support/meaning.ts";
import { noRenames } from "../support/meaning/given.ts";
import type { Estate } from "./estates/estate.ts";
import { isEnd } from "./estates/estate.ts";
import type { RowBooks } from "./rows/estate.ts";
import type { Ended, Running } from "./process.ts";
import { start } from "./process.ts";

export interface Limits {
  readonly concurrency?: number;
  readonly requestTimeout?: string;
  readonly quietPeriod?: string;
}

export interface Standing {
  readonly meaning: Meaning;
  /** What people made and wrote beside the glossary. */
  readonly catalog: Meaning;
  readonly counts: ReturnType<Tenant["counts"]>;
  readonly rows: RowBooks;
}

/** Milliseconds, at least, until a new process asks the service for anything. */
const startTakes = 250;

export const secrets = ["dev-secret", "prod-secret", "dev-mdm-secret", "prod-mdm-secret"] as const;

/** An estate in an emulator of this process, and a folder from which the command is run against it. */
export class CrashWorld {
  readonly estate: Estate;
  readonly emulator: Emulator;
  readonly folder: string;
  /** What all runs said, in order. */
  readonly said: string[] = [];

  #before: Standing;

  private constructor(estate: Estate, emulator: Emulator, folder: string) {
    this.estate = estate;
    this.emulator = emulator;
    this.folder = folder;
    this.#before = standing(estate, emulator);
  }

  static async open(estate: Estate, limits: Limits = {}, options: EmulatorOptions = {}): Promise<CrashWorld> {
    const emulator = await startEmulator({ ...estate.rows?.emulator, ...options });
    estate.prepare(emulator);
    const world = new CrashWorld(estate, emulator, mkdtempSync(join(tmpdir(), "ferry-crash-")));
    // What is only prepared gets time: a hasty limit would lose answers of its own on a busy machine.
    world.writePlan({});
    if (estate.change !== undefined) {
      await world.#move("first");
      world.#before = standing(estate, emulator);
      estate.change(emulator.tenant("dev"), emulator);
      if (estate.back === true) await world.#move("second");
      emulator.log.clear();
    }
    world.writePlan(limits);
    return world;
  }

  /** The command under test. */
  get command(): readonly string[] {
    return this.estate.back === true ? ["rollback", ...this.moving.slice(1)] : this.moving;
  }

  /** What moves the estate. */
  get moving(): readonly string[] {
    return ["sync", "crash", "--yes", "--json", "--no-input", ...this.estate.flags];
  }

  /** The target as it was before the run that is taken back. */
  get before(): Standing {
    return this.#before;
  }

  get journal(): string {
    return join(this.mappings, "journal.ndjson");
  }

  /** The one that was written to last: the runs' own, or one of rows. */
  get lastJournal(): string {
    const rows = join(this.mappings, "rows");
    const logs = existsSync(rows) ? readdirSync(rows).filter((name) => name.endsWith(".ndjson")) : [];
    const times = [this.journal, ...logs.map((name) => join(rows, name))].map(
      (path) => [statSync(path, { bigint: true }).mtimeNs, path] as const,
    );
    return times.reduce((last, one) => (one[0] > last[0] ? one : last))[1];
  }

  get mappings(): string {
    return join(this.folder, "mappings", "dev--prod");
  }

  writePlan(limits: Limits): void {
    const environment = (name: string): object => ({
      name,
      baseUrl: this.emulator.baseUrl(name),
      realm: name,
      clientId: `${name}-client`,
      clientSecret: `\${${name.toUpperCase()}_KEY}`,
      ...(this.emulator.servesMasterData
        ? {
            masterData: {
              baseUrl: this.emulator.masterDataUrl(name),
              username: `${name}-mdm`,
              password: `\${${name.toUpperCase()}_MDM}`,
            },
          }
        : {}),
    });
    const plan = {
      version: 1,
      source: environment("dev"),
      target: environment("prod"),
      ...(this.estate.select === undefined ? {} : { select: this.estate.select }),
      ...(this.estate.rows === undefined ? {} : { records: this.estate.rows.records }),
      pairing: {
        ...this.estate.pairing,
        ...(this.estate.queries === undefined ? {} : { queries: this.estate.queries }),
      },
      // Adopting what is identical would heal a mapping that was lost, and hide that it was.
      policy: { adopt: "never" },
      limits: { requestTimeout: "10s", quietPeriod: "50ms", ...limits },
    };
    mkdirSync(join(this.folder, "plans"), { recursive: true });
    writeFileSync(join(this.folder, "plans", "crash.yaml"), `${JSON.stringify(plan, undefined, 2)}\n`);
  }

  /** The command of people, in a process of its own. */
  start(argv: readonly string[] = this.command): Running {
    return this.#started("main", argv, {});
  }

  /** The same, ending itself at a point; without one it only notes the points it reaches. */
  startUntil(point: string | undefined): Running {
    const at = point === undefined ? {} : { FERRY_CRASH_AT: point };
    const clock = this.estate.rows?.leaps === true ? { FERRY_CRASH_LEAPS: "1" } : {};
    return this.#started("child", this.command, { ...at, ...clock, FERRY_CRASH_LOG: this.#pointLog });
  }

  /** What `startUntil` noted. */
  pointsReached(): readonly string[] {
    try {
      return readFileSync(this.#pointLog, "utf8").trim().split("\n");
    } catch {
      return [];
    }
  }

  async run(argv: readonly string[] = this.command): Promise<Ended> {
    return this.start(argv).ended;
  }

  /**
   * The command, which nothing ends before its time. `npm run test:crash` starts it as people do; where all tests run it
   * runs in this process, which has long been warm.
   */
  async toEnd(): Promise<Ended> {
    if (bundleFolder === undefined) return this.run();
    // It is a quiet period that keeps what a dead process has sent from coming after a look; here it is shorter than a start takes.
    await delay(startTakes);
    const ended = await this.quick(this.command);
    this.said.push(ended.stdout, ended.stderr);
    return ended;
  }

  /** In this process: for what is prepared or looked at, and for what goes on after a kill. */
  async quick(argv: readonly string[]): Promise<Ended> {
    const texts = { stdout: "", stderr: "" };
    const output = (
      name: "stdout" | "stderr",
    ): { write(text: string): void; isTerminal: false; columns: number } => ({
      write: (text) => void (texts[name] += text),
      isTerminal: false,
      columns: 100,
    });
    const code = await runProgram(argv, {
      io: {
        stdout: output("stdout"),
        stderr: output("stderr"),
        env: this.#env,
        cwd: this.folder,
        interactive: false,
        ask: () => Promise.reject(new Error("nobody is there to be asked")),
        stop: new AbortController().signal,
      },
      version: toolVersion,
    });
    return { code, signal: null, ...texts };
  }

  async close(): Promise<void> {
    await this.emulator.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  async #move(which: string): Promise<void> {
    const { code, stdout, stderr } = await this.quick(this.moving);
    if (!isEnd(this.estate, code)) throw new Error(`the ${which} run failed: ${stdout}${stderr}`);
  }

  get #env(): Readonly<Record<string, string>> {
    const [DEV_KEY, PROD_KEY, DEV_MDM, PROD_MDM] = secrets;
    return { DEV_KEY, PROD_KEY, DEV_MDM, PROD_MDM };
  }

  get #pointLog(): string {
    return join(this.folder, "points");
  }

  #started(entry: "main" | "child", argv: readonly string[], env: Readonly<Record<string, string>>): Running {
    const running = start(entry, argv, { cwd: this.folder, env: { ...this.#env, ...env } });
    void running.ended.then(({ stdout, stderr }) => this.said.push(stdout, stderr));
    return running;
  }
}

function standing({ rows }: Estate, emulator: Emulator): Standing {
  const target = emulator.tenant("prod");
  return {
    meaning: meaningOf(target, noRenames),
    catalog: catalogMeaningOf(target, noRenames, []),
    counts: target.counts(),
    rows: rows?.books(emulator, "prod") ?? {},
  };
}
