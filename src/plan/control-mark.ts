import type { PlanProblem } from "./plan-error.ts";

/** What neither YAML nor JSON allows in a text, and no editor writes by itself. */
// oxlint-disable-next-line no-control-regex -- finding them is the purpose
const control = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;

/** A mark that cannot be seen, such as NUL: it comes with a wrong copy, or with a file that is no text. */
export function controlMark(text: string): PlanProblem | undefined {
  const found = control.exec(text);
  if (found === null) return undefined;
  const before = text.slice(0, found.index).split(/\r\n|\n/);
  const code = (found[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  return {
    path: "",
    line: before.length,
    column: (before.at(-1) ?? "").length + 1,
    summary: `there is a mark that cannot be seen (U+${code}), and no text may hold it`,
    suggestion: "Delete it, or write the file again with a text editor.",
  };
}
