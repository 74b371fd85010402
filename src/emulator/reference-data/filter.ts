import { isUrn } from "../../model/urn.ts";
import { asText, isArray, isNumber, isObject, type Json, type JsonObject, pointerStep } from "../json.ts";
import { invalid } from "../problem.ts";
import { type Table, type TableColumn, type TableRecord, valueKey } from "./table.ts";

/** What a filter says: a test, and where it can be told without looking at all records, those that may pass it. */
export interface RecordFilter {
  readonly test: (record: TableRecord, values: JsonObject) => boolean;
  readonly candidates?: () => Iterable<TableRecord>;
}

const everything: RecordFilter = { test: () => true };

/** The operators that each type of attribute has (document 2, "Filter operators on record attributes"). */
const groups: Readonly<Record<string, readonly TableColumn["type"][]>> = {
  string: ["STRING"],
  number: ["NUMBER", "INTEGER"],
  date: ["DATE", "DATETIME"],
  boolean: ["BOOLEAN"],
};

/** The filter of a body; everything when there is none. Several fields of one filter object must all hold. */
export function filterOf(table: Table, body: JsonObject): RecordFilter {
  for (const field of Object.keys(body))
    if (field !== "filter") throw invalid(`${field} cannot be given here.`, `#/${pointerStep(field)}`);
  const filter = body["filter"];
  return filter === undefined ? everything : parse(table, filter, "#/filter");
}

export function parse(table: Table, filter: Json, pointer: string): RecordFilter {
  if (!isObject(filter)) throw invalid("A filter must be an object.", pointer);
  const parts = Object.entries(filter).map(([field, value]) =>
    part(table, field, value, `${pointer}/${pointerStep(field)}`),
  );
  return all(parts);
}

function part(table: Table, field: string, value: Json, pointer: string): RecordFilter {
  switch (field) {
    case "and":
    case "or": {
      if (!isArray(value) || value.length === 0)
        throw invalid(`${field} must be an array of filters.`, pointer);
      const parts = value.map((entry, index) => parse(table, entry, `${pointer}/${index}`));
      return field === "and" ? all(parts) : any(parts);
    }
    case "recordUrn": {
      const urns = operands(value, pointer, (entry) => isUrn(entry), "URNs");
      const wanted = new Set(urns);
      return {
        test: ({ urn }) => wanted.has(urn),
        candidates: () => [...wanted].flatMap((urn) => table.get(asText(urn)) ?? []),
      };
    }
    case "state": {
      const wanted = new Set(operands(value, pointer, (entry) => typeof entry === "string", "states"));
      return { test: ({ state }) => wanted.has(state) };
    }
    case "attribute":
      return attribute(table, value, pointer);
    default:
      throw invalid(`Records cannot be filtered by ${field}.`, pointer);
  }
}

function attribute(table: Table, value: Json, pointer: string): RecordFilter {
  if (!isObject(value)) throw invalid("attribute must be an object.", pointer);
  const { attributeName, ...tests } = value;
  const name = isObject(attributeName) ? attributeName["equals"] : undefined;
  if (typeof name !== "string")
    throw invalid("attributeName must be an object with equals.", `${pointer}/attributeName`);
  const column = table.column(name);
  if (column === undefined)
    throw invalid(`The table ${table.name} has no attribute ${name}.`, `${pointer}/attributeName`);
  const [[group, operators] = ["", null], ...more] = Object.entries(tests);
  const place = `${pointer}/${pointerStep(group)}`;
  if (more.length > 0 || !Object.hasOwn(groups, group))
    throw invalid("Expected one of string, number, date and boolean beside attributeName.", pointer);
  if (groups[group]?.includes(column.type) !== true)
    throw invalid(`${name} is of type ${column.type} and has no operators of ${group}.`, place);
  const fits = (entry: Json): boolean =>
    group === "number" ? isNumber(entry) : typeof entry === typeOf(group);
  const wanted = operands(operators, place, fits, `values of the type ${group}`);
  const keys = new Set(wanted.map(valueKey));
  return {
    test: (_record, values) => keys.has(valueKey(values[name])),
    candidates: () => unique(wanted.map((entry) => table.publishedWith(name, entry))),
  };
}

function typeOf(group: string): string {
  return group === "date" ? "string" : group;
}

/** `equals` takes one, `in` takes several. */
function operands(value: Json, pointer: string, fits: (entry: Json) => boolean, what: string): Json[] {
  const [[operator, operand] = ["", null], ...more] = isObject(value) ? Object.entries(value) : [];
  const place = `${pointer}/${pointerStep(operator)}`;
  if (more.length > 0 || (operator !== "equals" && operator !== "in"))
    throw invalid("Expected equals or in.", pointer);
  const list = operator === "in" ? operand : [operand];
  if (!isArray(list)) throw invalid("in takes an array.", place);
  for (const [index, entry] of list.entries())
    if (!fits(entry)) throw invalid(`Expected ${what}.`, operator === "in" ? `${place}/${index}` : place);
  return list;
}

function all(parts: readonly RecordFilter[]): RecordFilter {
  const narrow = parts.find(({ candidates }) => candidates !== undefined)?.candidates;
  const test: RecordFilter["test"] = (record, values) => parts.every((one) => one.test(record, values));
  return narrow === undefined ? { test } : { test, candidates: narrow };
}

function any(parts: readonly RecordFilter[]): RecordFilter {
  const test: RecordFilter["test"] = (record, values) => parts.some((one) => one.test(record, values));
  const lists = parts.map(({ candidates }) => candidates);
  if (!lists.every((one) => one !== undefined)) return { test };
  return { test, candidates: () => unique(lists.map((one) => one())) };
}

function* unique(lists: readonly Iterable<TableRecord>[]): Generator<TableRecord> {
  const seen = new Set<TableRecord>();
  for (const list of lists) {
    for (const record of list) {
      if (seen.has(record)) continue;
      seen.add(record);
      yield record;
    }
  }
}
