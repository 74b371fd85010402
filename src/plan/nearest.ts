import { distance } from "fastest-levenshtein";

/** The word that was probably meant, when one is near enough. */
export function nearest(word: string, words: Iterable<string>): string | undefined {
  let best: string | undefined;
  let least = Math.max(2, Math.floor(word.length / 3)) + 1;
  for (const candidate of words) {
    const steps = distance(word.toLowerCase(), candidate.toLowerCase());
    if (steps < least) {
      least = steps;
      best = candidate;
    }
  }
  return best;
}

export function didYouMean(word: string, words: Iterable<string>): string | undefined {
  const found = nearest(word, words);
  return found === undefined ? undefined : `Did you mean ${found}?`;
}
