import type { ErrorCode, LineCounter, YAMLError } from "yaml";
import { maskedLine } from "./masked-line.ts";
import type { PlanProblem } from "./plan-error.ts";

/** As much of a line as fits beside its number on a narrow terminal. */
const widest = 72;

/** The first place where the text is no YAML; what comes behind it is mostly its consequence, and only counted. */
export function brokenYaml(
  text: string,
  errors: readonly YAMLError[],
  lines: LineCounter,
  known: readonly string[],
): PlanProblem | undefined {
  const marker = mergeMark(text);
  if (marker !== undefined) return marker;
  const [first, ...others] = errors.toSorted((left, right) => left.pos[0] - right.pos[0]);
  if (first === undefined) return undefined;
  const { line, col: column } = lines.linePos(first.pos[0]);
  const more = others.length === 0 ? "" : ` (and ${others.length} more behind it)`;
  return {
    path: "",
    line,
    column,
    summary: `this is not YAML: ${meaning(first)}${more}`,
    excerpt: excerpt(text, { line, column }, known),
    ...(unquoted.has(first.code)
      ? { suggestion: "A value with marks of YAML in it has to stand in quotes." }
      : {}),
  };
}

/** Where git left an unsettled merge, all else follows from that. */
function mergeMark(text: string): PlanProblem | undefined {
  const line = text.split("\n").findIndex((one) => /^(?:<{7} |>{7} |\|{7} )/u.test(one)) + 1;
  if (line === 0) return undefined;
  const suggestion = "Settle the merge and remove the markers.";
  return { path: "", line, summary: "there is an unsettled merge (git conflict markers)", suggestion };
}

/** What a value without quotes leads to, such as a secret with a colon in it. */
const unquoted: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "ALIAS_PROPS",
  "BAD_ALIAS",
  "BAD_COLLECTION_TYPE",
  "BAD_DIRECTIVE",
  "BAD_SCALAR_START",
  "BLOCK_AS_IMPLICIT_KEY",
  "MULTIPLE_ANCHORS",
  "MULTIPLE_TAGS",
  "TAG_RESOLVE_FAILED",
  "UNEXPECTED_TOKEN",
]);

const meanings: Readonly<Partial<Record<ErrorCode, string>>> = {
  ALIAS_PROPS: "an alias (*) has an anchor or a tag of its own",
  BAD_ALIAS: "an anchor (&) or alias (*) has no proper name",
  BAD_COLLECTION_TYPE: "a tag (!) does not fit what it stands before",
  BAD_DIRECTIVE: "a line that begins with % is no directive",
  BAD_DQ_ESCAPE: "there is no such escape (\\) in double quotes",
  BAD_INDENT: "this line is not indented like its neighbours",
  BAD_PROP_ORDER: "an anchor or a tag stands before the mark that it belongs behind",
  BAD_SCALAR_START: "a value begins with a mark that YAML keeps for itself",
  BLOCK_AS_IMPLICIT_KEY: "there is a second colon, or a map, where one value is expected",
  BLOCK_IN_FLOW: "a block begins inside brackets",
  KEY_OVER_1024_CHARS: "a key is longer than 1,024 marks",
  MISSING_CHAR: "something is missing here, such as a colon, a comma or a space",
  MULTILINE_IMPLICIT_KEY: "a key goes over several lines, or its colon is missing",
  MULTIPLE_ANCHORS: "there is more than one anchor (&)",
  MULTIPLE_DOCS: "a second document begins; a plan is one",
  MULTIPLE_TAGS: "there is more than one tag (!)",
  NON_STRING_KEY: "a key is no word",
  RESOURCE_EXHAUSTION: "it is nested too deeply",
  TAB_AS_INDENT: "tabs are not allowed as indentation",
  TAG_RESOLVE_FAILED: "there is a tag (!) that means nothing here",
  UNEXPECTED_TOKEN: "this does not belong here",
};

/** More is known about these; the parser's own words are looked at, and never shown, since many quote the text. */
const finer: readonly (readonly [RegExp, string])[] = [
  [/end with a \]$/, "a list must end with a ]"],
  [/end with a \}$/, "a map must end with a }"],
  [/^Missing closing "/, 'a closing " is missing'],
  [/^Missing closing '/, "a closing ' is missing"],
  [/^Block scalar header/, "behind | or > the line has to end"],
];

function meaning({ code, message }: YAMLError): string {
  return finer.find(([pattern]) => pattern.test(message))?.[1] ?? meanings[code] ?? "it cannot be understood";
}

/** The line with a caret under the place; values are masked, the known keys of plans are not. */
export function excerpt(
  text: string,
  { line, column }: { readonly line: number; readonly column: number },
  known: readonly string[],
): readonly string[] {
  const label = `${line} | `;
  const shown = maskedLine(text.split("\n")[line - 1]?.replace(/\r$/, "") ?? "", known);
  const at = Math.min(column - 1, shown.length);
  // A long line is shown around the place.
  const start = Math.max(0, Math.min(at - Math.floor(widest / 2), shown.length - widest));
  const part = shown.slice(start, start + widest).replaceAll("\t", " ");
  return [`${label}${part}`, `${" ".repeat(label.length + at - start)}^`];
}
