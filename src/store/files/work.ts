import { join } from "node:path";
import { z } from "zod";
import type { JsonObject } from "../../model/json.ts";
import type { Parties } from "../../model/mapping.ts";
import type { Scratch } from "../../model/packed/spool.ts";
import type { StoreHooks } from "../hooks.ts";
import type { KeptRun } from "../kept-run.ts";

import type { PrintSorter, RowsDraft, RowsWriter } from "../rows.ts";
import { StoreError } from "../store-error.ts";
import type { Report, SnapshotKept, SnapshotReader, SnapshotWriter, Work } from "../store.ts";
import type { Disk } from "./disk.ts";
import { fileDigest } from "./file-digest.ts";
import type { Folders } from "./folder.ts";
import { ioError } from "./io-error.ts";
import { readJsonFile, readJsonFileIfThere, writeJsonFile } from "./json-file.ts";
import type { RunFolders } from "./kept-runs.ts";
import { dropRun, keepRun, keptReport, keptRuns } from "./kept-runs.ts";
import type { Places } from "./places.ts";
import { refuseBadTable } from "./rows/logs.ts";
import { HeldRows } from "./rows/held-rows.ts";
import { openRowsDraft } from "./rows/rows-draft.ts";
import { openScratch } from "./scratch.ts";
import { createRowsFile } from "./rows/rows-file.ts";
import { FileSorter } from "./rows/sorter.ts";
import { openSnapshot, snapshotKept } from "./snapshot-reader.ts";
import { createSnapshot } from "./snapshot-writer.ts";

/** What the target was seen not to offer (page 04: PATCH of a rule is known, not documented). */
const learned = z.looseObject({ format: z.literal(1), notOffered: z.array(z.string()) });

const rowsDone = z.looseObject({ format: z.literal(1) });

/** The work of a plan in the plan's own folder. */
export class FileWork implements Work {
  readonly #disk: Disk;
  readonly #folders: Folders;
  readonly #places: Places;
  readonly #tool: string;
  readonly #parties: Parties;
  readonly #hooks: StoreHooks | undefined;
  readonly #held: HeldRows;

  constructor(options: {
    readonly disk: Disk;
    readonly folders: Folders;
    readonly places: Places;
    readonly tool: string;
    readonly parties: Parties;
    readonly hooks?: StoreHooks | undefined;
  }) {
    this.#disk = options.disk;
    this.#folders = options.folders;
    this.#places = options.places;
    this.#tool = options.tool;
    this.#parties = options.parties;
    this.#hooks = options.hooks;
    this.#held = new HeldRows(options.disk);
  }

  async prepare(): Promise<void> {
    await this.#folders.ensureWritable(this.#places.work);
  }

  openScratch(): Scratch {
    return openScratch(this.#disk, this.#places.work);
  }

  async createSnapshot(side: "source" | "target", at: string): Promise<SnapshotWriter> {
    const folder = side === "source" ? this.#places.snapshot : this.#places.target;
    return createSnapshot(folder, {
      disk: this.#disk,
      tool: this.#tool,
      party: this.#parties[side],
      at,
      // Only the export is kept for other runs.
      ...(this.#hooks === undefined || side === "target" ? {} : { hooks: this.#hooks }),
    });
  }

  async openSnapshot(named?: string): Promise<SnapshotReader> {
    return openSnapshot(named ?? this.#places.snapshot, this.#disk);
  }

  async saveDiff(diff: object): Promise<void> {
    await writeJsonFile(this.#places.diff, diff, this.#disk);
  }

  async lastDiff(): Promise<unknown> {
    try {
      return await readJsonFile(this.#places.diff, z.unknown(), this.#disk);
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      const { code, path, message } = error;
      if (code === "not-found") return undefined;
      if (!["bad-json", "merge-conflict"].includes(code)) throw error;
      // Nobody keeps it in version control.
      throw new StoreError(code, path, message, "`ferry diff PLAN` writes it anew.", error);
    }
  }

  async diffDigest(): Promise<string | undefined> {
    return fileDigest(this.#disk, this.#places.diff);
  }

  async snapshotKept(): Promise<SnapshotKept | undefined> {
    return snapshotKept(this.#places.snapshot, this.#disk);
  }

  async saveLook(look: object | undefined): Promise<void> {
    if (look !== undefined) return writeJsonFile(this.#places.look, look, this.#disk);
    try {
      await this.#disk.rm(this.#places.look, { force: true });
    } catch (error) {
      throw ioError(error, this.#places.look, "write");
    }
  }

  async lastLook(): Promise<unknown> {
    try {
      return await readJsonFile(this.#places.look, z.unknown(), this.#disk);
    } catch (error) {
      if (error instanceof StoreError) return undefined;
      throw error;
    }
  }

  async notOffered(): Promise<ReadonlySet<string>> {
    const known = await readJsonFileIfThere(this.#places.learned, learned, this.#disk);
    return new Set(known?.notOffered);
  }

  /** Removing the file makes ferry try again. */
  async saveNotOffered(steps: ReadonlySet<string>): Promise<void> {
    const notOffered = [...steps].sort((left, right) => left.localeCompare(right));
    await writeJsonFile(this.#places.learned, { format: 1, notOffered }, this.#disk);
  }

  async keepRun(run: KeptRun, reports: Readonly<Record<string, Report>>, isLatest: boolean): Promise<void> {
    await keepRun(this.#runFolders(), run, reports, isLatest);
  }

  async keptRuns(): Promise<readonly KeptRun[]> {
    return keptRuns(this.#runFolders());
  }

  async keptReport(run: string, name: string): Promise<string> {
    return keptReport(this.#runFolders(), run, name);
  }

  async dropRun(run: string): Promise<void> {
    await dropRun(this.#runFolders(), run);
  }

  #runFolders(): RunFolders {
    const { runs, work } = this.#places;
    return { disk: this.#disk, runs, work };
  }

  async writeRows(table: string): Promise<RowsWriter> {
    const path = this.#recordsPath(table, "ndjson");
    return createRowsFile(this.#disk, path, (temporary) => this.#held.hold(temporary, path));
  }

  readRows(table: string): AsyncIterable<readonly JsonObject[]> {
    return this.#held.read(this.#recordsPath(table, "ndjson"));
  }

  async draftRows(table: string, goOn: boolean): Promise<RowsDraft> {
    const paths = {
      lines: this.#recordsPath(table, "part.ndjson"),
      prints: this.#recordsPath(table, "part.prints"),
      kept: this.#recordsPath(table, "part.json"),
      whole: this.#recordsPath(table, "ndjson"),
    };
    const held = (lines: string): void => this.#held.hold(lines, paths.whole);
    return openRowsDraft(this.#disk, paths, goOn, { hooks: this.#hooks, held });
  }

  async sortPrints(): Promise<PrintSorter> {
    await this.#folders.ensureWritable(this.#places.records);
    return new FileSorter(this.#disk, join(this.#places.records, "sort"));
  }

  async saveRowsDone(table: string, done: JsonObject): Promise<void> {
    await writeJsonFile(this.#recordsPath(table, "done.json"), { format: 1, ...done }, this.#disk);
  }

  async rowsDone(): Promise<ReadonlyMap<string, JsonObject>> {
    const names = await this.#disk.readdir(this.#places.records).catch(() => []);
    const found = new Map<string, JsonObject>();
    for (const name of names.filter((one) => one.endsWith(".done.json")).sort()) {
      const path = join(this.#places.records, name);
      try {
        const { format: _format, ...done } = await readJsonFile(path, rowsDone, this.#disk);
        found.set(name.slice(0, -".done.json".length), done as JsonObject);
      } catch (error) {
        // It may be lost, and is as good as lost where it is damaged.
        if (!(error instanceof StoreError)) throw error;
      }
    }
    return found;
  }

  async saveRowsPlan(table: string, plan: JsonObject | undefined): Promise<void> {
    const path = this.#recordsPath(table, "plan.json");
    if (plan !== undefined) return writeJsonFile(path, { format: 1, ...plan }, this.#disk);
    await this.#disk.rm(path, { force: true });
  }

  async rowsPlan(table: string): Promise<JsonObject | undefined> {
    try {
      const path = this.#recordsPath(table, "plan.json");
      const { format: _format, ...plan } = await readJsonFile(path, rowsDone, this.#disk);
      return plan as JsonObject;
    } catch (error) {
      if (error instanceof StoreError && error.code === "not-found") return undefined;
      throw error;
    }
  }

  close(): void {
    this.#held.close();
  }

  #recordsPath(table: string, ending: string): string {
    refuseBadTable(table, this.#places.records);
    return join(this.#places.records, `${table}.${ending}`);
  }
}
