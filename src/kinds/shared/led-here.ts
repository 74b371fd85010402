import { display } from "../../model/display.ts";
import { own, text } from "../../model/json.ts";
import type { StoredRecord } from "../../service/index.ts";
import { preloaded } from "../../service/index.ts";
import type { Row } from "../kind.ts";
import { told } from "./answers.ts";
import { mastersByKey } from "./master-lookup.ts";
import { shown } from "./master-rows.ts";
import type { MasterContext } from "./master-rows.ts";
import type { OtherParents } from "./other-parents.ts";

/**
 * Which masters of the target others there lead to, and who does. What the plan moves of relations is compared with the row; what
 * a record leads to itself goes with it. Masters of its own entity are not asked about: they go in one order with it.
 */
export async function ledHere(
  rows: readonly Row[],
  { of, plan, client, keyOf, text: textOf }: MasterContext,
  parents: Pick<OtherParents, "leadsTo">,
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  const metadata = await told(async () => client.records.metadata(of));
  const roles = (metadata?.relationships ?? []).filter(
    ({ name, leadsTo }) => leadsTo !== of.entity && !plan.relationships.includes(name),
  );
  if (roles.length === 0) return found;
  const keys = rows.map(({ values }) => plan.key.map((column) => own(values, column) ?? null));
  const names = roles.map(({ name }) => name);
  const there = await mastersByKey(client, of, plan.key, keys, textOf, names);
  for (const record of [...there.values()].flat())
    for (const { name: role, leadsTo } of roles)
      for (const other of preloaded(record, role) ?? []) {
        const entity = text(other.body, "type") ?? leadsTo ?? "";
        // Which instances belong to a master is for match and merge to say.
        if (other.origin !== undefined || entity === of.entity) continue;
        if ((await parents.leadsTo({ role, entity })) !== "up")
          found.set(record.id, called(other, entity, keyOf));
      }
  return found;
}

function called({ id, attributes }: StoredRecord, entity: string, keyOf: MasterContext["keyOf"]): string {
  const parts = (keyOf(entity) ?? [])
    .map((column) => shown(own(attributes, column)))
    .filter((part) => part !== "");
  return `the ${display(entity)} ${display(parts.length === 0 ? id : parts.join(" / "))}`;
}
