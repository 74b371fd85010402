import type { FoundCreate, OpenTable, Row, RowTask, TableWriter } from "../../kinds/kind.ts";
import { troubleOf } from "../../kinds/trouble.ts";
import type { PlannedRow } from "./line.ts";
import {
  asRead,
  isAsBefore,
  isElsewhere,
  isMadeAnew,
  keysAtSource,
  lookedUp,
  lookedUpToGo,
  saysKept,
} from "./look-up.ts";
import { askedOf, keyIsTaken } from "./as-sent.ts";
import { chunks } from "./pages.ts";
import { keyDigest } from "./prints.ts";
import { standsAs } from "./stands-as.ts";
import type { Lost, WriteOptions } from "./write-options.ts";
import type { Outcomes } from "./written.ts";

/** A deletion that came to the draft behind somebody's change: whoever publishes all drafts would delete what they have made of it. */
export const deletionMayStand =
  "somebody has changed it since its deletion was sent, and that may stand in its draft at the target";

const notAsked = "it is not in the draft, and the plan does not ask for it any more";

interface LostRowsOptions extends Pick<WriteOptions, "writer" | "open" | "log"> {
  readonly outcomes: Outcomes;
  /** They could not be looked for now, and the next round tries again. */
  readonly later: (rows: readonly Lost[]) => void;
  /** It is there, and ours. */
  readonly found: (row: Lost, address: string) => Promise<void>;
  /** The same of what shows already: what stands in its draft by now is nobody's to publish. */
  readonly shown: (row: Lost, address: string) => void;
  /** Somebody else has been there since: nothing more is sent. `mayStand`: what was sent may have come to its draft behind them. */
  readonly others: (row: Lost, mayStand?: boolean) => Promise<void>;
}

/** Rows whose answers were lost: each is looked for before anything is sent again. */
export class LostRows {
  readonly #options: LostRowsOptions;

  constructor(options: LostRowsOptions) {
    this.#options = options;
  }

  /**
   * What may be repeated makes nothing twice, and could overwrite what somebody has made of it since: gives those of which each value
   * is as it was before, or as it is to be; where some are the one and some the other, a part of it was written (`partAt`), but for
   * what was to be published as a whole.
   */
  async untouched(lost: readonly Lost[]): Promise<readonly Lost[]> {
    const { open, log, found: taken, shown: seen, others, writer } = this.#options;
    const isDrafted = writer.release.fromDraft === true;
    const again: Lost[] = [];
    for (const chunk of chunks(lost, open.perLookUp)) {
      const there = await this.#there(chunk);
      if (there === undefined) continue;
      for (const row of chunk) {
        const { key } = row.planned.task;
        const [shown, ...more] = there.get(key) ?? [];
        const state = more.length > 0 ? "others" : standsAs(readOf(row.planned, open), shown, open);
        if (state === "untouched" || state === "begun") {
          const partAt = state === "begun" && !isDrafted ? (shown?.address ?? "") : undefined;
          again.push({
            ...row,
            planned:
              shown === undefined ? { ...row.planned, partAt } : readOf({ ...row.planned, partAt }, open),
          });
        } else if (state === "ours") {
          const target = shown?.address ?? "";
          await log.outcome(row.op, [{ key, result: "sent", target }]);
          if (isDrafted) seen(row, target);
          else await taken(row, target);
        } else {
          // What is to be told of it comes first: whoever goes on does not look at what is over.
          await others(row, isDrafted);
          await log.outcome(row.op, [{ key, result: "not-done", reason: "somebody has changed it since" }]);
        }
      }
    }
    return again;
  }

  /**
   * Less the deletions of what somebody has changed since it was sent for, and of what others lead to by now, whose relations would
   * go with it. Of what is gone the answer tells; what is deleted in a draft is looked at there as well, before it is sent.
   */
  async stillToGo(lost: readonly Lost[]): Promise<readonly Lost[]> {
    const { open, log, others, outcomes } = this.#options;
    const isDeletion = ({ planned }: Lost): boolean => planned.task.action === "delete";
    if (!lost.some(isDeletion)) return lost;
    const again = lost.filter((row) => !isDeletion(row));
    for (const chunk of chunks(lost.filter(isDeletion), open.perLookUp)) {
      const looked = await this.#toGo(chunk);
      if (looked === undefined) continue;
      const { there, led } = looked;
      const changed = chunk.filter(({ planned }) =>
        isChanged(planned, there.get(planned.task.key) ?? [], open),
      );
      const stays = await this.#spared(changed, there, chunk);
      if (stays === undefined) continue;
      for (const row of chunk) {
        const { task } = row.planned;
        const { key } = task;
        const by = led.get(there.get(key)?.[0]?.address ?? "");
        if (stays.has(row)) {
          await log.outcome(row.op, [{ key, result: "doubt", reason: deletionMayStand, asks: true }]);
          outcomes.ask(task, deletionMayStand);
        } else if (changed.includes(row) || by !== undefined) {
          const reason = changed.includes(row) ? "somebody has changed it since" : `${by} leads to it by now`;
          await log.outcome(row.op, [{ key, result: "not-done", reason }]);
          await others(row);
        } else again.push(row);
      }
    }
    return again;
  }

  /**
   * Less the changes that the plan of now does not ask for, where nothing of them is there: neither a part, nor in the draft of the table.
   * What stands in that is brought to its end, for it would be published with the next change of anybody.
   */
  async stillAsked(lost: readonly Lost[]): Promise<readonly Lost[]> {
    const { writer, log, open } = this.#options;
    const isLeft = ({ isUnasked, planned }: Lost): boolean =>
      isUnasked === true && planned.partAt === undefined;
    const asked = lost.filter((row) => !isLeft(row));
    for (const chunk of chunks(lost.filter(isLeft), open.perLookUp)) {
      const tasks = chunk.map(({ planned }) => planned.task);
      try {
        const unsent = await writer.unsent?.(tasks);
        for (const row of chunk) {
          const { task } = row.planned;
          if (unsent?.has(task) !== true) asked.push(row);
          else await log.outcome(row.op, [{ key: task.key, result: "not-done", reason: notAsked }]);
        }
      } catch (error) {
        this.#notNow(error, chunk);
      }
    }
    return asked;
  }

  /**
   * Less what an earlier run was to make, and the source has no more: nobody asks for it by now. What takes a row back is asked for by
   * nobody's source. Where that cannot be looked at now, none of it is made: it is on record as not there, and compared.
   */
  async stillAtSource(lost: readonly Lost[]): Promise<readonly Lost[]> {
    const begun = lost.filter(
      ({ isLeft, planned: { task, isBack } }) =>
        isLeft === true && task.action === "create" && isBack !== true,
    );
    if (begun.length === 0) return lost;
    const there = await this.#keysAtSource(begun);
    const gone = begun.filter(({ planned }) => there?.has(planned.task.key) !== true);
    this.#options.outcomes.touched += gone.length;
    return lost.filter((row) => !gone.includes(row));
  }

  async #keysAtSource(lost: readonly Lost[]): Promise<ReadonlySet<string> | undefined> {
    const { open, outcomes } = this.#options;
    const rows = lost.map(({ planned: { task } }) => ({
      key: undefined,
      name: task.name,
      values: task.values,
    }));
    try {
      return new Set([...(await keysAtSource(open, rows))].map(keyDigest));
    } catch (error) {
      const trouble = troubleOf(error);
      if (trouble === undefined) throw error;
      if (trouble.fatal !== undefined) outcomes.fatal ??= trouble;
      return undefined;
    }
  }

  /**
   * Takes out of the draft the deletions of what somebody has changed meanwhile, since the service may have come to them only after
   * that. Gives those that may stand there all the same; undefined: it could not be done now, and all of these are looked for again.
   */
  async #spared(
    changed: readonly Lost[],
    there: ReadonlyMap<string, readonly Row[]>,
    all: readonly Lost[],
  ): Promise<ReadonlySet<Lost> | undefined> {
    const { writer } = this.#options;
    const tasks = new Map(
      changed.flatMap((row): [RowTask, Lost][] => {
        const task = asItShows(row.planned.task, there.get(row.planned.task.key) ?? []);
        return task === undefined ? [] : [[task, row]];
      }),
    );
    if (writer.withdraw === undefined || tasks.size === 0) return new Set();
    try {
      const standing = await writer.withdraw([...tasks.keys()]);
      return new Set([...standing.keys()].flatMap((task) => tasks.get(task) ?? []));
    } catch (error) {
      return this.#notNow(error, all);
    }
  }

  /** undefined: it could not be asked now. */
  async #toGo(lost: readonly Lost[]): Promise<Awaited<ReturnType<typeof lookedUpToGo>> | undefined> {
    try {
      return await lookedUpToGo(
        lost.map(({ planned }) => planned.task),
        this.#options.open,
      );
    } catch (error) {
      return this.#notNow(error, lost);
    }
  }

  /** undefined: it could not be looked at now. */
  async #there(lost: readonly Lost[]): Promise<Awaited<ReturnType<typeof lookedUp>> | undefined> {
    const { open } = this.#options;
    try {
      return await lookedUp(
        open,
        lost.map(({ planned }) => planned.task),
      );
    } catch (error) {
      return this.#notNow(error, lost);
    }
  }

  /** A trouble of the service: the next round looks for them. */
  #notNow(error: unknown, lost: readonly Lost[]): undefined {
    const { outcomes, later } = this.#options;
    const trouble = troubleOf(error);
    if (trouble === undefined) throw error;
    if (trouble.fatal !== undefined) outcomes.fatal ??= trouble;
    later(lost.map((row) => ({ ...row, at: performance.now() })));
    return undefined;
  }

  /** Gives those that are not there. */
  async absent(lost: readonly Lost[]): Promise<readonly Lost[]> {
    const { log, outcomes, writer, found: taken, shown: seen } = this.#options;
    const found = await this.#looked(lost);
    if (found === undefined) return [];
    // On record, so that whoever only reads the files says the same.
    const unclear = async ({ planned: { task }, op }: Lost, reason: string): Promise<void> => {
      await log.outcome(op, [{ key: task.key, result: "doubt", reason, told: true }]);
      outcomes.ask(task, reason);
    };
    if ("notKnown" in found) {
      for (const row of lost) await unclear(row, found.notKnown);
      return [];
    }
    const take = async (
      rows: readonly Lost[],
      there: ReadonlyMap<string, FoundCreate>,
      ours: (row: Lost, address: string) => void | Promise<void>,
    ): Promise<readonly Lost[]> => {
      const absent: Lost[] = [];
      for (const row of rows) {
        const { key } = row.planned.task;
        const one = there.get(key);
        if (one === undefined) absent.push(row);
        else if (one.state === "unclear") await unclear(row, one.reason);
        else {
          await log.outcome(row.op, [{ key, result: "sent", target: one.address }]);
          await ours(row, one.address);
        }
      }
      return absent;
    };
    const absent = await take(await this.#withoutTaken(lost, found), found, taken);
    const published = await this.#published(absent);
    const isDrafted = writer.release.fromDraft === true;
    return published === undefined ? [] : take(absent, published, isDrafted ? seen : taken);
  }

  /**
   * Less those whose draft stands beside another row that shows under their key by now: there would be two. They are in the draft, and
   * whoever goes on finds them there.
   */
  async #withoutTaken(
    lost: readonly Lost[],
    found: ReadonlyMap<string, FoundCreate>,
  ): Promise<readonly Lost[]> {
    const { open, writer, log, outcomes } = this.#options;
    const drafted = lost.filter(({ planned }) => found.get(planned.task.key)?.state === "ours");
    if (writer.release.fromDraft !== true || drafted.length === 0) return lost;
    const left = new Set<Lost>();
    for (const chunk of chunks(drafted, open.perLookUp)) {
      const there = await this.#there(chunk);
      for (const row of chunk) {
        const { task } = row.planned;
        const one = found.get(task.key);
        if (there === undefined) left.add(row);
        if (one?.state !== "ours" || !isElsewhere(there?.get(task.key) ?? [], one.address)) continue;
        left.add(row);
        await askedOf([{ ...row, address: one.address }], keyIsTaken, { log, outcomes });
      }
    }
    return lost.filter((row) => !left.has(row));
  }

  /** Whoever publishes all drafts publishes ours with them. undefined: it could not be looked at now. */
  async #published(lost: readonly Lost[]): Promise<ReadonlyMap<string, FoundCreate> | undefined> {
    const { open } = this.#options;
    const there = new Map<string, FoundCreate>();
    try {
      for (const chunk of chunks(lost, open.perLookUp)) {
        const tasks = chunk.map(({ planned }) => planned.task);
        const found = await lookedUp(open, tasks);
        for (const task of tasks) {
          const { key } = task;
          const [row, ...more] = found.get(key) ?? [];
          if (row === undefined) continue;
          const isOurs = more.length === 0 && saysKept(row.values, task, open);
          const reason =
            more.length > 0
              ? `${more.length + 1} rows at the target have its key by now`
              : "a row at the target has its key by now and says something else";
          there.set(
            key,
            isOurs ? { state: "ours", address: row.address ?? "" } : { state: "unclear", reason },
          );
        }
      }
      return there;
    } catch (error) {
      return this.#notNow(error, lost);
    }
  }

  /** undefined: it could not be looked for now, and the next round tries again. */
  async #looked(
    lost: readonly Lost[],
  ): Promise<Awaited<ReturnType<NonNullable<TableWriter["find"]>>> | undefined> {
    const { writer, log } = this.#options;
    if (writer.find === undefined) return { notKnown: "nothing can tell whether it was written" };
    const [first] = lost;
    // To look may move it: whoever goes on with this has to know, also when it ends here.
    for (const [op, rows] of Map.groupBy(lost, (row) => row.op)) {
      const reason = "it was being looked for";
      await log.outcome(
        op,
        rows.map(({ planned }) => ({ key: planned.task.key, result: "doubt", reason, looked: true })),
      );
    }
    try {
      return await writer.find(
        lost.map(({ planned }) => planned.task),
        first?.looked === true,
      );
    } catch (error) {
      return this.#notNow(
        error,
        lost.map((row) => ({ ...row, looked: true })),
      );
    }
  }
}

/** A deletion of what shows by now; undefined where another row shows in its place, or none. */
export function asItShows(task: RowTask, shown: readonly Row[]): RowTask | undefined {
  const row = shown.find(({ address, isGone }) => address === task.address && isGone !== true);
  return row === undefined ? undefined : { ...task, before: row.values };
}

/** Whether what is to be deleted is there, and is another thing than it was. */
function isChanged(
  { task }: PlannedRow,
  [shown, ...more]: readonly Row[],
  open: Pick<OpenTable, "text">,
): boolean {
  if (shown === undefined || shown.isGone === true) return false;
  if (more.length > 0 || isMadeAnew(task, [shown])) return true;
  return task.before !== undefined && !isAsBefore(shown, task, open);
}

/** What of it this plan reads: what is made is made as a whole, and what is there already is brought to its end so far. */
function readOf<T extends Pick<PlannedRow, "task">>(planned: T, open: OpenTable): T {
  const { task } = planned;
  const values = asRead(task.values, open);
  return values === task.values ? planned : { ...planned, task: { ...task, values } };
}
