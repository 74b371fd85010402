import type { JournalRecord, RowIntent } from "../../model/journal.ts";
import { forgotten, partWritten } from "../../model/row-print.ts";
import type { PrintSorter } from "../../store/index.ts";

export interface EarlierDone {
  readonly create: number;
  readonly update: number;
  readonly delete: number;
}

/** What a run that did not come to its end has brought to its own: counted, and known from now on. */
export async function knownFromLogs(
  logs: readonly { readonly records: () => AsyncIterable<JournalRecord> }[],
  known: PrintSorter,
): Promise<EarlierDone> {
  const done = { create: 0, update: 0, delete: 0 };
  const open = new Map<string, RowIntent>();
  for (const { records } of logs) {
    for await (const record of records()) {
      if (record.type === "rows") for (const intent of record.rows) open.set(intent.key, intent);
      if (record.type !== "rows-done") continue;
      for (const { key, result } of record.rows) {
        const intent = open.get(key);
        if (intent === undefined || result === "sent" || result === "doubt") continue;
        open.delete(key);
        if (result !== "done") continue;
        done[intent.action] += 1;
        const source = intent.action === "delete" ? forgotten : intent.print?.[0];
        // How the target shows a part is not known here: it is compared anew.
        const print = source === undefined || source === partWritten ? forgotten : source;
        await known.add({ key, source: print, target: print });
      }
    }
  }
  return done;
}
