import type { Carried } from "../../engine/apply/index.ts";
import { EngineError } from "../../engine/progress.ts";
import { openRows } from "../../engine/records/open-rows.ts";
import { MadeRows } from "../../engine/records/made-rows.ts";
import { TableTally } from "../../engine/records/tally.ts";
import { undoLines } from "../../engine/records/undo.ts";
import type { Written } from "../../engine/records/written.ts";
import type { AppliedChange } from "../../model/change.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { NoteRecord, TableRecord } from "../../model/journal.ts";
import { forgotten } from "../../model/row-print.ts";
import { plural } from "../../model/plural.ts";
import type { ReadClient } from "../../service/index.ts";
import type { Lease, RowLog } from "../../store/index.ts";
import type { Migration } from "../migration.ts";
import type { RunJournal } from "../run.ts";
import { withoutLog } from "./kept-logs.ts";
import { knownIn } from "./known-senses.ts";
import { leftOf } from "./left-rows.ts";
import { heldByOtherNaming } from "./named-otherwise.ts";
import { noteOn, untoldNotes } from "./notes.ts";
import { rollbacksOf } from "./rollbacks.ts";
import { inRemovalOrder } from "./removal-order.ts";
import { refuseOtherServers } from "./servers.ts";
import { onlyHeld, stillOpen } from "./still-open.ts";
import type { OpenedTable } from "./tables.ts";
import { openTable, plannedTables, relationsOf } from "./tables.ts";
import { endedOf, notReached } from "./work-parts.ts";
import { TableWork } from "./work.ts";

/** What whoever writes rows has. */
export interface RowsWriting {
  readonly lease: Lease;
  readonly run: string;
  readonly journal: RunJournal;
}

/** Takes the rows of a run back, before its configuration: they were written after it. */
export class RowsBack {
  readonly #migration: Migration;
  readonly #allowDelete: boolean;
  #tables: readonly TableWork[] = [];
  readonly #finished: Diagnostic[] = [];
  /** What of them goes is known. */
  readonly #compared = new Set<string>();

  constructor(migration: Migration, allowDelete: boolean) {
    this.#migration = migration;
    this.#allowDelete = allowDelete;
  }

  get changes(): readonly AppliedChange[] {
    return this.#tables.map(({ change }) => change).filter(({ action }) => action !== "unchanged");
  }

  /** The same when it has ended. */
  get ended(): readonly AppliedChange[] {
    return notReached(this.changes);
  }

  /** What a person should know of what earlier runs had left. */
  get notes(): readonly Diagnostic[] {
    const own = this.#tables.flatMap(({ records }) => records.notes);
    return [...untoldNotes(this.#migration), ...this.#finished, ...own];
  }

  /** What of that is on record of this run. */
  get noted(): readonly NoteRecord[] {
    return this.#tables.flatMap(({ records }) => records.noted);
  }

  get #written(): readonly Written[] {
    return this.#tables.flatMap(({ written }) => written ?? []);
  }

  /** Aborted also where the rows were stopped: they were written after the configuration, which stays as it is then. */
  get stop(): AbortSignal {
    const isStopped = this.#written.some(({ fatal, interrupted }) => fatal !== undefined || interrupted);
    return isStopped ? AbortSignal.abort() : this.#migration.stop;
  }

  /** With what hindered the rows. */
  join(carried: Carried): Carried {
    const fatal = this.#written.find((one) => one.fatal !== undefined)?.fatal ?? carried.fatal;
    const unclear = this.#written.flatMap((one) => one.unclear);
    return { ...carried, fatal, asked: carried.asked + unclear.length };
  }

  get isPossible(): boolean {
    return this.#tables.some((table) => table.writes(this.#allowDelete) > 0);
  }

  /**
   * What the runs of these records did to tables, against what stands there now. With `writing` what an interrupted
   * rollback has left is brought to its end first.
   */
  async look(records: readonly TableRecord[], client: ReadClient, writing?: RowsWriting): Promise<void> {
    const migration = this.#migration;
    const tables: TableWork[] = [];
    const all = plannedTables(migration);
    const place = (id: string): number => all.findIndex(({ table }) => table.id === id);
    // In the order of the plan: whoever went on with a killed run has begun with what that had left.
    this.#compared.clear();
    const recorded = relationsOf(migration, this.#compared);
    const groups = [...Map.groupBy(records, ({ table }) => table)];
    for (const [id, group] of groups.sort(([one], [other]) => place(one) - place(other))) {
      const planned = all[place(id)];
      const [first] = group;
      if (first === undefined) continue;
      if (planned === undefined) {
        throw new EngineError(
          "selection",
          `the run wrote rows of the table "${first.name}", which the plan does not name any more`,
          "Put it back under records in the plan.",
        );
      }
      await refuseOtherServers(migration, planned);
      const opened = await openTable(migration, planned, client, recorded);
      await this.#refuseOtherNaming(opened);
      const work = new TableWork(migration, opened);
      await this.#goOn(work, writing);
      const logs = await migration.store.state.rowLogs();
      const runs = new Set(group.map(({ run }) => run));
      await this.#compare(
        work,
        logs.filter(({ table, run }) => table === id && runs.has(run)),
        runs,
      );
      tables.push(work);
    }
    this.#tables = tables;
  }

  /** Under another key nobody finds what was begun: what stands would count as gone, and what is open as seen to. */
  async #refuseOtherNaming(opened: OpenedTable): Promise<void> {
    if ((await leftOf(this.#migration, opened.table.id)).size === 0) return;
    const { why } = await heldByOtherNaming(this.#migration, opened);
    if (opened.open === undefined || why === undefined) return;
    throw new EngineError("interrupted", `${why.unusable}; nothing was taken back`, why.suggestion);
  }

  /** Rows that a rollback has left open; what an apply has left, an apply brings to its end. */
  async #goOn(work: TableWork, writing: RowsWriting | undefined): Promise<void> {
    const { store, plan } = this.#migration;
    const { id } = work.opened.table;
    const open = async (): Promise<RowLog | undefined> =>
      (await store.state.rowLogs()).find(({ table, isOpen }) => isOpen && table === id);
    const before = await open();
    if (before === undefined) return;
    const isOurs = (await rollbacksOf(this.#migration)).has(before.run);
    if (isOurs && writing !== undefined) {
      await work.records.begin(writing.run, writing.journal);
      await work.resume(writing.lease, writing.run, this.#allowDelete);
      await work.end(writing.lease, writing.run);
      const rows = endedOf(work.written);
      if (rows > 0)
        this.#finished.push(
          noteOn(
            work.opened,
            `${plural(rows, "row")} that an earlier rollback had begun ${rows === 1 ? "is brought to its" : "are brought to their"} end`,
          ),
        );
    }
    const after = await open();
    if (after === undefined) return;
    const mayGo = isOurs || work.opened.table.removes;
    const flag = mayGo && (await deletions(after)) ? " --allow-delete" : "";
    const left = {
      who: `the ${isOurs ? "rollback" : "run"} ${after.run}`,
      table: work.opened.table.name,
      plan: plan.name,
      word: `${work.opened.kind.name}:${work.opened.table.name}`,
      again: `ferry ${isOurs ? "rollback" : "apply"} ${plan.name}${flag}`,
    };
    throw stillOpen(left, work.written ?? (await onlyHeld(after)));
  }

  /**
   * Where records take along what leads to them, they go before anything is put back, and who leads to others before these: whoever
   * is killed in between has left none without a relation, which no apply would give it again.
   */
  async takeBack({ lease, run, journal }: RowsWriting): Promise<void> {
    const begun = new Set<TableWork>();
    const begin = async (table: TableWork): Promise<void> => {
      if (!begun.has(table)) await table.records.begin(run, journal);
      begun.add(table);
    };
    const going = this.#tables.filter(
      ({ deletions, opened }) => this.#allowDelete && deletions > 0 && opened.open?.ledHere !== undefined,
    );
    for (const table of await inRemovalOrder(going)) {
      if (this.stop.aborted) break;
      await begin(table);
      await table.remove(lease, run);
    }
    for (const table of this.#tables) {
      if (this.stop.aborted) {
        if (begun.has(table)) await table.keep(lease, this.#allowDelete);
        continue;
      }
      if (table.writes(this.#allowDelete) > 0) await begin(table);
      await table.write(lease, run, this.#allowDelete);
    }
    await this.end(lease, run);
  }

  async end(lease: Lease, run: string): Promise<void> {
    for (const table of this.#tables) await table.end(lease, run);
  }

  async #compare(work: TableWork, logs: readonly RowLog[], runs: Iterable<string>): Promise<void> {
    const { open, table } = work.opened;
    if (open === undefined) return;
    const { store } = this.#migration;
    const now = await knownIn(store.state, table);
    const tally = new TableTally(await store.work.writeRows(table.id), open);
    const known = await store.work.sortPrints();
    const made = new MadeRows(async () =>
      (await store.state.rowLogs()).filter((log) => log.table === table.id),
    );
    try {
      for (const { run, reason } of withoutLog(runs, logs))
        await tally.add({ action: "blocked", name: `(every one of the run ${run})`, reason });
      for await (const lines of undoLines(logs, { table, open, known: now, made })) {
        for (const line of lines) {
          await tally.add(line);
          // It is as it was before the run, and so is what was known of it.
          if (line.action !== "unchanged" || line.key === undefined) continue;
          const [source, target] = line.was ?? [forgotten, forgotten];
          await known.add({ key: line.key, source, target });
        }
      }
      await tally.finish();
    } catch (error) {
      await known.abandon();
      throw error;
    } finally {
      now?.close();
      await tally.abandon();
    }
    this.#compared.add(table.id);
    work.plan({ ...tally.diff(), gone: 0 }, known);
  }
}

/** Whether it waits for a run that may delete. */
async function deletions(log: RowLog): Promise<boolean> {
  return [...(await openRows([log])).values()].some(({ intent }) => intent.action === "delete");
}
