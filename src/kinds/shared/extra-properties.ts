import type { ReadClient } from "../../service/index.ts";
import { modelOf, readAgain, typesOf, writableNames } from "./model.ts";

export interface ExtraProperties {
  /** The names to ask for one object by. */
  names(client: ReadClient): Promise<readonly string[]>;
  /** The same when a listing begins: from the second one on a property that was added since is seen. */
  listed(client: ReadClient): Promise<readonly string[]>;
}

/**
 * Extra properties are returned only when asked for by name (document 1, "Extra properties"), so the names of all
 * writable ones of a type, and of the types that extend it, are taken from the metadata model: when they are needed,
 * for nothing else waits for it. `plain` are fields of the body itself. `own` is the client that knows the model; by
 * itself whoever is asked does.
 */
export function extraProperties(
  type: string,
  plain: readonly string[],
  own: ReadClient | undefined,
): ExtraProperties {
  const listedBefore = new WeakSet<ReadClient>();
  return {
    names: async (client) => writableNames(typesOf(await modelOf(own ?? client), type), plain),
    async listed(client) {
      const by = own ?? client;
      const model = await (listedBefore.has(by) ? readAgain(by) : modelOf(by));
      listedBefore.add(by);
      return writableNames(typesOf(model, type), plain);
    },
  };
}
