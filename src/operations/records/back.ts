import { EngineError } from "../../engine/progress.ts";
import { TableTally } from "../../engine/records/tally.ts";
import { undoLines } from "../../engine/records/undo.ts";
import type { AppliedChange } from "../../model/change.ts";
import type { TableRecord } from "../../model/journal.ts";
import type { ReadClient } from "../../service/index.ts";
import type { Lease, RowLog } from "../../store/index.ts";
import type { Migration } from "../migration.ts";
import type { RunJournal } from "../run.ts";
import { openTable, plannedTables } from "./tables.ts";
import { TableWork } from "./work.ts";

/** Takes the rows of a run back, before its configuration: they were written after it. */
export class RowsBack {
  readonly #migration: Migration;
  readonly #allowDelete: boolean;
  #tables: readonly TableWork[] = [];

  constructor(migration: Migration, allowDelete: boolean) {
    this.#migration = migration;
    this.#allowDelete = allowDelete;
  }

  get changes(): readonly AppliedChange[] {
    return this.#tables.map(({ change }) => change).filter(({ action }) => action !== "unchanged");
  }

  get isPossible(): boolean {
    return this.#tables.some((table) => table.writes(this.#allowDelete) > 0);
  }

  /** What the runs of these records did to tables, against what stands there now. */
  async look(records: readonly TableRecord[], client: ReadClient): Promise<void> {
    const migration = this.#migration;
    const logs = await migration.store.state.rowLogs();
    const unfinished = logs.find(({ table, isOpen }) => isOpen && records.some((one) => one.table === table));
    if (unfinished !== undefined) {
      throw new EngineError(
        "interrupted",
        `the run ${unfinished.run} has left rows open, and nothing was taken back`,
        `Run: ferry apply ${migration.plan.name}`,
      );
    }
    const tables: TableWork[] = [];
    for (const [id, group] of Map.groupBy(records, ({ table }) => table)) {
      const planned = plannedTables(migration).find(({ table }) => table.id === id);
      const [first] = group;
      if (first === undefined) continue;
      if (planned === undefined) {
        throw new EngineError(
          "selection",
          `the run wrote rows of the table "${first.name}", which the plan does not name any more`,
          "Put it back under records in the plan.",
        );
      }
      const work = new TableWork(migration, await openTable(migration, planned, client));
      const runs = new Set(group.map(({ run }) => run));
      await this.#compare(
        work,
        logs.filter(({ table, run }) => table === id && runs.has(run)),
      );
      tables.push(work);
    }
    this.#tables = tables;
  }

  async takeBack(lease: Lease, run: string, journal: RunJournal): Promise<void> {
    const at = new Date(this.#migration.now()).toISOString();
    for (const table of this.#tables) {
      const { kind, table: spec } = table.opened;
      if (table.writes(this.#allowDelete) > 0)
        await journal.append({ type: "table", run, at, kind: kind.name, table: spec.id, name: spec.name });
      await table.write(lease, run, this.#allowDelete);
    }
    await this.end(lease, run);
  }

  async end(lease: Lease, run: string): Promise<void> {
    for (const table of this.#tables) await table.end(lease, run);
  }

  async #compare(work: TableWork, logs: readonly Pick<RowLog, "records">[]): Promise<void> {
    const { open, table } = work.opened;
    if (open === undefined) return;
    const tally = new TableTally(await this.#migration.store.work.writeRows(table.id));
    try {
      for (const { records } of logs.toReversed()) {
        for await (const lines of undoLines(records(), open)) for (const line of lines) await tally.add(line);
      }
      await tally.finish();
    } finally {
      await tally.abandon();
    }
    await work.plan({ ...tally.diff(), gone: 0 });
  }
}
