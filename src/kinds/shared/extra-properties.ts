import { isArray, isObject, own, text } from "../../model/json.ts";
import type { ReadClient } from "../../service/index.ts";
import { all } from "./found.ts";

/** The names to ask for; `afresh` when a listing begins, so that a property that was added since is seen. */
export type PropertyNames = (client: ReadClient, afresh?: boolean) => Promise<readonly string[]>;

/**
 * Extra properties are returned only when asked for by name (document 1, "Extra properties"), so the names of all
 * writable ones of a type, and of the types that extend it, are taken from the metadata model. Embedded values are not
 * among those that the field can carry; `plain` are fields of the body itself.
 */
export function extraProperties(type: string, plain: readonly string[]): PropertyNames {
  const fields = new Set(plain);
  /** For one object after the other: as they were when the list was read, so that both readings show the same. */
  const known = new WeakMap<ReadClient, Promise<readonly string[]>>();
  return (client, afresh = false) => {
    const before = afresh ? undefined : known.get(client);
    if (before !== undefined) return before;
    const names = read(client, type, fields);
    known.set(client, names);
    names.catch(() => known.delete(client)); // Whoever waits for them is told; the next one asks again.
    return names;
  };
}

async function read(
  client: ReadClient,
  type: string,
  fields: ReadonlySet<string>,
): Promise<readonly string[]> {
  const names = new Set<string>();
  for (const definition of await all(client.catalog.metadataModel())) {
    const supers = own(definition, "superEntities");
    const isOfType = text(definition, "name") === type || (isArray(supers) && supers.includes(type));
    const properties = own(definition, "properties");
    if (!isOfType || !isArray(properties)) continue;
    for (const property of properties) {
      if (!isObject(property) || own(property, "editable") === false) continue;
      const name = text(property, "name");
      const embedded = text(property, "type")?.endsWith("_EMBEDDED") ?? false;
      if (name !== undefined && !embedded && !fields.has(name)) names.add(name);
    }
  }
  return [...names].sort();
}
