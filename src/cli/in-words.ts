import { wrap } from "../report/columns.ts";
import type { Output } from "./io.ts";

/**
 * Text of whole lines, broken at spaces where a terminal would break it within a word; elsewhere it is as it is, for
 * whoever searches it. Commands stay in one piece, to be copied.
 */
export function inWords(text: string, { isTerminal, columns }: Output): string {
  if (!isTerminal) return text;
  const width = Math.max(40, columns);
  return text
    .split("\n")
    .flatMap((line) => broken(line, width))
    .join("\n");
}

function broken(line: string, width: number): readonly string[] {
  const start = /^ */u.exec(line)?.[0] ?? "";
  if (line.startsWith("ferry ", start.length)) return [line];
  const [first = "", ...rest] = wrap(line.slice(start.length), width - start.length - (start === "" ? 0 : 2));
  // Under a line that is indented, what belongs to it stands further in.
  const hang = start === "" ? "" : `${start}  `;
  return [`${start}${first}`, ...rest.map((more) => `${hang}${more}`)];
}
