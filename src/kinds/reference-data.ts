import { z } from "zod";
import { display } from "../model/display.ts";
import type { JsonObject } from "../model/json.ts";
import { text } from "../model/json.ts";
import { listIn } from "../model/json-text.ts";
import type { Plan } from "../model/plan.ts";
import type { PlanProblem } from "../plan/plan-error.ts";
import type { ReadClient } from "../service/index.ts";
import type { OpenTable, RecordsKind, Row, RowPage, RowTable, Unusable } from "./kind.ts";
import { FreshRecords } from "./shared/fresh-records.ts";
import { KeySorts } from "./shared/key-sorts.ts";
import type { TablePlan } from "./shared/records.ts";
import { recordsSettings } from "./shared/records.ts";
import { columnsOf, ReferenceTable } from "./shared/reference-table.ts";
import { referenceWriter } from "./shared/reference-writer.ts";
import { tableId } from "./shared/table-ids.ts";
import { someOf } from "../model/some-of.ts";

/** Keys of one look-up: an answer has at most a hundred records a page. */
const perLookUp = 100;

/** Rows of reference-data tables (document 2, "Reference data"); the tables themselves are given, and paired by name. */
export const referenceData: RecordsKind = {
  mode: "records",
  name: "reference-data",
  selectedAs: "reference-data",
  urnTypes: [],
  settings: {
    ...recordsSettings,
    check: ({ select, records }) => {
      const problems: PlanProblem[] = [];
      if (select.kinds.includes("reference-data") && records.referenceData.length === 0)
        problems.push({
          path: "records.referenceData",
          summary: "reference-data is selected, and no table is named",
          suggestion: "Name them under records: referenceData: [ { table: Countries, key: [code] } ].",
        });
      const targets = records.referenceData.map(({ table, targetTable = table }) => targetTable);
      for (const [index, target] of targets.entries()) {
        if (targets.indexOf(target) === index) continue;
        const summary = "two tables have one target: each would remove or change the rows of the other";
        problems.push({ path: `records.referenceData[${index}]`, summary });
      }
      const ids = records.referenceData.map(idOf);
      for (const [index, id] of ids.entries()) {
        if (ids.indexOf(id) === index || targets.indexOf(targets[index] ?? "") !== index) continue;
        const summary =
          "the names of two tables differ in capital letters alone: they would share their files";
        problems.push({ path: `records.referenceData[${index}]`, summary });
      }
      return problems;
    },
  },
  tables: ({ records }) => records.referenceData.map((table) => rowTable(table, records.remove)),
};

/** Entities of master data are called so (`table-ids.ts`): a table of such a name would share their files. */
const ofRecords = /-(instances|masters)$/i;

function idOf({ table, targetTable = table }: TablePlan): string {
  return tableId([table, targetTable, ...(ofRecords.test(table) ? ["reference-data"] : [])]);
}

function rowTable(plan: TablePlan, removes: boolean): RowTable {
  const { table, targetTable = table, key } = plan;
  const naming = JSON.stringify([table, targetTable, key]);
  return {
    id: idOf(plan),
    name: table,
    sense: naming,
    naming,
    removes,
    isOfSameRows: (sense) => JSON.stringify(namedIn(sense)?.[2]) === JSON.stringify(key),
    ledTo(sense) {
      const [from, to] = namedIn(sense) ?? [];
      return from === table ? to : undefined;
    },
    async open({ source, target }, whole) {
      const [from, to] = await Promise.all([
        tableOf(source.platform, table),
        tableOf(target.platform, targetTable),
      ]);
      if (isUnusable(from)) return from;
      if (isUnusable(to)) return to;
      return openTable({ plan, whole, from, to, source: source.platform, target: target.platform });
    },
  };
}

const named = z.tuple([z.string(), z.string(), z.array(z.string())]);

/** Both tables and the key by which rows were known whose prints are of this sense; undefined where it is none of a table. */
function namedIn(sense: string): z.output<typeof named> | undefined {
  return named.safeParse(listIn(sense)).data;
}

const place = z.object({ before: z.number(), after: z.string().optional() });

function placeIn(from: string): z.output<typeof place> {
  return place.parse(JSON.parse(from));
}

async function flat(pages: AsyncIterable<readonly Row[]>): Promise<readonly Row[]> {
  const found: Row[] = [];
  for await (const page of pages) found.push(...page);
  return found;
}

function isUnusable(found: JsonObject | Unusable): found is Unusable {
  return typeof found.unusable === "string";
}

async function tableOf(client: ReadClient, name: string): Promise<JsonObject | Unusable> {
  const found: JsonObject[] = [];
  const names: string[] = [];
  for await (const { items } of client.referenceData.tables()) {
    found.push(...items.filter((item) => text(item, "name") === name));
    names.push(...items.flatMap((item) => text(item, "name") ?? []));
  }
  const [only, ...more] = found;
  const { name: environment } = client.environment;
  if (only === undefined)
    return {
      unusable: `${environment} has no reference-data table "${display(name)}"`,
      suggestion: `Make it in the web application, or correct the name in the plan. Tables of ${environment}: ${listed(names)}.`,
    };
  if (more.length === 0) return only;
  return {
    unusable: `${environment} has ${found.length} reference-data tables "${display(name)}": ${found.map((item) => text(item, "urn") ?? "").join(", ")}`,
    suggestion: "Give the one that is meant a name of its own.",
  };
}

function listed(names: readonly string[]): string {
  return names.length === 0 ? "none" : someOf(names.map(display), 20);
}

async function openTable(options: {
  readonly plan: TablePlan;
  readonly whole: Plan;
  readonly from: JsonObject;
  readonly to: JsonObject;
  readonly source: ReadClient;
  readonly target: ReadClient;
}): Promise<OpenTable | Unusable> {
  const { plan, whole, from, to, source, target } = options;
  const [theirs, ours] = [
    new ReferenceTable(plan.key, columnsOf(from)),
    new ReferenceTable(plan.key, columnsOf(to)),
  ];
  const sides = [
    [source.environment.name, theirs],
    [target.environment.name, ours],
  ] as const;
  for (const [environment, table] of sides) {
    const missing = plan.key.find((attribute) => table.lacks(attribute));
    if (missing === undefined) continue;
    const unusable = `the table "${display(plan.table)}" of ${environment} has no attribute ${display(missing)}, which is part of its key`;
    return { unusable, suggestion: "Correct key in the plan, under records.referenceData." };
  }
  const unlike = plan.key.find((attribute) => theirs.isUnlike(attribute, ours));
  if (unlike !== undefined) {
    const types = sides.map(([environment, table]) => `${table.typeOf(unlike) ?? ""} in ${environment}`);
    return {
      unusable: `the attribute ${display(unlike)}, which is part of the key of the table "${display(plan.table)}", is ${types.join(" and ")}: no row of one side is a row of the other`,
      suggestion:
        "Give it one type on both sides, or name another key in the plan, under records.referenceData.",
    };
  }
  const [sourceUrn, targetUrn] = [text(from, "urn") ?? "", text(to, "urn") ?? ""];
  const name = text(to, "name") ?? "";
  const sorts = new KeySorts(plan.key, (name) =>
    [theirs, ours].every((table) => table.typeOf(name) === "STRING"),
  );
  if (!theirs.isTold) await theirs.learn(source.referenceData.publishedRecords(sourceUrn), sorts);
  async function* rows(
    client: ReadClient,
    urn: string,
    table: ReferenceTable,
    filter?: JsonObject,
  ): AsyncGenerator<readonly Row[], void, undefined> {
    const fresh = new FreshRecords();
    for await (const { items } of client.referenceData.publishedRecords(urn, filter))
      yield fresh.of(items).map((record) => table.rowOf(record));
  }
  async function* targetRows(): AsyncGenerator<readonly Row[], void, undefined> {
    for await (const page of rows(target, targetUrn, ours)) yield page.map((row) => sorts.told(row));
  }
  async function* sourceRows(from: string | undefined): AsyncGenerator<RowPage, void, undefined> {
    const begin = from === undefined ? undefined : placeIn(from);
    const pages = source.referenceData.publishedRecords(sourceUrn, undefined, begin);
    const fresh = new FreshRecords();
    for await (const {
      items,
      place: { after, before },
    } of pages) {
      const read = fresh.of(items).map((record) => theirs.rowOf(record, ours));
      for (const { values } of read) sorts.note(values);
      yield { rows: read, from: JSON.stringify({ before, after }) };
    }
  }
  return {
    source: { urn: sourceUrn, name: plan.table },
    target: { urn: targetUrn, name },
    diagnostics: [],
    rows: sourceRows,
    targetRows,
    perLookUp,
    async lookUp(wanted) {
      return ours.ask(wanted, async (filter) => flat(rows(target, targetUrn, ours, filter)));
    },
    async atSource(wanted) {
      const found = await theirs.ask(wanted, async (filter) => flat(rows(source, sourceUrn, theirs, filter)));
      return new Set(found.map(({ values }) => ours.keyOf(values) ?? ""));
    },
    keyNow: (values) => (sorts.unlike(values) === undefined ? ours.keyNow(values) : {}),
    isOurs: (attribute) => theirs.has(attribute),
    ...(theirs.isTold ? { namesAll: true as const } : {}),
    text: (attribute, value) => ours.text(attribute, value),
    // It is asked for what is NEW and CHANGED (document 2, request-review): a deletion would be published by nobody's leave.
    ...(plan.publish === "review"
      ? {
          keepsRows: "a review takes no deletion: remove it in the web application of the target",
        }
      : {}),
    writer: ({ platform }) =>
      referenceWriter({
        client: platform,
        urn: targetUrn,
        name,
        publish: plan.publish,
        table: ours,
        patienceMs: whole.limits.publishWaitMs,
      }),
  };
}
