import { display, shorten } from "../model/display.ts";
import { redact } from "./redact.ts";

/** Tokens kept for masking after they were replaced: an answer to an older request may still echo one. */
const remembered = 4;

/** Turns text that came from outside into text that may be shown: masked, on one line, not endless. */
export class Cleaner {
  readonly #fixed: readonly string[];
  #tokens: readonly string[] = [];

  constructor(secrets: readonly string[]) {
    this.#fixed = secrets;
  }

  rememberToken(token: string): void {
    this.#tokens = [token, ...this.#tokens].slice(0, remembered);
  }

  clean(text: string, width = 1000): string {
    return shorten(display(redact(text, [...this.#fixed, ...this.#tokens])), width);
  }
}
