import type { OpenTable, Release, Row, RowTask } from "../../kinds/kind.ts";
import { troubleOf } from "../../kinds/trouble.ts";
import type { RowOutcome } from "../../model/journal.ts";
import { fromEntries, own } from "../../model/json.ts";
import { forgotten, partWritten } from "../../model/row-print.ts";
import { asKept } from "../../model/value-form.ts";
import { notApproved } from "./approvals.ts";
import type { Review } from "./approvals.ts";
import type { PlannedRow } from "./line.ts";
import type { TableLog } from "./log.ts";
import { asItWas, isElsewhere, isMadeAnew, isOfOurs, isUntouched, lookedUp, says } from "./look-up.ts";
import { chunks } from "./pages.ts";
import { emptied } from "./emptied.ts";
import { printOf, restPrint, unmovedPrint } from "./prints.ts";
import type { Outcomes } from "./written.ts";

/** In the draft of the target. */
export interface SentRow {
  readonly planned: PlannedRow;
  readonly address: string;
  /** The intent that it belongs to. */
  readonly op: string;
  /** A run before this one has sent it: others may have been at it since. */
  readonly isLeft?: true;
  /** Its answer was lost, and it was found a while after that: others may have been at it since in what is not moved. */
  readonly wasLost?: true;
  /** It shows no draft: it is under review, or gone. */
  readonly isHidden?: true;
  /** It was so before, in the service's own words: that shows nothing. */
  readonly asBefore?: true | undefined;
}

/** A row that shows, with what the target has of it now, and whose word that is; undefined when it is gone. */
export type Shown = (
  row: SentRow,
  values: Row["values"] | undefined,
  stands?: Standing,
) => void | Promise<void>;

const firstWaitMs = 100;
const longestWaitMs = 5_000;

interface ReleasesOptions {
  readonly release: Release;
  readonly open: OpenTable;
  readonly log: TableLog;
  readonly outcomes: Outcomes;
  readonly title: string;
  /** Rejects when the run is stopped. */
  readonly sleep: (ms: number) => Promise<void>;
  readonly shown: Shown;
}

/**
 * Brings what was sent to where it shows: released in portions, one after the other, and read back until it shows. Only
 * what was sent by this tool is ever released.
 */
export class Releases {
  readonly #options: ReleasesOptions;
  #waiting: SentRow[] = [];
  #last: Promise<void> = Promise.resolve();
  readonly #reading = new Set<Promise<void>>();

  constructor(options: ReleasesOptions) {
    this.#options = options;
  }

  /** Resolves when there is room for more. */
  async add(rows: readonly SentRow[]): Promise<void> {
    const { perRelease } = this.#options.release;
    this.#waiting.push(...rows);
    while (this.#waiting.length >= perRelease) {
      const before = this.#last;
      this.#begin(this.#waiting.splice(0, perRelease), "draft");
      await before;
    }
  }

  /** Throws what any of them has thrown: none is begun behind one that did. */
  async finish(): Promise<void> {
    const rest = this.#waiting.splice(0);
    if (rest.length > 0) this.#begin(rest, "draft");
    await this.#last;
    await Promise.all(this.#reading);
  }

  /** A person has said yes to them. */
  async approved(rows: readonly SentRow[]): Promise<void> {
    for (const portion of chunks(rows, this.#options.release.perRelease)) this.#begin(portion, "approval");
    await this.finish();
  }

  /** They show already: nothing of them is released. */
  seen(rows: readonly SentRow[]): void {
    if (rows.length > 0) this.#follow(rows);
  }

  /**
   * Behind all that were begun before: several batches come here at once, and none of their releases may be forgotten. What a
   * review says of deletions is another thing than what it says of all else.
   */
  #begin(portion: readonly SentRow[], after: "draft" | "approval"): void {
    const mayBeReviewed = this.#options.release.fromDraft === true && after === "draft";
    const parts = mayBeReviewed ? [...Map.groupBy(portion, isDeletion).values()] : [portion];
    for (const part of parts) this.#queue(part, after);
  }

  #queue(portion: readonly SentRow[], after: "draft" | "approval"): void {
    this.#last = this.#last.then(async () => this.#release(portion, after));
    this.#last.catch(() => undefined);
  }

  async #release(portion: readonly SentRow[], after: "draft" | "approval"): Promise<void> {
    const { release, log, outcomes, title } = this.#options;
    // What counts at once has to be looked at alone, which whoever may not write may do.
    const isLook = release.fromDraft !== true && outcomes.fatal?.fatal === "permission";
    if (outcomes.fatal !== undefined && !isLook) return;
    let asked: Review | undefined;
    try {
      const addresses = portion.map(({ address }) => address);
      const isLeft = portion.some((row) => row.isLeft === true);
      const areDeletions = portion.every(isDeletion);
      const areHidden = portion.every((row) => row.isHidden === true);
      const released = await release.send(addresses, { after, title, isLeft, areHidden, areDeletions });
      if (released.state === "refused") {
        for (const { planned } of portion) outcomes.refuse(planned.task, notReleased(released.reason));
        return;
      }
      if (released.state === "held") {
        await log.held(
          released.review,
          portion.map(({ planned }) => planned.task.key),
        );
        if (release.approve === undefined || released.review.urn === "") {
          outcomes.hold(released.review, portion.length);
          return;
        }
        asked = released.review;
        await release.approve(asked.urn);
        return this.#release(portion, "approval");
      }
    } catch (error) {
      const trouble = troubleOf(error);
      if (trouble === undefined) throw error;
      if (trouble.fatal !== undefined) {
        outcomes.fatal ??= trouble;
        return;
      }
      if (trouble.state === "refused") {
        if (asked === undefined) return this.#apart(portion, after, trouble.reason);
        // They are in that review: another one would hold nothing, and nobody would know where they are.
        for (const { planned } of portion) outcomes.refuse(planned.task, notApproved(asked, trouble.reason));
        return;
      }
      // It may have happened: whether it did shows.
    }
    this.#follow(portion);
  }

  #follow(portion: readonly SentRow[]): void {
    const reading = this.#readBack(portion);
    this.#reading.add(reading);
    reading.then(
      () => this.#reading.delete(reading),
      () => undefined,
    );
  }

  /** One that is refused does not take the others along; it stays in the draft, and the next run tries again. */
  async #apart(portion: readonly SentRow[], after: "draft" | "approval", reason: string): Promise<void> {
    const [only, ...more] = portion;
    if (only === undefined) return;
    if (more.length === 0) {
      this.#options.outcomes.refuse(only.planned.task, notReleased(reason));
      return;
    }
    const middle = Math.ceil(portion.length / 2);
    await this.#release(portion.slice(0, middle), after);
    await this.#release(portion.slice(middle), after);
  }

  async #readBack(portion: readonly SentRow[]): Promise<void> {
    const { open, release, sleep, outcomes, log } = this.#options;
    // By a clock that nobody sets.
    const until = performance.now() + release.patienceMs;
    let left = portion;
    for (let wait = firstWaitMs; ; wait = Math.min(longestWaitMs, wait * 2)) {
      const parts = await Promise.all(
        [...chunks(left, open.perLookUp)].map(async (chunk) => this.#looked(chunk)),
      );
      left = parts.flat();
      if (left.length === 0) return;
      if (performance.now() >= until || outcomes.fatal !== undefined) break;
      const isStopped = await sleep(wait).then(
        () => false,
        () => true,
      );
      if (isStopped) break;
    }
    outcomes.late += left.length;
    for (const [op, rows] of Map.groupBy(left, (row) => row.op)) {
      const sent = rows.map(({ planned, address }) => ({ key: planned.task.key, target: address }));
      await log.outcome(
        op,
        sent.map(({ key, target }) => ({ key, result: "sent", target })),
      );
    }
  }

  /** A look that fails has shown nothing. */
  async #looked(chunk: readonly SentRow[]): Promise<readonly SentRow[]> {
    try {
      return await this.#look(chunk);
    } catch (error) {
      const trouble = troubleOf(error);
      if (trouble === undefined) throw error;
      if (trouble.fatal !== undefined) this.#options.outcomes.fatal ??= trouble;
      return chunk;
    }
  }

  /** Those that do not show yet. */
  async #look(chunk: readonly SentRow[]): Promise<readonly SentRow[]> {
    const { open, log, shown, outcomes, release } = this.#options;
    const found = await lookedUp(
      open,
      chunk.map(({ planned }) => planned.task),
    );
    const left: SentRow[] = [];
    const done = new Map<string, RowOutcome[]>();
    for (const row of chunk) {
      const all = found.get(row.planned.task.key) ?? [];
      // What was in a review is waited for by each run, and never shows where somebody has put another one in its place. It was released:
      // what stands there is theirs since, and compared with what was sent.
      if (row.isLeft === true && isMadeAnew({ action: row.planned.task.action, address: row.address }, all)) {
        const { task } = row.planned;
        await log.outcome(row.op, [{ key: task.key, result: "done", target: row.address }]);
        outcomes.end(row.planned);
        const sent = task.action === "delete" ? undefined : { ...task.before, ...task.values };
        await shown(row, sent);
        continue;
      }
      const there = thereOf(row, all, open);
      if (!isShown(row.planned, there, open) && (row.asBefore !== true || there === undefined)) {
        left.push(row);
        continue;
      }
      const { planned, address, op } = row;
      // A service may call what is published otherwise than it called the draft of it.
      const target = planned.task.action === "create" ? (there?.address ?? address) : address;
      const outcome = { key: planned.task.key, result: "done", target } as const;
      const ofOp = done.get(op) ?? [];
      done.set(op, ofOp);
      // What does not count any more is gone, whatever it still says.
      const values = planned.task.action === "delete" ? undefined : there?.values;
      // Of what has no print, or was refused in part, the log tells no form.
      const isTold = planned.print !== undefined && planned.isShort !== true;
      const stands = values === undefined || !isTold ? undefined : standing(row, values, open);
      ofOp.push({ ...outcome, ...shownOf(row, stands), ...unmovedOf(row, there, open) });
      outcomes.end(row.planned);
      if (row.isLeft !== true && release.fromDraft !== true)
        outcomes.empty(planned.task, emptied(planned, there, open));
      const told = shown(row, values, stands);
      if (told !== undefined) await told;
    }
    for (const [op, rows] of done) await log.outcome(op, rows);
    return left;
  }
}

function isDeletion({ planned }: SentRow): boolean {
  return planned.task.action === "delete";
}

function notReleased(reason: string): string {
  return `it is in the draft and could not be released: ${reason}`;
}

/** What was created may go by another name once it is published: nothing else has its key, and it says what was sent. */
function thereOf(
  { planned: { task }, address }: SentRow,
  found: readonly Row[],
  open: OpenTable,
): Row | undefined {
  const same = found.find((row) => row.address === address);
  const [only, ...more] = found;
  if (same !== undefined || only === undefined || more.length > 0 || task.action !== "create") return same;
  return isElsewhere(found, address) && !says(only.values, task.values, open) ? undefined : only;
}

/** It shows when it is not any more as it was: a service may write values in its own form. */
function isShown({ task, isNew }: PlannedRow, there: Row | undefined, open: OpenTable): boolean {
  if (task.action === "delete") return there === undefined || there.isGone === true;
  if (there === undefined) return false;
  // By its address something is made again that was there and did not count.
  if (task.action === "create")
    return (
      task.address === undefined || isNew === true || open.isActivityMoved === true || there.isGone !== true
    );
  return Object.keys(task.values).some((name) => {
    const [now, before] = [own(there.values, name) ?? null, own(task.before ?? {}, name) ?? null];
    return open.text(name, now) !== open.text(name, before);
  });
}

/**
 * How the target shows what was sent, where that is in a form of its own: nobody else's word, for whoever looks again. What was
 * written in part is as nobody meant it; and what a run before this one has sent may be otherwise since somebody has been there.
 */
function shownOf({ planned }: SentRow, stands: Standing | undefined): { readonly shown?: string } {
  if (stands === undefined) return {};
  const { print: shown, isOurs } = stands;
  return shown === planned.print?.[0] || !isOurs ? {} : { shown };
}

/**
 * What was made has in attributes that are not moved, so that a rollback finds out whether somebody has been there since. Where a run
 * before this one has sent it, or its answer was lost, what stands there by now may be somebody's, but for what was sent of it: nothing
 * is told of it that would ever fit.
 */
function unmovedOf(
  { planned, isLeft, wasLost }: SentRow,
  there: Row | undefined,
  open: OpenTable,
): { readonly unmoved?: string } {
  if (planned.task.action !== "create" || there === undefined) return {};
  const unmoved = unmovedPrint(there, open);
  if (unmoved === undefined) return {};
  const { unmoved: given = {} } = planned.task;
  const isSeenLate = isLeft === true || wasLost === true;
  const isSure = !isSeenLate || unmoved === unmovedPrint({ unmoved: () => given }, open);
  return { unmoved: isSure ? unmoved : "?" };
}

export interface Standing {
  readonly print: string;
  readonly isAsSent: boolean;
  readonly isOurs: boolean;
}

/**
 * What the target has, as a print; whether that is what was sent; and whether it is ours, as it was sent or as the service keeps it. What a
 * change has not sent, and is otherwise than it was, is a colleague's word since it was compared: the print is without it, so that
 * theirs is drift. Of what a run before this one has sent all of it is theirs then: somebody may have been there since.
 */
export function standing(
  { planned, isLeft, asBefore }: Pick<SentRow, "planned" | "isLeft" | "asBefore">,
  shown: Row["values"],
  open: OpenTable,
): Standing {
  const { print, compared } = planned;
  const task = compared === undefined ? planned.task : { ...planned.task, before: compared };
  const values = withoutTheirs(task, shown, open);
  const isAsSent = says(values, task.values, open);
  const isSent = (name: string): boolean => Object.hasOwn(task.values, name) || !open.isOurs(name);
  const [sent = partWritten] = print ?? [];
  // What was made of the whole of a row, and says that and nothing else, has its print.
  const isWhole = isAsSent && task.action === "create" && sent !== partWritten;
  const isKnown = isWhole && Object.keys(values).every(isSent);
  const now = isKnown ? sent : printOf(values, open);
  if (isAsSent && isLeft !== true) return { print: now, isAsSent, isOurs: true };
  const kept = asBefore === true ? asItWas(task.values, task.before ?? {}) : asKept(task, shown, open);
  const isOurs =
    isLeft === true
      ? says(values, kept, open) && isUntouched({ ...task, values: kept }, shown, open)
      : isOfOurs(values, kept, task.before ?? {}, open);
  return { print: now, isAsSent, isOurs };
}

/** The rest of a row that is written in parts shows the first one, which may be in words of the service. */
function withoutTheirs(
  { action, values, before }: RowTask,
  shown: Row["values"],
  open: OpenTable,
): Row["values"] {
  if (action !== "update" || before === undefined) return shown;
  const isRest = Object.keys(values).every((name) => open.isLater?.(name) === true);
  if (isRest) return shown;
  const names = [...new Set([...Object.keys(shown), ...Object.keys(before)])];
  const isTheirs = (name: string): boolean => {
    if (Object.hasOwn(values, name) || !open.isOurs(name)) return false;
    return open.text(name, own(shown, name) ?? null) !== open.text(name, own(before, name) ?? null);
  };
  if (!names.some((name) => isTheirs(name))) return shown;
  const asItWas = names.map((name) => [name, own(isTheirs(name) ? before : shown, name) ?? null] as const);
  return fromEntries(asItWas.filter(([, value]) => value !== null));
}

/** What is known of a row that was taken back. Of one that was so in part what is there is ours: whoever looks next goes on with it. */
export function putBack(
  { was, isShort }: PlannedRow,
  values: Row["values"] | undefined,
  open: OpenTable,
): readonly [source: string, target: string] {
  if (isShort === true && values !== undefined) return [partWritten, restPrint(values, open)];
  return was ?? [forgotten, forgotten];
}
