import type { Change } from "../../model/change.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { text, textsIn } from "../../model/json.ts";
import { once } from "../../model/once.ts";
import type { Check, CheckView } from "../kind.ts";

/** The two kinds that say the opposite of each other, and how a term and a column are called in each. */
const opposites = [
  {
    kind: "term-assignments",
    opposite: "term-denylist",
    summary: (term: string, column: string) =>
      `the term ${term} is assigned to the column ${column}, whose denylist at the target has it`,
    suggestion: "Take the denial away in the web application of the target, or the assignment at the source.",
  },
  {
    kind: "term-denylist",
    opposite: "term-assignments",
    summary: (term: string, column: string) =>
      `the term ${term} is denied to the column ${column}, to which it is assigned at the target`,
    suggestion: "Take the assignment away in the web application of the target, or the denial at the source.",
  },
] as const;

/**
 * Assignments and denials are added and never taken away: where the target says the opposite of what is added, both
 * stand there afterwards, and nobody but a person can take one of them back. Of a kind that the plan does not select
 * nothing is known at the target.
 */
export const termsContradicted: Check = {
  name: "terms-contradicted",
  run: (view) => ({ diagnostics: opposites.flatMap((sort) => contradicted(sort, view)) }),
};

function contradicted(
  { kind, opposite, summary, suggestion }: (typeof opposites)[number],
  view: CheckView,
): readonly Diagnostic[] {
  const adding = view.changes.filter((change) => change.kind === kind && change.action === "update");
  if (adding.length === 0) return [];
  const against = new Map<string, ReadonlySet<unknown>>();
  for (const body of view.target.bodies(opposite))
    against.set(text(body, "attributeUrn") ?? "", new Set(textsIn(body, "termUrns")));
  const called = once(
    () => new Map([...view.target.bodies("terms")].map((term) => [text(term, "urn"), text(term, "name")])),
  );
  return adding.flatMap((change) => {
    const { urn: column = "" } = change.target ?? {};
    const said = against.get(column);
    const { urn = "", name = "" } = change.source ?? {};
    const terms = said === undefined ? [] : added(change).filter((term) => said.has(term));
    return terms.map((term): Diagnostic => {
      return {
        severity: "warning",
        code: "terms-contradicted",
        coordinate: { kind, urn, name },
        summary: summary(`"${called().get(term) ?? ""}" (${term})`, `"${name}" (${column})`),
        suggestion,
      };
    });
  });
}

/** What is created in this run stands there as a marker: nobody can have said anything of it. */
function added({ work }: Change): readonly string[] {
  return textsIn(work?.patch ?? {}, "termUrns");
}
