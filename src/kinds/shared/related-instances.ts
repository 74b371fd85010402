import { display } from "../../model/display.ts";
import type { MasterDataReadClient, RecordQuery, StoredRecord } from "../../service/index.ts";
import type { RowTask } from "../kind.ts";
import { addressPieces } from "./address-pieces.ts";
import { instanceKey, keyIn, originName, related, sourceIdName } from "./instance-rows.ts";
import type { Ends } from "./other-parents.ts";
import { seamed } from "./record-query.ts";

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
        `the ${other} that it is related to is not at the target, and the relation would make an empty one. The plan moves it where it names ${display(entity)} with its origin and no filter leaves it out, and, where it is inactive at the source, with activity: true`,
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
    for await (const page of records.search(of, { source_id: wanted.slice(at, at + 100) }, seamed))
      for (const { origin, sourceId } of page.records) found.add(JSON.stringify([origin, sourceId]));
  return found;
}

/** How records of the instance layer are told apart at the target, whose origins these are. */
export function instanceEnds(entity: string, { records }: MasterDataReadClient): Ends {
  return {
    entity,
    of: (other) => ({ layer: "instance", entity: other }),
    end(name) {
      const parts = related(name);
      if (parts === undefined) return undefined;
      const [role, origin, sourceId, to] = parts;
      const called = `${display(origin)} / ${display(sourceId)}`;
      return { name, role, entity: to, key: instanceKey(origin, sourceId), called };
    },
    async read(ends, preload) {
      const found = new Map<string, StoredRecord>();
      for (const [entity, group] of Map.groupBy(ends, (end) => end.entity)) {
        const of = { layer: "instance", entity } as const;
        const byId = Map.groupBy(group, ({ name }) => related(name)?.[2] ?? "");
        const take = async (query: RecordQuery, ids: readonly string[]): Promise<void> => {
          const unseen = new Set(ids.flatMap((id) => byId.get(id) ?? []).map(({ key }) => key));
          for await (const page of records.records(of, { ...query, preload }, seamed)) {
            for (const record of page.records) {
              const key = instanceKey(record.origin ?? "", record.sourceId ?? "");
              if (unseen.delete(key)) found.set(key, record);
            }
            if (unseen.size === 0) return;
          }
        };
        const [odd, plain] = [true, false].map((isOdd) =>
          [...byId.keys()].filter((id) => id.includes("*") === isOdd),
        );
        for (const ids of addressPieces(plain ?? [], (id) => [id]))
          await take({ equal: { source_id: ids } }, ids);
        // A list finds more under a `*` than it says.
        for (const ids of addressPieces(odd ?? [], (id) => [id]))
          await take({ matching: { source_id: ids } }, ids);
      }
      return found;
    },
    start({ origin, sourceId }) {
      if (origin === undefined || sourceId === undefined) return undefined;
      const values = { [originName]: origin, [sourceIdName]: sourceId };
      return { called: `${display(origin)} / ${display(sourceId)}`, values };
    },
    keyIn: (values) => {
      const { origin, sourceId } = keyIn(values);
      return { [originName]: origin, [sourceIdName]: sourceId };
    },
  };
}
