import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Migration } from "../migration.ts";
import { openTable, selectedTables } from "./tables.ts";

/** What keeps a table that the plan selects from being moved, found without reading a row. */
export async function tableProblems(migration: Migration): Promise<readonly Diagnostic[]> {
  const found: Diagnostic[] = [];
  for (const selected of selectedTables(migration)) {
    const { kind, table } = selected;
    const { why } = await openTable(migration, selected, migration.targetReads());
    if (why === undefined) continue;
    found.push({
      severity: "error",
      code: "table-unusable",
      coordinate: { kind: kind.name, urn: table.id, name: table.name },
      summary: why.unusable,
      suggestion: why.suggestion,
    });
  }
  return found;
}
