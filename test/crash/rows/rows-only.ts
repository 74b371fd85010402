import type { Emulator } from "../../../src/emulator/index.ts";
import type { Estate } from "../estates/estate.ts";
import type { Entry, RowBooks } from "./estate.ts";

/** An estate of rows has nothing of a catalog. */
export function rowsOnly(
  kind: "reference-data" | "master-data",
): Pick<Estate, "pairing" | "except" | "twins" | "done" | "select"> {
  return {
    pairing: { sources: {}, connections: {}, paths: [], groups: {} },
    except: [],
    twins: [],
    done: 0,
    select: { kinds: [kind] },
  };
}

/** The books of each of these tables, from its records with their keys. */
export function booksBy<Table extends string>(
  tables: readonly Table[],
  entriesOf: (table: Table) => readonly (readonly [key: string, entry: Entry])[],
): RowBooks {
  return Object.fromEntries(
    tables.map((table) => {
      const byKey = Map.groupBy(entriesOf(table), ([key]) => key);
      return [table, new Map([...byKey].map(([key, group]) => [key, group.map(([, entry]) => entry)]))];
    }),
  );
}

/** One of master data, moved by a first run. */
export function masterDataEstate(
  name: string,
  rows: Omit<NonNullable<Estate["rows"]>, "emulator">,
  prepare: (emulator: Emulator) => void,
): Estate {
  return {
    ...rowsOnly("master-data"),
    name,
    flags: [],
    prepare,
    rows: { ...rows, emulator: { masterData: {} } },
  };
}
