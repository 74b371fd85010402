/** The command was called the wrong way; exit code 64, before any request. */
export class UsageError extends Error {
  readonly suggestion: string | undefined;

  constructor(message: string, suggestion?: string) {
    super(message);
    this.name = "UsageError";
    this.suggestion = suggestion;
  }
}
