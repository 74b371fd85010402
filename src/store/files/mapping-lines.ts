import { isUtf8 } from "node:buffer";
import { parseNamed } from "../../model/escaped-names.ts";
import type { MappingEntry } from "../../model/mapping.ts";
import { PackedRows } from "../../model/packed/rows.ts";
import type { Line, Lines } from "./lines.ts";
import { MappingDigest } from "./mapping-digest.ts";
import { formatEntryLine } from "./mapping-format.ts";
import { usualEntry } from "./usual-entry.ts";

/** A mapping file taken apart, where it is just as it was written. */
export interface MappingLines {
  /** The file without its entries: JSON of one that has none. */
  readonly head: string;
  /** The same, read. */
  readonly parsed: object;
  readonly entries: PackedRows;
  readonly digest: string;
}

const opening = `  "entries": {`;
const none = `${opening}}`;
const indentation = "    ";
/** Longer than a head is that this version has written. */
const mostOfHead = 1 << 16;

/**
 * Reads entry by entry what is written as this version writes it, sorted, one a line and nothing twice: a file of a few hundred
 * megabytes is in memory neither as objects nor as a text, which could not be longer than that. Undefined for anything else, which is
 * for whoever can say what is wrong with it.
 */
export async function mappingLines(
  read: AsyncIterable<Pick<Lines, "lines">>,
  isEntry: (value: unknown) => value is MappingEntry,
): Promise<MappingLines | undefined> {
  const file = new Taken(isEntry);
  for await (const { lines } of read) if (!lines.every((line) => file.takes(line))) return undefined;
  return file.whole();
}

/** What was read of a file so far, and what may come next: `last` behind an entry without a comma, `end` once all is closed. */
class Taken {
  readonly #isEntry: (value: unknown) => value is MappingEntry;
  readonly #entries = new PackedRows();
  readonly #digest = new MappingDigest();
  #next: "head" | "entry" | "last" | "brace" | "end" = "head";
  #head = "";
  #source = "";

  constructor(isEntry: (value: unknown) => value is MappingEntry) {
    this.#isEntry = isEntry;
  }

  /** False for a line that would not be written there. */
  takes({ bytes, ended }: Pick<Line, "bytes" | "ended">): boolean {
    const text = bytes.toString("utf8");
    // Of another encoding: names that nobody has would be kept.
    if (!ended || (text.includes("\uFFFD") && !isUtf8(bytes))) return false;
    switch (this.#next) {
      case "head":
        return this.#takesHead(text);
      case "entry":
        return this.#takesEntry(text);
      case "last":
        return this.#closes(text, "  }", "brace");
      case "brace":
        return this.#closes(text, "}", "end");
      case "end":
        return false;
    }
  }

  #takesHead(line: string): boolean {
    if (line === opening) this.#next = "entry";
    else if (line === none) this.#next = "brace";
    else this.#head += `${line}\n`;
    return this.#head.length <= mostOfHead;
  }

  #takesEntry(line: string): boolean {
    const isLast = !line.endsWith(",");
    const own = isLast ? line : line.slice(0, -1);
    const [source, entry] = usualEntry(own) ?? anyEntry(own, this.#isEntry) ?? [];
    if (source === undefined || entry === undefined) return false;
    if (this.#entries.size > 0 && source <= this.#source) return false;
    this.#entries.set(source, entry);
    this.#digest.add(own.slice(indentation.length));
    this.#source = source;
    if (isLast) this.#next = "last";
    return true;
  }

  #closes(line: string, brace: string, next: "brace" | "end"): boolean {
    this.#next = next;
    return line === brace;
  }

  whole(): MappingLines | undefined {
    if (this.#next !== "end") return undefined;
    const head = `${this.#head}${none}\n}\n`;
    const parsed = jsonIn(head);
    const digest = this.#digest.hex();
    return parsed === undefined ? undefined : { head, parsed, entries: this.#entries, digest };
  }
}

/** Of a line that is just as it would be written. */
function anyEntry(
  line: string,
  isEntry: (value: unknown) => value is MappingEntry,
): readonly [string, MappingEntry] | undefined {
  const [source, entry] = memberOf(line) ?? [];
  if (source === undefined || !isEntry(entry)) return undefined;
  return line === `${indentation}${formatEntryLine(source, entry)}` ? [source, entry] : undefined;
}

function memberOf(line: string): readonly [string, unknown] | undefined {
  const [member, ...others] = Object.entries(jsonIn(`{${line}}`) ?? {});
  return others.length === 0 ? member : undefined;
}

function jsonIn(text: string): object | undefined {
  try {
    return parseNamed(text) as object;
  } catch {
    // Not as it was written: whoever reads all of it says where.
    return undefined;
  }
}
