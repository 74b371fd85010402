import type { OpenTable, Row, RowTable } from "../../kinds/kind.ts";
import type { JournalRecord, RowIntent, RowsRecord } from "../../model/journal.ts";
import { display } from "../../model/display.ts";
import { TextSet } from "../../model/packed/text-set.ts";
import { UuidPool } from "../../model/packed/uuid-pool.ts";
import type { Json, JsonObject } from "../../model/json.ts";
import { fromEntries, own } from "../../model/json.ts";
import type { RowPrint } from "../../model/row-print.ts";
import { forgotten, partWritten } from "../../model/row-print.ts";
import type { KnownRows } from "../../store/index.ts";
import type { DoneRow } from "./done-row.ts";
import type { EndedLog } from "./known-from-logs.ts";
import type { RowLine } from "./line.ts";
import type { MadeRows } from "./made-rows.ts";
import { isKeyedOtherwise } from "./keyed-otherwise.ts";
import { isOfOurs, lookedUp, says, saysJust } from "./look-up.ts";
import { chunks } from "./pages.ts";
import { asUuid, isOfWhole, printOf, restPrint, unmovedOf, unmovedPrint } from "./prints.ts";
import { SeveralWords } from "./several-words.ts";
import type { Compared } from "./taken.ts";
import { takenBy } from "./taken.ts";

/** Rows that are looked at together. */
const perLook = 100;

interface UndoOptions {
  readonly table: Pick<RowTable, "naming" | "sense">;
  readonly open: OpenTable;
  /** What is known of rows now, in the table's sense. */
  readonly known: Pick<KnownRows, "get"> | undefined;
  readonly made: Pick<MadeRows, "has" | "wrote">;
}

/**
 * What takes back the rows of a run and of those that it went on with, from their logs of old values; what was touched since is left,
 * and why is said. Only rows that they have brought to their end are in it.
 */
export async function* undoLines(
  logs: readonly EndedLog[],
  options: UndoOptions,
): AsyncGenerator<readonly RowLine[], void, undefined> {
  const several = await SeveralWords.of(logs, options.open);
  for (const { records } of logs.toReversed()) {
    let done: DoneRow[] = [];
    for await (const row of doneRows(records(), options)) {
      if (several.takes(row)) continue;
      done.push(row);
      if (done.length < perLook) continue;
      yield look(done, options);
      done = [];
    }
    if (done.length > 0) yield look(done, options);
    several.nextLog();
  }
  for (const chunk of chunks(several.rows, perLook)) yield look(chunk, options);
}

/** What a run has brought to its end, by its log. */
async function* doneRows(
  records: AsyncIterable<JournalRecord>,
  { table, open }: Pick<UndoOptions, "table" | "open">,
): AsyncGenerator<DoneRow, void, undefined> {
  const intents = new Map<string, DoneRow>();
  /** Rows that the run has made, where a later part of them is written by itself. */
  const made = new TextSet([], new UuidPool());
  for await (const record of records) {
    if (record.type === "rows") {
      const otherwise = otherwiseIn(record, table);
      for (const intent of record.rows)
        intents.set(intent.key, { intent, otherwise: otherwise ?? keyedOtherwise(intent, open) });
    }
    if (record.type !== "rows-done") continue;
    for (const outcome of record.rows) {
      const { key, result } = outcome;
      const row = intents.get(key);
      if (row !== undefined && "short" in outcome) intents.set(key, { ...row, isShort: true });
      if (result === "sent" || result === "doubt") continue;
      intents.delete(key);
      if (result !== "done" || row === undefined) continue;
      if (open.isLater !== undefined && row.intent.action === "create") made.add(asUuid(key));
      // It goes with the row that was made.
      if (isLaterPart(row.intent, open) && made.has(asUuid(key))) continue;
      const { shown, unmoved, target: address = row.intent.target } = outcome;
      yield { ...row, shown, unmoved, address };
    }
  }
}

function isLaterPart({ action, values = {} }: RowIntent, open: OpenTable): boolean {
  const names = Object.keys(values);
  const isAny = action === "update" && names.length > 0;
  return isAny && names.every((name) => open.isLater?.(name) === true && open.stays?.(name) === true);
}

function otherwiseIn(
  { naming, sense }: Pick<RowsRecord, "naming" | "sense">,
  table: UndoOptions["table"],
): string | undefined {
  if (naming !== undefined && naming !== table.naming)
    return "the plan told rows apart otherwise (by key and origin) when the run wrote it: put these back as they were, and run again";
  if (sense !== undefined && sense !== table.sense)
    return "the plan moved other parts of these rows (columns, overrides, activity, relationships) when the run wrote it: put these back as they were, and run again";
  return undefined;
}

function keyedOtherwise(intent: RowIntent, open: OpenTable): string | undefined {
  return isKeyedOtherwise(intent, open)
    ? "a column of its key is of another type than when the run wrote it: give it the type that it had, and run again"
    : undefined;
}

async function look(rows: readonly DoneRow[], options: UndoOptions): Promise<readonly RowLine[]> {
  const { open, known } = options;
  const sought = rows.filter(({ otherwise }) => otherwise === undefined);
  const none: Awaited<ReturnType<typeof lookedUp>> = new Map();
  const found =
    sought.length === 0
      ? none
      : await lookedUp(
          open,
          sought.map(({ intent }) => intent),
        );
  const lines: RowLine[] = [];
  for (const row of rows) {
    const there = found.get(row.intent.key) ?? [];
    const seen = {
      ...row,
      isMadeAgain: await wasMadeAgain(row, there, options),
      isWrittenTo: await wasWrittenTo(row, there, options),
      isPartBack: isPartBack(row, there, known, open),
    };
    const line = withKnown(undoLine(seen, there, open), seen, there[0], known, open);
    lines.push(standing(line, known?.get(row.intent.key)));
  }
  const compared = lines.map((line, at): Compared => {
    const { key } = rows[at]?.intent ?? {};
    const there = found.get(key ?? "")?.[0];
    const back = fromEntries((line.fields ?? []).map(({ name, to }) => [name, to ?? null]));
    return { line, row: { key, name: line.name, values: { ...there?.values, ...back } }, there };
  });
  // What it has lost others may have by now.
  return takenBy(compared, options);
}

/** Somebody has removed it, or the whole table, and made one of that key. What a rollback, or a later run, has made again is ours. */
async function wasMadeAgain(
  { intent: { key }, address = "" }: DoneRow,
  [there]: readonly Row[],
  { made }: UndoOptions,
): Promise<boolean> {
  const now = there?.address ?? address;
  return address !== "" && now !== address && !(await made.has(key, now));
}

/** Whether it counts is none of it, nor are relations, which may have gone to another row since. */
async function wasWrittenTo(
  { intent: { key, action, before } }: DoneRow,
  [there]: readonly Row[],
  { open, made }: UndoOptions,
): Promise<boolean> {
  if (action !== "delete" || before === undefined || there?.isGone !== true) return false;
  const isOwn = (name: string): boolean =>
    open.isLater?.(name) !== true && own(open.asMade ?? {}, name) === undefined;
  const rest = (values: JsonObject): JsonObject =>
    fromEntries(Object.entries(values).filter(([name]) => isOwn(name)));
  if (saysJust(rest(there.values), rest(before), open)) return false;
  for (const values of [there.values, ...(there.aside ?? [])])
    if (await made.wrote(key, printOf(values, open))) return false;
  return true;
}

/** What a run has left of it in part a person sees to; what a rollback has, the next one goes on with. */
function isPartBack(
  { intent: { key, action, values = {}, before = {} }, isShort }: DoneRow,
  [there]: readonly Row[],
  known: UndoOptions["known"],
  open: OpenTable,
): boolean {
  const now = known?.get(key);
  if (isShort === true || there === undefined || now?.source !== partWritten) return false;
  const isOurs = action !== "update" || isOfOurs(there.values, values, before, open);
  return isOurs && isKnownSo(now, there, open);
}

/**
 * What is known of the row when it was taken back: what was known before the run, unless another run has written it since. Then it is
 * what the target says from now on, and the source is to be looked at anew.
 */
function withKnown(
  line: RowLine,
  { intent: { key, print, action }, isPartBack: isPart }: DoneRow,
  there: Row | undefined,
  known: UndoOptions["known"],
  open: OpenTable,
): RowLine {
  const now = known?.get(key);
  if (now === undefined) return line;
  if (line.action === "unchanged") {
    // Nothing is left to be taken back: what others have written since, or a rollback has put back, is known as it is.
    const isOthers = now.source !== print?.[0] && now.source !== partWritten;
    const isStanding = there !== undefined && isKnownSo(now, there, open);
    return isOthers || isStanding ? { ...line, was: [now.source, now.target] } : line;
  }
  if (print === undefined || action === "delete") return line;
  if (line.action !== "update" || line.before === undefined) return line;
  // What was put back in part may have more than before, which stays: what was known then fits it no more.
  const isOwn = now.source === print[0] || now.source === partWritten;
  if (isOwn && isPart !== true) return line;
  const after = {
    ...line.before,
    ...fromEntries((line.fields ?? []).map(({ name, to }) => [name, to ?? null])),
  };
  return { ...line, was: [partWritten, restPrint(after, open)] };
}

/** With what is known of it now. */
function standing(line: RowLine, now: RowPrint | undefined): RowLine {
  if (line.action === "unchanged" || line.action === "blocked") return line;
  return { ...line, stood: [now?.source ?? forgotten, now?.target ?? forgotten] };
}

function isKnownSo({ source, target }: RowPrint, { values }: Row, open: OpenTable): boolean {
  return target === printOf(values, open) || (source === partWritten && target === restPrint(values, open));
}

/** Pure: what takes one row back. */
export function undoLine(
  { intent, shown, unmoved, otherwise, isPartBack, isMadeAgain, isWrittenTo }: DoneRow,
  [there, ...more]: readonly Row[],
  open: Pick<OpenTable, "text" | "stays" | "isLater" | "isOurs" | "namesAll" | "keepsRows">,
): RowLine {
  const { key, name, action, values = {}, before } = intent;
  // What a rollback had taken back is known as it was until then.
  const was = intent.back === true ? (intent.stood ?? intent.was) : intent.was;
  const common = { name, key, ...(was === undefined ? {} : { was }) };
  const left = (reason: string): RowLine => ({ ...common, action: "blocked", reason });
  if (otherwise !== undefined) return left(otherwise);
  if (more.length > 0) return left("its key occurs several times at the target by now");
  const kept = "what it held was not kept, for want of room";
  if (action === "delete") {
    const isThere = there !== undefined && there.isGone !== true;
    if (isThere && before !== undefined && says(there.values, before, open))
      return { ...common, action: "unchanged" };
    if (isThere && isPartBack !== true) return left("somebody has made it again since");
    if (before === undefined) return left(kept);
    if (isWrittenTo === true && isPartBack !== true) return left("somebody has changed it since");
    if (isThere) {
      const fields = Object.entries(before).map(([field, to]) => ({
        name: field,
        from: own(there.values, field),
        to,
      }));
      const address = there.address === undefined ? {} : { address: there.address };
      return { ...common, ...address, action: "update", fields, before: there.values };
    }
    const fields = Object.entries(before).map(([field, to]) => ({ name: field, from: undefined, to }));
    // It may be there and not count: what is made again is that one.
    const address = there?.address === undefined ? {} : { address: there.address };
    const aside = intent.unmoved === undefined ? {} : { unmoved: intent.unmoved };
    return { ...common, ...address, action: "create", fields, ...aside };
  }
  if (there === undefined || (action === "create" && there.isGone === true))
    return { ...common, action: "unchanged" };
  if (isMadeAgain === true) return left("somebody has removed it and made it again since");
  const written = Object.keys(values);
  // Of a row that was made it goes with the row.
  const staying =
    action === "create"
      ? []
      : written.filter((field) => open.stays?.(field) === true && own(before ?? {}, field) === undefined);
  if (staying.length > 0 && staying.length === written.length) return left(stays);
  const old = fromEntries(
    written
      .filter((field) => !staying.includes(field))
      .map((field): [string, Json] => [field, own(before ?? {}, field) ?? null]),
  );
  if (action === "update" && before !== undefined && says(there.values, old, open))
    return { ...common, action: "unchanged" };
  // As the service showed it then, in words of its own, is as it was sent.
  const isAsShown =
    shown !== undefined && isOfWhole(there.values, open) && printOf(there.values, open) === shown;
  const isPart = isPartBack === true && action === "update" && before !== undefined;
  if (!isAsShown && !isPart && !says(there.values, values, open))
    return left("somebody has changed it since");
  const address = there.address === undefined ? {} : { address: there.address };
  if (action === "create") {
    const other = Object.keys(there.values).find(
      (field) => own(values, field) === undefined && open.isLater?.(field) !== true,
    );
    if (!isAsShown && other !== undefined) return left("somebody has changed it since");
    // It would go with what the plan says nothing of.
    if (unmoved !== undefined && unmovedPrint(there, open) !== unmoved)
      return left(
        "somebody has changed it since, in a column that the plan does not move: remove it in the web application if it is to go",
      );
    // In a review no deletion is approved by anybody: a later run would publish it.
    if (open.keepsRows !== undefined) return left(open.keepsRows);
    const fields = placeBack(intent, there, open);
    const back = fields.length === 0 ? {} : { fields };
    return { ...common, ...address, action: "delete", ...back, before: there.values, ...unmovedOf(there) };
  }
  if (before === undefined) return left(kept);
  const fields = Object.entries(old).map(([field, to]) => ({
    name: field,
    from: own(there.values, field),
    to,
  }));
  const told = staying.length === 0 ? {} : { reason: `${stays}: ${staying.map(display).join(", ")}` };
  return { ...common, ...address, ...told, action: "update", fields, before: there.values };
}

/** What was made in the place of something that did not count any more is that again, with what it said then. */
function placeBack(
  { values = {}, before }: RowIntent,
  there: Row,
  open: Pick<OpenTable, "text" | "stays" | "isLater">,
): NonNullable<RowLine["fields"]> {
  if (before === undefined) return [];
  return Object.keys(values).flatMap((name) => {
    const [from, to] = [own(there.values, name), own(before, name)];
    const isKept = open.isLater?.(name) === true || (to === undefined && open.stays?.(name) === true);
    if (isKept || open.text(name, from ?? null) === open.text(name, to ?? null)) return [];
    return [{ name, from, to }];
  });
}

const stays = "no request takes away what it was given beside its values, a relation or a time of the source";
