import type { JournalRecord } from "../../model/journal.ts";
import type { Parties } from "../../model/mapping.ts";
import { writeAtomic } from "./atomic-file.ts";
import { Bytes } from "./bytes.ts";
import type { Disk, DiskFile, DiskStat } from "./disk.ts";
import type { StoreHooks } from "../hooks.ts";
import { explainIo, vanished } from "./io-error.ts";
import { newHeader } from "./journal-header.ts";
import { LineEncoder } from "./journal-line.ts";
import { statOrNothing } from "./stat.ts";
import type { Journal } from "../store.ts";
import { StoreError } from "../store-error.ts";

interface Group {
  readonly lines: Bytes;
  readonly durable: Promise<void>;
}

export interface JournalFile {
  readonly disk: Disk;
  readonly path: string;
  readonly handle: DiskFile;
  readonly bytes: number;
  /** Goes on behind the file's last line. */
  readonly encoder: LineEncoder;
  /** For the header of the file that takes its place. */
  readonly tool: string;
  readonly parties: Parties;
  readonly hooks: StoreHooks | undefined;
}

export class JournalWriter implements Journal {
  syncs = 0;
  bytes: number;
  readonly #file: JournalFile;
  #handle: DiskFile;
  #opened: Promise<Pick<DiskStat, "dev" | "ino">> | undefined;
  /** Lines are joined in the order in which they come, which is the order in which they are written. */
  #encoder: LineEncoder;
  /** Takes further records until its write begins. */
  #group: Group | undefined;
  /** One write at a time. Never rejects. */
  #work: Promise<void> = Promise.resolve();
  /** After a failed write or sync nobody knows what is on disk: the journal takes nothing more. */
  #failure: Error | undefined;
  #closing: Promise<void> | undefined;

  constructor(file: JournalFile) {
    this.#file = file;
    this.#handle = file.handle;
    this.#encoder = file.encoder;
    this.bytes = file.bytes;
  }

  append(record: JournalRecord): Promise<void> {
    return this.appendAll([record]);
  }

  async appendAll(records: readonly JournalRecord[]): Promise<void> {
    const texts = records.map((record) => JSON.stringify(record)); // now: the caller may change its object later
    if (this.#closing !== undefined) throw this.#closed();
    if (texts.length === 0) return;
    this.#group ??= this.#openGroup();
    const { lines, durable } = this.#group;
    for (const text of texts) this.#encoder.add(lines, text, lines.length === 0);
    await durable;
  }

  async restart(records: readonly JournalRecord[] = []): Promise<void> {
    if (this.#closing !== undefined) throw this.#closed();
    this.#group = undefined; // what was appended so far goes to the old file, what comes to the new one
    this.#encoder = new LineEncoder();
    const lines = new Bytes();
    const first = [newHeader(this.#file.tool, this.#file.parties), ...records];
    for (const record of first) this.#encoder.add(lines, JSON.stringify(record), lines.length === 0);
    await this.#enqueue(() => this.#replace(lines.view().toString("utf8")));
  }

  close(): Promise<void> {
    this.#group = undefined;
    this.#closing ??= this.#work.then(() => this.#handle.close());
    return this.#closing;
  }

  #openGroup(): Group {
    const lines = new Bytes();
    const durable = this.#enqueue(() => {
      if (this.#group?.lines === lines) this.#group = undefined;
      return this.#commit(lines);
    });
    return { lines, durable };
  }

  #enqueue(task: () => Promise<void>): Promise<void> {
    const done = this.#work.then(() => this.#attempt(task));
    this.#work = done.catch(() => undefined);
    return done;
  }

  async #attempt(task: () => Promise<void>): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure;
    try {
      await task();
    } catch (error) {
      this.#failure = failureOf(error, this.#file.path);
      throw this.#failure;
    }
  }

  async #commit(lines: Bytes): Promise<void> {
    const { hooks } = this.#file;
    await hooks?.reached("journal:before-write");
    const { length } = lines;
    await lines.appendTo(this.#handle);
    this.bytes += length;
    await hooks?.reached("journal:after-write");
    await this.#handle.datasync();
    this.syncs += 1;
    await this.#refuseOrphan();
    await hooks?.reached("journal:after-sync");
  }

  /**
   * A file whose folder was removed or moved takes all that is written, and nobody will ever find it: what relies on
   * the record must not happen.
   */
  async #refuseOrphan(): Promise<void> {
    const { disk, path } = this.#file;
    // What an open file is never changes; only what its path leads to does.
    this.#opened ??= this.#handle.stat();
    const [there, ours] = await Promise.all([statOrNothing(disk, path), this.#opened]);
    if (there?.ino !== ours.ino || there.dev !== ours.dev) throw vanished(path);
  }

  async #replace(text: string): Promise<void> {
    const { disk, path, hooks } = this.#file;
    const reached = (point: "before-rename" | "after-rename") => hooks?.reached(`compact:${point}`);
    await writeAtomic(path, text, { mode: 0o600, disk, reached });
    const old = this.#handle;
    this.#handle = await disk.open(path, "a");
    this.#opened = undefined;
    this.bytes = Buffer.byteLength(text);
    await old.close();
  }

  #closed(): StoreError {
    const { path } = this.#file;
    return new StoreError(
      "journal-closed",
      path,
      `${path} was closed: nothing can be recorded`,
      "Run it again.",
    );
  }
}

function failureOf(error: unknown, path: string): Error {
  const explained = explainIo(error, path, "write");
  if (explained !== undefined) return explained;
  return error instanceof Error ? error : new Error(String(error), { cause: error });
}
