import { display } from "../../model/display.ts";
import type { MasterDataReadClient } from "../../service/index.ts";
import type { RowTask } from "../kind.ts";
import { related } from "./instance-rows.ts";

interface End {
  readonly task: RowTask;
  readonly entity: string;
  readonly origin: string;
  readonly sourceId: string;
}

/**
 * Tasks whose relations lead to records that the target does not have, and why they cannot be written: a relation writes
 * its other end, too (document 3, "Modify", rule 2), and would make an empty record of what was not moved.
 */
export async function absentEnds(
  client: MasterDataReadClient,
  tasks: readonly RowTask[],
): Promise<ReadonlyMap<RowTask, string>> {
  const ends = tasks.flatMap((task) =>
    Object.keys(task.values).flatMap((name): readonly End[] => {
      const [, origin = "", sourceId = "", entity = ""] = related(name) ?? [];
      return entity === "" ? [] : [{ task, entity, origin, sourceId }];
    }),
  );
  const absent = new Map<RowTask, string>();
  for (const [entity, group] of Map.groupBy(ends, (end) => end.entity)) {
    const there = await keysThere(client, entity, [...new Set(group.map(({ sourceId }) => sourceId))]);
    for (const { task, origin, sourceId } of group) {
      if (there.has(JSON.stringify([origin, sourceId]))) continue;
      const other = `${display(entity)} ${display(origin)} / ${display(sourceId)}`;
      absent.set(
        task,
        `the ${other} that it is related to is not at the target, and the relation would make an empty one. Move ${display(entity)}, too, or name its origins in the plan`,
      );
    }
  }
  return absent;
}

/** An answer that is lost tells nothing, and throws; so does an entity that cannot be read. */
async function keysThere(
  { records }: MasterDataReadClient,
  entity: string,
  sourceIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  const wanted = sourceIds.filter((id) => id !== "" && !id.includes(","));
  const of = { layer: "instance", entity } as const;
  for (let at = 0; at < wanted.length; at += 100)
    for await (const page of records.search(of, { source_id: wanted.slice(at, at + 100) }))
      for (const { origin, sourceId } of page.records) found.add(JSON.stringify([origin, sourceId]));
  return found;
}
