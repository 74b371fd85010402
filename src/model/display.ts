/**
 * Names and bodies come from the service and are hostile input: before they reach a terminal, what nobody would see in them is
 * shown as escapes: control characters, halves of a character, line separators, and all that Unicode lets a font leave out
 * (bidirectional overrides, zero-width marks, tags, fillers, lone variation selectors). Two names that differ look different.
 */
const hidden = String.raw`[\p{Cc}\p{Cs}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]`;
const unsafe = new RegExp(hidden, "v");
/** A selector that makes a sign an emoji, and changes nothing else, is a part of it. Joiners are shown: not every font joins. */
const emojiOrUnsafe = new RegExp(String.raw`\p{Basic_Emoji}|\p{Emoji_Keycap_Sequence}|${hidden}`, "gv");

export function display(value: string): string {
  // Nearly all texts are fine, which is told without a look at emoji.
  if (!unsafe.test(value)) return value;
  return value.replace(emojiOrUnsafe, (found) =>
    isUnsafe(found) ? `\\u{${(found.codePointAt(0) ?? 0).toString(16)}}` : found,
  );
}

/** C0 is escaped in any JSON; what a document has outside of its strings is its own line breaks, which are kept. */
// oxlint-disable-next-line no-control-regex -- finding control characters is the purpose
const plain = /[\u0000-\u001f]/u;

/** The same document, safe on a terminal, and without what the runner of GitHub takes for a command in a log (`##[`). */
export function displayJson(json: string): string {
  return escaped(json).replaceAll("##[", "\\u0023#[");
}

function escaped(json: string): string {
  // oxlint-disable-next-line no-control-regex -- finding control characters is the purpose
  if (/^[\u0000-\u007e]*$/u.test(json)) return json;
  return json.replace(emojiOrUnsafe, (found) =>
    isUnsafe(found) && !plain.test(found) ? codeUnits(found) : found,
  );
}

/** One mark by itself; an emoji is longer, or none. */
function isUnsafe(found: string): boolean {
  const [first = "", ...more] = found;
  return more.length === 0 && unsafe.test(first);
}

/** JSON knows escapes of sixteen bits. */
function codeUnits(mark: string): string {
  return Array.from(
    { length: mark.length },
    (_, at) => `\\u${mark.charCodeAt(at).toString(16).padStart(4, "0")}`,
  ).join("");
}

/** At most `width` characters, with an ellipsis where something was cut. */
export function shorten(value: string, width: number): string {
  const characters = Array.from(value);
  return characters.length <= width ? value : `${characters.slice(0, Math.max(0, width - 1)).join("")}…`;
}
