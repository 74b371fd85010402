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
    const hex = [this.word(), this.word(), this.word(), this.word()]
      .map((word) => word.toString(16).padStart(8, "0"))
      .join("");
    const variant = ((Number.parseInt(hex.slice(16, 17), 16) & 3) | 8).toString(16);
    return [
      hex.slice(0, 8),
      hex.slice(8, 12),
      `4${hex.slice(13, 16)}`,
      `${variant}${hex.slice(17, 20)}`,
      hex.slice(20),
    ].join("-");
  }
}
