import { display, shorten } from "../model/display.ts";
import type { Mask } from "./redact.ts";
import { maskOf } from "./redact.ts";

/** Tokens kept for masking after they were replaced: an answer to an older request may still echo one. */
const remembered = 4;

/** Turns text that came from outside into text that may be shown: masked, on one line, not endless. */
export class Cleaner {
  readonly #fixed: readonly string[];
  #tokens: readonly string[] = [];
  /** Made out once for each set of tokens: a service says of each object without a draft that it has none. */
  #mask: Mask | undefined;

  constructor(secrets: readonly string[]) {
    this.#fixed = secrets;
  }

  rememberToken(token: string): void {
    this.#tokens = [token, ...this.#tokens].slice(0, remembered);
    this.#mask = undefined;
  }

  clean(text: string, width = 1000): string {
    this.#mask ??= maskOf([...this.#fixed, ...this.#tokens]);
    return shorten(display(this.#mask(text)), width);
  }
}
