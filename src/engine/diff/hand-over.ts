import type { Diagnostic } from "../../model/diagnostic.ts";
import type { TermLink } from "../../kinds/kind.ts";
import type { DiffInput } from "./input.ts";
import type { Resolver } from "./resolver.ts";

/**
 * Term rule instances are not moved with the monitor: a person links each rule to its term at the target before the
 * terms are assigned, since rules linked later are not applied to earlier assignments (document 2, Migration rules
 * 7). The exact pairs come from the source's primary monitors; one that already shows at the target is done.
 */
export interface HandOver {
  /** Source URNs of terms with a rule that is not seen at the target yet. */
  readonly waiting: ReadonlyMap<string, readonly TermLink[]>;
  /** Of these, those whose term or rule does not exist at the target yet: nobody can have linked them. */
  readonly unborn: ReadonlySet<string>;
  readonly diagnostics: readonly Diagnostic[];
}

export function handOver(input: DiffInput, resolver: Resolver): HandOver {
  const wanted = new Map<string, TermLink>();
  const present = new Set<string>();
  for (const kind of input.registry.moved()) {
    if (kind.termLinks === undefined || !input.source.kinds().includes(kind.name)) continue;
    for (const { body } of input.source.stream(kind.name)) {
      for (const link of kind.termLinks(body)) wanted.set(JSON.stringify([link.termUrn, link.ruleUrn]), link);
    }
    if (!input.target.snapshot.kinds().includes(kind.name)) continue;
    for (const { body } of input.target.snapshot.stream(kind.name)) {
      for (const link of kind.termLinks(body)) present.add(JSON.stringify([link.termUrn, link.ruleUrn]));
    }
  }
  const waiting = new Map<string, TermLink[]>();
  const unborn = new Set<string>();
  const diagnostics: Diagnostic[] = [];
  for (const link of [...wanted.values()].sort((a, b) =>
    a.termName + a.ruleName < b.termName + b.ruleName ? -1 : 1,
  )) {
    const term = resolver.urn(link.termUrn);
    const rule = resolver.urn(link.ruleUrn);
    if (
      term.state === "target" &&
      rule.state === "target" &&
      present.has(JSON.stringify([term.urn, rule.urn]))
    )
      continue;
    waiting.set(link.termUrn, [...(waiting.get(link.termUrn) ?? []), link]);
    if (term.state === "pending" || rule.state === "pending") unborn.add(link.termUrn);
    const said = input.plan.policy.termLinks === "done";
    diagnostics.push({
      severity: "warning",
      code: "link-term-rule",
      coordinate: { kind: "terms", urn: link.termUrn, name: link.termName },
      summary: `the rule "${link.ruleName}" is applied through this term at the source${said ? ", and no monitor at the target shows it" : "; no list tells whether it is linked at the target"}`,
      suggestion: said
        ? "Check the link in the web application of the target; a rule that was linked after the term was assigned does not reach it: take the assignment away there and run again."
        : "At the target, link the rule to the term in the web application before the term is assigned; then set policy.termLinks to done.",
    });
  }
  return { waiting, unborn, diagnostics };
}
