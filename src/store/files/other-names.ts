import { dirname, join } from "node:path";
import { display } from "../../model/display.ts";
import { isMissing, StoreError } from "../store-error.ts";
import type { Disk } from "./disk.ts";
import { ioError } from "./io-error.ts";
import type { MappingOptions } from "./mapping-store.ts";
import { openMappingStore } from "./mapping-store.ts";

type Options = Pick<MappingOptions, "tool" | "parties"> & { readonly disk: Disk };

/**
 * A name is a label that a person may change, and what is known of a pair of environments stands under their names: under new ones
 * nothing is known, and all would be made a second time.
 */
export async function refuseOtherNames(folder: string, options: Options): Promise<void> {
  const root = dirname(folder);
  for (const name of await foldersIn(options.disk, root)) {
    const other = join(root, name);
    if (other === folder || name.startsWith(".") || !(await hasRows(other, options))) continue;
    throw new StoreError(
      "foreign-state",
      folder,
      `${display(folder)} holds no mapping, and ${display(other)} holds that of the same two environments under other names: ` +
        "nothing would be known of what was moved, and policy.adopt: never would have all of it made once more",
      `Give the environments the names in the plan that they have there; or take ${display(folder)} away, where there is one, and rename that folder so.`,
    );
  }
}

async function foldersIn(disk: Disk, root: string): Promise<readonly string[]> {
  try {
    return [...(await disk.readdir(root))].sort();
  } catch (error) {
    if (isMissing(error)) return [];
    throw ioError(error, root, "read");
  }
}

/** What is of other environments, or cannot be read, is not ours. */
async function hasRows(folder: string, options: Options): Promise<boolean> {
  try {
    const store = await openMappingStore(folder, { ...options, readOnly: true });
    for (const kind of store.kinds()) if ((await store.entries(kind)).size > 0) return true;
    return false;
  } catch (error) {
    if (error instanceof StoreError) return false;
    throw error;
  }
}
