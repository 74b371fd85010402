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
  const [a, b] = [Array.from(before), Array.from(after)];
  let same = 0;
  while (same < a.length && same < b.length && a[same] === b[same]) same += 1;
  const shared = columns(a.slice(0, same).join(""));
  const fits = columns(before) <= room && columns(after) <= room;
  if (fits || shared <= Math.min(mostShared, room - seen)) return [before, after];
  const skip = Math.max(0, same - lead);
  return [tail(a, skip), tail(b, skip)];
}

function tail(letters: readonly string[], skip: number): string {
  return skip === 0 ? letters.join("") : `…${letters.slice(skip).join("")}`;
}
