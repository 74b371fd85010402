/** A read as it goes over the wire, below the base address of its environment. */
export interface AskedFor {
  readonly method: string;
  readonly path: string;
  /** The path without its variable parts. */
  readonly route: string;
  /** With its question mark, or empty. */
  readonly query: string;
  /** JSON; absent where the request has none. */
  readonly body?: string;
}

/** What a whole answer said. */
export interface Heard {
  readonly status: number;
  /** SHA-256 of the bytes of its body, in base64. */
  readonly print: string;
}

/**
 * Hears what a client asks and is answered, and may answer in its place with what was heard before. It is told of whole
 * answers alone, and not of those after which the client asks again.
 */
export interface Tape {
  /** Nobody is told of anything, and no print is taken, where it is off. */
  readonly isOn: boolean;
  /** An answer that was read, and that nobody has taken since; it is asked for otherwise. */
  take(asked: AskedFor): (Heard & { readonly text: string }) | undefined;
  heard(asked: AskedFor, answer: Heard): void;
  /** What was heard is not all: something is sent that changes the service, or a read came to no answer that tells anything. */
  miss(): void;
}

/** Answers that say nothing of what was asked: the client asks again, or signs in again. */
export function isForLater(status: number): boolean {
  return status >= 500 || status === 401 || status === 408 || status === 425 || status === 429;
}
