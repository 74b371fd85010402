import type { Attribute, CatalogItem, TableData } from "../../state.ts";
import type { Tenant } from "../../tenant.ts";

/**
 * The rows that an item has: nothing is stored of them but a seed. Names of columns and the number of the row decide
 * what a cell holds, so equal data in two tenants gives equal cells whatever the URNs are.
 */

/** 32 bits of a text (FNV-1a, then mixed: near texts give far numbers). */
export function hash(text: string): number {
  let state = 0x811c_9dc5;
  for (let index = 0; index < text.length; index += 1)
    state = Math.imul(state ^ text.charCodeAt(index), 0x0100_0193);
  state = Math.imul(state ^ (state >>> 16), 0x85eb_ca6b);
  state = Math.imul(state ^ (state >>> 13), 0xc2b2_ae35);
  return (state ^ (state >>> 16)) >>> 0;
}

/** At least 0, below 1. */
export function share(text: string): number {
  return hash(text) / 2 ** 32;
}

/** Of an item that nobody gave data: what its name gives. */
export function tableOf(tenant: Tenant, item: Pick<CatalogItem, "urn" | "name">): TableData {
  return tenant.tables.get(item.urn) ?? { seed: item.name, rows: 120 + (hash(item.name) % 180) };
}

const words = ["oats", "rye", "plum", "pear", "kale", "leek", "mint", "sage", "figs", "dill", "bean", "corn"];
/** One in a hundred cells is empty where the data do not say otherwise. */
const usuallyEmpty = 0.01;

/** What a row has in a column; null where it is empty. */
export function cell(
  table: TableData,
  column: Pick<Attribute, "name" | "dataType">,
  row: number,
): string | number | boolean | null {
  const place = `${table.seed}/${column.name}/${row}`;
  const number = hash(place);
  if (share(`empty ${place}`) < (table.empty?.[column.name] ?? usuallyEmpty)) return null;
  switch (column.dataType) {
    case "LONG":
    case "INTEGER":
      return 1 + (number % 100_000);
    case "FLOAT":
    case "DOUBLE":
      return (number % 1_000_000) / 100;
    case "BOOLEAN":
      return number % 2 === 0;
    case "DATE":
      return day(number);
    case "DATETIME":
      return `${day(number)}T${String(number % 24).padStart(2, "0")}:00:00Z`;
    default:
      return `${words[number % words.length] ?? ""}-${(number >>> 8) % 10_000}`;
  }
}

function day(number: number): string {
  return new Date(Date.UTC(2024, 0, 1 + (number % 730))).toISOString().slice(0, 10);
}
