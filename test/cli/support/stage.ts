import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect } from "vitest";
import { stringify } from "yaml";
import type { ProgramOptions } from "../../../src/cli/program.ts";
import { runProgram } from "../../../src/cli/program.ts";
import type { Emulator, LogEntry, Tenant } from "../../../src/emulator/index.ts";
import { startEmulator } from "../../../src/emulator/index.ts";
import { demoPairing, scenario } from "../../../src/emulator/scenarios/index.ts";
import type { ResultDocument } from "./document.ts";
import { documentOf } from "./document.ts";
import { leaks } from "./leaks.ts";
import type { ScreenOptions } from "./screen.ts";
import { Screen } from "./screen.ts";

/** With every mark that forms, URLs and JSON write in another way. */
export const secrets = { dev: 'dev s3cr3t/+"&=%', prod: "prod\\s3cr3t/+'&=ü" };

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly asked: readonly string[];
}

/** Sections that are laid over the plan's own; `undefined` leaves a section out. */
export type PlanText = Readonly<Record<string, object | number | undefined>>;

/** Two emulated environments, a folder to work in, and the command to be called there. */
export class Stage {
  readonly emulator: Emulator;
  readonly folder = mkdtempSync(join(tmpdir(), "ferry-cli-"));
  readonly env: Record<string, string> = {
    DEV_CLIENT_ID: "dev-client",
    DEV_CLIENT_SECRET: secrets.dev,
    PROD_CLIENT_ID: "prod-client",
    PROD_CLIENT_SECRET: secrets.prod,
  };
  readonly #shown: string[] = [];

  private constructor(emulator: Emulator) {
    this.emulator = emulator;
  }

  static async open(scenarioName: string): Promise<Stage> {
    const emulator = await startEmulator();
    scenario(scenarioName)?.prepare(emulator);
    for (const side of ["dev", "prod"] as const) {
      const client = emulator.tenant(side).clients.get(`${side}-client`);
      if (client === undefined) throw new Error(`${side} has no client`);
      client.secret = secrets[side];
    }
    return new Stage(emulator);
  }

  get dev(): Tenant {
    return this.emulator.tenant("dev");
  }

  get prod(): Tenant {
    return this.emulator.tenant("prod");
  }

  path(...parts: readonly string[]): string {
    return join(this.folder, ...parts);
  }

  read(...parts: readonly string[]): string {
    return readFileSync(this.path(...parts), "utf8");
  }

  write(file: string, content: string): string {
    const path = this.path(file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    return path;
  }

  environment(side: "dev" | "prod"): object {
    const variable = side.toUpperCase();
    return {
      name: side,
      baseUrl: this.emulator.baseUrl(side),
      realm: side,
      clientId: `\${${variable}_CLIENT_ID}`,
      clientSecret: `\${${variable}_CLIENT_SECRET}`,
    };
  }

  /** Writes `plans/<name>.yaml` as a person would. */
  plan(changes: PlanText = {}, name = "move"): void {
    const own: PlanText = {
      version: 1,
      source: this.environment("dev"),
      target: this.environment("prod"),
      pairing: demoPairing,
      limits: { quietPeriod: "50ms", requestTimeout: "10s" },
    };
    const keys = new Set([...Object.keys(own), ...Object.keys(changes)]);
    const whole = [...keys].map((key) => {
      const [before, change] = [own[key], changes[key]];
      const isLaidOver = typeof before === "object" && typeof change === "object";
      return [key, isLaidOver ? { ...before, ...change } : key in changes ? change : before] as const;
    });
    this.write(`plans/${name}.yaml`, stringify(Object.fromEntries(whole)));
  }

  /** The words of a command line without quotes, or as an array. */
  async ferry(
    words: string | readonly string[],
    { hooks, ...options }: Partial<ScreenOptions> & Pick<ProgramOptions, "hooks"> = {},
  ): Promise<Ran> {
    const env = Object.entries({ ...this.env, ...options.env }).filter(([, value]) => value !== undefined);
    const screen = new Screen({ cwd: this.folder, ...options, env: Object.fromEntries(env) });
    const argv = typeof words === "string" ? words.split(" ") : words;
    const code = await runProgram(argv, { io: screen.io, version: () => "1.2.3-test", hooks });
    const { stdout, stderr, asked } = screen;
    this.#shown.push(stdout, stderr);
    return { code, stdout, stderr, asked };
  }

  /** The same with --json: its one document, which has to agree with the exit code. */
  async json(
    words: string | readonly string[],
    options: Partial<ScreenOptions> = {},
  ): Promise<ResultDocument & { readonly stderr: string }> {
    const argv = typeof words === "string" ? words.split(" ") : words;
    const { code, stdout, stderr } = await this.ferry([...argv, "--json"], options);
    const document = documentOf(stdout);
    expect(code).toBe(document.exitCode);
    return { ...document, stderr };
  }

  /** Requests that arrived and can change something. */
  writes(tenant: "dev" | "prod" = "prod"): readonly LogEntry[] {
    return this.emulator.log.entries.filter(
      (entry) => entry.tenant === tenant && entry.method !== "GET" && !isQuestion(entry),
    );
  }

  /** Where a secret or a token can be read: in any file, on any output. */
  leaks(): readonly string[] {
    return leaks(this.folder, this.#shown, Object.values(secrets));
  }

  async close(): Promise<void> {
    await this.emulator.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Tokens change nothing; the filter of catalog items and attributes is a question in a body. */
function isQuestion({ path }: LogEntry): boolean {
  return /\/(?:openid-connect\/token|catalog-items\/filter|dq-evaluation\/bulk)$/.test(path);
}

/** A fresh stage for every test of a file; after each, no secret may be anywhere. */
export function useStage(scenarioName = "empty"): () => Stage {
  let stage: Stage | undefined;
  beforeEach(async () => {
    stage = await Stage.open(scenarioName);
  });
  afterEach(async () => {
    const found = stage?.leaks();
    await stage?.close();
    stage = undefined;
    expect(found).toEqual([]);
  });
  return () => {
    if (stage === undefined) throw new Error("a stage is there in a test only");
    return stage;
  };
}
