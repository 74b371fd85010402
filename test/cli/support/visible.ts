/** What stays on a terminal: a line that is drawn anew takes the place of what was there. */
export function visible(text: string): string {
  return text
    .split("\n")
    .map((line) => line.split("\r\u001b[2K").at(-1) ?? "")
    .join("\n");
}
