import type { Diagnostic } from "../../model/diagnostic.ts";
import { plural } from "../../model/plural.ts";
import type { SelectedTable } from "./tables.ts";

/** Rows that were moved once, and that the source does not show: what a filter leaves out nobody has looked at. */
export function goneRows({ kind, table }: SelectedTable, rows: number): Diagnostic {
  const isOne = rows === 1;
  const who = `${plural(rows, "row")} that ${isOne ? "was" : "were"} moved once`;
  const coordinate = { kind: kind.name, urn: table.id, name: table.name };
  const common = { severity: "info", code: "row-gone", coordinate } as const;
  if (table.isFiltered !== true)
    return {
      ...common,
      summary: `${who} ${isOne ? "is" : "are"} gone at the source; what the target has of ${isOne ? "it" : "them"} stays`,
      suggestion: `records.remove: true lets ${isOne ? "it" : "them"} go, with --allow-delete.`,
    };
  return {
    ...common,
    summary: `${who} ${isOne ? "is" : "are"} not among those that the source shows under the plan's filter: gone there, or left out by it; what the target has of ${isOne ? "it" : "them"} stays`,
    suggestion:
      "Without the filter those that are gone alone are told. records.remove: true lets go what the target shows under the filter and the source does not, with --allow-delete.",
  };
}
