import { digest, printOf, stableText } from "../../model/canonical.ts";
import type { Change, TableRows } from "../../model/change.ts";
import { waits } from "../../model/change.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Json } from "../../model/json.ts";
import type { Acknowledged } from "../../model/plan.ts";
import { become } from "../../model/packed/change-list.ts";
import { quotedWord, shellWord } from "../../model/shell-word.ts";
import type { Registry } from "../../kinds/registry.ts";
import type { SnapshotReader } from "../../store/index.ts";
import { glob } from "../read/selection.ts";

/** What findings of objects are about; a table's rows are told by a digest of their own. */
type Side = Pick<SnapshotReader, "kinds" | "has" | "body">;

export interface Acknowledging {
  readonly registry: Pick<Registry, "movedKind">;
  readonly source: Side;
  readonly target: Side;
  readonly entries: readonly Acknowledged[];
  /** The kinds that the run looks at, in the plan's words: of others nothing can be said. */
  readonly kinds: readonly string[];
  /** Objects of these kinds are left out by flags: whether one waits for a person is not known. */
  readonly isNarrowed: boolean;
  /** The plan's name, for the command to run next. */
  readonly plan: string;
  /** `2026-11-22`. */
  readonly today: string;
}

/** Nobody acknowledges so many one by one, and each print is a look at both sides. */
const mostPrinted = 5_000;

/**
 * What a person knows of and accepts is told apart from what waits for a decision. Each finding that waits gets a print
 * of what it is about: an acknowledgement that was made for another print does not cover it any more.
 */
export function acknowledge<T extends Change>(
  changes: readonly T[],
  options: Acknowledging,
): { readonly changes: readonly T[]; readonly diagnostics: readonly Diagnostic[] } {
  const { entries, today } = options;
  const used = new Set<Acknowledged>();
  const seen = new Set<Acknowledged>();
  const isMany = changes.reduce((count, change) => count + (isOpen(change) ? 1 : 0), 0) > mostPrinted;
  if (isMany && entries.length === 0) return { changes, diagnostics: [] };
  const toldOf = (change: T): T => {
    if (!isOpen(change)) return change;
    const found = { ...change, finding: findingOf(change, options) };
    const fitting = entries.filter((entry) => fits(entry, found, options));
    for (const entry of fitting) seen.add(entry);
    const entry = fitting.find(({ print, until }) => {
      return (print === undefined || print === found.finding) && !isOver(until, today);
    });
    if (entry !== undefined) {
      used.add(entry);
      const { reason, until } = entry;
      return { ...found, acknowledged: { reason, ...(until === undefined ? {} : { until }) } };
    }
    const [stale] = fitting;
    return stale === undefined
      ? found
      : { ...found, diagnostics: [...found.diagnostics, noLonger(stale, found, options)] };
  };
  const told = become(changes, toldOf);
  const idle = options.isNarrowed
    ? []
    : entries.filter((entry) => !seen.has(entry) && options.kinds.includes(entry.kind));
  const unbound = entries.filter((entry) => used.has(entry) && entry.print === undefined);
  return { changes: told, diagnostics: [...idle.map(fitsNothing), ...coversAll(unbound, options.plan)] };
}

/** A table of which rows are written may have others that wait. */
function isOpen(change: Change): boolean {
  return waits(change.action) || leftRows(change.records).some((count) => count > 0);
}

function leftRows(rows: TableRows | undefined): readonly number[] {
  return rows === undefined ? [] : [rows.blocked, rows.drift, rows.conflict, rows.manual];
}

/** What a person saw when it was acknowledged: what is told of it, and what it is on both sides. */
function findingOf(change: Change, { registry, source, target }: Acknowledging): string {
  const { records } = change;
  // Whatever is done with its other rows, which come and go.
  if (records !== undefined) return digest(stableText([records.waiting, ...leftRows(records)]));
  const kind = registry.movedKind(change.kind);
  const print = (side: Side, urn: string | undefined): string => {
    if (kind === undefined || urn === undefined) return "";
    if (!side.kinds().includes(kind.name) || !side.has(kind.name, urn)) return "";
    return printOf(side.body(kind.name, urn), kind.shape);
  };
  // What waits for another one names it nowhere else.
  const told = change.diagnostics.map(({ code, cause }) =>
    code === "blocked-by" && cause !== undefined ? `${code} ${cause.key}` : code,
  );
  const about: Json = [
    change.action,
    [...new Set(told)].sort(),
    change.fields.map(({ path, from = null, to = null }): Json => [path, from, to]),
    print(source, change.source?.urn),
    print(target, change.target?.urn),
    // Namesakes, and whatever else is told of by its URN, are part of what was seen: which they are, and what they are.
    namedIn(change).map((urn): Json => [urn, print(target, urn)]),
    // Of a table that cannot be looked at nothing else says why.
    ...(kind === undefined ? [change.reason] : []),
  ];
  return digest(stableText(about));
}

function namedIn(change: Change): readonly string[] {
  const texts = change.diagnostics.flatMap(({ summary, suggestion = "" }) => [summary, suggestion]);
  const urns = texts.flatMap((text) => text.match(/\burn:[\w:.-]*\w/g) ?? []);
  return [...new Set(urns)].sort();
}

function fits(entry: Acknowledged, change: Change, { registry }: Acknowledging): boolean {
  const called = registry.movedKind(change.kind)?.selectedAs ?? change.kind;
  if (entry.kind !== called && entry.kind !== change.kind) return false;
  const named = [change.source, change.target].filter((side) => side !== undefined);
  return named.some(({ urn, name }) =>
    entry.urn === undefined ? glob(entry.name ?? "").test(name) : entry.urn === urn,
  );
}

/** It holds through that day. */
function isOver(until: string | undefined, today: string): boolean {
  return until !== undefined && until < today;
}

function noLonger(
  { reason, until }: Acknowledged,
  change: Change,
  { today, plan }: Acknowledging,
): Diagnostic {
  const named = change.source ?? change.target ?? { urn: change.id, name: change.id };
  const why = isOver(until, today) ? `until ${until ?? ""}` : "as it was before it changed";
  return {
    severity: "warning",
    code: "acknowledged-no-longer",
    coordinate: { kind: change.kind, ...named },
    summary: `it was acknowledged ${why} (${reason})`,
    suggestion: `Look at it; if it is still known and accepted: ferry ack ${plan} ${shellWord(`${change.kind}:${named.urn}`)}`,
  };
}

/** Written by hand, it is bound to nothing: whoever reads the green result should know. */
function coversAll(entries: readonly Acknowledged[], plan: string): readonly Diagnostic[] {
  const words = entries.map(({ kind, name, urn }) => `${kind}:${urn ?? name ?? ""}`);
  const [first] = words;
  if (first === undefined) return [];
  const word = /[^\w:.-]/.test(first) ? quotedWord(first) : first;
  return [
    {
      severity: "info",
      code: "acknowledged-unbound",
      summary: `acknowledged by hand, without a print: ${words.join(", ")}; what changes about such an object later is covered as well`,
      suggestion: `To be told of changes, bind it to what there is now: ferry ack ${plan} ${word}`,
    },
  ];
}

function fitsNothing({ kind, name, urn, reason }: Acknowledged): Diagnostic {
  return {
    severity: "warning",
    code: "acknowledged-idle",
    summary: `acknowledged: ${kind} ${urn ?? JSON.stringify(name)} fits nothing that waits for a person any more (${reason})`,
    suggestion: "Take it out of the plan.",
  };
}
