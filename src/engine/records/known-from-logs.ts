import type { JournalRecord, RowIntent } from "../../model/journal.ts";
import { forgotten, partWritten } from "../../model/row-print.ts";
import { TextSet } from "../../model/packed/text-set.ts";
import { UuidPool } from "../../model/packed/uuid-pool.ts";
import type { KnownRows, PrintSorter } from "../../store/index.ts";
import { asUuid } from "./prints.ts";

export interface EarlierDone {
  readonly create: number;
  readonly update: number;
  readonly delete: number;
}

/** The log of a run. */
export type EndedLog = { readonly records: () => AsyncIterable<JournalRecord> };

/**
 * What a run that did not come to its end has brought to its own: counted, and known from now on. `shown`: how the target shows
 * what it shows in words of its own, by key. `ended` hears of each that came to its end.
 */
export async function knownFromLogs(
  logs: readonly EndedLog[],
  known: PrintSorter,
  ended: (done: Done) => void,
): Promise<EarlierDone & { readonly shown: ReadonlyMap<string, string> }> {
  const done = { create: 0, update: 0, delete: 0, shown: new Map<string, string>() };
  for await (const one of doneIn(logs)) {
    const { intent, isShort, shown } = one;
    // Of what a part was refused counts as refused.
    if (!isShort) done[intent.action] += 1;
    ended(one);
    if (shown === undefined) done.shown.delete(intent.key);
    else done.shown.set(intent.key, shown);
    const [source, target] = intent.back === true ? wasOf(intent, isShort) : printsOf(intent, isShort, shown);
    await known.add({ key: intent.key, source, target });
  }
  return done;
}

/**
 * What a run that died before it kept what it knew has brought to its end. `isBack`: it took rows back, and what was
 * known before they were written is known again; otherwise a later edit of a colleague would be nobody's, or our own
 * would be a colleague's.
 */
export async function learnFrom(
  log: EndedLog,
  isBack: boolean,
  already: Pick<KnownRows, "get"> | undefined,
  known: PrintSorter,
): Promise<void> {
  // A run that went on with another one has written the word of that first, and its own after it: the last one holds.
  const told = new TextSet([], new UuidPool());
  for await (const { intent, isShort, shown } of doneIn([log])) {
    const takesBack = isBack || intent.back === true;
    const [source, target] = takesBack ? wasOf(intent, isShort) : printsOf(intent, isShort, shown);
    const there = already?.get(intent.key) ?? { source: forgotten, target: forgotten };
    // How the target shows a part was seen by whoever kept it.
    const isSame = there.source === source && (!takesBack || there.target === target);
    const isKept = isSame || (isShort && there.source === partWritten);
    if (isKept && !told.has(asUuid(intent.key))) continue;
    told.add(asUuid(intent.key));
    await known.add(isKept ? { ...there, key: intent.key } : { key: intent.key, source, target });
  }
}

const unknown = [forgotten, forgotten] as const;

/** Of what was put back in part neither what was known before nor what is there now is known. */
function wasOf({ was }: RowIntent, isShort: boolean): readonly [source: string, target: string] {
  return isShort ? unknown : (was ?? unknown);
}

function printsOf(
  { action, print, was }: RowIntent,
  isShort: boolean,
  shown: string | undefined,
): readonly [source: string, target: string] {
  if (action === "delete") return unknown;
  if (print === undefined) return was ?? unknown;
  // How the target shows a part is not known here: it is compared anew.
  return isShort || print[0] === partWritten ? unknown : [print[0], shown ?? print[0]];
}

export interface Done {
  readonly intent: RowIntent;
  /** A part of it was refused. */
  readonly isShort: boolean;
  /** How the target showed it, where that is otherwise than it was sent. */
  readonly shown?: string | undefined;
  /** What requests call it. */
  readonly target?: string | undefined;
}

/** Of rows that came to their end more than once each time. */
export async function* doneIn(logs: readonly EndedLog[]): AsyncGenerator<Done, void, undefined> {
  const open = new Map<string, Done>();
  for (const { records } of logs) {
    for await (const record of records()) {
      if (record.type === "rows")
        for (const intent of record.rows) open.set(intent.key, { intent, isShort: false });
      if (record.type !== "rows-done") continue;
      for (const outcome of record.rows) {
        const { key, result } = outcome;
        const row = open.get(key);
        if (row === undefined || result === "doubt") continue;
        const isShort = row.isShort || "short" in outcome;
        if (result === "sent") {
          if (isShort) open.set(key, { ...row, isShort });
          continue;
        }
        open.delete(key);
        if (result === "done") yield { ...row, isShort, shown: outcome.shown, target: outcome.target };
      }
    }
  }
}
