import type { Adapter } from "lowdb";
import type { Parties } from "../../model/mapping.ts";
import { writeAtomic } from "./atomic-file.ts";
import type { Disk } from "./disk.ts";
import type { StoreHooks } from "../hooks.ts";
import type { MappingContent } from "./mapping-format.ts";
import { formatMapping } from "./mapping-format.ts";
import { readMapping } from "./mapping-read.ts";
import { StoreError } from "../store-error.ts";

/**
 * lowdb's own file adapter never syncs (a power loss may empty the file), changes the file's mode, replaces
 * symbolic links and fails on an empty file. This one writes durably, in the format that people review.
 */
export class MappingAdapter implements Adapter<MappingContent> {
  readonly #path: string;
  readonly #kind: string;
  readonly #parties: Parties;
  readonly #disk: Disk;
  readonly #hooks: StoreHooks | undefined;

  constructor(path: string, kind: string, parties: Parties, disk: Disk, hooks?: StoreHooks) {
    this.#path = path;
    this.#kind = kind;
    this.#parties = parties;
    this.#disk = disk;
    this.#hooks = hooks;
  }

  /** Null when there is no file. */
  async read(): Promise<MappingContent | null> {
    try {
      return await readMapping(this.#disk, this.#path, this.#kind, this.#parties);
    } catch (error) {
      if (error instanceof StoreError && error.code === "not-found") return null;
      throw error;
    }
  }

  async write(content: MappingContent): Promise<void> {
    await writeAtomic(this.#path, formatMapping(content), {
      disk: this.#disk,
      reached: (point) => this.#hooks?.reached(`mapping:${point}`),
    });
  }
}
