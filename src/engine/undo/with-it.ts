import { printOf } from "../../model/canonical.ts";
import type { ReadClient } from "../../service/index.ts";
import type { Recorder } from "../apply/recorder.ts";
import type { Task } from "../apply/task.ts";
import { liesOver, standsAlone } from "../facets/standing.ts";
import type { Planned, PlanContext } from "./plan.ts";
import { isDelete } from "./plan.ts";
import { describeDeed } from "./words.ts";

export interface WithIt {
  /** By the id of its change, the id of the delete that it goes with. */
  readonly going: ReadonlyMap<string, string>;
  /** By the id of a delete, what would be lost with it. */
  readonly keeping: ReadonlyMap<string, Planned>;
}

/**
 * What the run laid over something that it had created goes with that: the primary monitor of an SQL item, what was
 * said of its attributes. What somebody has changed since, or added to (a term that they assigned), keeps what it lies over.
 */
export async function goingWithIt(
  planned: readonly Planned[],
  { standing }: PlanContext,
  client: ReadClient,
): Promise<WithIt> {
  const holders = new Map<string, string>();
  for (const { deed, kind, change } of planned.filter(isDelete)) {
    holders.set(deed.target, change.id);
    if (!standsAlone(kind) || kind.births === undefined) continue;
    for (const { urn } of await kind.births.read(client, deed.target)) holders.set(urn, change.id);
  }
  const going = new Map<string, string>();
  const keeping = new Map<string, Planned>();
  for (const item of planned) {
    const { deed, kind, change } = item;
    if (!liesOver(kind)) continue;
    const { snapshot } = standing;
    const body = snapshot.has(kind.name, deed.target) ? snapshot.body(kind.name, deed.target) : undefined;
    const isOurs = body === undefined || printOf(body, kind.shape) === deed.left;
    // One without a URN of its own goes by the URN of what it lies over.
    const over = (body === undefined ? undefined : kind.over.urn(body)) ?? deed.target;
    const holder = holders.get(over);
    if (holder === undefined) continue;
    if (isOurs) going.set(change.id, holder);
    else keeping.set(holder, item);
  }
  return { going, keeping };
}

/**
 * The rows of what went with a delete. Until then they are kept: of what stays after all, since the run was stopped or somebody
 * has been there, they tell what was brought there.
 */
export async function forgetGone(
  planned: readonly Planned[],
  tasks: ReadonlyMap<string, Pick<Task, "outcome">>,
  recorder: Pick<Recorder, "entry">,
): Promise<void> {
  for (const { kind, deed, entry, goesWith } of planned)
    if (entry !== undefined && goesWith !== undefined && tasks.get(goesWith)?.outcome === "done")
      await recorder.entry(kind.name, deed.source, entry);
}

/** Nothing is sent for it, and nothing is known of it afterwards. */
export function gone({ deed, kind }: Planned, holder: string): Planned {
  const change = describeDeed(deed, "unchanged", "it goes with what it lies over");
  return { deed, kind, change, entry: null, goesWith: holder };
}
