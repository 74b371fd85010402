/**
 * Like Promise.all, but it fails only when everything has ended: whoever cleans up afterwards must not have something
 * still writing behind it.
 */
export async function together<T extends readonly unknown[]>(
  work: readonly [...{ [Index in keyof T]: Promise<T[Index]> }],
): Promise<T> {
  await Promise.allSettled(work);
  return Promise.all(work) as Promise<unknown> as Promise<T>;
}
