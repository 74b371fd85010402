import { exitCodes } from "../../model/result.ts";
import { plural } from "../../model/plural.ts";
import type { Migration } from "../migration.ts";
import { tableProblems } from "../records/check.ts";
import { selectedTables } from "../records/tables.ts";
import type { Examination } from "./examination.ts";

/** Whether each table of records that the plan selects can be moved. */
export async function checkTables(migration: Migration, examination: Examination): Promise<void> {
  const selected = selectedTables(migration);
  if (selected.length === 0) return;
  await examination.look("both", "tables", async () => {
    const problems = await tableProblems(migration);
    const isLacking = problems.length > 0;
    examination.tell(problems, isLacking ? exitCodes.failed : undefined);
    return {
      state: isLacking ? "failed" : "ok",
      detail: `${plural(selected.length, "table")}, ${problems.length} of them cannot be moved`,
    };
  });
}
