/** What of two texts differs, line by line: what they begin and end with alike is left out but for a line around it. */
export interface LineChange {
  readonly before: readonly string[];
  readonly removed: readonly string[];
  readonly added: readonly string[];
  readonly after: readonly string[];
}

export function lineChange(from: readonly string[], to: readonly string[]): LineChange {
  const most = Math.min(from.length, to.length);
  let start = 0;
  while (start < most && from[start] === to[start]) start += 1;
  let end = 0;
  while (end < most - start && from[from.length - 1 - end] === to[to.length - 1 - end]) end += 1;
  return {
    before: from.slice(Math.max(0, start - 1), start),
    removed: from.slice(start, from.length - end),
    added: to.slice(start, to.length - end),
    after: from.slice(from.length - end, from.length - end + 1),
  };
}
