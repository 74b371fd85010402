import type { Json } from "../../model/json.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { InstanceEntity, StoredRecord } from "../../service/index.ts";
import type { OpenTable, Row, RowTable } from "../kind.ts";
import { SeenRecords } from "./seen-records.ts";
import type { Side } from "./both-places.ts";
import { bothPlaces } from "./both-places.ts";
import { hasColumn, isText, unfit } from "./column-fit.ts";
import { formerReading, readingBeside } from "./former-sense.ts";
import {
  activeName,
  InstanceColumns,
  instanceKey,
  instanceRow,
  keyIn,
  overridden,
  related,
  timestampName,
  unaddressed,
  unhidden,
} from "./instance-rows.ts";
import type { InstanceContext } from "./instance-rows.ts";
import { asSought, instancesByKey, keysThere, perLookUp, wholeKey } from "./instance-lookup.ts";
import type { RecordKey } from "./instance-lookup.ts";
import { instanceWriter } from "./instance-writer.ts";
import { OtherParents } from "./other-parents.ts";
import { instanceEnds } from "./related-instances.ts";
import { relationsAlong } from "./relations-along.ts";
import { historian, identifier } from "./record-insight.ts";
import { missingMaster, note, withoutHistory } from "./record-place.ts";
import { matchingOf, patternsOf, placeOf, rangeFrom } from "./record-query.ts";
import type { InstancePlan } from "./records.ts";
import { valueText } from "./row-values.ts";
import { tableId } from "./table-ids.ts";

/** Origins of the target by those of the source. */
export type Origins = ReadonlyMap<string, string>;

/** The entity and the origins. */
const words = { names: 2, keyed: 1 } as const;

/**
 * `renamed`: what all entities of the plan say, since relations lead from one to the other; `moved`: which these are, and
 * which of their columns.
 */
export function instanceTable(
  plan: InstancePlan,
  {
    renamed,
    moved,
    removes,
  }: {
    readonly renamed: Origins;
    readonly moved: ReadonlyMap<string, readonly string[]>;
    readonly removes: boolean;
  },
): RowTable {
  const { entity, relationships, view } = plan;
  const of: InstanceEntity = { layer: "instance", entity };
  const sense = JSON.stringify([
    entity,
    plan.origins,
    plan.columns,
    plan.overrides,
    plan.activity,
    relationships,
    ...(relationships.length === 0 ? [] : [[...renamed]]),
  ]);
  return {
    id: tableId([`${entity}-instances`]),
    name: entity,
    sense,
    formerly: (former) => formerReading([former, sense], words, (columns) => new InstanceColumns(columns)),
    // An origin is a part of the key: those of another plan are other rows.
    readIn: (other) => readingBeside([other, sense], words, (columns) => new InstanceColumns(columns)),
    naming: JSON.stringify([entity, plan.origins]),
    removes,
    ...(Object.keys(plan.filter).length > 0 ? { isFiltered: true as const } : {}),
    async open(clients, whole) {
      const columns = patternsOf(plan.columns, (column) => new InstanceColumns([column]));
      const sides = await bothPlaces(clients, plan, { of, columns }, { isTargetFiltered: removes });
      if ("unusable" in sides) return sides;
      const { source, target } = sides;
      const noView = view === undefined ? undefined : await missingMaster(target.client, { view, entity });
      if (noView !== undefined) return noView;
      const isFiltered = Object.keys(plan.filter).length > 0;
      const names = { origins: Object.keys(plan.origins), roles: relationships, isFiltered };
      const seen = new SeenRecords(entity, source.client.environment.name, names);
      const open = await openInstances(plan, renamed, source, target, whole.limits.publishWaitMs, seen);
      const related = relationsAlong(source.client, plan, moved, (origin) => renamed.get(origin) ?? origin);
      return {
        ...open,
        identify: identifier(target.client, plan, related),
        seen: () => [...seen.diagnostics({ moved: new Set(moved.keys()) }), ...(open.seen?.() ?? [])],
      };
    },
  };
}

async function openInstances(
  plan: InstancePlan,
  renamed: Origins,
  { client: source, place: from }: Side,
  { client: target, place: to }: Side,
  patienceMs: number,
  seen: SeenRecords,
): Promise<OpenTable> {
  const columns = new InstanceColumns(plan.columns);
  const origins = new Map(Object.entries(plan.origins));
  const theirs: InstanceContext = {
    plan,
    columns,
    rename: (origin) => renamed.get(origin) ?? origin,
    client: source,
    unfit: (values) =>
      unaddressed(values) ?? unfit(values, (name) => columns.has(name), from.columns, to.columns),
    // No document says that metadata names what the server works out: only where the source's does is it missing at the target.
    misfit: (attribute, value) =>
      unfit({ [attribute]: value }, (name) => from.columns?.has(name) === true, from.columns, to.columns),
  };
  const ours: InstanceContext = { plan, columns, rename: (origin) => origin, client: target };
  const of = { layer: "instance", entity: plan.entity } as const;
  const preload = plan.relationships.length === 0 ? {} : { preload: plan.relationships };
  const moved = new Set(origins.values());
  const text = (name: string, value: Json): string =>
    valueText(value, name.startsWith("(") ? name !== timestampName : isText(name, from.columns, to.columns));

  const stays = (name: string): boolean => related(name) !== undefined || name === timestampName;

  type Wanted = (record: StoredRecord) => boolean;
  async function* placed(context: InstanceContext, isWanted: Wanted, from?: string) {
    const query = { matching: matchingOf(plan.filter), ...preload };
    for await (const page of context.client.records.records(of, query, rangeFrom(from))) {
      const wanted = page.records.filter(isWanted);
      const rows = await Promise.all(wanted.map(async (record) => instanceRow(record, context)));
      yield { rows, from: placeOf(page) };
    }
  }
  async function* pages(context: InstanceContext, isWanted: Wanted) {
    for await (const { rows } of placed(context, isWanted)) yield rows;
  }

  const untold = await withoutHistory(target, of, plan.entity);
  const parents =
    plan.relationships.length === 0
      ? undefined
      : new OtherParents(source, target, instanceEnds(plan.entity, target));
  return {
    source: { urn: `${source.environment.name}/${plan.entity}`, name: plan.entity },
    target: { urn: `${target.environment.name}/${plan.entity}`, name: plan.entity },
    diagnostics: [...notes(plan), ...untold],
    ...(untold.length === 0 ? { history: historian(target, of) } : {}),
    async *rows(from) {
      const isWanted: Wanted = (record) => {
        seen.note(record);
        return origins.size === 0 || origins.has(record.origin ?? "");
      };
      yield* placed(theirs, isWanted, from);
      if (from === undefined) seen.end();
    },
    targetRows: () =>
      pages(
        ours,
        ({ origin = "", isActive }) => isActive !== false && (moved.size === 0 || moved.has(origin)),
      ),
    perLookUp,
    ...(plan.overrides
      ? {}
      : { bared: async (rows) => Promise.all(rows.map((row) => unhidden(row, theirs))) }),
    async lookUp(wanted) {
      const byKey = new Map(wanted.map(({ values }) => [wholeKey(keyIn(values)), values] as const));
      const keys = wanted.map(({ values }) => keyIn(values));
      const found = await instancesByKey(target, of, keys, plan.relationships);
      const meant = found.flatMap((record) => {
        const sought = byKey.get(wholeKey(record));
        return sought === undefined ? [] : [{ record, sought }];
      });
      return Promise.all(
        meant.map(async ({ record, sought }): Promise<Row> => {
          const beside = { columns, text, stays };
          const { row, differs } = asSought(await instanceRow(record, ours), sought, beside);
          return differs && !plan.overrides ? unhidden(row, ours) : row;
        }),
      );
    },
    ...(parents === undefined
      ? {}
      : { losers: async (rows) => parents.losers(rows), seen: () => parents.diagnostics }),
    async atSource(wanted) {
      const keys = wanted.map(({ values }) => keyIn(values));
      const there = await keysThere(source, of, keys, plan.filter, { doFit: true });
      const isOfPlan = ({ origin = "" }: RecordKey): boolean => origins.size === 0 || origins.has(origin);
      return new Set(
        there
          .filter(isOfPlan)
          .map(({ origin = "", sourceId = "" }) => instanceKey(theirs.rename(origin), sourceId)),
      );
    },
    ...(Object.keys(plan.filter).length === 0
      ? {}
      : {
          async reached(wanted) {
            const keys = wanted.map(({ values }) => keyIn(values));
            const there = await keysThere(target, of, keys, plan.filter, { doFit: false });
            return new Set(there.map(({ origin = "", sourceId = "" }) => instanceKey(origin, sourceId)));
          },
        }),
    isOurs: (name) => name.startsWith("(") || (columns.has(name) && hasColumn(name, from.columns)),
    isRead(name) {
      if (name === activeName) return plan.activity;
      if (overridden(name) !== undefined) return plan.overrides;
      const [role] = related(name) ?? [];
      return role === undefined
        ? name.startsWith("(") || columns.has(name)
        : plan.relationships.includes(role);
    },
    isMadeWith: (name) => !name.startsWith("("),
    ...(from.columns === undefined ? {} : { namesAll: true as const }),
    ...(plan.activity ? { isActivityMoved: true, asMade: { [activeName]: true } } : {}),
    text,
    isLater: (name) => related(name) !== undefined,
    stays,
    writer: ({ masterData: to_ }) => {
      if (to_ === undefined) throw new Error("the master-data server of the target was not opened");
      return instanceWriter(to_, plan.entity, patienceMs);
    },
  };
}

/** What a reviewer should know of what this costs, and of what cannot be told. */
function notes(plan: InstancePlan): readonly Diagnostic[] {
  const { entity } = plan;
  const found: Diagnostic[] = [];
  if (plan.overrides)
    found.push(
      note(`${entity}: overrides are read one record at a time, on both sides: a request for each record`),
    );
  if (plan.activity && Object.hasOwn(plan.filter, "eng_active"))
    found.push(note(`${entity}: with a filter on eng_active what was deactivated at the source is not seen`));
  return found;
}
