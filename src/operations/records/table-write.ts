import { unanswered, waitTold } from "../../engine/waiting.ts";
import { badOf, mostBad } from "../../engine/records/bad-rows.ts";
import type { TableDiff } from "../../engine/records/tally.ts";
import type { OpenTable, TableWriter } from "../../kinds/kind.ts";
import type { Plan } from "../../model/plan.ts";
import { plural } from "../../model/plural.ts";
import { TableWrite } from "../../engine/records/write.ts";
import type { WriteOptions } from "../../engine/records/write-options.ts";
import type { Migration } from "../migration.ts";
import type { OpenedTable } from "./tables.ts";

/**
 * Of what earlier runs have left nobody knows of how many it is a share; what a rollback leaves is no mistake in rows: neither has a
 * `diff`.
 */
export function mostRefused({ limits }: Plan, diff: TableDiff | undefined): number {
  return diff === undefined ? Infinity : mostBad(limits.badRows, diff.rows) - badOf(diff);
}

type OfRun = "log" | "known" | "isBack" | "mostRefused" | "refusing" | "note" | "marks" | "progress";

/** Writes the rows of a table as the plan has it; what only the run knows of it comes besides. */
export function tableWrite(
  migration: Migration,
  { open, table }: OpenedTable,
  ofRun: Pick<WriteOptions, OfRun>,
): TableWrite {
  if (open === undefined) throw new Error(`${table.name} was not opened`);
  const { limits, policy } = migration.plan;
  const { sleep, stop } = migration;
  return new TableWrite({
    ...ofRun,
    name: table.name,
    open,
    writer: writerOf(migration, open),
    policy,
    concurrency: limits.concurrency,
    quietPeriodMs: limits.quietPeriodMs,
    quiet: async (ms, rows) =>
      waitTold(migration, ms, `${plural(rows, "row")} of ${table.name} ${unanswered}`),
    sleep,
    stop,
  });
}

export function writerOf(migration: Migration, open: OpenTable): TableWriter {
  const masterData = migration.masterDataWrites();
  return open.writer({
    platform: migration.target(),
    ...(masterData === undefined ? {} : { masterData }),
  });
}
