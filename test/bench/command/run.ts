import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { demoPairing } from "../../../src/emulator/scenarios/index.ts";
import type { Prepared } from "../service/orders.ts";
import type { Package } from "./package.ts";
import { spawned } from "./process.ts";

/** What `ferry sync` took, from its first request on unless it says otherwise. */
export interface RunReport {
  /** Processor time, user and system, until the first request left. */
  readonly startCpuMs: number;
  /** Time from the start of the process until then. */
  readonly startMs: number;
  /** Until the end of the process, reports included. */
  readonly wallMs: number;
  readonly cpuMs: number;
  /** The time in which its event loop had nothing to do: waiting for answers, and for the disk. */
  readonly idleMs: number;
  /** The largest resident set of the process. */
  readonly peakBytes: number;
}

/** The concurrency of every measurement, for each environment. */
export const concurrency = 8;

const probe = fileURLToPath(new URL("probe.cjs", import.meta.url));

/** A folder with a plan, where nothing is known of earlier runs. */
export class Desk {
  readonly folder = mkdtempSync(join(tmpdir(), "ferry-bench-"));

  constructor(
    { url, masterDataUrl }: Pick<Prepared, "url" | "masterDataUrl">,
    what: "objects" | "rows" | "records" | "columns" = "objects",
  ) {
    const environment = (name: string): object => ({
      name,
      baseUrl: `${url}/${name}`,
      authUrl: `${url}/${name}`,
      realm: name,
      clientId: `${name}-client`,
      clientSecret: `${name}-secret`,
      ...(what === "records"
        ? {
            masterData: {
              baseUrl: `${masterDataUrl}/${name}`,
              username: `${name}-mdm`,
              password: `${name}-mdm-secret`,
            },
          }
        : {}),
    });
    const plan = {
      version: 1,
      source: environment("dev"),
      target: environment("prod"),
      // What every version can move, so that versions can be compared.
      select: { kinds: ["terms", "rules", "monitors", "dashboards"] },
      pairing: demoPairing,
      limits: { concurrency },
    };
    const plans = {
      objects: plan,
      rows: {
        ...plan,
        select: { kinds: ["reference-data"] },
        records: { referenceData: [{ table: "Rows", key: ["code"] }] },
      },
      records: {
        ...plan,
        select: { kinds: ["master-data"] },
        records: { masterData: [{ layer: "instance", entity: "party" }] },
      },
      columns: { ...plan, select: { kinds: ["attribute-metadata"] } },
    };
    mkdirSync(join(this.folder, "plans"));
    // JSON is YAML.
    writeFileSync(join(this.folder, "plans/bench.yaml"), JSON.stringify(plans[what]));
  }

  /** `ferry sync`, the real command in a process of its own. */
  async sync(of: Package, options: { readonly profile?: boolean } = {}): Promise<RunReport> {
    return this.#run(of, ["sync", "bench", "--yes"], options);
  }

  /** What a rollback of the last run would do: all that it looks at, and nothing written. */
  async lookBack(of: Package): Promise<RunReport> {
    return this.#run(of, ["rollback", "bench", "--dry-run"], {});
  }

  async #run(
    of: Package,
    args: readonly string[],
    options: { readonly profile?: boolean },
  ): Promise<RunReport> {
    const file = join(this.folder, "probe.json");
    const profile =
      options.profile === true ? ["--cpu-prof", `--cpu-prof-dir=${join(this.folder, "profile")}`] : [];
    const command = options.profile === true ? of.sources : of.argv;
    const argv = ["--require", probe, ...profile, ...command, ...args];
    await spawned(process.execPath, argv, { cwd: this.folder, env: { ...of.env, FERRY_BENCH_PROBE: file } });
    return JSON.parse(readFileSync(file, "utf8")) as RunReport;
  }

  close(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
