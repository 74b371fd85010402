/** A moment for people, to the minute; in UTC, and said to be: those who read it sit elsewhere, as does the runner. */
export function toMinute(at: string): string {
  return `${at.slice(0, 16).replace("T", " ")} UTC`;
}
