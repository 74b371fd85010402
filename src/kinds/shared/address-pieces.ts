/** Of values in an address: servers take some thousands of characters of one, with all else that stands in it. */
const mostCharacters = 4_000;

/** As many together as an address can name. `textsOf`: what stands in it of each. */
export function addressPieces<T>(
  items: readonly T[],
  textsOf: (item: T) => readonly string[],
): readonly (readonly T[])[] {
  const all: T[][] = [];
  let length = mostCharacters;
  for (const item of items) {
    const more = textsOf(item).reduce((sum, text) => sum + encodeURIComponent(text).length + 1, 0);
    if (length + more > mostCharacters) {
      all.push([]);
      length = 0;
    }
    all.at(-1)?.push(item);
    length += more;
  }
  return all;
}
