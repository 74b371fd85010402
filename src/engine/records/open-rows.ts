import type { JournalRecord, RowIntent } from "../../model/journal.ts";
import type { OpenTable, Row } from "../../kinds/kind.ts";
import type { JsonObject } from "../../model/json.ts";
import { asKept } from "../../model/value-form.ts";
import type { PlannedRow } from "./line.ts";
import { withoutRest } from "./line.ts";
import { asItWas, asRead, isAsBefore, isMadeAnew, isOfOurs, lookedUp, saysKept } from "./look-up.ts";
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
  /** A part of it was refused. */
  readonly short?: true;
  /** The service keeps it in a form of its own, as it was before. */
  readonly asBefore?: true;
  /** It is a person's to decide, and never sent again. */
  readonly asks?: true;
  /** A person was asked about it by the run that looked at it last. */
  readonly told?: true | undefined;
  /** By what its plan told rows apart, where that was written down. */
  readonly naming?: string | undefined;
  /** The table of the target that it goes to, where that was written down. */
  readonly place?: string | undefined;
  /** The run that has it open. */
  readonly run: string;
  /** When this process took it up, by a clock that nobody sets: the quiet period counts from then. */
  readonly at?: number;
  /** What the target shows of it now, where that was looked at; undefined: nothing. */
  readonly there?: JsonObject | undefined;
}

/**
 * What is left of the runs in these logs, whatever it is: a change that a run does not mean any more would stand in the
 * draft of the table, or be written in part, and nobody would tell of it.
 */
export async function openRows(
  logs: readonly { readonly records: () => AsyncIterable<JournalRecord> }[],
): Promise<ReadonlyMap<string, OpenRow>> {
  const open = new Map<string, OpenRow>();
  for (const { records } of logs) {
    for await (const record of records()) feed(open, record);
  }
  return open;
}

function feed(open: Map<string, OpenRow>, record: JournalRecord): void {
  if (record.type === "rows") {
    const { run, naming, place } = record;
    for (const intent of record.rows) {
      const known = open.get(intent.key);
      // One that is open was carried on from an earlier log: what is known of it is known still. What a run has on record already it sends
      // once more, and the service may be at work on that.
      const isKnown = known !== undefined && known.run !== run;
      open.set(intent.key, { ...(isKnown ? known : unansweredNow(known)), intent, run, naming, place });
    }
  }
  if (record.type === "rows-done") {
    for (const outcome of record.rows) {
      const row = open.get(outcome.key);
      if (row === undefined) continue;
      // What was put up for review was so after it was sent.
      if (outcome.result === "sent") {
        const state = row.state === "held" ? row.state : "sent";
        const short = outcome.short === undefined ? {} : { short: outcome.short };
        const asBefore = outcome.asBefore === undefined ? {} : { asBefore: outcome.asBefore };
        const { target, told } = outcome;
        const why = outcome.reason === undefined ? {} : { reason: outcome.reason };
        open.set(outcome.key, { ...row, ...short, ...asBefore, ...why, state, target, told });
      } else if (outcome.result === "doubt")
        open.set(outcome.key, {
          ...row,
          state: "doubt",
          reason: outcome.reason,
          told: outcome.told,
          ...(outcome.looked === undefined ? {} : { looked: outcome.looked }),
          ...(outcome.asks === undefined ? {} : { asks: outcome.asks }),
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

/** Whatever is known of it from before, but for what became of that. */
function unansweredNow(known: OpenRow | undefined): Pick<OpenRow, "state" | "reason"> {
  const { asks: _asks, told: _told, ...before } = known ?? {};
  return { ...before, state: "doubt", reason: "no answer to it was recorded" };
}

/**
 * Of changes that were begun those where nobody else has been: each value is as it was, or as it was to be. The others
 * are nobody's to go on with: what stands there now is compared like anything else.
 */
export async function apartFromOthers(
  rows: ReadonlyMap<string, OpenRow>,
  open: OpenTable,
): Promise<{ readonly ours: ReadonlyMap<string, OpenRow>; readonly others: readonly OpenRow[] }> {
  const ours = new Map(rows);
  const changes = [...rows.values()].filter(isBegun);
  // Of what has no old values nothing tells whose it is.
  const [kept, without] = [true, false].map((has) =>
    changes.filter(({ intent }) => (intent.before !== undefined) === has),
  ) as [OpenRow[], OpenRow[]];
  const others = [...without];
  for (const chunk of chunks(kept, open.perLookUp)) {
    const found = await lookedUp(
      open,
      chunk.map(({ intent }) => intent),
    );
    for (const row of chunk) {
      const { intent, target: address = intent.target } = row;
      const all = found.get(intent.key) ?? [];
      const [there, ...more] = all;
      const isAnew = isMadeAnew({ ...intent, ...(address === undefined ? {} : { address }) }, all);
      // Of what was changed it may be the change itself that it does not count any more: it was switched off.
      const isGone = intent.action === "delete" && there?.isGone === true;
      const shown = isGone ? undefined : there;
      if (more.length > 0 || isAnew) others.push(row);
      else if (!isOfRun(intent, shown, open)) others.push({ ...row, there: shown?.values });
      else ours.set(intent.key, { ...row, there: shown?.values });
    }
  }
  for (const { intent } of others) ours.delete(intent.key);
  return { ours, others };
}

/**
 * A change that nobody has to say yes to, or that is in a review that nobody can name: to send it once more makes nothing twice, and
 * shows whether it is under review still. So is a deletion, whatever review was asked for: none holds one (document 2), and the draft may
 * be discarded by now, or the row be somebody's.
 */
export function isBegun({ intent: { action }, state, review }: OpenRow): boolean {
  return action !== "create" && (action === "delete" || state !== "held" || review?.urn === "");
}

function isOfRun(
  { action, values = {}, before = {}, unmoved }: RowIntent,
  there: Row | undefined,
  open: OpenTable,
): boolean {
  // What somebody has added to a row goes with it.
  if (action === "delete") return there === undefined || isAsBefore(there, { before, values, unmoved }, open);
  // What is not read looks as if nothing stood there.
  if (asRead(values, open) !== values) return false;
  // Somebody has removed it: nothing can be changed there any more, also where there was no value before.
  return (
    there !== undefined &&
    isOfOurs(there.values, asKept({ values, before }, there.values, open), before, open)
  );
}

/** A deletion is asked for by each run that sends it. */
export function mayGoOn({ intent }: OpenRow, allowDelete: boolean): boolean {
  return allowDelete || intent.action !== "delete";
}

/** Whether the target shows what was to be. */
export function isDone(
  { intent: { action, values = {}, before }, there }: OpenRow,
  open: OpenTable,
): boolean {
  if (action === "delete") return there === undefined;
  return there !== undefined && saysKept(there, { values, before }, open);
}

/** The same as a row that is planned: it is gone on with. */
export function plannedFrom({ intent, target, there, short }: OpenRow): PlannedRow {
  const { action, key, name, values = {}, unmoved, print, was } = intent;
  // Where somebody has changed another part of it since, that stands, and is theirs.
  const compared = there === undefined ? undefined : intent.before;
  const before = compared === undefined ? intent.before : { ...there, ...asItWas(values, compared) };
  const address = target ?? intent.target;
  const planned: PlannedRow = {
    task: {
      action,
      key,
      name,
      values,
      ...(before === undefined ? {} : { before }),
      ...(unmoved === undefined ? {} : { unmoved }),
      ...(address === undefined ? {} : { address }),
    },
    print,
    was,
    stood: intent.stood,
    ...(compared === undefined ? {} : { compared }),
    ...(action === "create" && intent.target === undefined ? { isNew: true } : {}),
    ...(intent.back === undefined ? {} : { isBack: intent.back }),
  };
  return short === undefined ? planned : withoutRest({ ...planned, isShort: short });
}
