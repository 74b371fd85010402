import type { Diagnostic } from "../../model/diagnostic.ts";
import { display } from "../../model/display.ts";
import { listIn } from "../../model/json-text.ts";
import { plural } from "../../model/plural.ts";
import type { BroughtElsewhere } from "./former-names.ts";
import { namingIn } from "./known-senses.ts";
import type { OpenedTable } from "./tables.ts";

type About = Pick<OpenedTable, "kind" | "table">;

/** The rows stand there, no run looks at them any more, and the same is made beside them. */
function toldOf({ kind, table }: About, summary: string, back: string): Diagnostic {
  return {
    severity: "warning",
    code: "row-known-otherwise",
    coordinate: { kind: kind.name, urn: table.id, name: table.name },
    summary,
    suggestion: `Where the plan was changed by mistake, put back ${back} before you apply. Otherwise see to the former rows at the target after that: no run looks at them any more. Where another plan moves them there is nothing to do.`,
  };
}

/** Rows that runs have brought, told apart by another key, or under other origins, than the plan names by now. */
export function knownByOtherWords(about: About, sense: string, rows: number): readonly Diagnostic[] {
  if (rows === 0) return [];
  const { naming } = about.table;
  const words = display(namingIn(sense, listIn(naming)?.length ?? 0));
  const isOne = rows === 1;
  const summary = `${plural(rows, "row")} that ${isOne ? "was" : "were"} moved, told apart as ${words}, ${isOne ? "is" : "are"} none of those that the plan looks at by now, as ${display(naming)}: what the target has of ${isOne ? "it" : "them"} stays, unless it is told to be deleted, and what it does not have by the plan's words is made beside that`;
  return [toldOf(about, summary, "its key and origins")];
}

/** Rows that runs have brought to another table of the target. */
export function knownInOtherTable(about: About, name: string, { to, rows }: BroughtElsewhere): Diagnostic {
  const isOne = rows === 1;
  const summary = `${plural(rows, "row")} of it ${isOne ? "was" : "were"} moved to "${display(to)}", another table of the target: what that has of ${isOne ? "it" : "them"} stays, and what "${display(name)}" does not have is made there`;
  return toldOf(about, summary, "its targetTable");
}
