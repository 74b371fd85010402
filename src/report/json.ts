import type { AppliedChange, FieldChange, Named } from "../model/change.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { displayJson } from "../model/display.ts";
import type { LazyList } from "../model/json-pieces.ts";
import { jsonPieces } from "../model/json-pieces.ts";
import type { ParityPair } from "../model/parity.ts";
import type { Result } from "../model/result.ts";

/**
 * The result as one document. Keys have a fixed order, so that two runs compare line by
 * line. Control characters inside strings are written as JSON escapes: the same document, safe on a terminal.
 */
export function renderJson(result: Result): string {
  return [...piecesOfJson(result)].join("");
}

/** The same, a piece for each object. */
export function* piecesOfJson(result: Result): Generator<string> {
  const { version, command, plan, run, source, target, exitCode, headline, summary } = result;
  const document = {
    version,
    command,
    plan,
    run,
    source: source && { name: source.name, baseUrl: source.baseUrl, tenant: source.tenant },
    target: target && { name: target.name, baseUrl: target.baseUrl, tenant: target.tenant },
    exitCode,
    headline,
    summary: {
      create: summary.create,
      update: summary.update,
      replace: summary.replace,
      adopt: summary.adopt,
      delete: summary.delete,
      unchanged: summary.unchanged,
      blocked: summary.blocked,
      manual: summary.manual,
      drift: summary.drift,
      conflict: summary.conflict,
      failed: summary.failed,
      inDoubt: summary.inDoubt,
      acknowledged: summary.acknowledged,
    },
    consequences: result.consequences?.map(({ key, count, text, names }) => ({ key, count, text, names })),
    changes: mapped(result.changes, changeOf),
    diagnostics: mapped(result.diagnostics, diagnosticOf),
    parity: result.parity?.map(parityOf),
    requests: {
      source: { reads: result.requests.source.reads },
      target: { reads: result.requests.target.reads, writes: result.requests.target.writes },
    },
    durationMs: result.durationMs,
    next: result.next,
    details: result.details,
  };
  for (const piece of jsonPieces(document)) yield displayJson(piece);
}

/** Each as it is asked for. */
function mapped<T>(list: readonly T[], of: (item: T) => object): LazyList {
  return {
    length: list.length,
    *[Symbol.iterator]() {
      for (const item of list) yield of(item);
    },
  };
}

function changeOf(change: AppliedChange): object {
  const { id, action, outcome, kind, source, target, reason, fields, diagnostics, dependsOn, pulledInBy } =
    change;
  const { acknowledged, finding } = change;
  return {
    id,
    action,
    outcome,
    left: change.left,
    kind,
    source: source && namedOf(source),
    target: target && namedOf(target),
    reason,
    acknowledged,
    finding,
    inBrief: change.inBrief,
    records: change.records,
    fields: fields.map(fieldOf),
    diagnostics: diagnostics.map(diagnosticOf),
    dependsOn,
    pulledInBy: pulledInBy && { kind: pulledInBy.kind, ...namedOf(pulledInBy) },
  };
}

function parityOf(pair: ParityPair): object {
  const { kind, source, target, outcome, reason, quality, counts, startedAt, dimensions, differences } = pair;
  return {
    kind,
    source: namedOf(source),
    target: namedOf(target),
    outcome,
    reason,
    quality,
    counts,
    startedAt,
    dimensions,
    differences,
    insight: pair.insight,
    trend: pair.trend,
  };
}

function namedOf(named: Named): Named {
  return { urn: named.urn, name: named.name };
}

function fieldOf({ path, from, fromName, to, toName, base, movedAt }: FieldChange): object {
  return { path, from, fromName, to, toName, base, movedAt };
}

function diagnosticOf(diagnostic: Diagnostic): object {
  const { severity, code, coordinate, pointer, summary, detail, suggestion } = diagnostic;
  const where = coordinate && { kind: coordinate.kind, ...namedOf(coordinate) };
  return { severity, code, coordinate: where, pointer, summary, detail, suggestion };
}
