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
    const version = `4${digits(b & 0xfff, 3)}`;
    const variant = digits((((c >>> 28) & 3) | 8) * 0x1000 + ((c >>> 16) & 0xfff), 4);
    return `${digits(a, 8)}-${digits(b >>> 16, 4)}-${version}-${variant}-${digits(c & 0xffff, 4)}${digits(d, 8)}`;
  }
}

function digits(value: number, count: number): string {
  return value.toString(16).padStart(count, "0");
}
