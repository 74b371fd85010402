import { columns } from "./columns.ts";

/** Shown of what two texts share, before the place where they part. */
const lead = 16;
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

/** The same of several texts, from shortly before where the first of them parts from the others. */
export function allWindowed(texts: readonly string[], room: number): readonly string[] {
  const all = texts.map((text) => Array.from(text));
  const [first = []] = all;
  let same = 0;
  while (same < first.length && all.every((letters) => letters[same] === first[same])) same += 1;
  const shared = columns(first.slice(0, same).join(""));
  const fits = texts.every((text) => columns(text) <= room);
  if (fits || shared <= Math.min(mostShared, room - seen)) return texts;
  const skip = Math.max(0, same - lead);
  return all.map((letters) => tail(letters, skip));
}

function tail(letters: readonly string[], skip: number): string {
  return skip === 0 ? letters.join("") : `…${letters.slice(skip).join("")}`;
}
