import type { LogEntry } from "../../../src/emulator/index.ts";
import { isArray, isObject, type Json } from "../../../src/emulator/json.ts";
import { subEntityKeys } from "../../../src/model/sub-entity.ts";

/** Where a request carries several objects (documents 1 and 2). */
const lists: ReadonlySet<string> = new Set(["terms", "data"]);

function listIn(body: Json | undefined): readonly Json[] | undefined {
  if (!isObject(body)) return undefined;
  const [only, ...others] = Object.entries(body);
  if (only === undefined || others.length > 0 || !lists.has(only[0])) return undefined;
  return isArray(only[1]) ? only[1] : undefined;
}

/** How many objects a write carries. */
export function objectsIn({ body }: LogEntry): number {
  return listIn(body)?.length ?? 1;
}

/** The bodies of the objects that the requests of a route carried. */
export function sentBodies(entries: readonly LogEntry[], route: string): readonly Json[] {
  return entries
    .filter((entry) => entry.route === route)
    .flatMap(({ body }) => listIn(body) ?? (body === undefined ? [] : [body]));
}

/** Every key under which a sub-entity stands, at every level. */
export function keysOf(bodies: readonly Json[]): ReadonlySet<string> {
  const keys = new Set<string>();
  for (const body of bodies) subEntityKeys(body, keys);
  return keys;
}
