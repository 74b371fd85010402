import { dirname, resolve } from "node:path";
import type { PlanProblem } from "./plan-error.ts";
import { readText } from "./read-text.ts";
import type { PlanFile } from "./schema.ts";

export interface UrnLists {
  /** By the selector that names the file. */
  readonly urns: ReadonlyMap<object, readonly string[]>;
  readonly problems: readonly PlanProblem[];
}

/** The files of URNs that selectors name: one a line; empty lines and those with # are passed over. */
export function urnLists({ select }: PlanFile, plan: string): UrnLists {
  const urns = new Map<object, readonly string[]>();
  const problems: PlanProblem[] = [];
  for (const list of ["include", "exclude"] as const) {
    for (const [index, selector] of select[list].entries()) {
      if (selector.file === undefined) continue;
      const path = `select.${list}[${index}].file`;
      const read = readText(resolve(dirname(plan), selector.file));
      if ("why" in read) {
        const suggestion = "Correct the path: it starts in the folder of the plan.";
        problems.push({ path, summary: `"${path}": the file ${read.why}`, suggestion });
        continue;
      }
      const written = read.text.split("\n").map((line) => line.trim());
      urns.set(
        selector,
        written.filter((line) => line !== "" && !line.startsWith("#")),
      );
    }
  }
  return { urns, problems };
}
