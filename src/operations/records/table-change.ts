import type { RowLine } from "../../engine/records/line.ts";
import { lineJson } from "../../engine/records/line.ts";
import type { TableDiff } from "../../engine/records/tally.ts";
import type { Insight } from "../../engine/records/explain.ts";
import type { Written } from "../../engine/records/written.ts";
import type { Action, AppliedChange, FieldChange, Outcome, TableRows } from "../../model/change.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { fromEntries, pointerToken } from "../../model/json.ts";
import type { Json } from "../../model/json.ts";
import { quotedWord } from "../../model/shell-word.ts";
import { plural } from "../../model/plural.ts";
import type { LeftRow } from "./left-rows.ts";
import { seenTo, seenToNow } from "./still-open.ts";
import { insightDiagnostics } from "./insight.ts";
import { refusedFile } from "./refused-rows.ts";
import type { OpenedTable } from "./tables.ts";

/** Rows of a table that are told one by one. */
const mostTold = 20;

interface StandingCounts {
  /** Of the rows that wait for a review, the ones that the comparison has counted. */
  readonly heldBefore: number;
  /** Rows that have been sent and that nobody has seen: the next run brings them to their end. */
  readonly sent: number;
  /** Rows that earlier runs have left, and with which nothing was done. */
  readonly left: ReadonlyMap<string, LeftRow>;
  /** With what an earlier run has compared, and has written a part of. */
  readonly goesOn: boolean;
}

const nothingStands: StandingCounts = { heldBefore: 0, sent: 0, left: new Map(), goesOn: false };

/** The one entry that a table has in a result: its rows counted, the first changes shown. */
export function tableChange(
  { kind, table, open, why }: OpenedTable,
  diff: TableDiff | undefined,
  written?: Written,
  { heldBefore, sent, left, goesOn }: StandingCounts = nothingStands,
  insight?: Insight,
): AppliedChange {
  const common = {
    id: `${kind.name}:${table.id}`,
    kind: kind.name,
    source: open?.source ?? { urn: table.id, name: table.name },
    dependsOn: [],
  };
  if (open === undefined || diff === undefined) {
    const reason = why?.unusable ?? "it was not compared";
    const suggestion = why?.suggestion ?? "Run it again.";
    const diagnostic: Diagnostic = {
      severity: "error",
      code: "table-unusable",
      coordinate: { kind: kind.name, ...common.source },
      summary: reason,
      suggestion,
    };
    return { ...common, action: "blocked", reason, fields: [], diagnostics: [diagnostic] };
  }
  const records = recordsOf(table.id, diff, written, { heldBefore, goesOn });
  const action = actionOf(diff);
  return {
    ...common,
    target: open.target,
    action,
    reason: reasonOf(table.id, records, sent),
    fields: diff.samples.flatMap(fieldsOf).slice(0, mostTold),
    diagnostics: [
      ...diff.samples
        .filter(({ action: what }) => what === "blocked")
        .map((line) => blockedRow(common, line, left.get(line.key ?? "")?.isInDoubt)),
      ...firstContact(common, diff),
      ...taken(common, diff),
      ...contested(common, diff),
      ...diff.samples.filter(isByHand).map((line) => handWork(common, line)),
      ...(insight === undefined ? [] : insightDiagnostics(common, insight, diff.samples, records.file)),
      ...(written === undefined ? waitingDiagnostics(common, left) : writtenDiagnostics(common, written)),
      ...(action === "unchanged" ? finished(common, records.done) : []),
    ],
    records,
    ...(written === undefined || action !== "update" ? {} : { outcome: outcomeOf(written, sent) }),
  };
}

function recordsOf(
  id: string,
  diff: TableDiff,
  written: Written | undefined,
  { heldBefore, goesOn }: Pick<StandingCounts, "heldBefore" | "goesOn">,
): TableRows {
  const { counts, samples, digest, besideLeft, waiting, byHand } = diff;
  const done = written === undefined ? 0 : written.done.create + written.done.update + written.done.delete;
  const held = written?.held.reduce((sum, { rows }) => sum + rows, 0) ?? 0;
  return {
    ...counts,
    manual: counts.manual + byHand + held - heldBefore,
    failed: written?.refused ?? 0,
    overwrites: diff.overwrites + diff.taking,
    inDoubt: (written?.lost ?? 0) + (written?.late ?? 0) + (written?.unclear.length ?? 0),
    done,
    ...(written === undefined ? {} : { deleted: written.done.delete }),
    // What the earlier run has overwritten is known from its comparison alone.
    ...(written === undefined || goesOn ? {} : { overwritten: written.overwritten }),
    samples: samples.map((line) => {
      const {
        key: _key,
        print: _print,
        was: _was,
        before: _before,
        unmoved: _unmoved,
        ...shown
      } = lineJson(line);
      return shown;
    }),
    file: `records/${id}.ndjson`,
    ...(diff.isEarlier === true ? { comparedBefore: true } : {}),
    digest,
    ...(besideLeft === undefined ? {} : { besideLeft }),
    waiting,
  };
}

function actionOf({ counts }: TableDiff): Action {
  if (counts.create + counts.update + counts.delete > 0) return "update";
  const waiting = (["conflict", "drift", "manual", "blocked"] as const).find((action) => counts[action] > 0);
  return waiting ?? "unchanged";
}

function reasonOf(id: string, records: TableRows, sent: number): string {
  const parts = [
    [records.create, "to create"],
    [records.update, "to update"],
    [records.delete, "to delete"],
    [records.done, "done"],
    [sent, "sent and not seen yet"],
    [records.failed, "refused"],
    [records.inDoubt, "in doubt"],
    [records.blocked, "blocked"],
    [records.drift, "drifted"],
    [records.conflict, "in conflict"],
    [records.manual, "waiting for a person"],
    [records.unchanged, "unchanged"],
  ] as const;
  const told = parts
    .filter(([count]) => count > 0)
    .map(([count, what]) => `${count.toLocaleString("en")} ${what}`);
  const refused = records.failed === 0 ? "" : `, what was refused in records/${refusedFile(id)}.ndjson`;
  return `rows: ${told.length === 0 ? "none" : told.join(", ")}; each of them in ${records.file}${refused}`;
}

/** `DE/name`: what of which row. */
function fieldsOf({ action, name, fields = [], before }: RowLine): readonly FieldChange[] {
  const row = `/${pointerToken(name)}`;
  if (action === "delete") return [{ path: row, ...(before === undefined ? {} : { from: before }) }];
  if (action === "create" && fields.every(({ from }) => from === undefined)) {
    const values = fields.map(({ name: field, to }): [string, Json] => [field, to ?? null]);
    return [{ path: row, to: fromEntries(values) }];
  }
  if (action === "blocked" || action === "manual") return [];
  return fields.map(({ name: field, from, to }) => ({
    path: `${row}/${pointerToken(field)}`,
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
  }));
}

type About = Pick<AppliedChange, "kind" | "source">;

/** `isInDoubt`: each further run may say the same of it. */
function blockedRow(
  { kind, source }: About,
  { name, reason = "" }: RowLine,
  isInDoubt: boolean | undefined,
): Diagnostic {
  return {
    severity: "warning",
    code: "row-blocked",
    ...(source === undefined ? {} : { coordinate: { kind, ...source } }),
    summary: `the row ${name}: ${reason}`,
    ...(isInDoubt === true ? { suggestion: seenTo("PLAN", `${kind}:${source?.name ?? ""}`) } : {}),
  };
}

/** Told by every run until it is no news: the rows were there before anybody moved them. */
function firstContact({ kind, source }: About, diff: TableDiff): readonly Diagnostic[] {
  const { firstContact: rows, overwrites, taking, revived } = diff;
  if (rows === 0) return [];
  const other = Math.min(overwrites + taking, rows);
  const so =
    other === 0
      ? "nothing that stands there is overwritten"
      : `of ${other.toLocaleString("en")} what stands there is overwritten`;
  return [
    {
      severity: other + revived === 0 ? "info" : "warning",
      code: "row-first-contact",
      ...(source === undefined ? {} : { coordinate: { kind, ...source } }),
      summary: `first contact: ${plural(rows, "row")} ${rows === 1 ? "is" : "are"} at the target already; ${so}${revived === 0 ? "" : `; ${plural(revived, "row")} that ${revived === 1 ? "is" : "are"} deactivated there, by a person or a rollback, ${revived === 1 ? "is" : "are"} made active`}`,
    },
  ];
}

/** What a colleague has related to another record is told row by row: no request gives it back. */
function taken({ kind, source }: About, { samples, taking }: TableDiff): readonly Diagnostic[] {
  const at = source === undefined ? {} : { coordinate: { kind, ...source } };
  const common = { severity: "warning", code: "row-takes", ...at } as const;
  const told = samples.filter(({ takes }) => takes !== undefined);
  const suggestion =
    "Where it is to stay there, relate it so at the source before you apply; a rollback does not give it back.";
  const more = taking - told.length;
  return [
    ...told.map(({ name, takes = [] }) => ({
      ...common,
      summary: `the row ${name}: ${takes.join("; ")}`,
      suggestion,
    })),
    ...(more > 0
      ? [
          {
            ...common,
            summary: `${plural(more, "more row")} ${more === 1 ? "takes" : "take"} records away from others at the target: they stand in the table's file under "takes"`,
            suggestion,
          },
        ]
      : []),
  ];
}

/** Rows are many, and known by prints: nobody decides one of them by itself, and nothing is there to merge it from. */
function contested(
  { kind, source }: About,
  { counts: { drift, conflict } }: TableDiff,
): readonly Diagnostic[] {
  if (drift + conflict === 0) return [];
  const all = [
    ...(drift === 0
      ? []
      : ["policy.drift: overwrite (policy.missingTarget: recreate where one was removed there)"]),
    ...(conflict === 0 ? [] : ["policy.conflict: source-wins"]),
  ];
  const one = drift + conflict === 1;
  return [
    {
      severity: "warning",
      code: "row-contested",
      ...(source === undefined ? {} : { coordinate: { kind, ...source } }),
      summary: `${plural(drift + conflict, "row")} ${one ? "was" : "were"} changed or removed at the target since the last apply, and ${one ? "is" : "are"} left`,
      suggestion: `Say the same at the source, or put ${one ? "it" : "them"} back at the target; ${all.join(" and ")} would bring the source's word to all such rows. Where ${one ? "it" : "they"} may stay so: ferry ack PLAN ${quotedWord(`${kind}:${source?.name ?? ""}`)}`,
    },
  ];
}

/**
 * It is written, or is as it should be, but for what no request does; or it is to go, and no request takes it away. Rows in a
 * review have neither a print nor old values.
 */
function isByHand({ action, print, before, reason }: RowLine): boolean {
  const isThere = print !== undefined || (action === "manual" && before !== undefined);
  return ["create", "update", "manual"].includes(action) && isThere && reason !== undefined;
}

function handWork({ kind, source }: About, { name, reason = "" }: RowLine): Diagnostic {
  return {
    severity: "warning",
    code: "row-by-hand",
    ...(source === undefined ? {} : { coordinate: { kind, ...source } }),
    summary: `the row ${name}: ${reason}`,
    suggestion: "Do it in the web application of the target; the next run sees it.",
  };
}

function writtenDiagnostics(about: About, written: Written): readonly Diagnostic[] {
  const { kind, source } = about;
  const at = source === undefined ? {} : { coordinate: { kind, ...source } };
  const tableWord = quotedWord(`${kind}:${source?.name ?? ""}`);
  const told = (
    rows: Written["refusals"],
    code: Diagnostic["code"],
    severity: Diagnostic["severity"],
  ): readonly Diagnostic[] =>
    rows
      .slice(0, mostTold)
      .map(({ name, reason }) => ({ severity, code, ...at, summary: `the row ${name}: ${reason}` }));
  const late: Diagnostic = {
    severity: "warning",
    code: "row-late",
    ...at,
    summary: `${plural(written.late, "row")} of it were published and do not show yet`,
    suggestion: `Run it again: nothing is sent twice. limits.publishWait says how long it waits. What never shows may have been discarded: look for its draft in the web application, and then: ferry resolve PLAN --abandon ${tableWord}`,
  };
  const left: Diagnostic = {
    severity: "warning",
    code: "row-without-old-values",
    ...at,
    summary: `the old values of ${plural(written.withoutOldValues, "row")} were not kept, for want of room: a rollback cannot take these back`,
  };
  return [
    ...told(written.refusals, "row-refused", "error"),
    ...told(written.unclear, "row-in-doubt", "error").map((found) => ({
      ...found,
      suggestion: seenToNow(`${kind}:${source?.name ?? ""}`),
    })),
    ...told(written.otherwise, "row-otherwise", "warning"),
    ...told(written.behind, "row-note", "warning"),
    ...told(written.emptied, "row-emptied", "error").map((found) => ({
      ...found,
      suggestion:
        "Put the values back in the web application of the target. Where it was the server, move no changes of such records with ferry, but take the entity out of the plan.",
    })),
    ...(written.late === 0 ? [] : [late]),
    ...written.held.map((held) =>
      inReview(
        about,
        held,
        "Have it approved in the web application, then run the same command again: it publishes them.",
      ),
    ),
    ...(written.withoutOldValues === 0 ? [] : [left]),
  ];
}

/** Nothing of the table is otherwise than at the source, so that no list shows it: what was counted as done would be named nowhere. */
function finished({ kind, source }: About, rows: number): readonly Diagnostic[] {
  if (rows === 0) return [];
  return [
    {
      severity: "info",
      code: "row-finished",
      ...(source === undefined ? {} : { coordinate: { kind, ...source } }),
      summary: `${plural(rows, "row")} that an earlier run had begun ${rows === 1 ? "was" : "were"} brought to ${rows === 1 ? "its" : "their"} end`,
    },
  ];
}

/** Whoever only looks is told for what rows wait, and that it is no work of theirs to bring them there by hand. */
function waitingDiagnostics(about: About, left: ReadonlyMap<string, LeftRow>): readonly Diagnostic[] {
  const waiting = [...left.values()].flatMap(({ review }) => review ?? []);
  const reviews = Map.groupBy(waiting, ({ urn, name }) => JSON.stringify([urn, name]));
  return [...reviews.values()].flatMap(([review, ...more]) =>
    review === undefined
      ? []
      : inReview(
          about,
          { ...review, rows: more.length + 1 },
          "Once it is approved in the web application, ferry apply PLAN publishes them.",
        ),
  );
}

function inReview(
  { kind, source }: About,
  { urn, name, rows, left = rows }: Written["held"][number],
  suggestion: string,
): Diagnostic {
  // Approved one by one they are published together.
  const some = left < rows ? `, ${rows - left} of them approved and ${left} still to be` : "";
  return {
    severity: "warning",
    code: "row-review",
    ...(source === undefined ? {} : { coordinate: { kind, ...source } }),
    summary: `${plural(rows, "row")} wait for the review "${name}" (${urn})${some}`,
    suggestion,
  };
}

/** What somebody has stopped has not failed. */
function outcomeOf(
  { done, refused, emptied, lost, late, unclear, held, fatal, interrupted }: Written,
  sent: number,
): Outcome {
  const written = done.create + done.update + done.delete;
  const isStopped = fatal === undefined ? interrupted : fatal.fatal === "stopped";
  if (unclear.length + lost + late > 0) return "in-doubt";
  if ((fatal !== undefined && !isStopped) || refused + emptied.length > 0) return "failed";
  if (!isStopped) return "done";
  return written + sent > 0 || held.length > 0 ? "begun" : "not-started";
}
