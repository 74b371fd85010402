import type { Insight } from "../../engine/records/explain.ts";
import type { TableLog } from "../../engine/records/log.ts";
import type { OpenRow } from "../../engine/records/open-rows.ts";
import { openRows } from "../../engine/records/open-rows.ts";
import { Marks } from "../../engine/records/marks.ts";
import type { TableDiff } from "../../engine/records/tally.ts";
import type { TableWrite } from "../../engine/records/write.ts";
import type { Written } from "../../engine/records/written.ts";
import type { AppliedChange } from "../../model/change.ts";
import type { Lease, PrintSorter } from "../../store/index.ts";
import type { Migration } from "../migration.ts";
import { sensesOf } from "./as-then.ts";
import type { Resume } from "./resumed.ts";
import { resumedBySense } from "./resumed.ts";
import { compareRows } from "./compare-rows.ts";
import type { BegunPlan } from "./plan-file.ts";
import type { Earlier } from "./begun.ts";
import { begunDeletions, begunRows, foreseenRows } from "./begun-rows.ts";
import { closeEarlier, closeOwn, learnedAll, meantRows, takenOver } from "./begun.ts";
import { PlanFile } from "./plan-file.ts";
import { ProgressFile } from "./progress-file.ts";
import { RefusedRows } from "./refused-rows.ts";
import { remember, remembering } from "./remembering.ts";
import { rollbacksOf, withBack } from "./rollbacks.ts";
import type { OpenedTable } from "./tables.ts";
import type { Sofar } from "./work-parts.ts";
import type { PlannedPages, RowPart } from "./planned-rows.ts";
import { plannedRows } from "./planned-rows.ts";
import { explained } from "./insight.ts";
import { mostRefused, tableWrite } from "./table-write.ts";
import { changeOf, endedOf, logOf, merged, nothing, withRefused } from "./work-parts.ts";
import { noteOn, TableRecords } from "./notes.ts";
import type { LeftRow } from "./left-rows.ts";
import { leftOf, openIn, stillLeft } from "./left-rows.ts";

/** One table in one run. */
export class TableWork {
  readonly opened: OpenedTable;
  readonly records: TableRecords;
  readonly #migration: Migration;
  #left: ReadonlyMap<string, LeftRow> = new Map();
  #log: TableLog | undefined;
  #settled: PrintSorter | undefined;
  #diff: TableDiff | undefined;
  #insight: Insight | undefined;
  #resumed: Written | undefined;
  #written: Written | undefined;
  #isWriting = false;
  #onlyLater = 0;
  #isBack = false;
  #isWithheld = false;
  #areGone = false;
  /** A part of it waits: its deletions until all of all tables is written, or, of a rollback, the rest until what goes is gone. */
  waits = false;
  /** Rows that the service has refused. */
  #bad = 0;
  readonly #refused: RefusedRows;
  readonly #planFile: PlanFile;
  readonly #progress: ProgressFile;
  /** Compared by a run that was killed: this one goes on there. */
  #begun: BegunPlan | undefined;
  #earlier: Earlier | undefined;
  #mayGoOn = false;
  #marks: Marks | undefined;
  #touched: Written = nothing;
  /** Rows of which something was refused, where others of their values are written later. */
  readonly #short = new Set<string>();
  /** Rows that have not come to their end, or whose first part has not: whoever brings it there finds that. */
  #open: ReadonlyMap<string, OpenRow> = new Map();

  constructor(migration: Migration, opened: OpenedTable) {
    this.#migration = migration;
    this.opened = opened;
    this.records = new TableRecords(migration, opened);
    this.#refused = new RefusedRows(migration.store.work, opened.table.id);
    this.#planFile = new PlanFile(migration, opened);
    this.#progress = new ProgressFile(migration.store.work, opened.table.id, migration.now);
  }

  get diff(): TableDiff | undefined {
    return this.#diff;
  }

  get isGoingOn(): boolean {
    return this.#begun !== undefined;
  }

  get written(): Written | undefined {
    return merged(this.#refused.onceIn(this.#resumed), this.#written);
  }

  get change(): AppliedChange {
    const [resumed, begun, insight] = [this.#resumed, this.#begun, this.#insight];
    const [open, left] = [this.#open, this.#left];
    const stands = { isWithheld: this.#isWithheld, isWriting: this.#isWriting, waits: this.waits };
    // What an earlier rollback had begun is in no comparison of this one: beside it, it would hide what is left.
    const written = this.#isBack ? this.#written : this.written;
    return changeOf(this.opened, this.#diff, written, { resumed, begun, insight, open, left, ...stands });
  }

  /** Finds out whether a run before this one has compared it, and was killed while it wrote. */
  async goOn(): Promise<boolean> {
    this.#mayGoOn = true;
    this.#begun = this.opened.open === undefined ? undefined : await this.#planFile.begun();
    if (this.#planFile.isDamaged) this.records.tell(noteOn(this.opened, this.#planFile.damage));
    return this.#begun !== undefined;
  }

  /** What runs that did not come to their end have left of it; for looking. */
  readonly left = async (): ReturnType<typeof leftOf> => leftOf(this.#migration, this.opened.table.id);

  /** Of these the deletions that would go on. */
  readonly leftDeletions = (): Promise<number> => begunDeletions(this.#migration, this.opened);

  /** A dry run: what an apply would first bring to its end stays out of it. */
  async foresee(): Promise<void> {
    this.#left = await foreseenRows(this.#migration, this.opened);
  }

  /**
   * Brings to its end what earlier runs have left; what rollbacks have left, as they meant it. Deletions wait for a run
   * that may delete.
   */
  async resume(lease: Lease, run: string, allowDelete: boolean): Promise<void> {
    const [{ table }, { state }] = [this.opened, this.#migration.store];
    const logs = (await state.rowLogs()).filter(({ table: id, isOpen }) => isOpen && id === table.id);
    const left = await openRows(logs);
    if (left.size > 0 && this.opened.open === undefined) return;
    const rollbacks = logs.length === 0 ? new Set<string>() : await rollbacksOf(this.#migration);
    const earlier = { senses: await sensesOf(logs), rollbacks };
    const { rows, others, isOtherwise, notes } = await begunRows(this.#migration, this.opened, left, earlier);
    await this.records.keep(notes);
    if (isOtherwise) this.#begun = undefined;
    if (this.#begun !== undefined) {
      const before = this.#begun;
      ({ begun: this.#begun, earlier: this.#earlier } = await this.#remembering(lease, async (known) =>
        takenOver(this.#migration, table.id, before, known, rows),
      ));
      // Before anything is written: whoever goes on with this run counts what it has done as a part of the same comparison.
      await this.#planFile.save({ ...this.#begun, run });
    }
    // What is brought to its end from here on is a later word than any of theirs.
    const theirs = { ...earlier, logs: logs.filter((one) => one.run !== this.#begun?.run) };
    await learnedAll(this.#migration, lease, table, theirs, others);
    if (rows.size > 0) {
      const begun = { ...earlier, rows: rows.values() };
      const send: Resume = async (some, then, known) => {
        const write = await this.#write(lease, run, known, { total: some.length }, then);
        return write.resume(withBack(some, rollbacks), allowDelete);
      };
      this.#resumed = await resumedBySense(this.#migration, lease, this.opened, begun, send);
      this.#isWriting = false;
      const still = await openIn(this.#migration, table.id, run);
      this.#left = stillLeft(still, this.#resumed?.unclear ?? [], allowDelete);
      // What was compared counts it among what is done now: it is told, and compared, as what is left.
      if ([...still.values()].some(({ state }) => state !== "held")) this.#begun = undefined;
    }
    if ((this.#resumed?.touched ?? 0) > 0) this.#begun = undefined;
    const earlierLogs = logs.filter((one) => one.run !== run);
    await closeEarlier(this.#migration, lease, table, { ...earlier, logs: earlierLogs });
  }

  async compare(remembers: boolean): Promise<void> {
    const { open } = this.opened;
    if (open === undefined) return;
    if (this.#begun !== undefined) {
      this.#diff = this.#begun.diff;
      this.#settled = await this.#migration.store.work.sortPrints();
      return;
    }
    // What is compared anew is another word: how the target showed what was sent before says nothing of it.
    this.#earlier = undefined;
    if (remembers) await this.#planFile.drop();
    const { diff, settled, notes } = await compareRows(this.#migration, this.opened, {
      open,
      left: this.#left,
      remembers,
      goesOn: this.#mayGoOn,
      compared: (rows) => void this.#progress.compared(rows),
    });
    [this.#diff, this.#settled] = [diff, settled];
    this.records.tell(...notes);
  }

  /** Asks the target about what was compared, for people: a request a row, bounded. */
  async explain(identify: number): Promise<void> {
    if (this.#diff === undefined) return;
    const told = await explained(this.#migration, this.opened, this.#diff, identify);
    if (told !== undefined) ({ diff: this.#diff, insight: this.#insight } = told);
  }

  /** What is to be done stands in the table's file already: a rollback. `known`: of what is as it was before. */
  plan(diff: TableDiff, known: PrintSorter): void {
    [this.#diff, this.#settled, this.#isBack] = [diff, known, true];
  }

  /** So many rows would be written. */
  writes(allowDelete: boolean): number {
    const { create = 0, update = 0, delete: gone = 0 } = this.#diff?.counts ?? {};
    return create + update + (allowDelete ? gone : 0);
  }

  /** So many rows would go. */
  get deletions(): number {
    return this.#diff?.counts.delete ?? 0;
  }

  /** Of a rollback, before anything else of it is written. */
  async remove(lease: Lease, run: string): Promise<void> {
    await this.#begin(lease, run);
    await this.#send(lease, run, { total: this.writes(true) }, "deletions");
    [this.#areGone, this.waits] = [true, this.writes(false) > 0];
  }

  async write(lease: Lease, run: string, allowDelete: boolean): Promise<void> {
    this.#isWithheld = !allowDelete && this.deletions > 0;
    const total = this.writes(allowDelete);
    if (total > 0) {
      if (!this.#areGone) await this.#begin(lease, run);
      const done = this.#begun?.done ?? nothing.done;
      const begun = this.#begun === undefined ? 0 : endedOf(this.#resumed) + endedOf({ ...nothing, done });
      const goNow = allowDelete && !this.#areGone;
      this.waits = goNow && this.deletions > 0 && this.opened.open?.ledHere !== undefined;
      const part = goNow && !this.waits ? "all" : "kept";
      await this.#send(lease, run, { total, from: begun + endedOf(this.#written) }, part);
      await this.#saveMark(run);
      this.#marks = undefined;
      this.#written = merged({ ...nothing, done }, this.#written);
    }
    await this.keep(lease, allowDelete);
  }

  async #send(lease: Lease, run: string, sofar: Sofar, part: RowPart): Promise<void> {
    const write = await this.#write(lease, run, this.#settled, sofar);
    this.#took(await write.run(this.#meant(this.#planned(part), this.#settled)));
  }

  /** With what was left of it, which is told as well. */
  #took(written: Written): void {
    this.#bad += written.refused;
    this.#written = merged(this.#written, merged(this.#touched, written));
    this.#touched = nothing;
  }

  /** What is known of rows by now, whether all was written or not. */
  async keep(lease: Lease, allowDelete: boolean): Promise<void> {
    if (this.#diff === undefined) return;
    await this.#progress.end(this.#ended, this.writes(allowDelete), !this.#isStopped);
    const settled = this.#settled;
    this.#settled = undefined;
    if (settled !== undefined) await remember(this.#migration, lease, this.opened.table, settled);
    this.#isWriting = false;
  }

  /** What is known of rows that are as they should be is kept first: a run that goes on with this one compares nothing. */
  async #begin(lease: Lease, run: string): Promise<void> {
    if (this.#isBack) return this.#planFile.drop();
    if (this.#diff === undefined) return;
    if (this.#settled !== undefined) await remember(this.#migration, lease, this.opened.table, this.#settled);
    this.#settled = await this.#migration.store.work.sortPrints();
    const { line = 0, done = nothing.done } = this.#begun ?? {};
    this.#marks = new Marks(line);
    await this.#planFile.save({ run, diff: this.#diff, line, done });
  }

  #meant(rows: PlannedPages, known?: PrintSorter, isPart = false): PlannedPages {
    const { open } = this.opened;
    if (open === undefined) return rows;
    const how = { open, known, isBack: this.#isBack, isPart, earlier: isPart ? undefined : this.#earlier };
    return meantRows(rows, how, (row, planned) => {
      this.#marks?.leave(planned);
      this.#refused.add(row);
      this.#touched = withRefused(this.#touched, row);
    });
  }

  async #remembering<T>(lease: Lease, work: (known: PrintSorter) => Promise<T>): Promise<T> {
    const found = await remembering(this.#migration, lease, this.opened.table, work);
    this.#isWriting = false;
    return found;
  }

  /** Closes what is open; a log in which nothing is left open is one that came to its end. */
  async end(lease: Lease, run: string): Promise<void> {
    await this.#settled?.abandon();
    this.#settled = undefined;
    const [{ table }, log] = [this.opened, this.#log];
    if (log === undefined) return;
    this.#log = undefined;
    await log.close();
    await this.#refused.end();
    const written = this.written ?? nothing;
    if (this.#isWriting) return;
    if ((written.fatal === undefined || written.isTooBad) && !written.interrupted)
      await this.#planFile.drop();
    // The log itself says what is open: what was counted tells only of what somebody has waited for.
    this.#open = log.isSettled ? new Map() : await openIn(this.#migration, this.opened.table.id, run);
    if (this.#open.size > 0) return;
    await closeOwn(this.#migration, lease, table, run);
  }

  /** How far it is; and up to where whoever goes on need not look. */
  #checkpoint(run: string, done: number, total: number, from: number): void {
    if (this.#progress.wrote(done, total, from)) this.#saveMark(run).catch(() => undefined);
  }

  async #saveMark(run: string): Promise<void> {
    if (this.#marks === undefined || this.#diff === undefined) return;
    const { done = nothing.done } = this.#begun ?? {};
    await this.#planFile.save({ run, diff: this.#diff, line: this.#marks.line, done });
  }

  /** What leads to rows of other tables is written when all of them are there. */
  async writeLater(lease: Lease, run: string): Promise<void> {
    if (this.opened.open?.isLater === undefined || this.#isStopped || this.writes(false) === 0) return;
    this.#open = await openIn(this.#migration, this.opened.table.id, run);
    const later = await this.#rest(lease, run, "later");
    const done = { create: 0, delete: 0, update: Math.min(later.done.update, this.#onlyLater) };
    this.#took({ ...later, done, overwritten: Math.min(later.overwritten, done.update) });
  }

  /** Where others may lead to what goes it goes last, and who leads to it before it. */
  async removeLast(lease: Lease, run: string): Promise<void> {
    if (!this.waits || this.#isStopped) return;
    const [total, from, bad] = [this.writes(true), this.#ended, this.#bad];
    this.#took(await this.#rest(lease, run, "deletions", { total, from, bad }));
    this.waits = false;
    await this.#progress.end(this.#ended, total, !this.#isStopped);
  }

  /** What an earlier run of the same comparison has left, and this one has finished, is a part of it. */
  get #ended(): number {
    return endedOf(this.#begun === undefined ? this.#written : this.written);
  }

  get #isStopped(): boolean {
    return this.#written?.fatal !== undefined || this.#written?.interrupted === true;
  }

  async #rest(lease: Lease, run: string, part: RowPart, sofar?: Sofar): Promise<Written> {
    return this.#remembering(lease, async (known) => {
      const [write, rows] = [await this.#write(lease, run, known, sofar), this.#planned(part)];
      return write.run(this.#meant(rows, known, part === "later"));
    });
  }

  #planned(part: RowPart): PlannedPages {
    const [{ open, table }, isLater] = [this.opened, part === "later"];
    const left = this.#begun === undefined ? undefined : this.#left;
    return plannedRows(this.#migration.store.work.readRows(table.id), {
      part,
      from: isLater ? 0 : (this.#begun?.line ?? 0),
      isOpen: (key) => left?.has(key) === true || (isLater && this.#open.has(key)),
      isShort: (key) => this.#short.has(key),
      isLater: open?.isLater?.bind(open),
      waits: () => (this.#onlyLater += 1),
    });
  }

  /** It is there before anybody says that something is done to the table: without one nobody knows what was. */
  async openLog(lease: Lease, run: string): Promise<TableLog> {
    this.#log ??= await logOf(this.#migration, this.opened, lease, run);
    return this.#log;
  }

  /** `sofar`: what is told of how far it is; undefined where all of it is a part of what was told already. */
  async #write(
    lease: Lease,
    run: string,
    known: PrintSorter | undefined,
    sofar: Sofar | undefined,
    opened = this.opened,
  ): Promise<TableWrite> {
    const log = await this.openLog(lease, run);
    log.takes(opened.table.sense);
    // What does not come back, or is not kept, leaves its log open: whoever goes on learns from it.
    this.#isWriting = true;
    const { total = 0, from = 0, bad = 0 } = sofar ?? {};
    return tableWrite(this.#migration, opened, {
      log,
      ...(known === undefined ? {} : { known }),
      note: this.records.noteRow,
      isBack: this.#isBack,
      mostRefused: mostRefused(this.#migration.plan, this.#isBack ? undefined : this.#diff) - bad,
      refusing: (row) => {
        if (this.opened.open?.isLater !== undefined) this.#short.add(row.key);
        if (this.#diff === undefined) this.#refused.leave(row);
        else this.#refused.add(row);
      },
      ...(this.#marks === undefined ? {} : { marks: this.#marks }),
      progress: (came, inFlight) => {
        const done = from + came;
        this.#migration.report({ type: "work", done, total: Math.max(total, done), inFlight });
        if (sofar !== undefined) this.#checkpoint(run, done, total, from);
      },
    });
  }
}
