import type { Insight } from "../../engine/records/explain.ts";
import { explainTable } from "../../engine/records/explain.ts";
import type { TableDiff } from "../../engine/records/tally.ts";
import type { RowLine } from "../../engine/records/line.ts";
import type { AppliedChange } from "../../model/change.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { display } from "../../model/display.ts";
import type { Json, JsonObject } from "../../model/json.ts";
import { isArray, isObject, own, plainNumber, text } from "../../model/json.ts";
import { plural } from "../../model/plural.ts";
import { inlineText } from "./inline-text.ts";
import type { Migration } from "../migration.ts";
import type { OpenedTable } from "./tables.ts";

/** Drifted rows of a table whose history is looked at. */
const mostExplained = 100;

/** Asks the target about rows that were compared, a request each, bounded; undefined where the table was not opened. */
export async function explained(
  { store, plan, stop }: Migration,
  { open, table }: OpenedTable,
  diff: TableDiff,
  identify: number,
): Promise<Explained | undefined> {
  if (open === undefined) return undefined;
  const common = { id: table.id, open, work: store.work, concurrency: plan.limits.concurrency, stop };
  return explainTable(diff, { ...common, identify, history: mostExplained });
}

type Explained = Awaited<ReturnType<typeof explainTable>>;
type About = Pick<AppliedChange, "kind" | "source">;

/** What was asked about rows for people, in sentences: all in all, and for each row that is shown. */
export function insightDiagnostics(
  { kind, source }: About,
  insight: Insight,
  samples: readonly RowLine[],
  file: string,
): readonly Diagnostic[] {
  const at = source === undefined ? {} : { coordinate: { kind, ...source } };
  const said = (code: "row-identified" | "row-history", summary: string): Diagnostic => ({
    severity: "info",
    code,
    ...at,
    summary,
  });
  const { identified, explained } = insight;
  const masters = samples.flatMap(({ name, identify }) =>
    identify === undefined || isAlone(identify)
      ? []
      : [said("row-identified", `the row ${name} ${joining(identify)}`)],
  );
  const changed = samples.flatMap(({ name, history = [] }) =>
    history.map((change) => said("row-history", `the row ${name}: ${since(change)}`)),
  );
  return [
    ...(identified.asked + identified.left === 0
      ? []
      : [said("row-identified", inAll(identified, masters.length, file))]),
    ...masters,
    ...(explained.left === 0 && explained.trouble === undefined
      ? []
      : [said("row-history", notLookedAt(explained))]),
    ...changed,
  ];
}

function inAll(
  { asked, left, joins, proposed, alone, trouble }: Insight["identified"],
  shown: number,
  file: string,
): string {
  const notAsked = `${plural(left, "new instance")} not asked about`;
  const why = trouble === undefined ? "--identify-limit says how many are" : trouble;
  if (asked === 0) return `which masters they would join: ${notAsked}: ${why}`;
  const counts: readonly (readonly [number, string])[] = [
    [joins, "would join a master"],
    [proposed, "would only be proposed to one"],
    [alone, alone === 1 ? "would be a master of its own" : "would be masters of their own"],
  ];
  const parts = counts
    .filter(([count]) => count > 0)
    .map(([count, what]) => `${count.toLocaleString("en")} ${what}`);
  const others = asked - joins - proposed - alone;
  if (others > 0) parts.push(`of ${others.toLocaleString("en")} it is not known`);
  const more = asked > shown ? `; all of them stand in ${file}` : "";
  const rest = left === 0 ? "" : `; ${notAsked}: ${why}`;
  return `of ${plural(asked, "new instance")}, as the target is now, ${parts.join(", ")}${more}${rest}`;
}

function notLookedAt({ asked, left, trouble }: Insight["explained"]): string {
  const why = trouble === undefined ? "" : `: ${trouble}`;
  if (left === 0) return `the history of rows that were otherwise could not be looked at${why}`;
  return `the history of ${plural(left, "more row")} was not looked at, after that of ${asked.toLocaleString("en")}${why}`;
}

/** Like nothing at the target, all of it: the number of these is enough. */
function isAlone(identify: JsonObject): boolean {
  const proposals = own(identify, "proposals");
  const isNothing = own(identify, "joins") === null && isArray(proposals) && proposals.length === 0;
  return isNothing && text(identify, "unrelated") === undefined;
}

function joining(identify: JsonObject): string {
  const notKnown = text(identify, "notKnown");
  if (notKnown !== undefined) return `could not be asked about: ${notKnown}`;
  const joins = own(identify, "joins");
  const list = own(identify, "proposals");
  const proposals = (isArray(list) ? list : []).filter((one) => isObject(one));
  const more = Number(plainNumber(own(identify, "moreProposals")) ?? 0);
  const proposed =
    proposals.length === 0
      ? ""
      : `; proposed: ${[...proposals.slice(0, 3).map(matched), ...(proposals.length + more > 3 ? [`and ${proposals.length + more - 3} more`] : [])].join(", ")}`;
  const refused = text(identify, "unrelated");
  const unrelated =
    refused === undefined
      ? ""
      : `; asked without what it is related to, which is refused: ${display(refused)}`;
  return isObject(joins)
    ? `would join the master ${matched(joins)}${proposed}${unrelated}`
    : `would be a master of its own${proposed}${unrelated}`;
}

/** `3000017 "Ada Lovelace" (rule same_email, quality 1)`. */
function matched(match: JsonObject): string {
  const quality = plainNumber(own(match, "quality"));
  const rule = text(match, "rule");
  const why = [
    ...(rule === undefined ? [] : [`rule ${rule}`]),
    ...(typeof quality === "number" ? [`quality ${quality}`] : []),
  ];
  const name = text(match, "name");
  const called = name === undefined ? "" : ` "${name}"`;
  return display(
    `${text(match, "master") ?? "(no id)"}${called}${why.length === 0 ? "" : ` (${why.join(", ")})`}`,
  );
}

function since(change: JsonObject): string {
  const at = text(change, "since");
  const by = text(change, "by");
  const when = `${at === undefined ? "" : ` since ${at}`}${by === undefined ? "" : `, by ${by}`}`;
  const value = (key: string): string => inlineText(own(change, key) ?? (null as Json));
  const before = own(change, "isFirst") === true ? "as long as history goes back" : `${value("from")} before`;
  return display(`${text(change, "column") ?? ""} is ${value("to")}${when}; ${before}`);
}
