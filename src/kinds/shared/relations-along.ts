import type { JsonObject } from "../../model/json.ts";
import { fromEntries, text } from "../../model/json.ts";
import type { IdentifyInput, MasterDataReadClient, StoredRecord } from "../../service/index.ts";
import { preloaded } from "../../service/index.ts";
import { InstanceColumns, keyIn, relatedName } from "./instance-rows.ts";
import type { InstancePlan } from "./records.ts";

type Relationships = NonNullable<IdentifyInput["record"]["relationships"]>;

/**
 * What a new instance is related to, as the identify service takes it (document 3, "Identify and search"): by role, related records with
 * the attributes that their source sends. A row names its other ends alone, so the source is asked once more: a request a row.
 * `moved`: columns by entity; of one that the plan does not move those that are moved where a plan says nothing.
 */
export function relationsAlong(
  client: MasterDataReadClient,
  { entity, relationships }: InstancePlan,
  moved: ReadonlyMap<string, readonly string[]>,
  rename: (origin: string) => string,
): (values: JsonObject) => Promise<Relationships | undefined> {
  const of = { layer: "instance", entity } as const;
  const sent = ({ body, attributes }: StoredRecord): JsonObject => {
    const columns = new InstanceColumns(moved.get(text(body, "type") ?? "") ?? ["src_*"]);
    return fromEntries(
      Object.entries(attributes).filter(([name, value]) => value !== null && columns.has(name)),
    );
  };
  return async (values) => {
    const isMoved = (role: string, { origin = "", sourceId, body }: StoredRecord): boolean =>
      sourceId !== undefined &&
      Object.hasOwn(values, relatedName(role, rename(origin), sourceId, text(body, "type")));
    if (!Object.keys(values).some((name) => name.startsWith("(related "))) return undefined;
    const { origin, sourceId } = keyIn(values);
    const wanted = { source_id: [sourceId] };
    const query = sourceId.includes("*") ? { matching: wanted } : { equal: wanted };
    for await (const { records } of client.records.records(of, { ...query, preload: relationships }))
      for (const record of records) {
        if (record.sourceId !== sourceId || rename(record.origin ?? "") !== origin) continue;
        const found = relationships.flatMap((role): readonly (readonly [string, Relationships[string]])[] => {
          const others = (preloaded(record, role) ?? []).filter((other) => isMoved(role, other));
          return others.length === 0 ? [] : [[role, others.map((other) => ({ attributes: sent(other) }))]];
        });
        return found.length === 0 ? undefined : Object.fromEntries(found);
      }
    return undefined;
  };
}
