import { EngineError } from "../engine/progress.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { JsonObject } from "../model/json.ts";
import { isObject, text } from "../model/json.ts";
import { isUrn, urnType } from "../model/urn.ts";
import { shellWord } from "../model/shell-word.ts";
import type { GivenKind } from "../kinds/kind.ts";
import type { ReadClient } from "../service/index.ts";
import type { Migration } from "./migration.ts";
import { isGiven, standsAlone } from "../engine/facets/standing.ts";

interface Pair {
  readonly source: string;
  readonly target: string;
}

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
export async function checkPair(migration: Migration, kindName: string, pair: Pair): Promise<Checked> {
  const [source, target] = await Promise.all([
    read(migration, "source", kindName, pair.source),
    read(migration, "target", kindName, pair.target),
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
  await refuseOtherSorts(migration, pair);
  if (source.state !== "there" || target.state !== "there")
    return { diagnostics: [unchecked(kindName, pair.target)] };
  return { name: source.name, diagnostics: keyMismatch(migration, kindName, pair, [source, target]) };
}

/**
 * An SQL item and an imported one have the same type of URN. Paired with each other neither would ever be as the plan wants it: the
 * query has no place in the one, and what people wrote over the other stands in the item itself.
 */
async function refuseOtherSorts(migration: Migration, pair: Pair): Promise<void> {
  const kind = (await migration.kinds("target")).givenOf(urnType(pair.source) ?? "");
  if (kind?.sort === undefined) return;
  const [source, target] = await Promise.all(
    (
      [
        [migration.source(), pair.source],
        [migration.targetReads(), pair.target],
      ] as const
    ).map(async ([client, urn]) => sortOf(kind, client, urn)),
  );
  if (source === undefined || target === undefined || source === target) return;
  const { plan } = migration;
  throw new EngineError(
    "selection",
    `${pair.source} is an ${source} at ${plan.source.name}, and ${pair.target} an ${target} at ${plan.target.name}; nothing was set`,
    `Pair it with an ${source} of ${plan.target.name}.`,
  );
}

/** Undefined where it cannot be read. */
async function sortOf(kind: GivenKind, client: ReadClient, urn: string): Promise<string | undefined> {
  const records = await kind.read(client, new Set([urn]), () => new Set());
  const record = "notKnown" in records ? undefined : records.find((one) => one.urn === urn);
  return record === undefined ? undefined : kind.sort?.(record);
}

/** By the kinds as that side has them: what only the other one's metadata model names is refused there. */
async function read(
  migration: Migration,
  side: "source" | "target",
  kindName: string,
  urn: string,
): Promise<Reading> {
  const client = side === "source" ? migration.source() : migration.targetReads();
  const kind = (await migration.kinds(side)).get(kindName);
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
    suggestion: "The next `ferry diff PLAN` tells when it is not there.",
  };
}

function keyMismatch(
  migration: Migration,
  kindName: string,
  pair: Pair,
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
      suggestion: `If they are not the same thing: ferry mappings ${migration.plan.name} remove ${shellWord(pair.source)}`,
    },
  ];
}
