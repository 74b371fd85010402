/**
 * Like Promise.all, but it fails only when everything has ended: whoever cleans up afterwards must not have something
 * still writing behind it.
 */
export async function together<T extends readonly Promise<unknown>[] | []>(
  work: T,
): Promise<{ -readonly [Index in keyof T]: Awaited<T[Index]> }> {
  await Promise.allSettled(work);
  return Promise.all(work);
}
