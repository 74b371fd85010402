import { EngineError } from "../engine/progress.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { JsonObject } from "../model/json.ts";
import { isObject, text } from "../model/json.ts";
import { isUrn } from "../model/urn.ts";
import type { ReadClient } from "../service/index.ts";
import type { Migration } from "./migration.ts";
import { isGiven, standsAlone } from "../engine/facets/standing.ts";

interface Checked {
  /** Of the source object, where it could be read. */
  readonly name?: string;
  readonly diagnostics: readonly Diagnostic[];
}

/** One object as one read found it; `unknown` where the kind cannot be read by a URN alone. */
type Reading = { readonly state: "there"; readonly body: JsonObject; readonly name: string } | NotThere;
interface NotThere {
  readonly state: "absent" | "unknown";
}

/**
 * Reads both objects of a pair that a person named, once each. A twin that does not exist would be reported as removed
 * at the target by every run, and a source object that does not exist would make its twin an orphan: both are refused.
 */
export async function checkPair(
  migration: Migration,
  kindName: string,
  pair: { readonly source: string; readonly target: string },
): Promise<Checked> {
  const [source, target] = await Promise.all([
    read(migration, migration.source(), kindName, pair.source),
    read(migration, migration.targetReads(), kindName, pair.target),
  ]);
  const sides = [
    [source, pair.source, migration.plan.source.name],
    [target, pair.target, migration.plan.target.name],
  ] as const;
  // Where neither side answers, the way of reading is not offered there: that says nothing about the objects.
  const isReadable = sides.some(([{ state }]) => state === "there") || isMoved(migration, kindName);
  for (const [reading, urn, side] of sides) {
    if (reading.state !== "absent" || !isReadable) continue;
    throw new EngineError(
      "selection",
      `${urn} does not exist at ${side}; nothing was set`,
      `Correct the URN (the source's comes first, then the target's), or add --force to set the pair unchecked.`,
    );
  }
  if (source.state !== "there" || target.state !== "there")
    return { diagnostics: [unchecked(kindName, pair.target)] };
  return { name: source.name, diagnostics: keyMismatch(migration, kindName, pair, [source, target]) };
}

async function read(
  migration: Migration,
  client: ReadClient,
  kindName: string,
  urn: string,
): Promise<Reading> {
  const kind = (await migration.kinds("target")).get(kindName);
  if (isGiven(kind)) {
    const records = await kind.read(client, new Set([urn]), () => new Set());
    if ("notKnown" in records) return { state: "unknown" };
    const record = records.find((candidate) => candidate.urn === urn);
    if (record === undefined) return { state: "absent" };
    // A record of its URN alone was made up of it (groups): nobody was asked.
    const isEmpty = Object.keys(record.body).length < 2;
    return isEmpty ? { state: "unknown" } : { state: "there", body: record.body, name: record.name };
  }
  if (kind === undefined || !("one" in kind) || kind.one === undefined || kind.addressedBy !== undefined)
    return { state: "unknown" };
  const body = await kind.one(client, urn, {});
  return body === undefined ? { state: "absent" } : { state: "there", body, name: text(body, "name") ?? "" };
}

function isMoved(migration: Migration, kindName: string): boolean {
  return migration.registry.moved().some(({ name }) => name === kindName);
}

function unchecked(kindName: string, target: string): Diagnostic {
  return {
    severity: "warning",
    code: "pair-unchecked",
    summary: `whether ${target} exists could not be checked: the service offers no way to read one of the kind ${kindName} by its URN alone`,
    suggestion: "The next `ferry diff` tells when it is not there.",
  };
}

function keyMismatch(
  migration: Migration,
  kindName: string,
  pair: { readonly source: string; readonly target: string },
  [source, target]: readonly [Reading & { state: "there" }, Reading & { state: "there" }],
): readonly Diagnostic[] {
  const kind = migration.registry.get(kindName);
  if (!standsAlone(kind)) return [];
  // What it refers to has another URN in each environment: only its words can be told apart here.
  const [left, right] = [source, target].map(({ body }) =>
    kind
      .naturalKey(body)
      .filter((part) => !isObject(part) && !isUrn(part))
      .map(String)
      .join(", "),
  );
  if (left === right) return [];
  return [
    {
      severity: "warning",
      code: "pair-other-key",
      coordinate: { kind: kindName, urn: pair.source, name: source.name },
      summary: `the natural keys differ: "${left}" at ${migration.plan.source.name}, "${right}" at ${migration.plan.target.name}`,
      suggestion: `If they are not the same thing: ferry mappings ${migration.plan.name} remove ${pair.source}`,
    },
  ];
}
