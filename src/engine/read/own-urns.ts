import type { MappingTable } from "../../model/mapping-table.ts";
import type { UrnParts } from "../../model/urn.ts";
import { parseUrn } from "../../model/urn.ts";
import type { SnapshotReader } from "../../store/index.ts";

/**
 * How all URNs of an environment begin: its namespace, and its tenant (document 1, "Resource identifier"). Document 1
 * says too that the realm of the sign-in is the tenant's name, and not that URNs spell it alike: what they say goes before.
 */
export type OwnUrns = Partial<Pick<UrnParts, "namespace">> & Pick<UrnParts, "tenant">;

type Listed = Pick<SnapshotReader, "kinds" | "urns">;

/** As far as `TargetState` is looked at: what was listed, and the given things by their URNs. */
interface Target {
  readonly snapshot: Listed;
  readonly pairs: { readonly records: { keys(): Iterable<string> } };
}

/** `realm` is what counts where nothing of the environment is known. */
export function ownUrnsIn(samples: Iterable<string | undefined>, realm: string): OwnUrns {
  let first: OwnUrns | undefined;
  for (const urn of samples) {
    const parts = parseUrn(urn ?? "");
    if (parts === undefined) continue;
    const { namespace, tenant } = parts;
    if (tenant === realm) return { namespace, tenant };
    first ??= { namespace, tenant };
  }
  return first ?? { tenant: realm };
}

export function ownUrnsOfSource(source: Listed, realm: string): OwnUrns {
  return ownUrnsIn(firstOfEach(source), realm);
}

/** What was made there and is in the mapping alone says it as well as what was listed. */
export function ownUrnsOfTarget({ snapshot, pairs }: Target, mapping: MappingTable, realm: string): OwnUrns {
  return ownUrnsIn([...listedUrns({ snapshot, pairs }), ...mapped(mapping, "target")], realm);
}

/** One of each kind that was listed there, and one of the given things. */
export function listedUrns({ snapshot, pairs }: Target): readonly (string | undefined)[] {
  return [...firstOfEach(snapshot), firstOf(pairs.records.keys())];
}

/** By the mapping alone, before anything is read there. */
export function ownUrnsMapped(mapping: MappingTable, side: "source" | "target", realm: string): OwnUrns {
  return ownUrnsIn(mapped(mapping, side), realm);
}

function firstOfEach(listed: Listed): readonly (string | undefined)[] {
  return listed.kinds().map((kind) => firstOf(listed.urns(kind)));
}

function mapped(mapping: MappingTable, side: "source" | "target"): readonly (string | undefined)[] {
  return mapping.kinds().map((kind) => {
    const [source, row] = firstOf(mapping.entries(kind)) ?? [];
    return side === "source" ? source : row?.target;
  });
}

function firstOf<T>(all: Iterable<T>): T | undefined {
  for (const one of all) return one;
  return undefined;
}
