import type { AppliedChange } from "./change.ts";
import { display } from "./display.ts";
import { plural } from "./plural.ts";

/** What a run does at the target that nobody may read past, the worst first. */
const kinds = ["delete", "overwrite", "replace", "start"] as const;
export type ConsequenceKey = (typeof kinds)[number];

export interface Consequence {
  readonly key: ConsequenceKey;
  readonly count: number;
  /** `31 schedules start running at once`; of what was done: `31 schedules started running`. */
  readonly text: string;
  /** `monitors "Orders"`, `reference-data "Countries" (3 rows)`: the first few. */
  readonly names: readonly string[];
  /** So many others have no name here. */
  readonly others?: number;
}

export interface ConsequenceOptions {
  /** Whether this run may delete; undefined where that is decided later. */
  readonly allowDelete?: boolean | undefined;
}

/** The codes of a change's own diagnostics by which it is known. */
const overwriting = ["overwrites", "taken-over"] as const;
const starting = "schedule-starts";

/** Whether what a diagnostic of this code says of one change is told of all of them. */
export function isConsequence(code: string): boolean {
  return code === starting || overwriting.some((one) => one === code);
}

const mostNames = 5;

/**
 * What the changes of a diff will do at the target, or, where they have outcomes, what those that were done did. The
 * one place where this is decided: headline, question and reports all say the same.
 */
export function consequencesOf(
  changes: readonly AppliedChange[],
  { allowDelete }: ConsequenceOptions = {},
): readonly Consequence[] {
  const found = new Map<ConsequenceKey, AppliedChange[]>();
  for (const change of changes) {
    const isDone = change.outcome === undefined || change.outcome === "done";
    for (const key of keysOf(change, allowDelete)) {
      // Of a table a part may have failed: the rows that are gone are gone.
      if (!isDone && countDone(change, key) === 0) continue;
      const list = found.get(key);
      if (list === undefined) found.set(key, [change]);
      else list.push(change);
    }
  }
  return kinds.flatMap((key) => {
    const own = found.get(key);
    if (own === undefined) return [];
    const names = own.slice(0, mostNames).map((change) => {
      const { kind, source, target, id, records } = change;
      const rows = records === undefined ? "" : ` (${plural(countIn(change, key), "row")})`;
      return `${kind} "${source?.name ?? target?.name ?? id}"${rows}`;
    });
    const others = own.length - names.length;
    const isPast = own.every((change) => change.outcome === "done" || countDone(change, key) > 0);
    const count = own.reduce((sum, change) => sum + countIn(change, key), 0);
    return [
      { key, count, text: textOf(key, count, isPast, allowDelete), names, ...(others > 0 ? { others } : {}) },
    ];
  });
}

/** A table is as many objects as rows of it are concerned. */
function countIn({ records }: AppliedChange, key: ConsequenceKey): number {
  if (records === undefined) return 1;
  return key === "delete" ? (records.deleted ?? records.delete) : (records.overwritten ?? records.overwrites);
}

/** So many rows of a table it is so of already, whatever became of the others. */
function countDone({ records }: AppliedChange, key: ConsequenceKey): number {
  return (key === "delete" ? records?.deleted : records?.overwritten) ?? 0;
}

function keysOf(change: AppliedChange, allowDelete: boolean | undefined): readonly ConsequenceKey[] {
  if (change.action === "delete") return allowDelete === false ? [] : ["delete"];
  // What an earlier run had begun is brought to its end also where nothing else is to be written.
  if (!["create", "update", "replace", "adopt"].includes(change.action))
    return countDone(change, "overwrite") > 0 ? ["overwrite"] : [];
  if (change.records !== undefined)
    return [
      ...((change.records.deleted ?? change.records.delete) > 0 && allowDelete !== false
        ? (["delete"] as const)
        : []),
      ...(countIn(change, "overwrite") > 0 ? (["overwrite"] as const) : []),
    ];
  const codes = new Set(change.diagnostics.map(({ code }) => code));
  const keys: ConsequenceKey[] = [];
  if (overwriting.some((code) => codes.has(code))) keys.push("overwrite");
  if (change.action === "replace") keys.push("replace");
  if (codes.has(starting)) keys.push("start");
  return keys;
}

function textOf(
  key: ConsequenceKey,
  count: number,
  isPast: boolean,
  allowDelete: boolean | undefined,
): string {
  const objects = plural(count, "object");
  const be = isPast ? (count === 1 ? "was" : "were") : count === 1 ? "is" : "are";
  switch (key) {
    case "delete":
      return `${objects} ${be} deleted${isPast || allowDelete === true ? "" : " under --allow-delete"}`;
    case "overwrite":
      return `what people set in ${objects} ${isPast ? "was" : "is"} overwritten`;
    case "replace":
      return `${objects} ${be} replaced by new ones`;
    case "start": {
      const schedules = plural(count, "schedule");
      return isPast
        ? `${schedules} started running`
        : `${schedules} ${count === 1 ? "starts" : "start"} running at once`;
    }
  }
}

/** The end of a headline: ` At prod 31 schedules start running at once, 3 objects are deleted under --allow-delete.` */
export function consequenceSentence(found: readonly Consequence[], target: string): string {
  if (found.length === 0) return "";
  return ` At ${display(target)} ${found.map(({ text }) => text).join(", ")}.`;
}
