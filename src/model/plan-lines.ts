import { displayJson } from "./display.ts";
import { literal } from "./literal.ts";

/**
 * A text as it can be pasted into a plan: a JSON string is a double-quoted YAML scalar too. Names come from the
 * service, so that what could disturb a terminal is escaped in the way that both know.
 */
export function quoted(text: string): string {
  return displayJson(JSON.stringify(text));
}

export interface Rename {
  readonly pattern: string;
  readonly replace: string;
}

/** `- { pattern: "^DEV_", replace: "PROD_" }`: an entry of pairing.paths. */
export function renameLine({ pattern, replace }: Rename): string {
  return `- { pattern: ${quoted(pattern)}, replace: ${quoted(replace)} }`;
}

/** `"Snowflake DEV": "Snowflake PROD"`: an entry of pairing.sources, .connections or .groups. */
export function pairLine(source: string, target: string): string {
  return `${quoted(source)}: ${quoted(target)}`;
}

/** A rename with the words of the two paths that it is about. */
export interface GuessedRename extends Rename {
  readonly from: string;
  readonly to: string;
}

/**
 * The rename that makes one path of the other: what differs between them, in whole words, so that `^DEV_` does not
 * catch DEVICES. Undefined where the two have nothing in common that would make it more than a guess.
 */
export function guessRename(from: string, to: string): GuessedRename | undefined {
  const [a, b] = [words(from), words(to)];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a[a.length - 1 - end] === b[b.length - 1 - end])
    end += 1;
  if (start + end === 0 || from === to) return undefined;
  // A separator on either side keeps the pattern from matching within a word.
  const before = start === 0 ? 0 : start - 1;
  const after = end === 0 ? 0 : end - 1;
  const was = a.slice(before, a.length - after).join("");
  const becomes = b.slice(before, b.length - after).join("");
  return {
    pattern: `${start === 0 ? "^" : ""}${literal(was)}${end === 0 ? "$" : ""}`,
    // In a replacement a dollar sign has a meaning of its own.
    replace: becomes.replaceAll("$", "$$$$"),
    from: was,
    to: becomes,
  };
}

/** Words and what separates them, each a token. */
function words(text: string): readonly string[] {
  return text.match(/[\p{L}\p{N}]+|[^\p{L}\p{N}]/gu) ?? [];
}
