import type { Applied } from "../../engine/apply/index.ts";
import type { Diff } from "../../engine/diff/index.ts";
import { EngineError } from "../../engine/progress.ts";
import { acknowledge } from "../../engine/diff/acknowledge.ts";
import { badOf, mostBad, percent } from "../../engine/records/bad-rows.ts";
import { mayGoOn } from "../../engine/records/open-rows.ts";
import type { Written } from "../../engine/records/written.ts";
import type { Trouble } from "../../kinds/trouble.ts";
import type { AppliedChange } from "../../model/change.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { joined } from "../../model/packed/change-list.ts";
import { plural } from "../../model/plural.ts";
import type { Lease } from "../../store/index.ts";
import { acknowledging } from "../acknowledging.ts";
import type { RowsToGo } from "../check-deletes.ts";
import type { Migration } from "../migration.ts";
import type { RunJournal } from "../run.ts";
import { dropOldLogs } from "./kept-logs.ts";
import type { LeftBehind } from "./left-behind.ts";
import { leftBehind, leftBehindNotes } from "./left-behind.ts";
import { heldByOtherNaming } from "./named-otherwise.ts";
import { keepFormerNames } from "./former-names.ts";
import { goneRows } from "./gone-rows.ts";
import { refuseKnownElsewhere } from "./known-elsewhere.ts";
import { untoldNotes } from "./notes.ts";
import { inRemovalOrder } from "./removal-order.ts";
import { keepServers, refuseOtherServers } from "./servers.ts";
import { openTable, selectedTables } from "./tables.ts";
import { notReached } from "./work-parts.ts";
import { TableWork } from "./work.ts";

/** What a person has to hear of, also where the rows of a table are told in a line. */
const forAll: ReadonlySet<Diagnostic["code"]> = new Set([
  "row-blocked",
  "row-by-hand",
  "row-finished",
  "row-in-doubt",
  "row-late",
  "row-note",
  "row-refused",
  "row-review",
  "row-takes",
]);

/** Of a table of which rows were written, those that are left are told in no line of it. */
function isForAll({ outcome, acknowledged }: AppliedChange, code: Diagnostic["code"]): boolean {
  const isInALine = code === "row-contested" && outcome === "done" && acknowledged === undefined;
  return isInALine || forAll.has(code);
}

/** Of a table nothing but its rows is known. */
const noObjects = { kinds: () => [], has: () => false, body: () => ({}) } as const;

export interface Writing {
  readonly lease: Lease;
  readonly run: string;
  readonly journal: RunJournal;
  readonly allowDelete: boolean;
}

/** The rows of a run, table by table: beside the configuration, joined to it in the result. */
export class Rows {
  readonly #migration: Migration;
  #tables: readonly TableWork[] = [];
  readonly #deletions = new Map<TableWork, number>();
  #dropped: readonly Diagnostic[] = [];
  #behind: readonly LeftBehind[] = [];

  constructor(migration: Migration) {
    this.#migration = migration;
  }

  get changes(): readonly AppliedChange[] {
    return this.#acknowledged().changes;
  }

  /** What waits in a table, as far as nobody has said that it may stay so. */
  #acknowledged(): ReturnType<typeof acknowledge<AppliedChange>> {
    const told = this.#tables.map(({ change }) => change);
    return acknowledge(told, {
      ...acknowledging(this.#migration, "tables"),
      source: noObjects,
      target: noObjects,
    });
  }

  get isAny(): boolean {
    return this.#tables.length > 0;
  }

  /** Rows are open that this run does not go on with: it has not done all. */
  get isLeftBehind(): boolean {
    return this.#behind.length > 0;
  }

  /**
   * Finds the tables on both sides; `writes`: the client that reads the target may write, too. `goesOn`: the command that goes on with
   * what is open, where it is not this one.
   */
  async open(writes: boolean, goesOn?: string): Promise<void> {
    const migration = this.#migration;
    this.#behind = await leftBehind(migration, goesOn);
    if (selectedTables(migration).length === 0) return;
    migration.report({ type: "stage", stage: "tables" });
    const client = writes ? migration.target() : migration.targetReads();
    const tables: TableWork[] = [];
    for (const selected of selectedTables(migration)) {
      await refuseOtherServers(migration, selected);
      tables.push(
        new TableWork(
          migration,
          await heldByOtherNaming(migration, await openTable(migration, selected, client)),
        ),
      );
    }
    this.#tables = tables;
  }

  /**
   * What earlier runs have left is brought to its end before anything else is decided. `goesOn`: what a killed one has
   * compared is written, and not compared again; not where a diff was approved.
   */
  async resume({ lease, run, journal, allowDelete }: Writing, goesOn: boolean): Promise<boolean> {
    let moved = false;
    for (const table of this.#tables) {
      await keepFormerNames(this.#migration, lease, table.opened);
      const begun = goesOn && (await table.goOn());
      const left = [...(await table.left()).values()];
      const isLeft = left.length > 0;
      moved ||= left.some((row) => mayGoOn(row, allowDelete));
      if (isLeft || begun) {
        await keepServers(this.#migration, lease, table.opened);
        if (table.opened.open !== undefined) await table.openLog(lease, run);
        await table.records.begin(run, journal);
      }
      await table.resume(lease, run, allowDelete);
    }
    return moved;
  }

  /** So many rows earlier runs have begun to delete. */
  async openDeletions(): Promise<number> {
    for (const table of this.#tables) this.#deletions.set(table, await table.leftDeletions());
    return [...this.#deletions.values()].reduce((sum, count) => sum + count, 0);
  }

  /** Of these the ones that no comparison counts: whoever goes on with that of a killed run has them in it. */
  get resumedDeletions(): number {
    return this.#tables.reduce(
      (sum, table) => sum + (table.isGoingOn ? 0 : (this.#deletions.get(table) ?? 0)),
      0,
    );
  }

  /** Of each table what would be deleted. */
  get toGo(): readonly RowsToGo[] {
    return this.#tables.flatMap(({ opened, diff }) =>
      diff === undefined ? [] : [{ ...diff, name: opened.table.name }],
    );
  }

  async compare(options: { readonly dry: boolean }): Promise<void> {
    const { report } = this.#migration;
    for (const table of this.#tables) {
      report({ type: "stage", stage: "compare rows", detail: table.opened.table.name });
      if (options.dry) await table.foresee();
      await table.compare(!options.dry);
      await refuseKnownElsewhere(this.#migration, table.opened, table.diff);
    }
  }

  /** What a reviewer wants to know beyond what would be done. */
  async explain(identify: number): Promise<void> {
    for (const table of this.#tables) {
      this.#migration.report({ type: "stage", stage: "look into rows", detail: table.opened.table.name });
      await table.explain(identify);
    }
  }

  /** Too many rows that cannot be sent: none is. `wrote`: what was written until now; ends a sentence. */
  refuseBad(wrote: string): void {
    const [bad] = this.#tooBad();
    if (bad === undefined) return;
    throw new EngineError("incomplete", `${bad.summary}; ${wrote}`, bad.suggestion);
  }

  /** The same, as a dry run foresees it. */
  foreseeBad(): readonly Diagnostic[] {
    return this.#tooBad().map(({ summary, suggestion }) => ({
      severity: "warning",
      code: "bad-rows",
      summary: `${summary}: an apply writes nothing`,
      suggestion,
    }));
  }

  #tooBad(): readonly { readonly summary: string; readonly suggestion: string }[] {
    const { badRows } = this.#migration.plan.limits;
    return this.#tables.flatMap(({ diff, opened }) => {
      const blocked = diff === undefined ? 0 : badOf(diff);
      if (diff === undefined || blocked <= mostBad(badRows, diff.rows)) return [];
      return [
        {
          summary: `${plural(blocked, "row")} of ${diff.rows} of "${opened.table.name}" cannot be sent, more than limits.badRows (${percent(badRows)}) allows`,
          suggestion: `They are in records/${opened.table.id}.ndjson of the plan's folder. Mend them at the source, or raise limits.badRows.`,
        },
      ];
    });
  }

  async #write(lease: Lease, run: string, journal: RunJournal, allowDelete: boolean): Promise<void> {
    const { report, stop } = this.#migration;
    for (const table of this.#tables) {
      if (stop.aborted) break;
      await keepServers(this.#migration, lease, table.opened);
      if (table.writes(allowDelete) > 0) {
        report({ type: "stage", stage: "write rows", detail: table.opened.table.name });
        await table.openLog(lease, run);
        await table.records.begin(run, journal);
      }
      await table.write(lease, run, allowDelete);
      if (table.written?.fatal !== undefined) return;
    }
    for (const table of this.#tables) if (!stop.aborted) await table.writeLater(lease, run);
    // What ends one table ends the run: nothing more goes.
    const isOver = (): boolean =>
      stop.aborted || this.#tables.some(({ written }) => written?.fatal !== undefined);
    const going = isOver() ? [] : this.#tables.filter((table) => table.waits);
    for (const table of await inRemovalOrder(going)) if (!isOver()) await table.removeLast(lease, run);
  }

  async end(lease: Lease, run: string): Promise<void> {
    const notes: Diagnostic[] = [];
    for (const table of this.#tables) {
      await table.end(lease, run);
      if (table.written !== undefined)
        notes.push(...(await dropOldLogs(this.#migration, lease, table.opened)));
    }
    this.#dropped = notes;
  }

  /** What is to be told of tables beside their rows. */
  get diagnostics(): readonly Diagnostic[] {
    const all = this.#tables.flatMap(({ diff, opened, records }): Diagnostic[] => {
      const seen = diff === undefined ? [] : (opened.open?.seen?.() ?? []);
      const own = [...(opened.open?.diagnostics ?? []), ...seen, ...records.notes];
      if (diff === undefined || diff.gone === 0) return [...own];
      return [...own, goneRows(opened, diff.gone)];
    });
    // What is so of a server is said once, whichever of its tables have met it.
    return [...new Map(all.map((found) => [JSON.stringify(found), found])).values()];
  }

  /** With the tables among the changes. */
  join<T extends Pick<Diff, "changes" | "diagnostics">>(diff: T): T {
    const untold = untoldNotes(this.#migration);
    if (!this.isAny && !this.isLeftBehind && untold.length === 0) return diff;
    const { changes, diagnostics } = this.#acknowledged();
    return {
      ...diff,
      changes: joined<AppliedChange>(diff.changes, changes),
      diagnostics: [
        ...diff.diagnostics,
        ...untold,
        ...this.diagnostics,
        ...diagnostics,
        ...leftBehindNotes(this.#behind),
      ],
    };
  }

  /** The rows follow the configuration; where that was stopped they are not begun. */
  async apply(applied: Applied, { lease, run, journal, allowDelete }: Writing): Promise<Applied> {
    if (!this.isAny) return applied;
    if (applied.fatal === undefined && !applied.interrupted)
      await this.#write(lease, run, journal, allowDelete);
    await this.end(lease, run);
    const written = this.#tables.flatMap((table) => table.written ?? []);
    const fatal = applied.fatal ?? written.find((one) => one.fatal !== undefined)?.fatal;
    const count = (of: (one: Written) => number): number => written.reduce((sum, one) => sum + of(one), 0);
    const asked = count(({ unclear }) => unclear.length);
    return {
      ...applied,
      changes: joined(applied.changes, notReached(this.changes)),
      diagnostics: [
        ...applied.diagnostics,
        ...this.#dropped,
        ...this.changes.flatMap((change) => change.diagnostics.filter(({ code }) => isForAll(change, code))),
      ],
      ...(fatal === undefined ? {} : { fatal }),
      interrupted:
        applied.interrupted || this.#migration.stop.aborted || written.some((one) => one.interrupted),
      inDoubt: applied.inDoubt + asked + count(({ lost, late }) => lost + late),
      asked: applied.asked + asked,
    };
  }

  /** The same where writing them was broken off by what no table could tell. */
  brokenOff(applied: Applied, trouble: Trouble | undefined): Applied {
    const { aborted } = this.#migration.stop;
    const fatal = applied.fatal ?? (aborted ? undefined : trouble);
    return {
      ...applied,
      changes: joined(applied.changes, notReached(this.changes)),
      ...(fatal === undefined ? {} : { fatal }),
      interrupted: applied.interrupted || aborted,
    };
  }
}
