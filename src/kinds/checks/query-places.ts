import type { Change } from "../../model/change.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { JsonObject } from "../../model/json.ts";
import { text } from "../../model/json.ts";
import { literal } from "../../model/literal.ts";
import type { Pairing } from "../../model/plan.ts";
import type { Check, CheckView } from "../kind.ts";
import { tablesIn } from "../shared/tables-in-query.ts";

/** A place that the plan calls otherwise at the target, as a query names it and as it should. */
interface Misnamed {
  readonly from: string;
  readonly to: string;
}

/**
 * A query travels as text. Where it names a place that the plan calls otherwise at the target and no rename of queries fits it, the
 * item would read the source's data there, or nothing: the service accepts it either way.
 */
export function queryPlaces(options: {
  readonly pairing: Pick<Pairing, "paths">;
  /** The query of a body of the source, in the target's words. */
  readonly reword: (body: JsonObject) => JsonObject;
  readonly target: string;
}): Check {
  const rules = options.pairing.paths.map(({ pattern, replace }) => ({
    pattern: new RegExp(pattern, "u"),
    replace,
  }));
  const rename = (place: string): string =>
    rules.reduce((name, rule) => name.replace(rule.pattern, rule.replace), place);
  return {
    name: "query-places",
    run(view) {
      if (rules.length === 0) return { diagnostics: [] };
      const diagnostics = view.changes.flatMap((change) => {
        const query = queryOf(change, view, options.reword);
        if (query === undefined) return [];
        const found = tablesIn(query).flatMap((parts) => misnamed(parts, rename) ?? []);
        const places = new Map(found.map((one) => [one.from, one]));
        return Array.from(places.values(), (one) => told(change, one, options.target));
      });
      return { diagnostics };
    },
  };
}

/** What is about to be written; what is at the target already is not told in each run. */
function queryOf(
  { kind, action, source, work }: Change,
  view: CheckView,
  reword: (body: JsonObject) => JsonObject,
): string | undefined {
  if (kind !== "sql-items" || source === undefined) return undefined;
  if (action === "create") return text(reword(view.source.body(kind, source.urn)), "query");
  return work?.patch === undefined ? undefined : text(work.patch, "query");
}

/** Renames are of whole paths, whose parts a slash or a dot may part, and of names alone. */
function misnamed(parts: readonly string[], rename: (place: string) => string): Misnamed | undefined {
  for (const between of ["/", "."]) {
    const path = parts.join(between);
    const renamed = rename(path).split(between);
    const at = renamed.length === parts.length ? parts.findIndex((one, index) => one !== renamed[index]) : -1;
    if (at >= 0) return { from: parts[at] ?? "", to: renamed[at] ?? "" };
  }
  const from = parts.find((one) => rename(one) !== one);
  return from === undefined ? undefined : { from, to: rename(from) };
}

function told({ kind, source }: Change, { from, to }: Misnamed, target: string): Diagnostic {
  const [urn, name] = [source?.urn ?? "", source?.name ?? ""];
  const suggestion = `Add it under pairing.queries in the plan: { pattern: ${JSON.stringify(literal(from))}, replace: ${JSON.stringify(to.replaceAll("$", "$$$$"))} }. If the query is to read that at ${target}, nothing is to be done.`;
  const summary = `the query reads "${from}", which is "${to}" at ${target} by pairing.paths, and no rename under pairing.queries says so: it travels as it is`;
  return {
    severity: "warning",
    code: "query-names-source",
    coordinate: { kind, urn, name },
    summary,
    suggestion,
    cause: { key: `query-names-source ${from}`, summary, suggestion },
    brief: `"${name}"`,
  };
}
