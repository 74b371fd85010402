import type { StoreHooks } from "../hooks.ts";
import type { Store } from "../store.ts";
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
  },
): Store {
  const { plan, parties, tool, hooks } = options;
  const places = placesOf(options);
  return {
    state: new FileState({ places, plan, parties, tool, hooks }),
    work: new FileWork({ places, parties, tool, hooks }),
  };
}
