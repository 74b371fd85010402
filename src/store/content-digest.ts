import { hash } from "node:crypto";
import { configure } from "safe-stable-stringify";
import type { Json } from "../model/json.ts";

const stableStringify = configure({ strict: true });

/** SHA-256 of a value, whatever the order of its fields. */
export function digestOf(value: Json): string {
  return hash("sha256", stableStringify(value) ?? "");
}

/**
 * A digest of a set of values that does not depend on their order: the sum of their SHA-256, modulo 2^256. It
 * is taken one by one in constant memory, and finds accidents, not forgery.
 */
export class SetDigest {
  #sum = 0n;

  add(value: Json): void {
    this.#sum = BigInt.asUintN(256, this.#sum + BigInt(`0x${digestOf(value)}`));
  }

  toString(): string {
    return this.#sum.toString(16).padStart(64, "0");
  }
}
