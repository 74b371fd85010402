/** As a shell takes it for one word. The parts of a path of Windows stay as they are. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./\\-]+$/.test(word) ? word : single(word);
}

/**
 * The same in the quotation marks that every shell takes, and in single ones where something in it would end those, or would be run within
 * them: names come from a service.
 */
export function quotedWord(word: string): string {
  return /["$`\\!%]/.test(word) ? single(word) : `"${word}"`;
}

function single(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
