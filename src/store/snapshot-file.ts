import { createHash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import { open } from "node:fs/promises";
import { SetDigest } from "./content-digest.ts";
import type { SnapshotObject } from "./snapshot-line.ts";
import { formatSnapshotLine } from "./snapshot-line.ts";

const pieceSize = 1 << 18;

/** The file of one kind while it is written: buffered, digested on the way. */
export class SnapshotFile {
  readonly #handle: FileHandle;
  readonly #sha256 = createHash("sha256");
  readonly #content = new SetDigest();
  readonly #names = new Map<string, string>();
  #lines: string[] = [];
  #waiting = 0;
  #writing: Promise<void> = Promise.resolve();

  private constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  static async create(path: string): Promise<SnapshotFile> {
    return new SnapshotFile(await open(path, "wx"));
  }

  get count(): number {
    return this.#names.size;
  }

  /** The name under which the URN was added before. */
  nameOf(urn: string): string | undefined {
    return this.#names.get(urn);
  }

  /** A promise when the caller should wait: the disk is slower than the service. */
  add(object: SnapshotObject): void | Promise<void> {
    const line = formatSnapshotLine(object);
    this.#names.set(object.urn, object.name);
    this.#content.add({ ...object });
    this.#lines.push(line);
    this.#waiting += line.length;
    if (this.#waiting >= pieceSize) return this.#flush();
  }

  async finish(): Promise<{ sha256: string; content: string }> {
    await this.#flush();
    await this.#handle.sync();
    await this.#handle.close();
    return { sha256: this.#sha256.digest("hex"), content: this.#content.toString() };
  }

  async abandon(): Promise<void> {
    await this.#writing.catch(() => undefined);
    await this.#handle.close();
  }

  #flush(): Promise<void> {
    const piece = Buffer.from(this.#lines.join(""));
    this.#lines = [];
    this.#waiting = 0;
    this.#sha256.update(piece);
    this.#writing = this.#writing.then(() => this.#handle.appendFile(piece));
    return this.#writing;
  }
}
