import type { Deed } from "../engine/apply/undo.ts";
import { GivenReader } from "../engine/given-reader.ts";
import { readListings } from "../engine/listing.ts";
import type { JsonObject } from "../model/json.ts";
import type { Job } from "./job.ts";

/** What stands at the target, of the kinds that a rollback touches: whatever the plan selects by now. */
export interface Standing {
  body(kind: string, urn: string): JsonObject | undefined;
  /** By kind: every URN of a complete listing. */
  readonly urns: ReadonlyMap<string, readonly string[]>;
}

export async function readStanding(job: Job, deeds: readonly Deed[]): Promise<Standing> {
  job.report({ type: "stage", stage: "read target", detail: job.plan.target.name });
  const touched = new Set(deeds.map(({ kind }) => kind));
  const wanted = new Set(deeds.map(({ kind, target }) => `${kind} ${target}`));
  const kinds = job.registry.moved().filter(({ name }) => touched.has(name));
  const urns = new Map(kinds.map(({ name }): [string, string[]] => [name, []]));
  const bodies = new Map<string, JsonObject>();
  const client = job.target();
  await readListings({
    client,
    kinds,
    given: new GivenReader(client, job.registry),
    side: "target",
    report: job.report,
    take: ({ name }, { urn, body }) => {
      urns.get(name)?.push(urn);
      if (wanted.has(`${name} ${urn}`)) bodies.set(`${name} ${urn}`, body);
    },
  });
  return { urns, body: (kind, urn) => bodies.get(`${kind} ${urn}`) };
}
