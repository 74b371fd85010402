import type { LineCounter, YAMLParseError } from "yaml";
import type { PlanProblem } from "./plan-error.ts";

/** As much of a line as fits beside its number on a narrow terminal. */
const widest = 72;

/** The first place where the text is no YAML; what comes behind it is mostly its consequence, and only counted. */
export function brokenYaml(
  text: string,
  errors: readonly YAMLParseError[],
  lines: LineCounter,
): PlanProblem | undefined {
  const [first, ...others] = errors.toSorted((left, right) => left.pos[0] - right.pos[0]);
  if (first === undefined) return undefined;
  const { line, col: column } = lines.linePos(first.pos[0]);
  const more = others.length === 0 ? "" : ` (and ${others.length} more behind it)`;
  return {
    path: "",
    line,
    column,
    summary: `this is not YAML: ${first.message}${more}`,
    excerpt: excerpt(text.split(/\r?\n/)[line - 1] ?? "", line, column),
  };
}

/** The line with a caret under the place; of a secret that is written out nothing is shown. */
function excerpt(whole: string, line: number, column: number): readonly string[] {
  const label = `${line} | `;
  const secret = /^(.*?secret["']?\s*:\s*)\S/i.exec(whole)?.[1];
  const shown = secret === undefined ? whole : `${secret}...`;
  const at = Math.min(column - 1, shown.length);
  // A long line is shown around the place.
  const start = Math.max(0, Math.min(at - Math.floor(widest / 2), shown.length - widest));
  const part = shown.slice(start, start + widest).replaceAll("\t", " ");
  return [`${label}${part}`, `${" ".repeat(label.length + at - start)}^`];
}
