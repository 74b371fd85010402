/** How many columns of a terminal a text takes, and what follows from it: padding, cutting, wrapping. */
/** Each letter by itself one column: ASCII, Latin letters as one character, and what our own words have (– — … and arrows). */
const plain = /^[\u0020-\u007e\u00a1-\u00ac\u00ae-\u024f\u2013\u2014\u2026\u2190-\u2193]*$/u;
const wide =
  /^(?:\p{Emoji_Presentation}|.\u{fe0f}|[\u{1100}-\u{115f}\u{2329}\u{232a}\u{2e80}-\u{303e}\u{3041}-\u{a4cf}\u{a960}-\u{a97c}\u{ac00}-\u{d7a3}\u{f900}-\u{faff}\u{fe10}-\u{fe19}\u{fe30}-\u{fe6f}\u{ff00}-\u{ff60}\u{ffe0}-\u{ffe6}\u{1f300}-\u{1f64f}\u{1f900}-\u{1f9ff}\u{20000}-\u{3fffd}])/u;
const nothing = /^[\p{Mn}\p{Me}\p{Cf}]+$/u;
let segmenter: Intl.Segmenter | undefined;

/** It opens the tables of ICU, which takes as long as all of Node's own start, and most commands print nothing that needs them. */
function segments(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  return segmenter.segment(text);
}

export function columns(text: string): number {
  if (plain.test(text)) return text.length;
  let total = 0;
  for (const { segment } of segments(text)) total += cell(segment);
  return total;
}

function cell(segment: string): number {
  if (nothing.test(segment)) return 0;
  return wide.test(segment) ? 2 : 1;
}

export function pad(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - columns(text)));
}

/** At most `width` columns, with an ellipsis where something was cut. */
export function cut(text: string, width: number): string {
  // Of a long text only its beginning is looked at, wherever that decides.
  if (text.length > width && plain.test(text.slice(0, width + 1)))
    return `${text.slice(0, Math.max(0, width - 1))}…`;
  if (columns(text) <= width) return text;
  let kept = "";
  let used = 0;
  for (const { segment } of segments(text)) {
    const next = used + cell(segment);
    if (next > width - 1) break;
    kept += segment;
    used = next;
  }
  return `${kept}…`;
}

/** Lines of at most `width` columns, broken at spaces; a word that is longer stays whole, to be copied. */
export function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (line !== "" && columns(longer) > width) {
      lines.push(line);
      line = word;
    } else {
      line = longer;
    }
  }
  lines.push(line);
  return lines;
}
