import type { Found, GivenKind, PairingContext } from "../kinds/kind.ts";
import type { Registry } from "../kinds/registry.ts";
import type { MappingTable } from "../model/mapping-table.ts";
import type { Pairing } from "../model/plan.ts";
import { formatUrn, parseUrn } from "../model/urn.ts";
import type { ReadClient } from "../service/index.ts";

/** Why a given thing of the source has no twin. */
export interface Unpaired {
  readonly kind: string;
  readonly name: string;
  readonly reason: string;
  readonly suggestion: string;
  readonly candidates: readonly { readonly urn: string; readonly name: string }[];
  readonly mayDrop: boolean;
}

export interface Pairs {
  /** Source URN to target URN, of given things and their parts. */
  readonly twins: ReadonlyMap<string, string>;
  readonly unpaired: ReadonlyMap<string, Unpaired>;
  /** The target's given records, by URN. */
  readonly records: ReadonlyMap<string, Found>;
}

/** Finds the target twins of given things: explicit mapping first, then natural keys that fit exactly one. */
export async function pairGiven(options: {
  readonly client: ReadClient;
  readonly registry: Registry;
  readonly pairing: Pairing;
  readonly mapping: MappingTable;
  readonly targetTenant: string;
  readonly sourceRecords: (kind: string) => readonly Found[];
  readonly mayDrop: (kind: GivenKind) => boolean;
}): Promise<Pairs> {
  const { client, registry, mapping } = options;
  const twins = new Map<string, string>();
  const unpaired = new Map<string, Unpaired>();
  const records = new Map<string, Found>();
  const renames = options.pairing.paths.map(({ pattern, replace }) => ({
    pattern: new RegExp(pattern, "u"),
    replace,
  }));
  const context: PairingContext = {
    pairing: options.pairing,
    twin: (urn) => mapping.get(urn)?.target ?? twins.get(urn),
    rename: (text) =>
      renames.reduce((result, { pattern, replace }) => result.replace(pattern, replace), text),
    inTarget(urn) {
      const parts = parseUrn(urn);
      return parts === undefined ? urn : formatUrn({ ...parts, tenant: options.targetTenant });
    },
  };

  for (const kind of inOrder(registry.given())) {
    const wanted = options.sourceRecords(kind.name);
    if (wanted.length === 0) continue;
    const candidates = await kind.candidates(client, wanted, context);
    for (const candidate of candidates) records.set(candidate.urn, candidate);
    const byKey = group(candidates, (candidate) => kind.targetKeys(candidate));
    const rivals = group(wanted, (record) => kind.sourceKeys(record, context).slice(0, 1));
    const matches = new Map<Found, Match>();
    for (const record of wanted) {
      const explicit = mapping.get(record.urn)?.target;
      if (explicit === undefined) matches.set(record, match(kind, record, context, byKey, rivals));
      else matches.set(record, { urn: explicit });
    }
    const claims = claimsOf(matches);
    for (const [record, matched] of matches) {
      const found = giveWay(matched, claims);
      if ("urn" in found) {
        twins.set(record.urn, found.urn);
        const twin = records.get(found.urn);
        const parts = twin === undefined ? undefined : kind.parts?.(record, twin);
        for (const [from, to] of parts?.pairs ?? []) twins.set(from, to);
        for (const problem of parts?.problems ?? []) {
          const { reason, suggestion } = problem;
          unpaired.set(problem.urn, {
            kind: kind.name,
            name: record.name,
            reason,
            suggestion,
            candidates: [],
            mayDrop: false,
          });
        }
      } else {
        unpaired.set(record.urn, {
          kind: kind.name,
          name: record.name,
          reason: found.reason,
          suggestion: kind.advice,
          candidates: found.candidates.slice(0, 10),
          mayDrop: options.mayDrop(kind),
        });
      }
    }
  }
  return { twins, unpaired, records };
}

type Match = Twin | { readonly reason: string; readonly candidates: readonly Found[] };

interface Twin {
  readonly urn: string;
  /** How it was found: the position of its key, 0 for the most trusted. A person's word has none. */
  readonly byKey?: { readonly rank: number; readonly twin: Found };
}

function match(
  kind: GivenKind,
  record: Found,
  context: PairingContext,
  byKey: ReadonlyMap<string, readonly Found[]>,
  rivals: ReadonlyMap<string, readonly Found[]>,
): Match {
  const keys = kind.sourceKeys(record, context);
  if (keys.length === 0) return { reason: "what it belongs to has no twin at the target", candidates: [] };
  for (const [rank, key] of keys.entries()) {
    const found = byKey.get(key) ?? [];
    const [only] = found;
    if (only === undefined) continue;
    if (found.length > 1) return { reason: `${found.length} things at the target fit it`, candidates: found };
    if ((rivals.get(key)?.length ?? 0) > 1) return { reason: severalFit, candidates: found };
    return { urn: only.urn, byKey: { rank, twin: only } };
  }
  const near = [...byKey.values()].flat().filter((candidate) => candidate.name === record.name);
  return { reason: "nothing at the target fits it", candidates: [...new Set(near)] };
}

const severalFit = "several things at the source fit the same one at the target";

/** The ranks of the keys by which things of the source came to each thing of the target. */
function claimsOf(matches: ReadonlyMap<Found, Match>): ReadonlyMap<string, readonly number[]> {
  const claims = new Map<string, number[]>();
  for (const found of matches.values()) {
    if (!("urn" in found) || found.byKey === undefined) continue;
    claims.set(found.urn, [...(claims.get(found.urn) ?? []), found.byKey.rank]);
  }
  return claims;
}

/** Of several that came to the same thing the one with the more trusted key has it, if there is one. */
function giveWay(found: Match, claims: ReadonlyMap<string, readonly number[]>): Match {
  if (!("urn" in found) || found.byKey === undefined) return found;
  const { rank, twin } = found.byKey;
  const asGood = (claims.get(found.urn) ?? []).filter((other) => other <= rank);
  return asGood.length > 1 ? { reason: severalFit, candidates: [twin] } : found;
}

function group<T>(items: readonly T[], keys: (item: T) => readonly string[]): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    for (const key of new Set(keys(item))) groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return groups;
}

function inOrder(kinds: readonly GivenKind[]): readonly GivenKind[] {
  const done: GivenKind[] = [];
  const visit = (kind: GivenKind): void => {
    if (done.includes(kind)) return;
    for (const name of kind.after) {
      const first = kinds.find((other) => other.name === name);
      if (first !== undefined) visit(first);
    }
    done.push(kind);
  };
  for (const kind of kinds) visit(kind);
  return done;
}
