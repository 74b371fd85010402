import { tooManyRefused } from "./bad-rows.ts";
import type { RowOutcome } from "../../model/journal.ts";
import type { SentAfter } from "../../kinds/kind.ts";
import { troubleOf } from "../../kinds/trouble.ts";
import { forgotten } from "../../model/row-print.ts";
import type { PlannedRow } from "./line.ts";
import { sentBefore, withoutRest } from "./line.ts";
import { isOverwriting } from "./overwriting.ts";
import type { OpenRow } from "./open-rows.ts";
import { isBegun, isDone, mayGoOn, plannedFrom } from "./open-rows.ts";
import type { Lost, WriteOptions } from "./write-options.ts";
import { asSent, notShown } from "./as-sent.ts";
import { carriedOutcome, doneOutcome, intentOf, lostFrom, sentFrom } from "./carried.ts";
import type { Held } from "./held-rows.ts";
import { heldRows } from "./held-rows.ts";
import { LostRows } from "./lost-rows.ts";
import { chunks } from "./pages.ts";
import type { SentRow, Standing } from "./releases.ts";
import { putBack, Releases, standing } from "./releases.ts";
import { answerOn, opensDrafts, othersDid, sendRows, tasksOf } from "./send.ts";
import type { Written } from "./written.ts";
import { behindTheirs, mostNamed, Outcomes } from "./written.ts";

/** Batches for each request that may be in flight: while some are on their way, others become durable. */
const perRequest = 2;
/** How often what is known not to have happened is sent again. */
const mostRounds = 3;

/** Writes the rows of one table: batches at once, releases one after the other, and what was lost is settled at the end. */
export class TableWrite {
  readonly #options: WriteOptions;
  readonly #outcomes: Outcomes;
  readonly #releases: Releases;
  readonly #inFlight = new Set<Promise<void>>();
  #lost: Lost[] = [];
  #defect: Error | undefined;
  readonly #lostRows: LostRows;
  #isResuming = false;
  #noted = 0;

  constructor(options: WriteOptions) {
    this.#options = options;
    this.#outcomes = new Outcomes(options.refusing, options.open.asMade);
    this.#lostRows = new LostRows({
      ...options,
      outcomes: this.#outcomes,
      later: (rows) => void this.#lost.push(...rows),
      found: async ({ planned, op }, address) => {
        await this.#releases.add([{ planned, address, op, wasLost: true }]);
      },
      shown: ({ planned, op, isLeft }, address) =>
        this.#shown([{ planned, address, op, ...(isLeft === undefined ? {} : { isLeft }) }]),
      others: async (row, mayStand) => this.#leave(row, mayStand),
    });
    const { writer, open, log, name, sleep } = options;
    this.#releases = new Releases({
      release: writer.release,
      open,
      log,
      outcomes: this.#outcomes,
      title: name,
      sleep,
      shown: (row, values, stands) => this.#remember(row, values, stands),
    });
  }

  /**
   * What an earlier run has left. A change in a draft is sent once more: the answer tells whether somebody else has
   * written into it meanwhile. What had no answer the service may still be at work on: it waits like what this run loses. Deletions
   * stay open where they are not allowed.
   */
  async resume(rows: ReadonlyMap<string, OpenRow>, allowDelete: boolean): Promise<Written> {
    const { log, writer, open, stop, policy } = this.#options;
    this.#isResuming = true;
    for (const chunk of chunks([...rows.values()], writer.perBatch)) {
      const op = await log.carried(chunk.map(intentOf));
      await log.outcome(op, chunk.flatMap(carriedOutcome));
      const isAgain = (row: OpenRow): boolean => writer.release.fromDraft === true && isBegun(row);
      const sent = chunk.filter((row) => row.state === "sent" && !isAgain(row));
      await this.#releases.add(
        await this.#standing(
          sent.map((row) => sentFrom(row, op)),
          "draft",
        ),
      );
      const held = chunk.filter((row) => row.state === "held" && !isAgain(row));
      for (const [review, group] of Map.groupBy(held, ({ review }) => review))
        if (review !== undefined) await this.#goOn({ review, rows: group, op, allowDelete });
      const again = chunk.filter(isAgain);
      const done = again.filter((row) => isDone(row, open));
      await log.outcome(op, done.map(doneOutcome));
      for (const row of done) {
        this.#outcomes.done[row.intent.action] += 1;
        if (isOverwriting(plannedFrom(row), open.asMade)) this.#outcomes.overwritten += 1;
        await this.#remember({ planned: plannedFrom(row), isLeft: true }, row.there);
      }
      const meant = again.filter(
        (row) =>
          row.state !== "doubt" && row.asks !== true && !done.includes(row) && mayGoOn(row, allowDelete),
      );
      for (const [, alike] of Map.groupBy(meant, ({ intent }) => intent.action === "delete"))
        if (stop.aborted) this.#outcomes.interrupted = true;
        else if (!this.#isOver()) this.#begin(alike.map(plannedFrom), true);
      for (const row of chunk)
        if (done.includes(row)) continue;
        else if (row.asks === true) this.#outcomes.ask(row.intent, row.reason ?? "");
        else if (row.state === "doubt" && mayGoOn(row, allowDelete))
          this.#lost.push(lostFrom(row, op, policy));
    }
    return this.#end();
  }

  async run(rows: AsyncIterable<readonly PlannedRow[]>): Promise<Written> {
    try {
      await this.#sendAll(rows);
    } catch (error) {
      // They are looked at before they are sent: where that cannot be done, nothing more is.
      const trouble = troubleOf(error);
      if (trouble === undefined) throw error;
      if (this.#options.stop.aborted) this.#outcomes.interrupted = true;
      else this.#outcomes.fatal ??= trouble;
    }
    return this.#end();
  }

  async #sendAll(pages: AsyncIterable<readonly PlannedRow[]>): Promise<void> {
    const { writer, stop, concurrency } = this.#options;
    let batch: PlannedRow[] = [];
    const isOther = (row: PlannedRow): boolean =>
      (batch[0]?.task.action === "delete") !== (row.task.action === "delete");
    sending: for await (const rows of pages) {
      for (const row of rows) {
        if (stop.aborted) this.#outcomes.interrupted = true;
        if (stop.aborted || this.#isOver()) break sending;
        // To send it again would make another one.
        const isHalf = row.task.action === "create" && row.partAt !== undefined && !writer.repeats;
        if (isHalf) {
          this.#options.marks?.leave(row);
          this.#outcomes.refuse(row.task, "a part of it is there: the next run brings the rest");
          continue;
        }
        if (batch.length === writer.perBatch || (batch.length > 0 && isOther(row))) {
          this.#options.marks?.begin(batch);
          this.#begin(batch);
          batch = [];
          while (this.#inFlight.size >= perRequest * concurrency) await Promise.race(this.#inFlight);
        }
        batch.push(row);
      }
    }
    if (batch.length > 0 && !stop.aborted && !this.#isOver()) {
      this.#options.marks?.begin(batch);
      this.#begin(batch);
    } else if (batch.length > 0 && stop.aborted) this.#outcomes.interrupted = true;
  }

  #isOver(): boolean {
    return this.#outcomes.fatal !== undefined || this.#defect !== undefined;
  }

  /** `isAgain`: they were sent before, and what was sent may stand, in a draft or for all to see. */
  #begin(batch: readonly PlannedRow[], isAgain = false): void {
    const work = this.#batch(batch, isAgain).catch((error: unknown) => {
      this.#defect ??= error instanceof Error ? error : new Error(String(error));
    });
    this.#inFlight.add(work);
    void work.finally(() => {
      this.#inFlight.delete(work);
      this.#options.progress(this.#outcomes.all, this.#inFlight.size);
    });
    this.#options.progress(this.#outcomes.all, this.#inFlight.size);
  }

  async #batch(batch: readonly PlannedRow[], isAgain: boolean): Promise<void> {
    const { log, writer, mostRefused, isBack } = this.#options;
    const op = await log.intent(batch, isBack);
    const wasSent = isAgain || isBack;
    const answers = await sendRows(writer, tasksOf(batch, wasSent));
    await log.sent();
    const sent: SentRow[] = [];
    const outcomes: RowOutcome[] = [];
    for (const [index, planned] of batch.entries()) {
      const answer = answerOn(planned, answers[index]);
      const { key } = planned.task;
      switch (answer.state) {
        case "done": {
          const reason = othersDid(planned, answer, wasSent);
          if (reason !== undefined) {
            outcomes.push({ key, result: "not-done", reason });
            this.#outcomes.refuse(planned.task, reason);
            break;
          }
          outcomes.push({
            key,
            result: "sent",
            target: answer.address,
            ...(answer.short === undefined ? {} : { short: true }),
            ...(answer.asBefore === undefined ? {} : { asBefore: true }),
          });
          sent.push({
            planned: answer.short === undefined ? planned : withoutRest({ ...planned, isShort: true }),
            address: answer.address,
            op,
            asBefore: answer.asBefore,
          });
          // Of what is there a rollback knows; what is not is told, counts as refused, and is tried again by the next run.
          if (answer.short !== undefined)
            this.#outcomes.refuse(planned.task, `a part of it was refused: ${answer.short}`);
          if (answer.trouble?.fatal !== undefined) this.#outcomes.fatal ??= answer.trouble;
          break;
        }
        case "refused":
          // Of what was sent before that says nothing, nor of what is there in part: it stays open, and is told, until it is in its place.
          if (isAgain || answer.begun === true)
            outcomes.push({ key, result: "doubt", reason: `it is refused now: ${answer.reason}` });
          else outcomes.push({ key, result: "not-done", reason: answer.reason });
          if (isAgain && this.#isResuming) this.#outcomes.leave(planned.task, answer.reason);
          else this.#outcomes.refuse(planned.task, answer.reason);
          break;
        case "unclear":
          outcomes.push({ key, result: "doubt", reason: answer.reason, asks: true });
          this.#outcomes.ask(planned.task, answer.reason);
          break;
        case "unknown":
          outcomes.push({ key, result: "doubt", reason: answer.reason });
          this.#lost.push({ planned, op, at: performance.now() });
          break;
        case "stopped":
          // Before a change or deletion its draft is looked at, which may open one: that is brought to its end.
          outcomes.push({
            key,
            result:
              isAgain || answer.begun === true || opensDrafts(planned.task, writer) ? "doubt" : "not-done",
            reason: answer.trouble.reason,
          });
          this.#outcomes.fatal ??= answer.trouble;
          break;
      }
    }
    await log.outcome(op, outcomes);
    if (this.#outcomes.refused > mostRefused) {
      this.#outcomes.isTooBad = true;
      this.#outcomes.fatal ??= tooManyRefused(this.#outcomes.refused, this.#options.name);
    }
    await this.#releases.add(sent);
  }

  /**
   * `values`: what the target shows of it; undefined where nobody has looked, or it is gone. `stands`: whose word that is, where it was
   * worked out already. What is no form of what was sent is a
   * colleague's word: known is what was sent, so that theirs is drift.
   */
  #remember(
    sent: Pick<SentRow, "planned" | "isLeft" | "asBefore">,
    values: Parameters<typeof standing>[1] | undefined,
    stands?: Standing,
  ): void | Promise<void> {
    const { known, open, isBack, marks } = this.#options;
    const { planned, isLeft } = sent;
    const { task, print, isShort } = planned;
    // Whoever goes on with this run tells of it as well.
    if (isShort !== true) marks?.final(planned);
    if (isBack || planned.isBack === true) {
      const [source, target] = putBack(planned, values, open);
      return known?.add({ key: task.key, source, target });
    }
    if (values !== undefined) {
      const { print: target, isAsSent, isOurs } = stands ?? standing(sent, values, open);
      // Of what a part was refused that is told already.
      const isWhole = isShort !== true;
      const isTheirs = isWhole && !isOurs;
      if (isTheirs && isLeft === true) this.#outcomes.touched += 1;
      else if (isWhole && !isAsSent) this.#outcomes.show(task, isTheirs);
      return print === undefined
        ? undefined
        : known?.add({ key: task.key, source: print[0], target: isTheirs ? print[0] : target });
    }
    if (task.action === "delete") return known?.add({ key: task.key, source: forgotten, target: forgotten });
    return print === undefined
      ? undefined
      : known?.add({ key: task.key, source: print[0], target: print[0] });
  }

  async #end(): Promise<Written> {
    for (let round = 0; ; round += 1) {
      await Promise.all(this.#inFlight);
      await this.#releases.finish();
      if (this.#defect !== undefined) throw this.#defect;
      if (this.#lost.length === 0 || this.#isOver() || round === mostRounds) break;
      if (this.#options.stop.aborted) break;
      await this.#settle(this.#lost.splice(0));
    }
    this.#outcomes.lost = this.#lost.length;
    if (this.#options.stop.aborted) this.#outcomes.interrupted ||= this.#lost.length > 0;
    return this.#outcomes.result(this.#options.log.withoutOldValues);
  }

  /** What somebody else has changed since it was sent is theirs: known is what was sent, so that it is told as drift. */
  async #leave({ planned, isLeft }: Lost, mayStand = false): Promise<void> {
    const { task, print, isBack = this.#options.isBack } = planned;
    const behind = mayStand ? behindTheirs(task) : undefined;
    if (behind !== undefined && (this.#noted += 1) <= mostNamed) await this.#options.note(behind);
    this.#outcomes.overtake(task, isLeft === true, behind);
    if (isBack || print === undefined) return;
    await this.#options.known?.add({ key: task.key, source: print[0], target: print[0] });
  }

  /**
   * What was lost is looked for, a quiet period after it was sent: a create is sent again when it is not there, and what may be
   * repeated where nobody else has been since. What may stand in a draft is answered with what the draft has.
   */
  async #settle(lost: readonly Lost[]): Promise<void> {
    const { writer, quietPeriodMs, quiet, log } = this.#options;
    const isOnce = ({ planned }: Lost): boolean => planned.task.action === "create" && !writer.repeats;
    const last = lost.reduce((most, { at }) => Math.max(most, at), -Infinity);
    const wait = Math.max(0, last + quietPeriodMs - performance.now());
    try {
      if (wait > 0) await quiet(wait, lost.length);
    } catch {
      this.#lost.push(...lost);
      return;
    }
    const isShown = ({ planned: { task } }: Lost): boolean =>
      task.action === "create" ? writer.repeats : task.action === "update";
    const shown = await this.#lostRows.untouched(lost.filter(isShown));
    const isThere = ({ planned: { task, partAt } }: Lost): boolean =>
      partAt !== undefined || opensDrafts(task, writer);
    const looked = shown.filter((row) => !isThere(row));
    for (const [, alike] of Map.groupBy(lost.filter(isOnce), ({ looked: has }) => has === true))
      for (const chunk of chunks(alike, writer.perBatch))
        looked.push(...(await this.#lostRows.absent(chunk)));
    for (const [op, rows] of Map.groupBy(looked, (row) => row.op)) {
      const reason = "it was not there";
      await log.outcome(
        op,
        rows.map(({ planned }) => ({ key: planned.task.key, result: "not-done", reason })),
      );
    }
    // Of what nobody has looked at nothing is known, and of the rest of what is there in part: it stays open, and whoever goes on after
    // a kill sends it once more.
    const unlooked = await this.#lostRows.stillToGo(lost.filter((row) => !isOnce(row) && !isShown(row)));
    const unseen = [...unlooked, ...shown.filter(isThere)];
    for (const [rows, isAgain] of [
      [await this.#lostRows.stillAtSource(looked.filter(({ isUnasked }) => isUnasked !== true)), false],
      [await this.#lostRows.stillAsked(unseen), true],
    ] as const)
      for (const [, alike] of Map.groupBy(rows, ({ planned }) => planned.task.action === "delete"))
        for (const chunk of chunks(alike, writer.perBatch))
          this.#begin(
            chunk.map(({ planned }) => sentBefore(planned)),
            isAgain,
          );
  }

  /** What shows already is followed to its end, and not released. */
  readonly #shown = (there: readonly SentRow[]): void => this.#releases.seen(there);

  /** With what was put up for review. */
  #goOn(held: Held): Promise<void> {
    const { writer, open, log } = this.#options;
    return heldRows(held, {
      release: writer.release,
      releases: this.#releases,
      log,
      outcomes: this.#outcomes,
      standing: async (rows, after) => this.#standing(rows, after),
      notShown: async (rows) =>
        notShown(rows, { writer, open, outcomes: this.#outcomes, shown: this.#shown }),
    });
  }

  /** Of what an earlier run has sent that which may be released. */
  #standing(rows: readonly SentRow[], after: SentAfter): Promise<readonly SentRow[]> {
    const { writer, open, log } = this.#options;
    const removed = async (gone: readonly SentRow[]): Promise<void> => this.#removed(gone);
    return asSent(rows, { writer, open, log, outcomes: this.#outcomes, removed, shown: this.#shown, after });
  }

  async #removed(rows: readonly SentRow[]): Promise<void> {
    for (const { planned, op } of rows) {
      const { key } = planned.task;
      await this.#options.log.outcome(op, [
        { key, result: "not-done", reason: "somebody has removed it since" },
      ]);
      await this.#leave({ planned, op, at: performance.now(), isLeft: true });
    }
  }
}
