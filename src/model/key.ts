/**
 * What names an object everywhere, in memory and on disk: its kind, and its id within the kind. A URN alone does not:
 * an assignment, a description and a steward of one attribute are three objects over one URN.
 */
export interface Key {
  readonly kind: string;
  /** A URN, or what else the kind tells its objects apart by. */
  readonly id: string;
}

/** A key as one text, for maps and files. The names of kinds hold no colon, so it can be read back. */
export function keyText(kind: string, id: string): string {
  return `${kind}:${id}`;
}

/** The key that a text names; a URN alone, which a person may write where it is clear, has no kind. */
export function parseKey(text: string): { readonly kind: string | undefined; readonly id: string } {
  const at = text.indexOf(":");
  const kind = at < 0 ? "" : text.slice(0, at);
  return kind === "" || kind === "urn" ? { kind: undefined, id: text } : { kind, id: text.slice(at + 1) };
}
