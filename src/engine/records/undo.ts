import type { OpenTable, Row } from "../../kinds/kind.ts";
import type { JournalRecord, RowIntent } from "../../model/journal.ts";
import { display } from "../../model/display.ts";
import type { Json } from "../../model/json.ts";
import { fromEntries, own } from "../../model/json.ts";
import type { RowLine } from "./line.ts";
import { lookedUp, says } from "./look-up.ts";

/** Rows that are looked at together. */
const perLook = 100;

/**
 * What takes back the rows of a run, from its log of old values; what was touched since is left, and why is said. Only
 * rows that the run has brought to their end are in it.
 */
export async function* undoLines(
  records: AsyncIterable<JournalRecord>,
  open: OpenTable,
): AsyncGenerator<readonly RowLine[], void, undefined> {
  const intents = new Map<string, RowIntent>();
  let done: RowIntent[] = [];
  for await (const record of records) {
    if (record.type === "rows") for (const intent of record.rows) intents.set(intent.key, intent);
    if (record.type !== "rows-done") continue;
    for (const { key, result } of record.rows) {
      const intent = intents.get(key);
      if (result === "sent" || result === "doubt") continue;
      intents.delete(key);
      if (result === "done" && intent !== undefined) done.push(intent);
    }
    for (; done.length >= perLook; done = done.slice(perLook)) yield look(done.slice(0, perLook), open);
  }
  if (done.length > 0) yield look(done, open);
}

async function look(intents: readonly RowIntent[], open: OpenTable): Promise<readonly RowLine[]> {
  const found = await lookedUp(open, intents);
  return intents.map((intent) => undoLine(intent, found.get(intent.key) ?? [], open));
}

/** Pure: what takes one row back. */
export function undoLine(
  intent: RowIntent,
  [there, ...more]: readonly Row[],
  open: Pick<OpenTable, "text" | "stays">,
): RowLine {
  const { key, name, action, values = {}, before, was } = intent;
  const common = { name, key, ...(was === undefined ? {} : { was }) };
  const left = (reason: string): RowLine => ({ ...common, action: "blocked", reason });
  if (more.length > 0) return left("its key occurs several times at the target by now");
  const kept = "what it held was not kept, for want of room";
  if (action === "delete") {
    const isThere = there !== undefined && there.isGone !== true;
    if (isThere && before !== undefined && says(there.values, before, open))
      return { ...common, action: "unchanged" };
    if (isThere) return left("somebody has made it again since");
    if (before === undefined) return left(kept);
    const fields = Object.entries(before).map(([field, to]) => ({ name: field, from: undefined, to }));
    // It may be there and not count: what is made again is that one.
    const address = there?.address === undefined ? {} : { address: there.address };
    return { ...common, ...address, action: "create", fields };
  }
  if (there === undefined || (action === "create" && there.isGone === true))
    return { ...common, action: "unchanged" };
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
  if (!says(there.values, values, open)) return left("somebody has changed it since");
  const address = there.address === undefined ? {} : { address: there.address };
  if (action === "create") {
    const other = Object.keys(there.values).find((field) => own(values, field) === undefined);
    if (other !== undefined) return left("somebody has changed it since");
    return { ...common, ...address, action: "delete", before: there.values };
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

const stays = "no request takes away what it was given beside its values, a relation or a time of the source";
