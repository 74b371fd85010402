/** An open draft of something that goes with an object; one that says what is published is nobody's work. */
export interface DraftWithin {
  /** What it is of, for messages: `primary monitor`. */
  readonly what: string;
  readonly urn: string;
}
