import type { ReadClient } from "../../service/index.ts";
import { modelOf, modelSoFar, readAgain, typesOf, writableNames } from "./model.ts";

/** Kinds that reference properties may lead to: which they do the model says, and the values (document 1, "Extra properties"). */
export const propertiesMayReferTo: readonly string[] = [
  "folders",
  "sql-items",
  "terms",
  "entities",
  "rules",
  "monitors",
  "primary-monitors",
  "dashboards",
];

export interface ExtraProperties {
  /** The names to ask for one object by. */
  names(client: ReadClient): Promise<readonly string[]>;
  /** The same, as far as the model was read by now; undefined before that. */
  known(client: ReadClient): ReadonlySet<string> | undefined;
  /** The same when a listing begins: from the second one on a property that was added since is seen. */
  listed(client: ReadClient): Promise<readonly string[]>;
}

/**
 * Extra properties are returned only when asked for by name (document 1, "Extra properties"), so the names of all
 * writable ones of a type, and of the types that extend it, are taken from the metadata model: when they are needed,
 * for nothing else waits for it. `plain` are fields of the body itself.
 */
export function extraProperties(type: string, plain: readonly string[]): ExtraProperties {
  const listedBefore = new WeakSet<ReadClient>();
  return {
    names: async (client) => writableNames(typesOf(await modelOf(client), type), plain),
    known(client) {
      const model = modelSoFar(client);
      return model === undefined ? undefined : new Set(writableNames(typesOf(model, type), plain));
    },
    async listed(client) {
      const model = await (listedBefore.has(client) ? readAgain(client) : modelOf(client));
      listedBefore.add(client);
      return writableNames(typesOf(model, type), plain);
    },
  };
}
