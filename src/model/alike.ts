/** How alike two names are: shared pairs of neighbouring letters, from 0 (none) to 1 (the same but for case). */
export function likeness(left: string, right: string): number {
  const [a, b] = [pairsOf(left), pairsOf(right)];
  const total = sizeOf(a) + sizeOf(b);
  if (total === 0) return left.toLowerCase() === right.toLowerCase() ? 1 : 0;
  let shared = 0;
  for (const [pair, times] of a) shared += Math.min(times, b.get(pair) ?? 0);
  return (2 * shared) / total;
}

/** Of many the one that is most alike, when it is alike at all; the first of several that are equally so. */
export function mostAlike<T>(text: string, items: Iterable<T>, textOf: (item: T) => string): T | undefined {
  let best: T | undefined;
  let most = leastAlike;
  for (const item of items) {
    const found = likeness(text, textOf(item));
    if (found <= most) continue;
    most = found;
    best = item;
  }
  return best;
}

/** Below this two names have nothing to do with each other. */
const leastAlike = 0.35;
/** Names are short; a text that is not is compared by its beginning. */
const longest = 200;

function pairsOf(text: string): ReadonlyMap<string, number> {
  const letters = Array.from(text.slice(0, longest).toLowerCase());
  const pairs = new Map<string, number>();
  for (let at = 0; at + 1 < letters.length; at += 1) {
    const pair = `${letters[at] ?? ""}${letters[at + 1] ?? ""}`;
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  return pairs;
}

function sizeOf(pairs: ReadonlyMap<string, number>): number {
  return [...pairs.values()].reduce((sum, times) => sum + times, 0);
}
