import type { Io, Output } from "./io.ts";

/**
 * stderr as what is drawn upon. A terminal that says of itself that it obeys no control characters (`TERM=dumb`: a shell within an
 * editor, a console that is a log) is one that a person can be asked on, and would show each drawing behind the other.
 */
export function screenOf({ stderr, env }: Io): Output {
  return {
    get isTerminal() {
      return stderr.isTerminal && !isDumb(env);
    },
    get columns() {
      return stderr.columns;
    },
    write(text) {
      stderr.write(text);
    },
  };
}

export function isDumb(env: Io["env"]): boolean {
  return env["TERM"] === "dumb";
}
