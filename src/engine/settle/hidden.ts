import type { MovedKind } from "../../kinds/kind.ts";
import { effectOf } from "../../model/journal.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Report } from "../progress.ts";
import type { Doubt } from "./subtraction.ts";
import { standsAlone } from "../facets/standing.ts";

/**
 * A create is to be sent again because no list shows it. What it may have left that no list ever shows, a person has
 * to look for: said at once, since this run may end before its result.
 */
export function hiddenLeftover(kind: MovedKind, doubt: Doubt, report: Report): readonly Diagnostic[] {
  if (!standsAlone(kind) || kind.hiddenWhenNew === undefined || effectOf(doubt) !== "creates") return [];
  const { source, name } = doubt.item;
  const summary = `the answer to its creation was lost: ${kind.hiddenWhenNew}`;
  report({
    type: "applied",
    kind: kind.name,
    name,
    source,
    step: doubt.step,
    state: "sent again",
    reason: summary,
  });
  return [
    {
      severity: "warning",
      code: "draft-left",
      coordinate: { kind: kind.name, urn: source, name },
      summary,
      suggestion: "Look for it in the web application of the target, and discard it.",
    },
  ];
}
