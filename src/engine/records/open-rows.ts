import type { JournalRecord, RowIntent } from "../../model/journal.ts";
import type { OpenTable } from "../../kinds/kind.ts";
import type { JsonObject } from "../../model/json.ts";
import { own } from "../../model/json.ts";
import type { PlannedRow } from "./line.ts";
import { lookedUp } from "./look-up.ts";
import { chunks } from "./pages.ts";

/** A row that a run has begun to write and not brought to its end. */
export interface OpenRow {
  readonly intent: RowIntent;
  /** `doubt`: whether it was written is not known. `sent`: it is in the draft. `held`: in a review. */
  readonly state: "doubt" | "sent" | "held";
  readonly target?: string;
  readonly review?: { readonly urn: string; readonly name: string };
  readonly reason?: string;
  readonly looked?: true;
  /** When it was sent, or its answer was lost; milliseconds. */
  readonly at: number;
}

/**
 * What is left of the runs in these logs. A change or a deletion that was not published is none: the next look finds what
 * is published, and it is sent again; unless rows are written in parts. A create is never sent again while it may be there.
 */
export async function openRows(
  logs: readonly { readonly records: () => AsyncIterable<JournalRecord> }[],
  inParts = false,
): Promise<ReadonlyMap<string, OpenRow>> {
  const open = new Map<string, OpenRow>();
  for (const { records } of logs) {
    for await (const record of records()) feed(open, record);
  }
  for (const [key, { intent, state }] of open)
    if (!inParts && intent.action !== "create" && state !== "held") open.delete(key);
  return open;
}

function feed(open: Map<string, OpenRow>, record: JournalRecord): void {
  if (record.type === "rows") {
    const at = Date.parse(record.at);
    const reason = "the run ended before an answer was recorded";
    // One that is open was carried on from an earlier log: what is known of it is known still.
    for (const intent of record.rows)
      open.set(intent.key, { ...(open.get(intent.key) ?? { state: "doubt", reason, at }), intent });
  }
  if (record.type === "rows-done") {
    for (const outcome of record.rows) {
      const row = open.get(outcome.key);
      if (row === undefined) continue;
      // What was put up for review was so after it was sent.
      if (outcome.result === "sent") {
        const state = row.state === "held" ? row.state : "sent";
        open.set(outcome.key, { ...row, state, target: outcome.target });
      } else if (outcome.result === "doubt")
        open.set(outcome.key, {
          ...row,
          state: "doubt",
          reason: outcome.reason,
          at: Date.parse(record.at),
          ...(outcome.looked === undefined ? {} : { looked: outcome.looked }),
        });
      else open.delete(outcome.key);
    }
  }
  if (record.type === "rows-held") {
    for (const key of record.keys) {
      const row = open.get(key);
      if (row !== undefined) open.set(key, { ...row, state: "held", review: record.review });
    }
  }
}

/**
 * Of changes that were begun those where nobody else has been: each value is as it was, or as it was to be. The others
 * are nobody's to go on with: what stands there now is compared like anything else.
 */
export async function withoutOthers(
  rows: ReadonlyMap<string, OpenRow>,
  open: OpenTable,
): Promise<ReadonlyMap<string, OpenRow>> {
  const changes = [...rows.values()].filter(
    ({ intent, state }) => intent.action !== "create" && state !== "held",
  );
  const others = new Set<string>();
  for (const chunk of chunks(changes, open.perLookUp)) {
    const found = await lookedUp(
      open,
      chunk.map(({ intent }) => intent),
    );
    for (const { intent } of chunk)
      if (!isOfRun(intent, found.get(intent.key)?.[0]?.values, open)) others.add(intent.key);
  }
  return new Map([...rows].filter(([key]) => !others.has(key)));
}

function isOfRun({ values = {}, before = {} }: RowIntent, there: JsonObject = {}, open: OpenTable): boolean {
  return Object.entries(values).every(([name, value]) => {
    const now = open.text(name, own(there, name) ?? null);
    return now === open.text(name, value) || now === open.text(name, own(before, name) ?? null);
  });
}

/** The same as a row that is planned: it is gone on with. */
export function plannedFrom({ intent, target }: OpenRow): PlannedRow {
  const { action, key, name, values = {}, before, print, was } = intent;
  const address = target ?? intent.target;
  return {
    task: {
      action,
      key,
      name,
      values,
      ...(before === undefined ? {} : { before }),
      ...(address === undefined ? {} : { address }),
    },
    print,
    was,
  };
}
