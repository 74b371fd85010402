import type { Registry } from "../../kinds/registry.ts";
import type { MappingTable } from "../../model/mapping-table.ts";
import type { Party } from "../../model/mapping.ts";
import type { ReadClient } from "../../service/index.ts";
import type { SnapshotReader } from "../../store/index.ts";
import { addressOf } from "../apply/address.ts";
import { standsAlone } from "../facets/standing.ts";
import { passingTrouble } from "../../kinds/trouble.ts";
import { EngineError } from "../progress.ts";
import type { TargetState } from "../read/target.ts";

/** What shows that two addresses lead to one environment. */
export interface Shared {
  readonly kind: string;
  readonly urn: string;
}

/** Objects of the source, by kind, as whoever asks knows of them. */
export type Known = Iterable<readonly [kind: string, urns: Iterable<string>]>;

/**
 * A URN holds the tenant and a UUID that the service made up, so what both sides list under one URN is one object, and
 * both addresses lead to where it is. Environments that were restored from one another under another tenant name share
 * nothing. Where the source has nothing that could be listed twice, there is nothing to write either.
 */
export function sharedByBoth(
  registry: Registry,
  source: SnapshotReader,
  { snapshot, pairs }: TargetState,
  mapping: MappingTable,
): Shared | undefined {
  const read = registry.moved().map(({ name }) => [name, source.urns(name)] as const);
  const standing = standingOf(snapshot, [...read, ...mappedSources(mapping)]);
  if (standing !== undefined) return standing;
  for (const { name } of registry.given().filter(({ madeInPlace }) => madeInPlace === true)) {
    for (const urn of source.urns(name)) if (pairs.records.has(urn)) return { kind: name, urn };
  }
  return undefined;
}

/** An object of the source that stands at the target. */
export function standingOf(target: Pick<SnapshotReader, "has">, known: Known): Shared | undefined {
  for (const [kind, urns] of known) {
    for (const urn of urns) if (target.has(kind, urn)) return { kind, urn };
  }
  return undefined;
}

/** Where only the target is read: what the mapping knows of the source. */
export function mappedSources(mapping: MappingTable): Known {
  return mapping.kinds().map((kind) => [kind, mapping.entries(kind).keys()] as const);
}

/** So many of what the source listed are asked for, until one of them is there. */
const mostAsked = 10;

/**
 * For two addresses that share nothing, and whose tenants have one name. What the source listed before the target was listed, and what
 * is there still, the target would have shown, were it the same. Where all that was listed is gone since (the only term, deleted
 * meanwhile), that says nothing, and this is false. What is there may have come after the target was listed: so the target is asked
 * for it as well. A refusal of one says less than an answer about another one.
 */
export async function areToldApart(
  registry: Registry,
  source: SnapshotReader,
  clients: { readonly source: ReadClient; readonly target: ReadClient },
): Promise<boolean> {
  let asked = 0;
  let isRefused = false;
  for (const kind of registry.moved()) {
    if (!standsAlone(kind) || kind.one === undefined) continue;
    for (const urn of source.urns(kind.name)) {
      if (asked === mostAsked) return isRefused;
      asked += 1;
      const whole = addressOf(kind, source.body(kind.name, urn));
      if ((await kind.one(clients.source, urn, whole)) === undefined) continue;
      const answer = await isThere(async () => kind.one?.(clients.target, urn, whole));
      if (answer !== "refused") return !answer;
      isRefused = true;
    }
  }
  return asked === 0 || isRefused;
}

/** What is refused is not shown. Where nothing else would get through either (throttled, not signed in), that says nothing of it. */
async function isThere(read: () => Promise<unknown>): Promise<boolean | "refused"> {
  try {
    return (await read()) !== undefined;
  } catch (error) {
    if (passingTrouble(error).state !== "refused") throw error;
    return "refused";
  }
}

export function notToldApart({
  source,
  target,
}: {
  readonly source: Party;
  readonly target: Party;
}): EngineError {
  return new EngineError(
    "incomplete",
    `what ${source.name} listed is gone since, and the tenant of ${target.name} has the same name: whether both addresses lead to one environment cannot be told`,
    "Nothing was written. Run it again.",
  );
}

/** The source is never written, whatever its address. */
export function oneEnvironment(
  { source, target }: { readonly source: Party; readonly target: Party },
  { kind, urn }: Shared,
): EngineError {
  const at = ({ name, baseUrl }: Party): string => `${name} (${baseUrl})`;
  return new EngineError(
    "one-environment",
    `source ${at(source)} and target ${at(target)} are one environment under two addresses: both hold ${urn} (${kind}); nothing was written`,
    "Correct source.baseUrl and source.realm in the plan, or target.baseUrl and target.realm. An environment that was restored from a backup of the other keeps its URNs as long as its tenant has the same name: ferry cannot tell the two apart, and does not move between them.",
  );
}
