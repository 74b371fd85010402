import type { Document, LineCounter } from "yaml";
import type { z } from "zod";
import { planKeys } from "./keys.ts";
import { lineOf } from "./locate.ts";
import { didYouMean } from "./nearest.ts";
import type { PlanProblem } from "./plan-error.ts";

/** What the schema complains about, in the words of the person who wrote the plan. */
export function describe(
  issue: z.core.$ZodIssue,
  document: Document,
  lines: LineCounter,
): readonly PlanProblem[] {
  const path = issue.path
    .map((part) => (typeof part === "number" ? `[${part}]` : `.${String(part)}`))
    .join("")
    .replace(/^\./, "");
  if (issue.code === "unrecognized_keys") {
    const known = planKeys[issue.path.filter((part) => typeof part !== "number").join(".")] ?? [];
    return issue.keys.map((key) => {
      const full = path === "" ? key : `${path}.${key}`;
      const suggestion = didYouMean(key, known) ?? `Known keys here: ${known.join(", ")}.`;
      return at(lineOf(document, lines, [...issue.path, key]), {
        path: full,
        summary: `unknown key "${full}"`,
        suggestion,
      });
    });
  }
  if (path === "") return [{ path, summary: "a plan is a map: version, source, target and so on" }];
  const line = lineOf(document, lines, issue.path);
  if (!document.hasIn(issue.path)) return [at(line, { path, summary: `"${path}" is missing` })];
  return [at(line, wrongWord(issue, path, document) ?? { path, summary: `"${path}": ${issue.message}` })];
}

/** One of a few words was expected, and another one is there. */
function wrongWord(issue: z.core.$ZodIssue, path: string, document: Document): PlanProblem | undefined {
  if (issue.code !== "invalid_value") return undefined;
  const words = issue.values.filter((value) => typeof value === "string");
  // As it is written: what a variable holds is nobody's business.
  const written: unknown = document.getIn(issue.path);
  if (words.length < issue.values.length || !isScalar(written)) return undefined;
  const allowed = words.join(", ");
  const said = written === null ? "nothing" : `"${written}"`;
  return {
    path,
    summary: `"${path}": ${said} is none of ${allowed}`,
    suggestion: didYouMean(String(written), words) ?? `Write one of ${allowed}.`,
  };
}

function isScalar(value: unknown): value is string | number | boolean | null {
  return value === null || ["string", "number", "boolean"].includes(typeof value);
}

function at(line: number | undefined, problem: PlanProblem): PlanProblem {
  return line === undefined ? problem : { ...problem, line };
}
