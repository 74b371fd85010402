import type { MovedKind } from "../../kinds/kind.ts";
import type { JsonObject } from "../../model/json.ts";
import { standsAlone } from "./standing.ts";

/** The kind as it lists things like these as well, as far as its environment knows their types. */
export function alsoOf(kind: MovedKind, bodies: readonly JsonObject[]): MovedKind {
  if (!standsAlone(kind) || kind.alsoOf === undefined) return kind;
  const ofEach = new Map(bodies.map((body) => [kind.typeOf?.(body), body]));
  // One that no list shows leaves the others to be listed.
  const listed = Array.from(ofEach.values()).filter((body) => kind.alsoOf?.([body]) !== undefined);
  return listed.length === 0 ? kind : (kind.alsoOf(listed) ?? kind);
}
