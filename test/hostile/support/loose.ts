/** A body or a file that a row takes apart, whose shape the row knows: checks would be longer than the row. */
// oxlint-disable-next-line typescript/no-explicit-any -- a row is to stay one line
export type Loose = any;
