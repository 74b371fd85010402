import type { MappingEntry } from "../../model/mapping.ts";
import { formatEntries } from "./mapping-format.ts";
import { Sha256 } from "./sha256.ts";

/** What entries say, in one short text: of their lines as they are written, in the order of the file. */
export class MappingDigest {
  readonly #sha256 = new Sha256();
  #piece = "";

  add(line: string): void {
    this.#piece += `${line}\n`;
    if (this.#piece.length < 65_536) return;
    this.#sha256.add(this.#piece);
    this.#piece = "";
  }

  /** Asked once, at the end. */
  hex(): string {
    return this.#sha256.hex(this.#piece);
  }
}

/** The same lines; what they say is known when the last of them was taken. */
export function* digesting(lines: Iterable<string>, digest: MappingDigest): Generator<string> {
  for (const line of lines) {
    digest.add(line);
    yield line;
  }
}

export interface Printed {
  readonly digest: string;
  /** As they are written; absent where they are too long to be kept. */
  readonly lines: readonly string[] | undefined;
}

/** Up to so many characters: what is written next need not be printed again. */
const mostKept = 4 << 20;

export function printed(entries: Iterable<readonly [string, MappingEntry]>): Printed {
  const digest = new MappingDigest();
  let lines: string[] | undefined = [];
  let length = 0;
  for (const line of formatEntries(entries)) {
    digest.add(line);
    length += line.length;
    if (length > mostKept) lines = undefined;
    lines?.push(line);
  }
  return { digest: digest.hex(), lines };
}
