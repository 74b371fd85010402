import type { StoreHooks } from "../hooks.ts";
import type { Store } from "../store.ts";
import type { Disk } from "./disk.ts";
import { Folders } from "./folder.ts";
import { nodeDisk } from "./node-disk.ts";
import type { FileStoreOptions } from "./places.ts";
import { placesOf } from "./places.ts";
import { FileState } from "./state.ts";
import { FileWork } from "./work.ts";

/** The store that needs nothing but folders, in files that people read, commit and review. */
export function fileStore(
  options: FileStoreOptions & {
    /** Name and version of the tool, for the files. */
    readonly tool: string;
    readonly hooks?: StoreHooks | undefined;
    /** This machine's, unless another is given. */
    readonly disk?: Disk;
  },
): Store {
  const { plan, parties, tool, hooks, disk = nodeDisk } = options;
  const places = placesOf(options);
  const folders = new Folders(disk);
  return {
    state: new FileState({ disk, folders, places, plan, parties, tool, hooks }),
    work: new FileWork({ disk, folders, places, parties, tool, hooks }),
  };
}
