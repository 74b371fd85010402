import { parseJson } from "../json-text.ts";
import type { MappingEntry } from "../mapping.ts";
import { readUuid, uuidLength, uuidText, uuidWords } from "./uuid.ts";

/**
 * A row of the mapping in a few bytes: what nearly all rows hold has a form of its own, and whatever else a row holds is
 * kept as JSON beside it. A row that comes out is equal to the one that went in; it is another object each time.
 *
 * Flags, one byte: which of the fields there are. Origin, one byte. Then, each where there is one: target and name, the
 * prints (16 bytes each), the keys (how many, then 16 bytes and 16 bytes), the number of the run, the rest as JSON. A
 * text is its length in bytes and the bytes; the target is the number of what stands before its UUID, and that.
 */
const origins: readonly MappingEntry["origin"][] = ["created", "adopted", "explicit", "paired"];

const has = { source: 1, target: 2, keys: 4, run: 8, rest: 16, asJson: 32, own: 64 } as const;

const prints = [has.source, has.own, has.target] as const;
const printLength = 32;
const printBytes = 16;
const uuidBytes = 4 * uuidWords;
const print = /^[0-9a-f]{32}$/;
const none: readonly string[] = [];

/** What many rows share, by number. */
export class Shared {
  readonly #texts: string[] = [];
  readonly #numbers = new Map<string, number>();

  of(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    // A copy: a slice would keep all of the text that it was cut from.
    const copy = Buffer.from(text).toString();
    this.#numbers.set(copy, this.#texts.length);
    return this.#texts.push(copy) - 1;
  }

  at(number: number): string {
    return this.#texts[number] ?? "";
  }
}

/** What the rows of one table share. */
export interface SharedTexts {
  readonly runs: Shared;
  /** What stands before the UUIDs of targets. */
  readonly prefixes: Shared;
}

/** What whoever writes a row and whoever reads one back has. */
class AtEntry {
  protected at = 0;
  protected readonly words = new Uint32Array(uuidWords);
  protected readonly shared: SharedTexts;

  constructor(shared: SharedTexts) {
    this.shared = shared;
  }
}

/** Nearly every row fits into it. */
const usual = Buffer.allocUnsafeSlow(1024);

/** Writes a row into a buffer, which holds it until anybody writes the next one. */
export class EntryWriter extends AtEntry {
  bytes = usual;

  /** How many bytes it takes. */
  write(entry: MappingEntry): number {
    const { name, target, origin, sourceFingerprint, ownFingerprint, targetFingerprint, keys, run, ...rest } =
      entry;
    const kind = origins.indexOf(origin);
    const isPlain =
      kind >= 0 &&
      isText(name) &&
      isText(target) &&
      isPrint(sourceFingerprint) &&
      isPrint(ownFingerprint) &&
      isPrint(targetFingerprint) &&
      (run === undefined || isText(run));
    this.at = 0;
    if (!isPlain) {
      this.#byte(has.asJson);
      this.#text(JSON.stringify(entry));
      return this.at;
    }
    this.#byte(0);
    this.#byte(kind);
    this.#urn(target);
    this.#text(name);
    let flags = 0;
    if (sourceFingerprint !== undefined) {
      flags |= has.source;
      this.#print(sourceFingerprint);
    }
    if (ownFingerprint !== undefined) {
      flags |= has.own;
      this.#print(ownFingerprint);
    }
    if (targetFingerprint !== undefined) {
      flags |= has.target;
      this.#print(targetFingerprint);
    }
    const begin = this.at;
    const isPacked = keys !== undefined && this.#keys(keys);
    if (isPacked) flags |= has.keys;
    else this.at = begin;
    if (run !== undefined) {
      flags |= has.run;
      this.#number(this.shared.runs.of(run));
    }
    const more = keys === undefined || isPacked ? rest : { ...rest, keys };
    const text = JSON.stringify(more);
    if (text !== "{}") {
      flags |= has.rest;
      this.#text(text);
    }
    this.bytes[0] = flags;
    return this.at;
  }

  /** False when they are not all UUIDs in lower case. */
  #keys(keys: Readonly<Record<string, string>>): boolean {
    const names = Object.keys(keys);
    this.#number(names.length);
    for (const name of names) if (!this.#uuid(name) || !this.#uuid(keys[name] ?? "")) return false;
    return true;
  }

  #uuid(text: string): boolean {
    if (text.length !== uuidLength || !readUuid(text, 0, this.words, 0)) return false;
    this.#words();
    return true;
  }

  /** Byte by byte: of many, `writeUInt32BE` takes several times as long. */
  #words(): void {
    this.#room(uuidBytes);
    const { bytes, words } = this;
    let { at } = this;
    for (let index = 0; index < uuidWords; index += 1) {
      const word = words[index] ?? 0;
      bytes[at] = word >>> 24;
      bytes[at + 1] = word >>> 16;
      bytes[at + 2] = word >>> 8;
      bytes[at + 3] = word;
      at += 4;
    }
    this.at = at;
  }

  /** What stands before its UUID, and that; a text that has none is 0 and the text. */
  #urn(text: string): void {
    const start = text.length - uuidLength;
    if (start < 0 || !readUuid(text, start, this.words, 0)) {
      this.#number(0);
      this.#text(text);
      return;
    }
    this.#number(this.shared.prefixes.of(text.slice(0, start)) + 1);
    this.#words();
  }

  #print(text: string): void {
    this.#room(printBytes);
    this.at += this.bytes.write(text, this.at, printBytes, "hex");
  }

  #text(text: string): void {
    const length = Buffer.byteLength(text);
    this.#number(length);
    this.#room(length);
    this.at += this.bytes.write(text, this.at);
  }

  #number(value: number): void {
    this.#room(5);
    let left = value;
    for (; left > 127; left = Math.floor(left / 128)) this.bytes[this.at++] = (left % 128) + 128;
    this.bytes[this.at++] = left;
  }

  #byte(value: number): void {
    this.#room(1);
    this.bytes[this.at++] = value;
  }

  #room(more: number): void {
    if (this.at + more <= this.bytes.length) return;
    const larger = Buffer.allocUnsafe(2 * (this.at + more));
    this.bytes.copy(larger, 0, 0, this.at);
    this.bytes = larger;
  }
}

/** Reads a row back from where it was put. */
export class EntryReader extends AtEntry {
  #bytes: Buffer = Buffer.alloc(0);
  readonly #wanted = new Uint32Array(uuidWords);

  read(bytes: Buffer): MappingEntry {
    [this.#bytes, this.at] = [bytes, 0];
    const flags = this.#byte();
    if ((flags & has.asJson) !== 0) return parseJson(this.#text()) as unknown as MappingEntry;
    const origin = origins[this.#byte()] ?? "explicit";
    const target = this.#urn();
    const name = this.#text();
    const entry: { -readonly [Field in keyof MappingEntry]: MappingEntry[Field] } = { name, target, origin };
    if ((flags & has.source) !== 0) entry.sourceFingerprint = this.#print();
    if ((flags & has.own) !== 0) entry.ownFingerprint = this.#print();
    if ((flags & has.target) !== 0) entry.targetFingerprint = this.#print();
    if ((flags & has.keys) !== 0) entry.keys = this.#keys();
    if ((flags & has.run) !== 0) entry.run = this.shared.runs.at(this.#number());
    return (flags & has.rest) === 0
      ? entry
      : { ...entry, ...(parseJson(this.#text()) as unknown as Partial<MappingEntry>) };
  }

  /** Its target, without reading all that the row says. */
  target(bytes: Buffer): string {
    if (((bytes[0] ?? 0) & has.asJson) !== 0) return this.read(bytes).target;
    [this.#bytes, this.at] = [bytes, 2];
    return this.#urn();
  }

  /** The same of its name. */
  name(bytes: Buffer): string {
    if (((bytes[0] ?? 0) & has.asJson) !== 0) return this.read(bytes).name;
    [this.#bytes, this.at] = [bytes, 2];
    this.#skipUrn();
    return this.#text();
  }

  /** Whether it holds more than what has a form of its own. */
  isUnusual(bytes: Buffer): boolean {
    return ((bytes[0] ?? 0) & (has.asJson | has.rest)) !== 0;
  }

  /** What stands for one of its keys, without reading all that the row says. */
  key(bytes: Buffer, key: string): string | undefined {
    const flags = bytes[0] ?? 0;
    const isPacked = (flags & has.asJson) === 0 && (flags & has.keys) !== 0;
    if (!isPacked || key.length !== uuidLength || !readUuid(key, 0, this.#wanted, 0))
      return ownKey(this.read(bytes).keys, key);
    this.#toKeys(bytes, flags);
    for (let count = this.#number(); count > 0; count -= 1, this.at += uuidBytes)
      if (this.#isWanted()) return this.#uuid();
    return undefined;
  }

  /** The names of all of them. */
  keyNames(bytes: Buffer): readonly string[] {
    const flags = bytes[0] ?? 0;
    if ((flags & (has.asJson | has.rest)) !== 0) return Object.keys(this.read(bytes).keys ?? {});
    if ((flags & has.keys) === 0) return none;
    this.#toKeys(bytes, flags);
    return Array.from({ length: this.#number() }, () => {
      const name = this.#uuid();
      this.at += uuidBytes;
      return name;
    });
  }

  #toKeys(bytes: Buffer, flags: number): void {
    [this.#bytes, this.at] = [bytes, 2];
    this.#skipUrn();
    this.#skipText();
    for (const flag of prints) if ((flags & flag) !== 0) this.at += printBytes;
  }

  /** Steps behind the UUID that stands here. */
  #isWanted(): boolean {
    const { at } = this;
    this.at += uuidBytes;
    for (let index = 0; index < uuidWords; index += 1)
      if (wordAt(this.#bytes, at + 4 * index) !== this.#wanted[index]) return false;
    return true;
  }

  #keys(): Record<string, string> {
    const keys = dictionary();
    for (let count = this.#number(); count > 0; count -= 1) {
      const name = this.#uuid();
      keys[name] = this.#uuid();
    }
    return keys;
  }

  #uuid(): string {
    for (let index = 0; index < uuidWords; index += 1) {
      this.words[index] = wordAt(this.#bytes, this.at);
      this.at += 4;
    }
    return uuidText(this.words, 0);
  }

  #urn(): string {
    const prefix = this.#number();
    return prefix === 0 ? this.#text() : this.shared.prefixes.at(prefix - 1) + this.#uuid();
  }

  #print(): string {
    this.at += printBytes;
    return this.#bytes.toString("hex", this.at - printBytes, this.at);
  }

  #text(): string {
    const length = this.#number();
    this.at += length;
    return this.#bytes.toString("utf8", this.at - length, this.at);
  }

  #skipUrn(): void {
    if (this.#number() === 0) this.#skipText();
    else this.at += uuidBytes;
  }

  #skipText(): void {
    const length = this.#number();
    this.at += length;
  }

  #number(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.#byte();
      value += (byte % 128) * scale;
      if (byte < 128) return value;
    }
  }

  #byte(): number {
    const byte = this.#bytes[this.at] ?? 0;
    this.at += 1;
    return byte;
  }
}

function wordAt(bytes: Buffer, at: number): number {
  const high = ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
  return ((high << 16) | ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0)) >>> 0;
}

function ownKey(keys: MappingEntry["keys"] = {}, key: string): string | undefined {
  return Object.hasOwn(keys, key) ? keys[key] : undefined;
}

/**
 * An ordinary object, but kept as a table: V8 makes a class of its own, some 300 bytes, of every other set of names, and
 * these are UUIDs.
 */
export function dictionary(): Record<string, string> {
  const made = Object.create(null) as Record<string, string>;
  Object.setPrototypeOf(made, Object.prototype);
  return made;
}

/** What is not well-formed would not come back as it was. */
function isText(value: unknown): value is string {
  return typeof value === "string" && value.isWellFormed();
}

function isPrint(value: unknown): boolean {
  return (
    value === undefined || (typeof value === "string" && value.length === printLength && print.test(value))
  );
}
