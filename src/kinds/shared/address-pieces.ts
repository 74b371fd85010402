/** Of values in an address: servers take some thousands of characters of one, with all else that stands in it. */
const mostCharacters = 4_000;

/** As many together as an address can name. `textsOf`: what stands in it of each. */
export function addressPieces<T>(
  items: readonly T[],
  textsOf: (item: T) => readonly string[],
): readonly (readonly T[])[] {
  const all: T[][] = [];
  let length = mostCharacters;
  // Half a character cannot be escaped; whoever asks for such a text finds nothing.
  const lengthOf = (text: string): number => encodeURIComponent(text.toWellFormed()).length + 1;
  for (const item of items) {
    const more = textsOf(item).reduce((sum, text) => sum + lengthOf(text), 0);
    if (length + more > mostCharacters) {
      all.push([]);
      length = 0;
    }
    all.at(-1)?.push(item);
    length += more;
  }
  return all;
}
