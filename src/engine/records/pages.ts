/**
 * Works on several pages at once and gives the results in the order of the pages: what is read ahead is bounded, and
 * nothing is left behind when one fails.
 */
export async function* ahead<Page, Result>(
  pages: AsyncIterable<Page>,
  most: number,
  work: (page: Page) => Promise<Result>,
): AsyncGenerator<Result, void, undefined> {
  const reader = pages[Symbol.asyncIterator]();
  const inFlight: Promise<Result>[] = [];
  // The next page is on its way while this one is worked on: a list is a chain of answers, and what takes longest.
  let next = watched(reader.next());
  try {
    for (;;) {
      const { value: page, done } = await next;
      if (done === true) break;
      next = watched(reader.next());
      inFlight.push(watched(work(page)));
      if (inFlight.length < most) continue;
      const first = inFlight.shift();
      if (first !== undefined) yield await first;
    }
    for (let first = inFlight.shift(); first !== undefined; first = inFlight.shift()) yield await first;
  } finally {
    await Promise.allSettled([next, ...inFlight]);
    await reader.return?.();
  }
}

/** Whoever awaits it hears of its failure. */
function watched<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}

/** A page at a time, of this many. */
export function* chunks<T>(items: readonly T[], size: number): Generator<readonly T[], void, undefined> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size);
}

/** The same of what comes some at a time, however many those are. */
export async function* grouped<T>(
  pages: AsyncIterable<readonly T[]>,
  size: number,
): AsyncGenerator<readonly T[], void, undefined> {
  let group: T[] = [];
  for await (const page of pages) {
    for (const item of page) {
      group.push(item);
      if (group.length < size) continue;
      yield group;
      group = [];
    }
  }
  if (group.length > 0) yield group;
}
