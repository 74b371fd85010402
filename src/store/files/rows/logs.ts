import { join } from "node:path";
import type { Parties } from "../../../model/mapping.ts";
import type { StoreHooks } from "../../hooks.ts";
import type { JournalRecord } from "../../../model/journal.ts";
import type { LogsKept, RowLog } from "../../rows.ts";
import { isMissing, StoreError } from "../../store-error.ts";
import type { Journal } from "../../store.ts";
import type { Disk } from "../disk.ts";
import { makeFolder, writeSynced } from "../folder.ts";
import { ioError } from "../io-error.ts";
import { openJournal, readJournal } from "../journal.ts";
import { statOrNothing } from "../stat.ts";

/** `<table>.<run>.ndjson`, `.open.ndjson` while the run has not come to its end, and `.dropped.ndjson`, which is empty. */
const pattern = /^(?<table>[a-z0-9][a-z0-9-]*)\.(?<run>[A-Za-z0-9-]+)(?:\.(?<state>open|dropped))?\.ndjson$/;

const tableName = /^[a-z0-9][a-z0-9-]{0,99}$/;

/** Names of files come from here, and not from the service. */
export function refuseBadTable(table: string, folder: string): void {
  if (tableName.test(table)) return;
  const text = `${JSON.stringify(table)} cannot name a table's file: lower-case letters, digits and hyphens only`;
  throw new StoreError("bad-name", folder, text, "Correct the table's name.");
}

/** Logs of rows, in the folder of what is known of them: nothing here is meant to be committed. */
export class RowLogs {
  readonly #disk: Disk;
  readonly #folder: string;
  readonly #tool: string;
  readonly #parties: Parties;
  readonly #hooks: StoreHooks | undefined;

  constructor(options: {
    readonly disk: Disk;
    readonly folder: string;
    readonly tool: string;
    readonly parties: Parties;
    readonly hooks?: StoreHooks | undefined;
  }) {
    this.#disk = options.disk;
    this.#folder = options.folder;
    this.#tool = options.tool;
    this.#parties = options.parties;
    this.#hooks = options.hooks;
  }

  async open(table: string, run: string): Promise<Journal> {
    await this.prepare();
    const hooks = this.#hooks;
    const options = { tool: this.#tool, parties: this.#parties, disk: this.#disk, replay: () => {} };
    const path = this.#path(table, run, "open");
    return (await openJournal(path, hooks === undefined ? options : { ...options, hooks })).journal;
  }

  /** The folder, with a word to git that it is not its business. */
  async prepare(): Promise<void> {
    try {
      await makeFolder(this.#disk, this.#folder);
      const ignore = join(this.#folder, ".gitignore");
      if (!this.#disk.existsSync(ignore)) await writeSynced(this.#disk, ignore, "*\n");
    } catch (error) {
      throw ioError(error, this.#folder, "write");
    }
  }

  /** Nothing in it waits for an outcome any more. */
  async close(table: string, run: string): Promise<void> {
    const from = this.#path(table, run, "open");
    try {
      if (!this.#disk.existsSync(from)) return;
      await this.#hooks?.reached("rows:before-rename");
      await this.#disk.rename(from, this.#path(table, run));
      await this.#hooks?.reached("rows:after-rename");
      await this.#disk.syncFolder(this.#folder);
    } catch (error) {
      throw ioError(error, from, "write");
    }
  }

  async list(): Promise<readonly RowLog[]> {
    const { disk, parties } = { disk: this.#disk, parties: this.#parties };
    const names = await this.#names();
    return names.sort().flatMap((name): RowLog[] => {
      const { table = "", run = "", state } = pattern.exec(name)?.groups ?? {};
      if (table === "") return [];
      if (state === "dropped") return [{ table, run, isOpen: false, isDropped: true, records: nothing }];
      const path = join(this.#folder, name);
      return [{ table, run, isOpen: state === "open", records: () => readJournal(path, { parties, disk }) }];
    });
  }

  async drop(table: string, most: LogsKept): Promise<readonly string[]> {
    const closed = (await this.list()).filter(
      (log) => log.table === table && !log.isOpen && log.isDropped === undefined,
    );
    const dropped: string[] = [];
    let bytes = 0;
    for (const [age, { run }] of closed.toReversed().entries()) {
      const path = this.#path(table, run);
      bytes += (await statOrNothing(this.#disk, path))?.size ?? 0;
      if (age === 0 || (age < most.runs && bytes <= most.bytes)) continue;
      try {
        // That it was there is known before it is gone; a process that died between the two has left both.
        const marker = this.#path(table, run, "dropped");
        if (!this.#disk.existsSync(marker)) await writeSynced(this.#disk, marker, "");
        await this.#disk.syncFolder(this.#folder);
        await this.#disk.rm(path, { force: true });
      } catch (error) {
        throw ioError(error, path, "write");
      }
      dropped.unshift(run);
    }
    return dropped;
  }

  async #names(): Promise<string[]> {
    try {
      return [...(await this.#disk.readdir(this.#folder))];
    } catch (error) {
      if (isMissing(error)) return [];
      throw ioError(error, this.#folder, "read");
    }
  }

  #path(table: string, run: string, state?: "open" | "dropped"): string {
    refuseBadTable(table, this.#folder);
    return join(this.#folder, `${table}.${run}${state === undefined ? "" : `.${state}`}.ndjson`);
  }
}

async function* nothing(): AsyncGenerator<JournalRecord, void, undefined> {}
