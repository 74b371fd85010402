import type { Change } from "../../model/change.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { textsIn } from "../../model/json.ts";
import type { Check, CheckView, Held } from "../kind.ts";
import type { TermLink } from "../shared/term-links.ts";
import { termLinks } from "../shared/term-links.ts";

/**
 * Term rule instances are not moved with the monitor: a person links each rule to its term at the target before the
 * terms are assigned, since rules linked later are not applied to earlier assignments (document 2, Migration rules
 * 7). The exact pairs come from the source's primary monitors; one that already shows at the target is done.
 */
export const linksFirst: Check = {
  name: "links-first",
  run(view) {
    // Where no assignment is selected, nothing waits for the links.
    if (!view.changes.some(({ kind }) => kind === "term-assignments")) return { diagnostics: [] };
    const links = missingLinks(view);
    const held = new Map<string, Held>();
    for (const change of view.changes) {
      const reason = whyHeld(change, view, links);
      if (reason !== undefined) held.set(change.id, reason);
    }
    return { diagnostics: links.diagnostics, held };
  },
};

interface MissingLinks {
  /** Source URNs of terms with a rule that is not seen at the target yet. */
  readonly waiting: ReadonlyMap<string, readonly TermLink[]>;
  /** Of these, those whose term or rule does not exist at the target yet: nobody can have linked them. */
  readonly unborn: ReadonlySet<string>;
  readonly diagnostics: readonly Diagnostic[];
}

const cause = {
  key: "link-terms-first",
  summary: "a person must link rules to terms first",
  detail: "Which rule to which term is listed with what there is to say about the run.",
  suggestion:
    "Make the links in the web application of the target, set policy.termLinks to done in the plan, and run again.",
} as const;

/** Where the plan says already that they are made, of what was not there to be linked. */
const notBefore = {
  ...cause,
  key: "link-terms-first/new",
  suggestion:
    "They cannot have been made before this run, which brings the rule or the term. Make them in the web application of the target before the next one: policy.termLinks says done, so that one assigns the terms.",
} as const;

/** A term is assigned only after its rules were linked: later links would not reach it. */
function whyHeld(change: Change, view: CheckView, links: MissingLinks): Held | undefined {
  if (change.kind !== "term-assignments" || change.action === "unchanged") return undefined;
  const said = view.policy.termLinks === "done";
  // What is created in this very run cannot have been linked, whatever the plan says.
  const held = toBeAssigned(change, view).flatMap((urn) =>
    !said || links.unborn.has(urn) ? (links.waiting.get(urn) ?? []) : [],
  );
  if (held.length === 0) return undefined;
  const pairs = held.map((link) => `"${link.ruleName}" to "${link.termName}"`).join(", ");
  const why = said ? notBefore : cause;
  const { suggestion } = why;
  return {
    reason: `a person must link rules to terms first: ${pairs}`,
    code: cause.key,
    suggestion,
    cause: why,
  };
}

/** URNs at the source. What is assigned at the target by now waits for nothing: a link does not reach it any more. */
function toBeAssigned({ kind, source, work }: Change, view: CheckView): readonly string[] {
  const terms = textsIn(view.source.body(kind, source?.urn ?? ""), "termUrns");
  if (work?.patch === undefined) return terms;
  const added = new Set(textsIn(work.patch, "termUrns"));
  return terms.filter((urn) => {
    const there = view.resolve(urn);
    return there.state !== "target" || added.has(there.urn);
  });
}

function missingLinks(view: CheckView): MissingLinks {
  const wanted = new Map<string, TermLink>();
  for (const body of view.source.bodies("primary-monitors"))
    for (const link of termLinks(body)) wanted.set(pairOf(link.termUrn, link.ruleUrn), link);
  const present = new Set<string>();
  if (wanted.size > 0)
    for (const body of view.target.bodies("primary-monitors"))
      for (const link of termLinks(body)) present.add(pairOf(link.termUrn, link.ruleUrn));
  const waiting = new Map<string, TermLink[]>();
  const unborn = new Set<string>();
  const diagnostics: Diagnostic[] = [];
  for (const link of [...wanted.values()].sort((a, b) =>
    a.termName + a.ruleName < b.termName + b.ruleName ? -1 : 1,
  )) {
    const term = view.resolve(link.termUrn);
    const rule = view.resolve(link.ruleUrn);
    if (term.state === "target" && rule.state === "target" && present.has(pairOf(term.urn, rule.urn)))
      continue;
    waiting.set(link.termUrn, [...(waiting.get(link.termUrn) ?? []), link]);
    if (term.state === "pending" || rule.state === "pending") unborn.add(link.termUrn);
    diagnostics.push(advice(link, view.policy.termLinks === "done"));
  }
  return { waiting, unborn, diagnostics };
}

function advice(link: TermLink, said: boolean): Diagnostic {
  const suggestion = said
    ? "Check the link in the web application of the target; a rule that was linked after the term was assigned does not reach it: take the assignment away there and run again."
    : "At the target, link the rule to the term in the web application before the term is assigned; then set policy.termLinks to done.";
  return {
    severity: "warning",
    code: "link-term-rule",
    coordinate: { kind: "terms", urn: link.termUrn, name: link.termName },
    summary: `the rule "${link.ruleName}" is applied through this term at the source${said ? ", and no monitor at the target shows it" : "; no list tells whether it is linked at the target"}`,
    suggestion,
    cause: {
      key: "link-term-rule",
      summary: `rules act through terms at the source${said ? ", and no monitor at the target shows it" : "; no list tells whether they are linked at the target"}`,
      suggestion,
    },
    brief: `"${link.ruleName}" through "${link.termName}"`,
  };
}

function pairOf(termUrn: string, ruleUrn: string): string {
  return JSON.stringify([termUrn, ruleUrn]);
}
