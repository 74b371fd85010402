import type { Shared } from "../../engine/checks/one-environment.ts";
import { EngineError } from "../../engine/progress.ts";
import { pairGiven } from "../../engine/pair/pairing.ts";
import type { Unpaired } from "../../engine/pair/pairing.ts";
import type { NotThere } from "../../engine/pair/not-there.ts";
import { notThere } from "../../engine/pair/not-there.ts";
import type { Unlisted } from "../../engine/pair/unlisted.ts";
import { unlisted } from "../../engine/pair/unlisted.ts";
import { ownUrnsMapped } from "../../engine/read/own-urns.ts";
import type { Found, PairingContext } from "../../kinds/kind.ts";
import type { MappingTable } from "../../model/mapping-table.ts";
import type { SnapshotReader } from "../../store/index.ts";
import { StoreError } from "../../store/index.ts";
import { openExisting } from "../export.ts";
import type { Migration } from "../migration.ts";
import { isGiven } from "../../engine/facets/standing.ts";

/** What the plan pairs by name or id, and what a few listings can tell. */
const sections = ["sources", "connections", "groups"] as const;

export interface WithoutTwin {
  readonly section: (typeof sections)[number];
  readonly found: Unpaired;
}

/**
 * Which sources, connections and groups of the source have no twin by now. Of groups those count that something refers
 * to: the last export came across them, and none is known before the first one.
 */
export async function findUnpaired(
  migration: Migration,
  mapping: MappingTable,
): Promise<{
  readonly unpaired: readonly WithoutTwin[];
  /** Pairs of the plan that name nothing at the target. */
  readonly notThere: readonly NotThere[];
  /** Of these it is not known which of them have a twin. */
  readonly notKnown: readonly Unlisted[];
  readonly exported: boolean;
  /** Listed by both sides under one URN. */
  readonly shared: Shared | undefined;
}> {
  const { pairing, policy, target } = migration.plan;
  const listed = new Map<string, readonly Found[]>();
  const notKnown: Unlisted[] = [];
  for (const name of ["sources", "connections"]) {
    const kind = migration.registry.get(name);
    if (!isGiven(kind)) continue;
    const found = await kind.candidates(migration.source(), [], asIs(migration));
    if ("notKnown" in found) notKnown.push(unlisted(kind, "source", found.notKnown));
    else if (!("onlySaid" in found)) listed.set(name, found);
  }
  const snapshot = await lastExport(migration);
  const groups = snapshot?.kinds().includes("groups") === true ? Array.from(snapshot.urns("groups")) : [];
  listed.set(
    "groups",
    groups.map((urn) => ({
      urn,
      name: snapshot?.name("groups", urn) ?? urn,
      body: snapshot?.body("groups", urn) ?? { urn },
    })),
  );
  snapshot?.close();
  const pairs = await pairGiven({
    client: migration.targetReads(),
    registry: migration.registry,
    pairing,
    mapping,
    targetUrns: ownUrnsMapped(mapping, "target", target.realm),
    sourceRecords: (kind) => listed.get(kind) ?? [],
    mayDrop: (kind) => kind.mayDrop?.(policy) ?? false,
  });
  const all = [...pairs.unpaired.values()].filter((found) => !found.mayDrop && found.notKnown !== true);
  const unpaired = sections.flatMap((section) =>
    all.filter((found) => found.kind === section).map((found) => ({ section, found })),
  );
  const inPlace = migration.registry.given().filter(({ madeInPlace }) => madeInPlace === true);
  const [shared] = inPlace.flatMap(({ name }) =>
    (listed.get(name) ?? []).flatMap(({ urn }) => (pairs.records.has(urn) ? [{ kind: name, urn }] : [])),
  );
  return {
    unpaired,
    notThere: notThere(pairing, pairs, migration.registry),
    notKnown: [...notKnown, ...pairs.unlisted.values()],
    exported: snapshot !== undefined,
    shared,
  };
}

/** A listing needs no twin and renames nothing. */
function asIs(migration: Migration): PairingContext {
  return {
    pairing: migration.plan.pairing,
    twin: () => undefined,
    rename: (text) => text,
    inTarget: (urn) => urn,
  };
}

/** Undefined where there is none of this source, or none that can be read. */
async function lastExport(migration: Migration): Promise<SnapshotReader | undefined> {
  try {
    return await openExisting(migration);
  } catch (error) {
    if (error instanceof StoreError || error instanceof EngineError) return undefined;
    throw error;
  }
}
