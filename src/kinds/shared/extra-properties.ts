import type { ReadClient } from "../../service/index.ts";
import { readModel, typesOf, writableNames } from "./model.ts";

/** The names to ask for; `afresh` when a listing begins, so that a property that was added since is seen. */
export type PropertyNames = (client: ReadClient, afresh?: boolean) => Promise<readonly string[]>;

/**
 * Extra properties are returned only when asked for by name (document 1, "Extra properties"), so the names of all
 * writable ones of a type, and of the types that extend it, are taken from the metadata model. Embedded values are not
 * among those that the field can carry; `plain` are fields of the body itself.
 */
export function extraProperties(type: string, plain: readonly string[]): PropertyNames {
  /** For one object after the other: as they were when the list was read, so that both readings show the same. */
  const known = new WeakMap<ReadClient, Promise<readonly string[]>>();
  return (client, afresh = false) => {
    const before = afresh ? undefined : known.get(client);
    if (before !== undefined) return before;
    const names = readModel(client).then((model) => writableNames(typesOf(model, type), plain));
    known.set(client, names);
    names.catch(() => known.delete(client)); // Whoever waits for them is told; the next one asks again.
    return names;
  };
}
