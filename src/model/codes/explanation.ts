/** What a code says to somebody who meets it for the first time. */
export interface Explanation {
  readonly means: string;
  /** How it comes about. */
  readonly why: string;
  /** What a person does about it. `PLAN` stands for the plan's name, `SOURCE` and `TARGET` for URNs. */
  readonly act: string;
}
