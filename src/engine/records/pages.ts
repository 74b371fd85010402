/**
 * Works on several pages at once and gives the results in the order of the pages: what is read ahead is bounded, and
 * nothing is left behind when one fails.
 */
export async function* ahead<Page, Result>(
  pages: AsyncIterable<Page>,
  most: number,
  work: (page: Page) => Promise<Result>,
): AsyncGenerator<Result, void, undefined> {
  const inFlight: Promise<Result>[] = [];
  try {
    for await (const page of pages) {
      const begun = work(page);
      // Whoever awaits it hears of its failure.
      begun.catch(() => undefined);
      inFlight.push(begun);
      if (inFlight.length < most) continue;
      const first = inFlight.shift();
      if (first !== undefined) yield await first;
    }
    for (let first = inFlight.shift(); first !== undefined; first = inFlight.shift()) yield await first;
  } finally {
    await Promise.allSettled(inFlight);
  }
}

/** A page at a time, of this many. */
export function* chunks<T>(items: readonly T[], size: number): Generator<readonly T[], void, undefined> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size);
}
