import type { Document, LineCounter } from "yaml";
import type { z } from "zod";
import type { Place } from "./locate.ts";
import { placeOf } from "./locate.ts";
import { didYouMean } from "./nearest.ts";
import type { PlanProblem } from "./plan-error.ts";
import { mayBeShown } from "./shown-key.ts";

/** What the schema complains about, in the words of the person who wrote the plan. */
export function describe(
  issue: z.core.$ZodIssue,
  document: Document,
  lines: LineCounter,
  keys: Readonly<Record<string, readonly string[]>>,
): readonly PlanProblem[] {
  const path = issue.path
    .map((part) => (typeof part === "number" ? `[${part}]` : `.${String(part)}`))
    .join("")
    .replace(/^\./, "");
  if (issue.code === "unrecognized_keys") {
    const known = keys[issue.path.filter((part) => typeof part !== "number").join(".")] ?? [];
    return issue.keys.map((key) => {
      const full = path === "" ? key : `${path}.${key}`;
      const isShown = mayBeShown(key, path, Object.values(keys).flat());
      const suggestion = known.includes(key)
        ? "Another form of this entry has it, and this one does not: see plans/README.md."
        : ((isShown ? didYouMean(key, known) : undefined) ?? `Known keys here: ${known.join(", ")}.`);
      return at(placeOf(document, lines, [...issue.path, key]), {
        path: isShown ? full : path,
        summary: isShown
          ? `unknown key "${full}"`
          : `unknown key${path === "" ? "" : ` in "${path}"`}; it is not shown, since it may be a value that lost its place`,
        suggestion,
      });
    });
  }
  if (path === "")
    return [
      {
        path,
        summary: "a plan is a map: version, source, target and so on",
        suggestion: "`ferry init` writes one that explains itself; plans/README.md has every key.",
      },
    ];
  const place = placeOf(document, lines, issue.path);
  if (!document.hasIn(issue.path)) return [at(place, { path, summary: `"${path}" is missing` })];
  const wrong = wrongWord(issue, path, document) ?? { path, summary: `"${path}": ${issue.message}` };
  return [
    at(
      place,
      isUnquoted(issue)
        ? { ...wrong, suggestion: "A text that looks like something else has to stand in quotes." }
        : wrong,
    ),
  ];
}

/** One of a few words was expected, and something else is there: what, is for the person to look up. */
function wrongWord(issue: z.core.$ZodIssue, path: string, document: Document): PlanProblem | undefined {
  const values = wordsOf(issue);
  if (values === undefined) return undefined;
  const words = values.filter((value) => typeof value === "string");
  // As it is written: what a variable holds is nobody's business.
  const written: unknown = document.getIn(issue.path);
  if (words.length < values.length) return undefined;
  const allowed = words.join(", ");
  return {
    path,
    summary: written === null ? `"${path}": it is empty` : `"${path}": it is none of ${allowed}`,
    suggestion:
      (typeof written === "string" ? didYouMean(written, words) : undefined) ?? `Write one of ${allowed}.`,
  };
}

/** Also where a word says which form the rest of an entry has. */
function wordsOf(issue: z.core.$ZodIssue): readonly unknown[] | undefined {
  if (issue.code === "invalid_value") return issue.values;
  return issue.code === "invalid_union" && "options" in issue ? issue.options : undefined;
}

/** A text was expected, and YAML read something else: a number, a date, nothing. Where the schema has better advice, that counts. */
function isUnquoted(issue: z.core.$ZodIssue): boolean {
  return issue.code === "invalid_type" && issue.expected === "string" && issue.message.startsWith("expected");
}

function at(place: Place | undefined, problem: PlanProblem): PlanProblem {
  return { ...problem, ...place };
}
