import type { Diagnostic } from "../../model/diagnostic.ts";
import type { JsonObject } from "../../model/json.ts";
import { own } from "../../model/json.ts";
import type { MasterDataReadClient, MasterEntity } from "../../service/index.ts";
import { display } from "../../model/display.ts";
import type { OpenTable, Row, RowPage, RowTable, Unusable } from "../kind.ts";
import type { Side } from "./both-places.ts";
import { bothPlaces } from "./both-places.ts";
import type { ColumnTypes } from "./column-fit.ts";
import { areUnlike, hasColumn, isOfOtherSort, isText, unfit } from "./column-fit.ts";
import { formerReading, readingBeside } from "./former-sense.ts";
import type { Origins } from "./instance-table.ts";
import { KeySorts } from "./key-sorts.ts";
import { leadsBetween, ledHere } from "./led-here.ts";
import type { Leading } from "./led-here.ts";
import { keysInList, mastersByKey, perLookUp } from "./master-lookup.ts";
import { keyParts, keyText, inactiveName, MasterColumns, masterRow, masterUnhidden } from "./master-rows.ts";
import type { ColumnText, MasterContext } from "./master-rows.ts";
import { masterWriter } from "./master-writer.ts";
import { OtherParents } from "./other-parents.ts";
import { deadMasters, masterEnds } from "./related-masters.ts";
import { historian } from "./record-insight.ts";
import { note, withoutHistory } from "./record-place.ts";
import { matchingOf, patternsOf, placeOf, rangeFrom } from "./record-query.ts";
import type { MasterPlan, RecordsPlan } from "./records.ts";
import { valueText } from "./row-values.ts";
import { SeenRecords } from "./seen-records.ts";
import { withMade } from "./made-by-runs.ts";
import { masterTableId } from "./table-ids.ts";

/** The view, the entity and the key. */
const words = { names: 3, keyed: 3 } as const;

/**
 * Masters that people have authored. No field tells them from those that are merged of instances: the plan's filter
 * does, or its word that all are.
 */
export function masterTable(
  plan: MasterPlan,
  entities: RecordsPlan["masterData"],
  origins: Origins,
  removes: boolean,
): RowTable {
  const { view, entity, key } = plan;
  const of: MasterEntity = { layer: "master", view, entity };
  const called = `${view}/${entity}`;
  const later = new Set(
    entities
      .slice(entities.indexOf(plan) + 1)
      .flatMap((one) => (one.layer === "master" && one.view === view ? [one.entity] : [])),
  );
  const tableOf = (other: string): MasterPlan | undefined =>
    entities.find(
      (one): one is MasterPlan => one.layer === "master" && one.view === view && one.entity === other,
    );
  const keyOf = (other: string): readonly string[] | undefined => tableOf(other)?.key;
  const sense = JSON.stringify([view, entity, key, plan.columns, plan.overrides, plan.activity]);
  return {
    id: masterTableId(plan),
    name: called,
    sense,
    formerly: (former) => formerReading([former, sense], words, (columns) => new MasterColumns(columns, key)),
    readIn: (other) => readingBeside([other, sense], words, (columns) => new MasterColumns(columns, key)),
    naming: JSON.stringify([view, entity, key]),
    removes,
    ...(Object.keys(plan.filter).length > 0 ? { isFiltered: true as const } : {}),
    // Its columns by one request, its activity by others.
    async open(clients, whole, recorded) {
      const needed = [
        ...patternsOf(plan.columns, (column) => new MasterColumns([column])),
        ...key.map((column) => ({ written: column, fits: (name: string) => name === column })),
      ];
      const sides = await bothPlaces(clients, plan, { of, columns: needed }, { isTargetFiltered: removes });
      if ("unusable" in sides) return sides;
      const { source, target } = sides;
      const unlike = unlikeKey(plan, called, source, target);
      if (unlike !== undefined) return unlike;
      const columns = new MasterColumns(plan.columns, key);
      const isLater = (other: string): boolean => later.has(other);
      const text: ColumnText = (name, value) =>
        valueText(value, isText(name, source.place.columns, target.place.columns));
      const textOf = textsOf(target.client, of, text);
      const common = { of, plan, columns, keyOf, isLater, text, textOf };
      const names = { origins: [], roles: plan.relationships };
      const seen = new SeenRecords(called, source.client.environment.name, names);
      const open = await openMasters(
        {
          ...common,
          client: source.client,
          rename: (origin) => origins.get(origin) ?? origin,
          unfit: (values) =>
            unfit(values, (name) => columns.has(name), source.place.columns, target.place.columns),
        },
        { ...common, client: target.client, rename: (origin) => origin },
        whole.limits.publishWaitMs,
        seen,
        (name) => hasColumn(name, source.place.columns),
        {
          tableOf,
          removes,
          recorded,
          sorts: new KeySorts(key, (name) =>
            [source, target].every((side) => isText(name, undefined, side.place.columns)),
          ),
        },
      );
      const isTold = source.place.columns !== undefined;
      return {
        ...open,
        ...(isTold ? { namesAll: true as const } : {}),
        keyNow: (values) => keyNow(plan, values, text, target.place.columns),
        seen: () => [...seen.diagnostics({ later }), ...(open.seen?.() ?? [])],
      };
    },
  };
}

/** By what a master with these values is known, as far as the target tells what the columns of the key hold. */
function keyNow(
  { key }: MasterPlan,
  values: JsonObject,
  text: ColumnText,
  columns: ColumnTypes,
): { readonly key?: string } | undefined {
  const known = keyText(key, values, text);
  if (known === undefined) return undefined;
  const isOther = key.some((column) => isOfOtherSort(own(values, column) ?? null, columns?.get(column)));
  return isOther ? {} : { key: known };
}

/** Where the key is of one type at the source and of another one at the target, no record of one side is a record of the other. */
function unlikeKey({ key }: MasterPlan, called: string, source: Side, target: Side): Unusable | undefined {
  const typeOf = ({ place }: Side, column: string): string | undefined => place.columns?.get(column);
  const unlike = key.find((column) => areUnlike(typeOf(source, column), typeOf(target, column)));
  if (unlike === undefined) return undefined;
  const types = [source, target].map(
    (side) => `${display(typeOf(side, unlike) ?? "")} in ${side.client.environment.name}`,
  );
  return {
    unusable: `the column ${display(unlike)}, which is part of the key of ${display(called)}, is ${types.join(" and ")}: no record of one side is a record of the other`,
    suggestion: "Give it one type on both sides, or name another key in the plan, under records.masterData.",
  };
}

async function openMasters(
  theirs: MasterContext,
  ours: MasterContext,
  patienceMs: number,
  seen: SeenRecords,
  isThere: (column: string) => boolean,
  { sorts, ...others }: Pick<Leading, "tableOf" | "removes" | "recorded"> & { readonly sorts: KeySorts },
): Promise<OpenTable> {
  const { of, plan, columns, keyOf, text, textOf, isLater } = theirs;
  const { key, relationships } = plan;
  const isOurs = (name: string): boolean => (columns.has(name) && isThere(name)) || name === inactiveName;
  const named = ({ client }: MasterContext): { readonly urn: string; readonly name: string } => ({
    urn: `${client.environment.name}/${of.view}/${of.entity}`,
    name: `${of.view}/${of.entity}`,
  });

  async function* placed(
    context: MasterContext,
    from?: string,
    noted?: SeenRecords,
  ): AsyncGenerator<RowPage, void, undefined> {
    const preload = relationships.length === 0 ? {} : { preload: relationships };
    const query = { matching: matchingOf(plan.filter), ...preload };
    for await (const page of context.client.records.records(of, query, rangeFrom(from))) {
      for (const record of page.records) noted?.note(record);
      const rows = await Promise.all(page.records.map(async (record) => masterRow(record, context)));
      yield { rows, from: placeOf(page) };
    }
  }
  async function* targetRows(): AsyncGenerator<readonly Row[], void, undefined> {
    for await (const { rows } of placed(ours)) yield rows.map((row) => sorts.told(row));
  }

  const untold = await withoutHistory(ours.client, of, named(ours).name);
  const parents = new OtherParents(theirs.client, ours.client, masterEnds(ours));
  return {
    source: named(theirs),
    target: named(ours),
    diagnostics: [...notes(plan, named(ours).name), ...untold],
    ...(untold.length === 0 ? { history: historian(ours.client, of) } : {}),
    async *rows(from) {
      for await (const page of placed(theirs, from, seen)) {
        for (const { values } of page.rows) sorts.note(values);
        yield page;
      }
      if (from === undefined) seen.end();
    },
    targetRows,
    perLookUp: perLookUp(relationships),
    ...(plan.overrides
      ? {}
      : { bared: async (rows) => Promise.all(rows.map((row) => masterUnhidden(row, theirs))) }),
    async lookUp(wanted) {
      const byKey = new Map(
        wanted.map(({ values }) => [
          JSON.stringify(key.map((name) => text(name, own(values, name) ?? null))),
          values,
        ]),
      );
      const keys = wanted.map(({ values }) => keyParts(key, values));
      const found = await mastersByKey(ours.client, of, key, keys, text, relationships);
      const rows = [...found.values()].flat().map(async (record): Promise<Row> => {
        const row = await masterRow(record, ours);
        const id = JSON.stringify(key.map((name) => text(name, own(row.values, name) ?? null)));
        const sought = byKey.get(id) ?? {};
        const differs = Object.keys({ ...row.values, ...sought }).some(
          (name) =>
            columns.has(name) &&
            text(name, own(row.values, name) ?? null) !== text(name, own(sought, name) ?? null),
        );
        return differs && !plan.overrides ? masterUnhidden(row, ours) : row;
      });
      return Promise.all(rows);
    },
    ...(relationships.length === 0
      ? {}
      : {
          losers: async (rows) => withMade(await parents.losers(rows), { ...ours, ...others }),
          seen: () => parents.diagnostics,
          deadEnds: async (attributes) => deadMasters(attributes, ours),
        }),
    async atSource(wanted) {
      const keys = wanted.map(({ values }) => keyParts(key, values));
      return keysInList(theirs.client, of, key, keys, text, matchingOf(plan.filter), { doFit: true });
    },
    ...(Object.keys(plan.filter).length === 0
      ? {}
      : {
          async reached(wanted) {
            const keys = wanted.map(({ values }) => keyParts(key, values));
            return keysInList(ours.client, of, key, keys, text, matchingOf(plan.filter), { doFit: false });
          },
        }),
    isOurs,
    isRead: (name) =>
      name === inactiveName ? plan.activity : name.startsWith("(") || columns.has(name) || key.includes(name),
    isMadeWith: (name) => !name.startsWith("("),
    text,
    ledHere: async (rows) => ledHere(rows, ours, { ...others, parents, source: theirs.client }),
    async leads() {
      const { here, to } = await leadsBetween(ours, { ...others, parents });
      return { here: here.map(masterTableId), to: to.map(masterTableId) };
    },
    writer: ({ masterData }) => {
      if (masterData === undefined) throw new Error("the master-data server of the target was not opened");
      return masterWriter({ client: masterData, of, key, keyOf, text, textOf, isLater, patienceMs });
    },
  };
}

/** By what values of entities of a view are told apart, as far as the target says what their columns hold; each is asked for once. */
function textsOf(
  { records }: MasterDataReadClient,
  of: MasterEntity,
  ownText: ColumnText,
): (entity: string) => Promise<ColumnText> {
  const known = new Map<string, Promise<ColumnText>>([[of.entity, Promise.resolve(ownText)]]);
  const find = async (entity: string): Promise<ColumnText> => {
    const columns = (await records.metadata({ ...of, entity }))?.columns;
    const types = columns && new Map(columns.map(({ name, leadsTo }) => [name, leadsTo]));
    return (name, value) => valueText(value, isText(name, undefined, types));
  };
  return async (entity) => {
    const text = known.get(entity) ?? find(entity);
    known.set(entity, text);
    // What failed is asked for again by whoever needs it next.
    text.catch(() => known.delete(entity));
    return text;
  };
}

/** What a reviewer should know of what this costs, and of what cannot be told or done. */
function notes({ overrides, activity, filter }: MasterPlan, called: string): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  if (overrides)
    found.push(
      note(
        `${called}: overrides are read one record at a time, on both sides: a request for each record; no request sets those of masters`,
      ),
    );
  if (activity && Object.hasOwn(filter, "eng_active"))
    found.push(note(`${called}: with a filter on eng_active what was deactivated at the source is not seen`));
  return found;
}
