import { EngineError } from "../engine/progress.ts";
import { pairGiven } from "../engine/pairing.ts";
import type { Unpaired } from "../engine/pairing.ts";
import type { Found, PairingContext } from "../kinds/kind.ts";
import type { MappingTable } from "../model/mapping-table.ts";
import type { SnapshotReader } from "../store/index.ts";
import { StoreError } from "../store/index.ts";
import { openExisting } from "./export.ts";
import type { Job } from "./job.ts";

/** What the plan pairs by name or id, and what a few listings can tell. */
const sections = ["sources", "connections", "groups"] as const;

export interface WithoutTwin {
  readonly section: (typeof sections)[number];
  readonly found: Unpaired;
}

/**
 * Which sources, connections and groups of the source have no twin by now. Groups have no listing: those that the
 * last export came across are known, and none before the first one.
 */
export async function findUnpaired(
  job: Job,
  mapping: MappingTable,
): Promise<{ readonly unpaired: readonly WithoutTwin[]; readonly exported: boolean }> {
  const { pairing, policy, target } = job.plan;
  const listed = new Map<string, readonly Found[]>();
  for (const name of ["sources", "connections"]) {
    const kind = job.registry.get(name);
    if (kind?.mode === "given") listed.set(name, await kind.candidates(job.source(), [], asIs(job)));
  }
  const snapshot = await lastExport(job);
  const groups = snapshot?.kinds().includes("groups") === true ? snapshot.urns("groups") : [];
  listed.set(
    "groups",
    groups.map((urn) => ({ urn, name: snapshot?.name("groups", urn) ?? urn, body: { urn } })),
  );
  snapshot?.close();
  const pairs = await pairGiven({
    client: job.targetReads(),
    registry: job.registry,
    pairing,
    mapping,
    targetTenant: target.realm,
    sourceRecords: (kind) => listed.get(kind) ?? [],
    mayDrop: (kind) => kind.mayDrop?.(policy) ?? false,
  });
  const all = [...pairs.unpaired.values()].filter((found) => !found.mayDrop);
  const unpaired = sections.flatMap((section) =>
    all.filter((found) => found.kind === section).map((found) => ({ section, found })),
  );
  return { unpaired, exported: snapshot !== undefined };
}

/** A listing needs no twin and renames nothing. */
function asIs(job: Job): PairingContext {
  return {
    pairing: job.plan.pairing,
    twin: () => undefined,
    rename: (text) => text,
    inTarget: (urn) => urn,
  };
}

/** Undefined where there is none of this source, or none that can be read. */
async function lastExport(job: Job): Promise<SnapshotReader | undefined> {
  try {
    return await openExisting(job, job.paths.snapshot);
  } catch (error) {
    if (error instanceof StoreError || error instanceof EngineError) return undefined;
    throw error;
  }
}
