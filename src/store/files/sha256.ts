import { createHash, hash } from "node:crypto";
import type { Hash } from "node:crypto";

/** SHA-256 of what comes in pieces; where there is but one, as for most files, at once. */
export class Sha256 {
  #hash: Hash | undefined;

  add(piece: string | Buffer): void {
    this.#hash ??= createHash("sha256");
    this.#hash.update(piece);
  }

  /** In hexadecimal, with the last piece. Asked once. */
  hex(last: string | Buffer): string {
    return this.#hash?.update(last).digest("hex") ?? hash("sha256", last, "hex");
  }
}
