/** A stream of chances and UUIDs that follows from its seed alone (xoshiro128**). */
export class Random {
  #a: number;
  #b: number;
  #c: number;
  #d: number;

  constructor(seed: number, stream: string) {
    let state = seed >>> 0;
    for (const character of stream)
      state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 0x9e37_79b1) >>> 0;
    const next = (): number => {
      state = (state + 0x9e37_79b9) >>> 0;
      let mixed = Math.imul(state ^ (state >>> 16), 0x21f0_aaad);
      mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a_2d97);
      return (mixed ^ (mixed >>> 15)) >>> 0;
    };
    this.#a = next();
    this.#b = next();
    this.#c = next();
    this.#d = next() | 1;
  }

  /** 32 random bits. */
  word(): number {
    const scaled = Math.imul(this.#b, 5);
    const result = Math.imul((scaled << 7) | (scaled >>> 25), 9) >>> 0;
    const shifted = this.#b << 9;
    this.#c ^= this.#a;
    this.#d ^= this.#b;
    this.#b ^= this.#c;
    this.#a ^= this.#d;
    this.#c ^= shifted;
    this.#d = (this.#d << 11) | (this.#d >>> 21);
    return result;
  }

  /** At least 0, below 1. */
  fraction(): number {
    return this.word() / 2 ** 32;
  }

  uuid(): string {
    const [a, b, c, d] = [this.word(), this.word(), this.word(), this.word()];
    const version = 0x4000 | (b & 0xfff);
    const variant = 0x8000 | (((c >>> 28) & 3) << 12) | ((c >>> 16) & 0xfff);
    return `${four(a >>> 16)}${four(a)}-${four(b >>> 16)}-${four(version)}-${four(variant)}-${four(c)}${four(d >>> 16)}${four(d)}`;
  }
}

const bytes = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** The last 16 bits in hexadecimal. */
function four(value: number): string {
  return `${bytes[(value >>> 8) & 0xff] ?? ""}${bytes[value & 0xff] ?? ""}`;
}
