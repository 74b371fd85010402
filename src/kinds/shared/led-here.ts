import { display } from "../../model/display.ts";
import { own, text } from "../../model/json.ts";
import type { MasterDataReadClient, StoredRecord } from "../../service/index.ts";
import { preloaded } from "../../service/index.ts";
import type { RecordedRelations, Row } from "../kind.ts";
import { told } from "./answers.ts";
import { keysInList, keyTextOf, mastersByKey } from "./master-lookup.ts";
import { keyParts } from "./master-rows.ts";
import type { MasterContext } from "./master-rows.ts";
import type { OtherParents } from "./other-parents.ts";
import { matchingOf } from "./record-query.ts";
import type { MasterPlan } from "./records.ts";
import { isMade } from "./made-by-runs.ts";
import { masterTableId } from "./table-ids.ts";
import { shown } from "./row-values.ts";

/** What tells whether a relation may be one that the plan moves. */
export interface Leading {
  readonly parents: Pick<OtherParents, "leadsTo">;
  readonly source: MasterDataReadClient;
  /** Of an entity of the view; undefined where the plan names none. */
  readonly tableOf: (entity: string) => MasterPlan | undefined;
  /** What only the target has is removed. */
  readonly removes: boolean;
  readonly recorded: RecordedRelations;
}

interface Leader {
  /** The row to which it leads. */
  readonly to: StoredRecord;
  /** As which it is led to from there. */
  readonly role: string;
  readonly entity: string;
  readonly other: StoredRecord;
  /** The plan moves relations of that sort, and may have made this one. */
  readonly isOfSort: boolean;
  /** It may be the row itself that leads there: that relation goes with it, whoever has made it. */
  readonly mayLead: boolean;
}

/**
 * Which masters of the target others there lead to, and who does. What a record leads to itself goes with it, and so may a relation that
 * the plan moves, or one between masters of one table: of these others it is asked whether they are somebody else's.
 */
export async function ledHere(
  rows: readonly Row[],
  context: MasterContext,
  leading: Leading,
): Promise<ReadonlyMap<string, string>> {
  const { of, plan, client, keyOf, text: textOf } = context;
  const found = new Map<string, string>();
  const metadata = await told(async () => client.records.metadata(of));
  const roles = metadata?.relationships ?? [];
  if (roles.length === 0) return found;
  const keys = rows.map(({ values }) => keyParts(plan.key, values));
  const names = roles.map(({ name }) => name);
  // Between two of one table either end may be the one that the plan names.
  const movesOwn = roles.some(
    ({ name, leadsTo = of.entity }) => leadsTo === of.entity && plan.relationships.includes(name),
  );
  const there = await mastersByKey(client, of, plan.key, keys, textOf, names);
  const maybe: Leader[] = [];
  for (const record of [...there.values()].flat())
    for (const { name: role, leadsTo } of roles)
      for (const other of preloaded(record, role) ?? []) {
        const entity = text(other.body, "type") ?? leadsTo ?? "";
        const isOwn = entity === of.entity;
        // Which instances belong to a master is for match and merge to say.
        if (other.origin !== undefined || (isOwn && other.id === record.id)) continue;
        const leads = await leading.parents.leadsTo({ role, entity });
        const isNamed = plan.relationships.includes(role);
        // What is taken back has led nowhere by what the plan does not move, unless the other end was made with that.
        const isOthers = leading.recorded.goes !== undefined && !isNamed;
        if (leads === "up" && !isOthers) continue;
        const isOfSort = isNamed || (isOwn && movesOwn) || leads === "up";
        const mayLead = isNamed && leads === "either";
        if (isOwn || isOfSort) maybe.push({ to: record, role, entity, other, isOfSort, mayLead });
        else found.set(record.id, called(other, entity, keyOf));
      }
  for (const [entity, leaders] of Map.groupBy(maybe, (one) => one.entity))
    for (const { to, other } of await notOfPlan(entity, leaders, context, leading))
      found.set(to.id, called(other, entity, keyOf));
  return found;
}

/**
 * Whose masters lead to these, and to whose these lead, of the entities that the plan moves: whichever of the two is there without the
 * other has lost a relation that the plan gives it. Where the plan moves none between them and nothing tells which is the parent, each may lead
 * to the other.
 */
export async function leadsBetween(
  { of, plan, client }: MasterContext,
  { parents, tableOf }: Pick<Leading, "parents" | "tableOf">,
): Promise<{ readonly here: readonly MasterPlan[]; readonly to: readonly MasterPlan[] }> {
  const [here, to]: [MasterPlan[], MasterPlan[]] = [[], []];
  const metadata = await told(async () => client.records.metadata(of));
  for (const { name: role, leadsTo: entity } of metadata?.relationships ?? []) {
    const other = entity === undefined || entity === of.entity ? undefined : tableOf(entity);
    if (entity === undefined || other === undefined) continue;
    if (plan.relationships.includes(role)) to.push(other);
    else if ((await parents.leadsTo({ role, entity })) !== "up") here.push(other);
  }
  return { here, to };
}

/**
 * Those that the plan has not related: it moves no such relation, the source does not have them either, or no run on record has made it;
 * and that do not go themselves.
 */
async function notOfPlan(
  entity: string,
  leaders: readonly Leader[],
  context: MasterContext,
  { source, tableOf, removes, recorded }: Leading,
): Promise<readonly Leader[]> {
  const table = tableOf(entity);
  // What the plan relates it knows by a key.
  if (table === undefined) return leaders;
  const { of, client, textOf } = context;
  const { key, filter } = table;
  const at = { ...of, entity };
  const text = await textOf(entity);
  const keyOf = ({ other }: Leader) => keyParts(key, other.attributes);
  const textIn = (one: Leader): string => keyTextOf(key, keyOf(one), text);
  const known = await keysInList(source, at, key, leaders.map(keyOf), text, {}, { doFit: true });
  const isKnown = (one: Leader): boolean => known.has(textIn(one));
  const about = { ...context, tableOf, recorded };
  const open = await whereNot(
    leaders,
    async (one) =>
      one.isOfSort &&
      isKnown(one) &&
      (one.mayLead ||
        (await isMade(keyParts(context.plan.key, one.to.attributes), { ...one, key: keyOf(one) }, about))),
  );
  const { goes } = recorded;
  if (goes !== undefined) return whereNot(open, async (one) => goes(masterTableId(table), textIn(one)));
  const may = open.filter((one) => !isKnown(one));
  if (may.length === 0 || !removes) return open;
  const going = await keysInList(client, at, key, may.map(keyOf), text, matchingOf(filter), {
    doFit: false,
  });
  return open.filter((one) => isKnown(one) || !going.has(textIn(one)));
}

async function whereNot<T>(all: readonly T[], is: (one: T) => Promise<boolean>): Promise<readonly T[]> {
  const found: T[] = [];
  for (const one of all) if (!(await is(one))) found.push(one);
  return found;
}

function called({ id, attributes }: StoredRecord, entity: string, keyOf: MasterContext["keyOf"]): string {
  const parts = (keyOf(entity) ?? [])
    .map((column) => shown(own(attributes, column)))
    .filter((part) => part !== "");
  return `the ${display(entity)} ${display(parts.length === 0 ? id : parts.join(" / "))}`;
}
