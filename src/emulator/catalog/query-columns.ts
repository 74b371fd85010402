import type { Urn } from "../../model/urn.ts";
import type { Attribute, Column } from "../state.ts";
import type { Tenant } from "../tenant.ts";
import { type NamedTable, plainColumn, readQuery, type SelectedColumn } from "./query-text.ts";

interface FoundTable {
  readonly alias: string;
  readonly attributes: readonly Attribute[];
}

/**
 * The attributes of a query's result: with the types of the columns that it names, where the source has them.
 * Undefined when the query fails, for it reads what its source does not have.
 */
export function columnsOfQuery(tenant: Tenant, sourceUrn: Urn, query: string): readonly Column[] | undefined {
  const given = tenant.quirks.queryColumns(query);
  if (given !== undefined) return given;
  const { columns, tables } = readQuery(query);
  const found = tables.flatMap((table) => tablesOf(tenant, sourceUrn, table).slice(0, 1));
  if (found.length < tables.length && tenant.quirks.queryTables === "existing") return undefined;
  const result = new Map<string, Column>();
  for (const column of columns.flatMap((selected) => columnsOf(selected, found))) {
    if (!result.has(column.name)) result.set(column.name, column);
  }
  return [...result.values()];
}

/** Tables of the source whose origin path ends as the query says, in any case. */
function tablesOf(tenant: Tenant, sourceUrn: Urn, { path, alias }: NamedTable): FoundTable[] {
  const found: FoundTable[] = [];
  for (const item of tenant.items.values()) {
    if (item.sourceUrn !== sourceUrn) continue;
    const place = (item.originPath ?? item.name).toLowerCase().split("/");
    if (place.slice(-path.length).join("/") !== path.join("/")) continue;
    found.push({ alias, attributes: tenant.attributes.valuesIn(`item:${item.urn}`) });
  }
  return found;
}

function columnsOf({ name, expression }: SelectedColumn, tables: readonly FoundTable[]): Column[] {
  const plain = plainColumn(expression);
  if (plain === undefined) return [{ name, ...computedType(expression) }];
  const from = tables.filter(({ alias }) => plain.table === undefined || alias === plain.table);
  const attributes = from.flatMap((table) => table.attributes);
  if (plain.name === "*") return attributes.map(asColumn);
  const attribute = attributes.find((each) => each.name.toLowerCase() === plain.name);
  return [attribute === undefined ? { name, ...text } : { ...asColumn(attribute), name }];
}

function asColumn({ name, dataType, columnType }: Attribute): Column {
  return { name, dataType, columnType };
}

const text = { dataType: "STRING", columnType: "varchar" } as const;

function computedType(expression: string): Omit<Column, "name"> {
  if (/^count\s*\(/i.test(expression)) return { dataType: "LONG", columnType: "bigint" };
  if (/^(sum|avg|round)\s*\(/i.test(expression))
    return { dataType: "DOUBLE", columnType: "double precision" };
  return text;
}
