import { isObject, type Json, type JsonObject } from "../../src/emulator/json.ts";
import { asKept } from "./forms.ts";

/** A body as its single values, each under the path that leads to it: what two people can change independently. */
export type Leaves = ReadonlyMap<string, string>;

export const noLeaves: Leaves = new Map();

/** What the service fills in, and what it brings about by itself when a term is assigned. */
const served = new Set(["urn", "draftType", "correlationId", "nextRun", "termRuleInstances"]);

/** The order of a list means nothing to those who compare here: each of its elements is a value of its own. */
export function leavesOf(body: unknown): Leaves {
  const found = new Map<string, string>();
  collect(body as Json, "", found);
  return found;
}

function collect(value: Json | undefined, path: string, found: Map<string, string>): void {
  if (value === null || value === undefined) return;
  if (Array.isArray(value)) {
    for (const element of value) found.set(`${path}[${JSON.stringify(element)}]`, "is there");
  } else if (isObject(value)) {
    for (const [name, field] of Object.entries(value)) {
      if (path === "" && served.has(name)) continue;
      collect(asKept(name, field), `${path}/${name}`, found);
    }
  } else {
    found.set(path, JSON.stringify(value));
  }
}

/** All that it says, in one text. */
export function textOf(leaves: Leaves): string {
  return JSON.stringify([...leaves].sort(([left], [right]) => (left < right ? -1 : 1)));
}

/** Paths whose values differ. */
export function changed(before: Leaves, after: Leaves): readonly string[] {
  return [...new Set([...before.keys(), ...after.keys()])].filter(
    (path) => before.get(path) !== after.get(path),
  );
}

/** `known`, with what has changed from `before` to `after`. */
export function overlaid(known: Leaves, before: Leaves, after: Leaves): Leaves {
  const result = new Map(known);
  for (const path of changed(before, after)) {
    const value = after.get(path);
    if (value === undefined) result.delete(path);
    else result.set(path, value);
  }
  return result;
}

/** Two paths of assignments that name one term. */
export function sameTerm(left: string, right: string): boolean {
  const urn = /urn:[^"]+/;
  return urn.exec(left)?.[0] === urn.exec(right)?.[0];
}

const partKeys = /"([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})":/g;

/** Keys of all parts of an object, however deep. */
export function partIds(body: JsonObject): readonly string[] {
  return [...JSON.stringify(body).matchAll(partKeys)].map(([, id = ""]) => id);
}
