import { display } from "../model/display.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { fromEntries } from "../model/json.ts";
import type { Json } from "../model/json.ts";
import type { MasterDataReadClient, StoredRecord } from "../service/index.ts";
import type { PlanProblem } from "../plan/plan-error.ts";
import type { OpenTable, RecordsKind, Row, RowTable, Unusable } from "./kind.ts";
import { isAbsent } from "./shared/answers.ts";
import { InstanceColumns, instanceRow, keyIn, related, unhidden } from "./shared/instance-rows.ts";
import type { InstanceContext } from "./shared/instance-rows.ts";
import { instanceWriter } from "./shared/instance-writer.ts";
import type { InstancePlan } from "./shared/records.ts";
import { recordsSettings } from "./shared/records.ts";
import { valueText } from "./shared/row-values.ts";
import { tableId } from "./shared/table-ids.ts";

/** Source ids of one look-up: they stand in an address. */
const perLookUp = 100;

/** Instance records of the master-data server (document 3): known by origin and source id on every server. */
export const masterData: RecordsKind = {
  mode: "records",
  name: "master-data",
  selectedAs: "master-data",
  urnTypes: [],
  service: "master-data",
  settings: {
    ...recordsSettings,
    check: ({ select, records, source, target }) => {
      const problems: PlanProblem[] = [];
      if (!select.kinds.includes("master-data")) return problems;
      if (records.masterData.length === 0)
        problems.push({
          path: "records.masterData",
          summary: "master-data is selected, and no entity is named",
          suggestion:
            'Name them: masterData: [ { layer: instance, entity: party, origins: { "crm#party#Dev": "crm#party#Prod" } } ].',
        });
      for (const [side, environment] of [["source", source] as const, ["target", target] as const])
        if (environment.masterData === undefined)
          problems.push({
            path: side,
            summary: "master-data is selected, and no master-data server is named",
            suggestion: `Write masterData (baseUrl, username, password) under ${side}.`,
          });
      // They would share their files, also where only capital letters differ.
      const entities = records.masterData.map(({ entity }) => entity.toLowerCase());
      for (const [index, entity] of entities.entries())
        if (entities.indexOf(entity) !== index)
          problems.push({
            path: `records.masterData[${index}]`,
            summary: `the entity ${entity} is named twice`,
          });
      return problems;
    },
  },
  tables: ({ records }) => records.masterData.map((plan) => instanceTable(plan, records.remove)),
};

function instanceTable(plan: InstancePlan, removes: boolean): RowTable {
  return {
    id: tableId([`${plan.entity}-instances`]),
    name: plan.entity,
    sense: JSON.stringify([
      plan.entity,
      plan.origins,
      plan.columns,
      plan.overrides,
      plan.activity,
      plan.relationships,
    ]),
    removes,
    async open({ source, target }, whole) {
      if (source.masterData === undefined || target.masterData === undefined)
        return {
          unusable: "the plan names no master-data server for it",
          suggestion: "Write masterData (baseUrl, username, password) under source and target in the plan.",
        };
      const problem =
        (await unusable(source.masterData, plan, false)) ?? (await unusable(target.masterData, plan, true));
      if (problem !== undefined) return problem;
      return openInstances(plan, source.masterData, target.masterData, whole.limits.publishWaitMs);
    },
  };
}

async function unusable(
  client: MasterDataReadClient,
  { entity, columns }: InstancePlan,
  isTarget: boolean,
): Promise<Unusable | undefined> {
  const { name } = client.environment;
  if (isTarget && !(await client.records.directory()).isWritable)
    return {
      unusable: `${name} takes no write (rwmode RO)`,
      suggestion: "Open it for writing, or name another server.",
    };
  const known = await client.records.entities();
  if (known !== undefined && !known.includes(entity))
    return {
      unusable: `${name} has no entity "${display(entity)}" in its instance layer`,
      suggestion: `Correct entity under records.masterData. Entities: ${known.map(display).join(", ")}.`,
    };
  try {
    await client.records.page({ layer: "instance", entity }, {}, { count: 1 });
  } catch (error) {
    if (!isAbsent(error)) throw error;
    return {
      unusable: `${name} has no entity "${display(entity)}" in its instance layer`,
      suggestion: "Correct entity under records.masterData in the plan.",
    };
  }
  const there = (await client.records.metadata({ layer: "instance", entity }))?.columns;
  if (there === undefined) return undefined;
  const missing = columns.find((column) => {
    const wanted = new InstanceColumns([column]);
    return !there.some(({ name: column_ }) => wanted.has(column_));
  });
  if (missing === undefined) return undefined;
  return {
    unusable: `${name} has no column ${display(missing)} in "${display(entity)}" that could be moved`,
    suggestion: `Correct columns under records.masterData. Columns: ${there.map((column) => display(column.name)).join(", ")}.`,
  };
}

async function openInstances(
  plan: InstancePlan,
  source: MasterDataReadClient,
  target: MasterDataReadClient,
  patienceMs: number,
): Promise<OpenTable> {
  const columns = new InstanceColumns(plan.columns);
  const origins = new Map(Object.entries(plan.origins));
  const theirs: InstanceContext = {
    plan,
    columns,
    rename: (origin) => origins.get(origin) ?? origin,
    client: source,
  };
  const ours: InstanceContext = { plan, columns, rename: (origin) => origin, client: target };
  const of = { layer: "instance", entity: plan.entity } as const;
  const preload = plan.relationships.length === 0 ? {} : { preload: plan.relationships };
  const matching = fromEntries(
    Object.entries(plan.filter).map(([name, value]): [string, Json] => [name, [String(value)]]),
  ) as Readonly<Record<string, readonly string[]>>;
  const moved = new Set(origins.values());
  const text = (name: string, value: Json): string => valueText(value, name.startsWith("("));

  async function* pages(context: InstanceContext, isWanted: (record: StoredRecord) => boolean) {
    const query = { matching, ...preload };
    for await (const { records } of context.client.records.records(of, query)) {
      yield await Promise.all(records.filter(isWanted).map(async (record) => instanceRow(record, context)));
    }
  }

  /** A page that lacks a record may be all that the server gives at once: then the next one is asked for, too. */
  async function found(sourceIds: readonly string[]): Promise<readonly StoredRecord[]> {
    const all: StoredRecord[] = [];
    const [plain, odd] = [
      sourceIds.filter((id) => !id.includes("*")),
      sourceIds.filter((id) => id.includes("*")),
    ];
    for (let offset = 0; plain.length > 0;) {
      const page = await target.records.page(of, { equal: { source_id: plain }, ...preload }, { offset });
      all.push(...page.records);
      const seen = new Set(all.map(({ sourceId }) => sourceId));
      if (page.records.length === 0 || (moved.size <= 1 && plain.every((id) => seen.has(id)))) break;
      offset = page.next;
    }
    if (odd.length > 0)
      for await (const { records } of target.records.search(of, { source_id: odd })) all.push(...records);
    return all;
  }

  return {
    source: { urn: `${source.environment.name}/${plan.entity}`, name: plan.entity },
    target: { urn: `${target.environment.name}/${plan.entity}`, name: plan.entity },
    diagnostics: await notes(plan, target),
    rows: () => pages(theirs, ({ origin = "" }) => origins.size === 0 || origins.has(origin)),
    targetRows: () =>
      pages(
        ours,
        ({ origin = "", isActive }) => isActive !== false && (moved.size === 0 || moved.has(origin)),
      ),
    perLookUp,
    async lookUp(wanted) {
      const ids = [...new Set(wanted.map(({ values }) => keyIn(values).sourceId))];
      const byKey = new Map(
        wanted.map(({ values }) => [JSON.stringify(Object.values(keyIn(values))), values] as const),
      );
      const rows = await Promise.all(
        (await found(ids)).map(async (record): Promise<readonly Row[]> => {
          const sought = byKey.get(JSON.stringify([record.origin, record.sourceId]));
          if (sought === undefined) return [];
          const row = await instanceRow(record, ours);
          // A relation that only the target has is its own: none can be taken away.
          const own = fromEntries(
            Object.entries(row.values).filter(
              ([name]) => related(name) === undefined || Object.hasOwn(sought, name),
            ),
          );
          const differs = Object.keys({ ...own, ...sought }).some(
            (name) => columns.has(name) && text(name, own[name] ?? null) !== text(name, sought[name] ?? null),
          );
          const whole = { ...row, values: own };
          return [differs && !plan.overrides ? await unhidden(whole, ours) : whole];
        }),
      );
      return rows.flat();
    },
    isOurs: (name) => name.startsWith("(") || columns.has(name),
    text,
    isLater: (name) => related(name) !== undefined,
    writer: ({ masterData: to }) => {
      if (to === undefined) throw new Error("the master-data server of the target was not opened");
      return instanceWriter(to, plan.entity, patienceMs);
    },
  };
}

/** What a reviewer should know of what this costs, and of what cannot be told. */
async function notes(plan: InstancePlan, target: MasterDataReadClient): Promise<readonly Diagnostic[]> {
  const said = (summary: string): Diagnostic => ({ severity: "info", code: "row-note", summary });
  const found: Diagnostic[] = [];
  if (plan.overrides)
    found.push(
      said(
        `${plan.entity}: overrides are read one record at a time, on both sides: a request for each record`,
      ),
    );
  if (plan.activity && Object.hasOwn(plan.filter, "eng_active"))
    found.push(
      said(`${plan.entity}: with a filter on eng_active what was deactivated at the source is not seen`),
    );
  const historised = await target.records.historised();
  if (historised?.includes(plan.entity) !== true)
    found.push(
      said(
        `${plan.entity}: ${target.environment.name} keeps no history of it, so when a row drifted cannot be told`,
      ),
    );
  return found;
}
