import { createHash, hash } from "node:crypto";
import type { Hash } from "node:crypto";
import type { MappingEntry } from "../../model/mapping.ts";
import { formatEntries } from "./mapping-format.ts";

/** What entries say, in one short text: of their lines as they are written, in the order of the file. */
export class MappingDigest {
  #hash: Hash | undefined;
  #piece = "";

  add(line: string): void {
    this.#piece += `${line}\n`;
    if (this.#piece.length < 65_536) return;
    this.#hash ??= createHash("sha256");
    this.#hash.update(this.#piece);
    this.#piece = "";
  }

  /** Asked once, at the end. */
  hex(): string {
    return this.#hash?.update(this.#piece).digest("hex") ?? hash("sha256", this.#piece, "hex");
  }
}

export function digestOf(entries: Iterable<readonly [string, MappingEntry]>): string {
  const digest = new MappingDigest();
  for (const line of formatEntries(entries)) digest.add(line);
  return digest.hex();
}
