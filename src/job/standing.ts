import { GivenReader } from "../engine/given-reader.ts";
import { readListings } from "../engine/listing.ts";
import type { TargetState } from "../engine/read-target.ts";
import type { ReadClient } from "../service/index.ts";
import { createSnapshot } from "../store/index.ts";
import type { Job } from "./job.ts";

/** What stands at the target, of some kinds: whatever the plan selects by now. Nothing is paired. */
export async function readStanding(
  job: Job,
  wanted: ReadonlySet<string>,
  client: ReadClient,
): Promise<TargetState> {
  job.report({ type: "stage", stage: "read target", detail: job.plan.target.name });
  const kinds = job.registry.moved().filter(({ name }) => wanted.has(name));
  const writer = await createSnapshot(job.paths.target, {
    tool: job.tool,
    party: job.parties.target,
    at: new Date(job.now()).toISOString(),
  });
  try {
    await readListings({
      client,
      kinds,
      given: new GivenReader(client, job.registry),
      side: "target",
      report: job.report,
      stop: job.stop,
      take: async ({ name }, object) => writer.add(name, object),
    });
    const complete = kinds.map(({ name }) => [name, { complete: true }] as const);
    const snapshot = await writer.finishAndOpen({ kinds: Object.fromEntries(complete), notes: {} });
    return {
      snapshot: job.keep(snapshot),
      pairs: { twins: new Map(), unpaired: new Map(), records: new Map() },
      overlays: new Map(),
    };
  } catch (error) {
    await writer.abandon();
    throw error;
  }
}
