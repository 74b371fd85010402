import type { Known } from "../engine/checks/one-environment.ts";
import { oneEnvironment, standingOf } from "../engine/checks/one-environment.ts";
import { GivenReader } from "../engine/read/given-reader.ts";
import { Overlays } from "../engine/read/overlays.ts";
import { readListings } from "../engine/read/listing.ts";
import type { TargetState } from "../engine/read/target.ts";
import type { ReadClient } from "../service/index.ts";
import { createSnapshot } from "../store/index.ts";
import type { Migration } from "./migration.ts";

/**
 * What stands at the target, of some kinds: whatever the plan selects by now. Nothing is paired. `known` are objects of
 * the source: where they stand, nothing is ever written.
 */
export async function readStanding(
  migration: Migration,
  wanted: ReadonlySet<string>,
  client: ReadClient,
  known: Known,
): Promise<TargetState> {
  migration.report({ type: "stage", stage: "read target", detail: migration.plan.target.name });
  const kinds = migration.registry.moved().filter(({ name }) => wanted.has(name));
  const writer = await createSnapshot(migration.paths.target, {
    tool: migration.tool,
    party: migration.parties.target,
    at: new Date(migration.now()).toISOString(),
  });
  try {
    await readListings({
      client,
      kinds,
      given: new GivenReader(client, migration.registry),
      side: "target",
      report: migration.report,
      stop: migration.stop,
      take: async ({ name }, object) => writer.add(name, object),
    });
    const complete = kinds.map(({ name }) => [name, { complete: true }] as const);
    const snapshot = await writer.finishAndOpen({ kinds: Object.fromEntries(complete), notes: {} });
    migration.keep(snapshot);
    const shared = standingOf(snapshot, known);
    if (shared !== undefined) throw oneEnvironment(migration.parties, shared);
    return {
      snapshot,
      pairs: { twins: new Map(), unpaired: new Map(), records: new Map() },
      overlays: new Overlays(),
    };
  } catch (error) {
    await writer.abandon();
    throw error;
  }
}
