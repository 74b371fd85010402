import { exportSource } from "../engine/read/export.ts";
import type { Foresight } from "../engine/read/foresight.ts";
import type { SourceIndex } from "../engine/read/source-index.ts";
import type { MovedKind } from "../kinds/kind.ts";
import { EngineError } from "../engine/progress.ts";
import { keyText } from "../model/key.ts";
import type { SnapshotReader } from "../store/index.ts";
import { sameParty } from "../store/index.ts";
import type { Migration } from "./migration.ts";
import { mayBeSilent } from "../engine/facets/standing.ts";
import { kindsToList } from "../engine/read/selection.ts";
import { readState } from "./state.ts";

/** Snapshots the source into the plan's folder and opens it. Stopped, it throws the reason and leaves the old one. */
export async function exportSnapshot(migration: Migration, stop?: AbortSignal): Promise<SnapshotReader> {
  return (await exportIndexed(migration, stop)).snapshot;
}

/** The same, with what was seen on the way: the diff need not look for it again. */
export async function exportIndexed(
  migration: Migration,
  stop?: AbortSignal,
  foresight?: Foresight,
): Promise<{ readonly snapshot: SnapshotReader; readonly index: SourceIndex }> {
  migration.report({ type: "stage", stage: "export", detail: migration.plan.source.name });
  const writer = await migration.store.work.createSnapshot("source", new Date(migration.now()).toISOString());
  try {
    const exported = await exportSource({
      client: migration.source(),
      registry: await migration.kinds("source"),
      open: async (more) => {
        migration.remember(more);
        return migration.kinds("source");
      },
      wantsSilent: await silentOnes(migration),
      plan: migration.plan,
      writer,
      report: migration.report,
      stop,
      foresight,
    });
    migration.keep(exported.snapshot);
    return exported;
  } catch (error) {
    await writer.abandon();
    throw error;
  }
}

/** Opens a snapshot that was made before; one of another environment is refused. */
export async function openExisting(migration: Migration, named?: string): Promise<SnapshotReader> {
  const snapshot = migration.keep(await migration.store.work.openSnapshot(named));
  const { party } = snapshot.manifest;
  const { source } = migration.parties;
  if (!sameParty(party, source)) {
    snapshot.close();
    throw new EngineError(
      "incomplete",
      `${named === undefined ? "the last snapshot" : `the snapshot in ${named}`} is of ${party.name} (${party.baseUrl}, tenant ${party.tenant}), not of the plan's source ${source.name} (${source.baseUrl}, tenant ${source.tenant})`,
      "Name the right folder, or make a snapshot with `ferry export PLAN`.",
    );
  }
  // Read already, by whoever made it.
  for (const [kind, { count }] of Object.entries(snapshot.manifest.kinds))
    migration.report({ type: "read", side: "source", kind, count });
  return snapshot;
}

/**
 * A snapshot that was made for less than the plan selects says nothing of the rest: "nothing to do" would be no answer. Throws
 * EngineError, and closes it.
 */
export function refuseNarrower(
  { plan, registry }: Pick<Migration, "plan" | "registry">,
  snapshot: Pick<SnapshotReader, "close" | "kinds">,
  named: string,
): void {
  const held = new Set(snapshot.kinds());
  const isLacking = ({ name, selectedAs }: MovedKind): boolean =>
    plan.select.kinds.includes(selectedAs) && !held.has(name);
  const lacking = registry.moved().filter(isLacking);
  if (lacking.length === 0) return;
  snapshot.close();
  throw new EngineError(
    "incomplete",
    `the snapshot in ${named} was made without ${lacking.map(({ name }) => name).join(", ")}, which the plan selects: nothing is known of them`,
    `Make one of this plan with \`ferry export ${plan.name}\`, or select less: --kinds, or select.kinds in the plan.`,
  );
}

/** What says nothing at the source is known where it said something before, or may take away what the target says. */
async function silentOnes(migration: Migration): Promise<(kind: string, urn: string) => boolean> {
  if (migration.plan.policy.targetOnly === "remove") return () => true;
  const listed = kindsToList(migration.registry, migration.plan.select);
  const isConcerned = migration.registry.moved().some((kind) => listed.has(kind.name) && mayBeSilent(kind));
  if (!isConcerned) return () => false;
  const mapping = migration.mapping ?? (await readState(migration)).mapping;
  const { doubted } = migration;
  return (kind, urn) => mapping.get(kind, urn) !== undefined || doubted.has(keyText(kind, urn));
}
