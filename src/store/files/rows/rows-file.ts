import { dirname } from "node:path";
import type { Json, JsonObject } from "../../../model/json.ts";
import { isObject } from "../../../model/json.ts";
import { parseJson } from "../../../model/json-text.ts";
import type { RowsWriter } from "../../rows.ts";
import { isMissing, StoreError } from "../../store-error.ts";
import { Bytes } from "../bytes.ts";
import type { Disk, DiskFile } from "../disk.ts";
import { makeFolder } from "../folder.ts";
import { ioError } from "../io-error.ts";
import { linesOf } from "../lines.ts";
import { releaseTemporary, temporaryBeside } from "../temporary.ts";

const pieceLength = 1 << 16;

/** A new file of lines beside the one that it will replace; `held` hears of it just before it does. */
export async function createRowsFile(
  disk: Disk,
  path: string,
  held: (temporary: string) => void = () => undefined,
): Promise<RowsWriter> {
  try {
    await makeFolder(disk, dirname(path));
    const temporary = temporaryBeside(disk, path);
    const file = await disk.open(temporary, "wx");
    return new FileRowsWriter({ disk, path, temporary, file, held });
  } catch (error) {
    throw ioError(error, path, "write");
  }
}

class FileRowsWriter implements RowsWriter {
  readonly #disk: Disk;
  readonly #path: string;
  readonly #temporary: string;
  readonly #file: DiskFile;
  readonly #held: (temporary: string) => void;
  #piece = new Bytes();
  #isOver = false;

  constructor(options: {
    readonly disk: Disk;
    readonly path: string;
    readonly temporary: string;
    readonly file: DiskFile;
    readonly held: (temporary: string) => void;
  }) {
    this.#disk = options.disk;
    this.#path = options.path;
    this.#temporary = options.temporary;
    this.#file = options.file;
    this.#held = options.held;
  }

  add(row: JsonObject | string): void | Promise<void> {
    this.#piece.text(`${typeof row === "string" ? row : JSON.stringify(row)}\n`);
    if (this.#piece.length >= pieceLength) return this.#flush();
  }

  async finish(): Promise<void> {
    await this.#flush();
    try {
      this.#isOver = true;
      await this.#file.close();
      this.#held(this.#temporary);
      await this.#disk.rename(this.#temporary, this.#path);
    } catch (error) {
      throw ioError(error, this.#path, "write");
    } finally {
      releaseTemporary(this.#disk, this.#temporary);
    }
  }

  async abandon(): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    await this.#file.close().catch(() => undefined);
    await this.#disk.rm(this.#temporary, { force: true }).catch(() => undefined);
    releaseTemporary(this.#disk, this.#temporary);
  }

  async #flush(): Promise<void> {
    const piece = this.#piece;
    this.#piece = new Bytes();
    try {
      await piece.appendTo(this.#file);
    } catch (error) {
      throw ioError(error, this.#path, "write");
    }
  }
}

/** No file means no rows. It is not synced, so a power loss may have left anything of it: throws StoreError `bad-json`. */
export async function* readRowsFile(
  disk: Disk,
  path: string,
): AsyncGenerator<readonly JsonObject[], void, undefined> {
  let file: DiskFile;
  try {
    file = await disk.open(path, "r");
  } catch (error) {
    if (isMissing(error)) return;
    throw ioError(error, path, "read");
  }
  try {
    yield* rowsIn(path, file);
  } finally {
    await file.close();
  }
}

/** The same of a file that is open; `path` is where it stood. As many at a time as are read: a row is waited for by nobody alone. */
export async function* rowsIn(
  path: string,
  file: Pick<DiskFile, "read">,
): AsyncGenerator<readonly JsonObject[], void, undefined> {
  try {
    for await (const { lines } of linesOf(file)) {
      const rows: JsonObject[] = [];
      for (const { bytes, ended } of lines) {
        const row = ended ? rowIn(bytes.toString(), path) : null;
        if (isObject(row)) rows.push(row);
      }
      if (rows.length > 0) yield rows;
    }
  } catch (error) {
    if (error instanceof StoreError) throw error;
    throw ioError(error, path, "read");
  }
}

function rowIn(line: string, path: string): Json {
  try {
    return parseJson(line);
  } catch (error) {
    const what = `${path} is damaged: a line of it is not JSON`;
    throw new StoreError("bad-json", path, what, "Remove the file: the next diff writes it anew.", error);
  }
}
