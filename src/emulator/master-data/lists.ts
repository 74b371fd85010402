import { type Answer, ok } from "../http/call.ts";
import type { Json } from "../json.ts";
import type { Call, Place } from "./call.ts";
import { matcher } from "./conditions.ts";
import { asText } from "./master-data.ts";
import { preloadOf, typesOf, valueOf } from "./preload.ts";
import { badRequest, wrongUrl } from "./problems.ts";
import type { InstanceRow, MasterRow } from "./rows.ts";
import { attributesOf, showRow, type Columns } from "./show.ts";
import type { Table } from "./table.ts";

type AnyRow = InstanceRow | MasterRow;

const parameters = new Set(["columns", "offset", "page", "count", "sort", "preload"]);

/** "Query parameters on record lists": what is not one of them is a column, and one that is not there gives 404. */
export function listRecords(call: Call, place: Place): Answer {
  const { data, query } = call;
  const types = typesOf(place);
  const filters: [string, readonly string[]][] = [];
  for (const name of new Set(query.keys())) {
    if (query.getAll(name).length > 1) throw badRequest(`The parameter ${name} is given twice.`);
    if (parameters.has(name)) continue;
    if (!types.has(name)) throw wrongUrl(`There is no column ${name}.`);
    filters.push([name, (query.get(name) ?? "").split(",")]);
  }
  const columns = columnsOf(query.get("columns"), attributesOf(place));
  const preload = preloadOf(data, place, query.get("preload"));
  const rows = sorted(call, place, filters, query.get("sort"));
  const shown = pageOf(call, rows).map((row) => preload(row, showRow(data, place, row, columns)));
  return ok(listed(call, shown));
}

/** "matching records": attributes with a value, or any of several; they combine. No wildcard is named. */
export function searchRecords(
  call: Call,
  place: Place,
  wanted: readonly (readonly [string, readonly Json[]])[],
): Answer {
  const table = place.table as Table<AnyRow>;
  const known = attributesOf(place);
  for (const [name] of wanted) if (!known.includes(name)) throw wrongUrl(`There is no column ${name}.`);
  const texts = wanted.map(
    ([name, values]) => [name, values.flatMap((value) => asText(value) ?? [])] as const,
  );
  const [[name, values] = ["", []], ...others] = texts;
  const rows = table
    .find(name, values)
    .filter((row) =>
      others.every(([other, any]) => any.includes(asText(valueOf(call.data, row)(other)) ?? "\0")),
    );
  const visible = visibleOf(call, rows);
  return ok(
    listed(
      call,
      pageOf(call, visible).map((row) => showRow(call.data, place, row)),
    ),
  );
}

/** The envelope of a list is not shown. */
export function listed({ data }: Call, shown: readonly Json[]): Json {
  return data.quirks.lists === "array" ? [...shown] : { records: [...shown] };
}

function columnsOf(text: string | null, known: readonly string[]): Columns {
  if (text === null) return undefined;
  const wanted = text.split(",");
  const odd = wanted.find((name) => !known.includes(name));
  if (odd !== undefined) throw wrongUrl(`There is no column ${odd}.`);
  return new Set(wanted);
}

function sorted(
  call: Call,
  place: Place,
  filters: readonly (readonly [string, readonly string[]])[],
  sort: string | null,
): readonly AnyRow[] {
  const table = place.table as Table<AnyRow>;
  // Records are created in the order of their ids.
  const isUsual = sort === null || /^eng_creation_tid(?::ASC)?$/.test(sort);
  const order = isUsual ? undefined : orderOf(call, place, sort);
  const attributes = new Set(attributesOf(place));
  const exact = filters.find(
    ([name, values]) => attributes.has(name) && values.every((value) => !value.includes("*")),
  );
  const tests = filters.map(([name, values]) => {
    const any = values.map(matcher);
    return (row: AnyRow) => any.some((test) => test(valueOf(call.data, row)(name)));
  });
  const passes = (row: AnyRow): boolean => tests.every((test) => test(row));
  if (exact !== undefined) {
    const rows = table.find(...exact).filter(passes);
    return visibleOf(call, order === undefined ? rows : rows.sort(order));
  }
  if (filters.length === 0 && order === undefined) return visibleOf(call, table.rows);
  const view = table.view(JSON.stringify([place.layer, filters, sort]), (rows) => {
    const found = filters.length === 0 ? [...rows] : rows.filter(passes);
    return order === undefined ? found : found.sort(order);
  });
  return visibleOf(call, view);
}

function orderOf({ data }: Call, place: Place, sort: string): (left: AnyRow, right: AnyRow) => number {
  const [, column = "", direction = "ASC"] = /^(.*?)(?::([^:]*))?$/.exec(sort) ?? [];
  if (!typesOf(place).has(column)) throw wrongUrl(`There is no column ${column}.`);
  if (direction !== "ASC" && direction !== "DESC") throw badRequest(`${direction} is no direction.`);
  const sign = direction === "ASC" ? 1 : -1;
  return (left, right) => {
    const found = compare(valueOf(data, left)(column) ?? null, valueOf(data, right)(column) ?? null);
    return found === 0 ? left.id - right.id : found * sign;
  };
}

function compare(left: Json, right: Json): number {
  if (left === right) return 0;
  if (left === null) return -1;
  if (right === null) return 1;
  return left < right ? -1 : 1;
}

function visibleOf<T extends AnyRow>({ tampering }: Call, rows: readonly T[]): readonly T[] {
  const { hides } = tampering;
  return hides === undefined
    ? rows
    : rows.filter((row) => !hides({ seq: row.id, value: row, born: row.born }));
}

/** offset and count, or page and count; offset = page * count. */
function pageOf<T>({ query, data, tampering }: Call, rows: readonly T[]): readonly T[] {
  const count = wholeNumber(query, "count");
  const page = wholeNumber(query, "page");
  const offset = wholeNumber(query, "offset");
  if (page !== undefined && offset !== undefined) throw badRequest("page is an alternative to offset.");
  if (page !== undefined && count === undefined) throw badRequest("page needs count, the size of a page.");
  if (count === 0) throw badRequest("count must be at least 1.");
  const start = tampering.repeatsCursor === true ? 0 : (offset ?? (page ?? 0) * (count ?? 0));
  return rows.slice(start, start + Math.min(count ?? Infinity, data.quirks.mostRecords));
}

function wholeNumber(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  if (!/^\d{1,9}$/.test(text)) throw badRequest(`${name} must be a whole number, not ${text}.`);
  return Number(text);
}
