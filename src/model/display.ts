/**
 * Names and bodies come from the service and are hostile input: before they reach a terminal, control
 * characters (C0, C1, DEL), bidirectional overrides, zero-width marks and halves of a character are shown as escapes.
 */
const unsafe =
  // oxlint-disable-next-line no-control-regex -- finding control characters is the purpose
  /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]/gu;

export function display(value: string): string {
  return value.replace(unsafe, (mark) => `\\u{${(mark.codePointAt(0) ?? 0).toString(16)}}`);
}

/** C0 is escaped in any JSON; what a document has outside of its strings is its own line breaks, which are kept. */
// oxlint-disable-next-line no-control-regex -- finding control characters is the purpose
const unsafeInJson = /[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu;

/** The same document, safe on a terminal, and without what the runner of GitHub takes for a command in a log (`##[`). */
export function displayJson(json: string): string {
  return json
    .replace(unsafeInJson, (mark) => `\\u${(mark.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`)
    .replaceAll("##[", "\\u0023#[");
}

/** At most `width` characters, with an ellipsis where something was cut. */
export function shorten(value: string, width: number): string {
  const characters = Array.from(value);
  return characters.length <= width ? value : `${characters.slice(0, Math.max(0, width - 1)).join("")}…`;
}
