export interface ReportOptions {
  /** ANSI colours; off by default, so that a file or a pipe never gets them. */
  readonly color?: boolean;
  /** Columns of the terminal; 80 by default. */
  readonly width?: number;
  /** Text only: nothing but a person reads it, so that no line is wider than that. */
  readonly isTerminal?: boolean;
  /** 0 shortens values and long lists; 1 shows every change and URN; 2 shows whole values too. */
  readonly verbose?: number;
  /** Text only: the changes were shown before they were made, so that what became of them is all there is to tell. */
  readonly brief?: boolean;
  /** Text only: where every change can be read, named at the end. */
  readonly whole?: string;
  /** Markdown only: UTF-8 bytes the report may take; 60,000 by default, what a pull-request comment holds. */
  readonly maxBytes?: number;
}
