/** Does the work for each, at most so many at a time; what comes of it stands in the order of the list. */
export async function bounded<T, R>(
  list: readonly T[],
  atOnce: number,
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  let failed = false;
  const worker = async (): Promise<void> => {
    // What one of them cannot get over ends all of them; nothing new is begun behind its back.
    while (next < list.length && !failed) {
      const index = next;
      next += 1;
      try {
        results[index] = await work(list[index] as T, index);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  const workers = Array.from({ length: Math.max(1, Math.min(atOnce, list.length)) }, worker);
  const ended = await Promise.allSettled(workers);
  for (const end of ended) if (end.status === "rejected") throw end.reason;
  return results;
}

/** Objects that are looked at at once: the client has fewer requests on their way than that. */
export const looksAtOnce = 64;
