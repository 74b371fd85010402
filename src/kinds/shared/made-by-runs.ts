import type { Json } from "../../model/json.ts";
import type { Loser, RecordedRelations } from "../kind.ts";
import { keyTextOf } from "./master-lookup.ts";
import type { MasterContext, MasterRelation } from "./master-rows.ts";
import { keyParts, masterRelation, masterRelationName } from "./master-rows.ts";
import type { MasterPlan } from "./records.ts";
import { masterTableId } from "./table-ids.ts";

interface About extends Pick<MasterContext, "of" | "plan" | "text" | "textOf"> {
  /** Of an entity of the view; undefined where the plan names none. */
  readonly tableOf: (entity: string) => MasterPlan | undefined;
  readonly recorded: RecordedRelations;
}

/** Whether a run on record has related the master with this key so: a relation is made with either of its ends. */
export async function isMade(
  from: readonly Json[],
  { role, entity, key }: MasterRelation,
  { of, plan, text, textOf, tableOf, recorded }: About,
): Promise<boolean> {
  const here = masterRelationName({ role, entity, key });
  if (await recorded.made(masterTableId(plan), keyTextOf(plan.key, from, text), here)) return true;
  const other = tableOf(entity);
  if (other === undefined) return false;
  const [id, its] = [masterTableId(other), keyTextOf(other.key, key, await textOf(entity))];
  for (const back of other.relationships)
    if (await recorded.made(id, its, masterRelationName({ role: back, entity: of.entity, key: from })))
      return true;
  return false;
}

/** Relations of masters are in no print of theirs: the logs of runs tell whose they are. */
export async function withMade(
  losers: readonly (readonly Loser[])[],
  about: About,
): Promise<readonly (readonly Loser[])[]> {
  const one = async (loser: Loser): Promise<Loser> => {
    const relation = masterRelation(loser.loses);
    if (relation === undefined) return loser;
    const from = keyParts(about.plan.key, loser.values);
    return { ...loser, isMade: await isMade(from, relation, about) };
  };
  return Promise.all(losers.map(async (some) => Promise.all(some.map(one))));
}
