import { columns, cut } from "./columns.ts";

/** Shown of what two texts share, before the place where they part. */
const lead = 16;
/** The same, behind what was left out in the middle. */
const shortLead = 4;
/** So much of a difference has to be seen for it to be one. */
const seen = 12;
/** Beyond it the same beginning twice only hides where the texts part. */
const mostShared = 40;

/**
 * Both texts from shortly before where they part, when that would be cut away, or come late, in `room` columns: two
 * values that differ must not be shown alike.
 */
export function windowed(before: string, after: string, room: number): readonly [string, string] {
  const [one = before, other = after] = allWindowed([before, after], room);
  return [one, other];
}

/**
 * The same of several texts, from shortly before where the first of them parts from the others; where two of them part from each
 * other beyond what is seen from there, that place is shown as well.
 */
export function allWindowed(texts: readonly string[], room: number): readonly string[] {
  if (texts.every((text) => columns(text) <= room)) return texts;
  const all = texts.map((text) => Array.from(text));
  const same = Math.min(...all.map((letters) => parting(all[0] ?? [], letters)));
  const shared = columns((all[0] ?? []).slice(0, same).join(""));
  const skip = shared <= Math.min(mostShared, room - seen) ? 0 : Math.max(0, same - lead);
  const shown = all.map((letters) => tail(letters, skip));
  const later = all.flatMap((one, at) =>
    all.slice(at + 1).flatMap((other, after) => {
      const isAlike = cut(shown[at] ?? "", room) === cut(shown[at + 1 + after] ?? "", room);
      const place = parting(one, other);
      return isAlike && place < Math.max(one.length, other.length) ? [place] : [];
    }),
  );
  if (later.length === 0) return shown;
  const next = Math.max(0, Math.min(...later) - shortLead);
  return shown.map((text, at) => cut(text, Math.floor(room / 2)) + (all[at] ?? []).slice(next).join(""));
}

/** Where two texts part; the length of the longer one where they do not. */
function parting(one: readonly string[], other: readonly string[]): number {
  const length = Math.max(one.length, other.length);
  for (let at = 0; at < length; at += 1) if (one[at] !== other[at]) return at;
  return length;
}

/** The same of lines, each with the one in its place at the other side. */
export function linesWindowed(
  before: readonly string[],
  after: readonly string[],
  room: number,
): readonly [readonly string[], readonly string[]] {
  const pairs = before.map((line, at) => {
    const other = after[at];
    return other === undefined || other === line ? undefined : windowed(line, other, room);
  });
  return [before.map((line, at) => pairs[at]?.[0] ?? line), after.map((line, at) => pairs[at]?.[1] ?? line)];
}

function tail(letters: readonly string[], skip: number): string {
  return skip === 0 ? letters.join("") : `…${letters.slice(skip).join("")}`;
}
