/**
 * Names and reasons as Markdown that can make nothing: no markup, HTML, table, link, mention or reference. All
 * input has been through `display`, so that it is one line without control characters.
 */
const special = /[&<>`*_[\]#|~\\!$^@]/gu;
const zeroWidth = "&#8203;";

/** Running text. Characters that could start markup are written as entities; what a host links is broken up. */
export function prose(text: string): string {
  return text
    .replaceAll(/[#!$%~&^@](?=[\p{L}\p{N}_"])|(?<=:)(?=\/\/)|(?<=www)(?=\.)/giu, "$&\u0000")
    .replace(special, (mark) => `&#${mark.codePointAt(0) ?? 0};`)
    .replaceAll("\u0000", zeroWidth);
}

/** A code span: hosts look for no mentions, references or links in it. The fence is longer than any inside. */
export function code(text: string): string {
  const fence = "`".repeat(longestRun(text) + 1);
  const edge =
    text.startsWith("`") || text.endsWith("`") || (text.startsWith(" ") && text.endsWith(" ")) ? " " : "";
  return `${fence}${edge}${text}${edge}${fence}`;
}

/** The same inside of an HTML line such as `<summary>`, where Markdown is not read. */
export function htmlCode(text: string): string {
  return `<code>${htmlText(text)}</code>`;
}

export function htmlText(text: string): string {
  return text.replaceAll(/[&<>"'`@]/gu, (mark) => `&#${mark.codePointAt(0) ?? 0};`);
}

/** A fenced block of lines. */
export function fenced(language: string, lines: readonly string[]): string {
  const fence = "`".repeat(Math.max(3, longestRun(lines.join("\n")) + 1));
  return [`${fence}${language}`, ...lines, fence].join("\n");
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/gu)].map((run) => run[0].length));
}
