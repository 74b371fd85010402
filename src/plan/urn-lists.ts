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
      const meant = (line: string): boolean => line !== "" && !line.startsWith("#");
      const wrong = written.findIndex((line) => meant(line) && !line.startsWith("urn:"));
      if (wrong === -1) {
        urns.set(selector, written.filter(meant));
        continue;
      }
      // It is not quoted: a path that went wrong may lead to a file of secrets.
      problems.push({
        path,
        summary: `"${path}": line ${wrong + 1} of the file is no URN`,
        suggestion: "Write one URN a line; what begins with # is passed over.",
      });
    }
  }
  return { urns, problems };
}
