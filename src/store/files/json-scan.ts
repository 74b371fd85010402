/**
 * A small JSON reader that knows where it is: `JSON.parse` does not say where its errors are, and keeps the
 * last of two members with one name without a word. It reads for places only; values come from `JSON.parse`.
 */
export type JsonPath = readonly (string | number)[];

export interface Repeated {
  readonly key: string;
  readonly offset: number;
}

interface Frame {
  readonly array: boolean;
  readonly seen: Set<string>;
  at: string | number;
}

const space = /[ \t\r\n]*/y;
const string = /"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\u0000-\u001f]*)*"/y; // oxlint-disable-line no-control-regex -- JSON forbids them
const scalar = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y;

/** Where the text stops being JSON; undefined when it is JSON throughout. */
export function findSyntaxError(text: string): number | undefined {
  return new Scanner(text).run();
}

/** The first member whose name its object had already. The text must be JSON. */
export function findRepeatedKey(text: string): Repeated | undefined {
  let found: Repeated | undefined;
  new Scanner(text, (key, offset, frame) => {
    if (frame.seen.has(key)) found ??= { key, offset };
    frame.seen.add(key);
  }).run();
  return found;
}

/** Where the value at a path begins, or the nearest one around it. The text must be JSON. */
export function findPath(text: string, path: JsonPath): number {
  let nearest = { depth: 0, offset: 0 };
  new Scanner(text, undefined, (frames, offset) => {
    const depth = frames.length;
    if (depth <= nearest.depth || depth > path.length) return;
    if (frames.every((frame, index) => frame.at === path[index])) nearest = { depth, offset };
  }).run();
  return nearest.offset;
}

class Scanner {
  readonly #text: string;
  readonly #onKey: ((key: string, offset: number, frame: Frame) => void) | undefined;
  readonly #onValue: ((frames: readonly Frame[], offset: number) => void) | undefined;
  readonly #frames: Frame[] = [];
  #offset = 0;

  constructor(
    text: string,
    onKey?: (key: string, offset: number, frame: Frame) => void,
    onValue?: (frames: readonly Frame[], offset: number) => void,
  ) {
    this.#text = text;
    this.#onKey = onKey;
    this.#onValue = onValue;
  }

  /** The offset of the first error. */
  run(): number | undefined {
    for (;;) {
      if (!this.#value()) return this.#offset;
      if (!this.#closeEnded()) return this.#offset;
      if (this.#frames.length === 0) {
        this.#take(space);
        return this.#offset === this.#text.length ? undefined : this.#offset;
      }
    }
  }

  /** Reads a value up to and including its first scalar (or empty container), opening what is on the way. */
  #value(): boolean {
    for (;;) {
      this.#take(space);
      this.#onValue?.(this.#frames, this.#offset);
      const begin = this.#text[this.#offset];
      if (begin !== "{" && begin !== "[")
        return (begin === '"' ? this.#take(string) : this.#take(scalar)) !== undefined;
      this.#offset += 1;
      this.#take(space);
      const array = begin === "[";
      if (this.#text[this.#offset] === (array ? "]" : "}")) {
        this.#offset += 1;
        return true;
      }
      this.#frames.push({ array, seen: new Set(), at: 0 });
      if (!array && !this.#key()) return false;
    }
  }

  /** After a value: closes the containers that end here and goes on to the next value. */
  #closeEnded(): boolean {
    for (let frame = this.#frames.at(-1); frame !== undefined; frame = this.#frames.at(-1)) {
      this.#take(space);
      const mark = this.#text[this.#offset];
      if (mark === ",") {
        this.#offset += 1;
        if (frame.array) frame.at = Number(frame.at) + 1;
        return frame.array || this.#key();
      }
      if (mark !== (frame.array ? "]" : "}")) return false;
      this.#offset += 1;
      this.#frames.pop();
    }
    return true;
  }

  #key(): boolean {
    this.#take(space);
    const offset = this.#offset;
    const key = this.#take(string);
    const frame = this.#frames.at(-1);
    if (key === undefined || frame === undefined) return false;
    frame.at = key.includes("\\") ? String(JSON.parse(key)) : key.slice(1, -1);
    this.#onKey?.(frame.at, offset, frame);
    this.#take(space);
    if (this.#text[this.#offset] !== ":") return false;
    this.#offset += 1;
    return true;
  }

  #take(token: RegExp): string | undefined {
    token.lastIndex = this.#offset;
    const found = token.exec(this.#text)?.[0];
    if (found !== undefined) this.#offset += found.length;
    return found;
  }
}
