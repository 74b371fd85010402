import { MappingTable } from "../../model/mapping-table.ts";
import { plural } from "../../model/plural.ts";
import { forgetNotOffered } from "../capabilities.ts";
import type { Migration } from "../migration.ts";
import { readState } from "../state.ts";
import type { Examination } from "./examination.ts";

/** Whether the plan's files can be read and written, and what they hold; an empty mapping where they cannot. */
export async function checkState(migration: Migration, examination: Examination): Promise<MappingTable> {
  let known = new MappingTable();
  await examination.look("files", "state", async () => {
    await migration.store.work.prepare();
    await migration.store.state.prepare();
    const { mapping, replayed } = await readState(migration);
    known = mapping;
    const total = mapping.kinds().reduce((sum, kind) => sum + mapping.entries(kind).size, 0);
    const left =
      replayed.doubts.length === 0 ? "" : `, ${plural(replayed.doubts.length, "operation")} in doubt`;
    const missing = await forgetNotOffered(migration);
    const tried =
      missing === 0 ? "" : `; what ${migration.plan.target.name} was seen not to offer is tried again`;
    return `folders can be written, ${plural(total, "object")} mapped${left}${tried}`;
  });
  return known;
}
