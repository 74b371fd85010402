import type { JsonObject } from "../../../model/json.ts";
import { isMissing } from "../../store-error.ts";
import type { Disk, DiskFileSync } from "../disk.ts";
import { ioError } from "../io-error.ts";
import { rowsIn } from "./rows-file.ts";

/**
 * Files of rows that this process has written or read, each held open: what a person was shown is what is written then,
 * though whoever takes no lock may have put other rows in the file's place meanwhile.
 */
export class HeldRows {
  readonly #disk: Disk;
  /** By the path where it stood. */
  readonly #files = new Map<string, DiskFileSync>();

  constructor(disk: Disk) {
    this.#disk = disk;
  }

  /** What stands at `path` is what is read from now on of what goes to `place`. */
  hold(path: string, place: string): void {
    const file = this.#disk.openSync(path, "r");
    this.#files.get(place)?.close();
    this.#files.set(place, file);
  }

  /** No file means no rows. It is not synced, so a power loss may have left anything of it: throws StoreError `bad-json`. */
  async *read(path: string): AsyncGenerator<readonly JsonObject[], void, undefined> {
    if (!this.#files.has(path)) {
      try {
        this.hold(path, path);
      } catch (error) {
        if (isMissing(error)) return;
        throw ioError(error, path, "read");
      }
    }
    const file = this.#files.get(path);
    let position = 0;
    yield* rowsIn(path, {
      async read(buffer, offset, length) {
        const bytesRead = file?.read(buffer, offset, length, position) ?? 0;
        position += bytesRead;
        return { bytesRead };
      },
    });
  }

  close(): void {
    for (const file of this.#files.values()) file.close();
    this.#files.clear();
  }
}
