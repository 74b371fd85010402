import { SetDigest } from "../content-digest.ts";
import { Bytes } from "./bytes.ts";
import type { Disk, DiskFile } from "./disk.ts";
import { Sha256 } from "./sha256.ts";
import { SnapshotIndex } from "./snapshot-index.ts";
import type { SnapshotObject } from "../store.ts";
import { formatSnapshotLine, nameInLine } from "./snapshot-line.ts";

const pieceSize = 1 << 18;

/** The file of one kind while it is written: buffered, digested and indexed on the way. */
export class SnapshotFile {
  readonly #disk: Disk;
  readonly #path: string;
  readonly #handle: DiskFile;
  readonly #sha256 = new Sha256();
  readonly #content = new SetDigest();
  readonly index = new SnapshotIndex();
  #waiting = new Bytes();
  #size = 0;
  #writing: Promise<void> = Promise.resolve();

  private constructor(disk: Disk, path: string, handle: DiskFile) {
    this.#disk = disk;
    this.#path = path;
    this.#handle = handle;
  }

  static async create(disk: Disk, path: string): Promise<SnapshotFile> {
    return new SnapshotFile(disk, path, await disk.open(path, "wx"));
  }

  get count(): number {
    return this.index.count;
  }

  has(urn: string): boolean {
    return this.index.position(urn) !== undefined;
  }

  /** The name under which the URN was added before: read from what is written, since it is asked for once at most. */
  async nameOf(urn: string): Promise<string | undefined> {
    const position = this.index.position(urn);
    if (position === undefined) return undefined;
    await this.#flush();
    const line = Buffer.alloc(this.index.length(position));
    const file = this.#disk.openSync(this.#path, "r");
    try {
      const count = file.read(line, 0, line.length, this.index.offset(position));
      return nameInLine(line.subarray(0, count), urn);
    } finally {
      file.close();
    }
  }

  /** A promise when the caller should wait: the disk is slower than the service. */
  add(object: SnapshotObject): void | Promise<void> {
    const line = formatSnapshotLine(object);
    const bytes = this.#waiting.text(line);
    this.index.add(object.urn, bytes);
    this.#content.add({ ...object });
    this.#size += bytes;
    if (this.#waiting.length >= pieceSize) return this.#flush();
  }

  async finish(): Promise<{ sha256: string; content: string }> {
    const last = this.#take();
    const sha256 = this.#sha256.hex(last.view());
    // Of a kind without objects there is nothing to write; its name becomes durable with the folder.
    if (this.#size > 0) {
      await this.#write(last);
      await this.#handle.sync();
    }
    await this.#handle.close();
    return { sha256, content: this.#content.toString() };
  }

  async abandon(): Promise<void> {
    await this.#writing.catch(() => undefined);
    await this.#handle.close();
  }

  #flush(): Promise<void> {
    const piece = this.#take();
    this.#sha256.add(piece.view());
    return this.#write(piece);
  }

  #take(): Bytes {
    const piece = this.#waiting;
    this.#waiting = new Bytes();
    return piece;
  }

  #write(piece: Bytes): Promise<void> {
    this.#writing = this.#writing.then(() => piece.appendTo(this.#handle));
    return this.#writing;
  }
}
