/** The results for 1, 2, and so on. */
export function times<T>(count: number, make: (number: number) => T): readonly T[] {
  return Array.from({ length: count }, (_, index) => make(index + 1));
}
