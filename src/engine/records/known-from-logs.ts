import type { JournalRecord, RowIntent } from "../../model/journal.ts";
import { forgotten, partWritten } from "../../model/row-print.ts";
import type { KnownRows, PrintSorter } from "../../store/index.ts";

export interface EarlierDone {
  readonly create: number;
  readonly update: number;
  readonly delete: number;
}

type Log = { readonly records: () => AsyncIterable<JournalRecord> };

/** What a run that did not come to its end has brought to its own: counted, and known from now on. */
export async function knownFromLogs(logs: readonly Log[], known: PrintSorter): Promise<EarlierDone> {
  const done = { create: 0, update: 0, delete: 0 };
  for await (const intent of doneIn(logs)) {
    done[intent.action] += 1;
    const [source, target] = intent.back === true ? (intent.was ?? unknown) : printsOf(intent);
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
  log: Log,
  isBack: boolean,
  already: Pick<KnownRows, "get"> | undefined,
  known: PrintSorter,
): Promise<void> {
  for await (const intent of doneIn([log])) {
    const takesBack = isBack || intent.back === true;
    const [source, target] = takesBack ? (intent.was ?? unknown) : printsOf(intent);
    const there = already?.get(intent.key) ?? { source: forgotten, target: forgotten };
    // How the target shows a part was seen by whoever kept it.
    if (there.source === source && (!takesBack || there.target === target)) continue;
    await known.add({ key: intent.key, source, target });
  }
}

const unknown = [forgotten, forgotten] as const;

function printsOf({ action, print, was }: RowIntent): readonly [source: string, target: string] {
  if (action === "delete") return unknown;
  if (print === undefined) return was ?? unknown;
  // How the target shows a part is not known here: it is compared anew.
  return print[0] === partWritten ? unknown : [print[0], print[0]];
}

async function* doneIn(logs: readonly Log[]): AsyncGenerator<RowIntent, void, undefined> {
  const open = new Map<string, RowIntent>();
  for (const { records } of logs) {
    for await (const record of records()) {
      if (record.type === "rows") for (const intent of record.rows) open.set(intent.key, intent);
      if (record.type !== "rows-done") continue;
      for (const { key, result } of record.rows) {
        const intent = open.get(key);
        if (intent === undefined || result === "sent" || result === "doubt") continue;
        open.delete(key);
        if (result === "done") yield intent;
      }
    }
  }
}
