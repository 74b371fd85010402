/** A text as a pattern that matches it and nothing else, under the flag `u` as well: that takes no escape which is not needed. */
export function literal(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/gu, "\\$&");
}
