import { parseNamed } from "../../model/escaped-names.ts";
import type { MappingEntry } from "../../model/mapping.ts";
import { PackedRows } from "../../model/packed/rows.ts";
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

const opening = `  "entries": {\n`;
const closing = "\n  }\n}\n";
const indentation = "    ";

/**
 * Reads entry by entry what is written as this version writes it, sorted, one a line and nothing twice: a file of a hundred
 * megabytes is never in memory as objects. Undefined for anything else, which is for whoever can say what is wrong with it.
 */
export function mappingLines(
  text: string,
  isEntry: (value: unknown) => value is MappingEntry,
): MappingLines | undefined {
  const begin = text.indexOf(opening);
  if (begin < 0 || !text.endsWith(closing)) return undefined;
  const end = text.length - closing.length;
  const entries = new PackedRows();
  const digest = new MappingDigest();
  let last = "";
  for (let at = begin + opening.length; at <= end;) {
    const next = text.indexOf("\n", at);
    const isLast = next === end;
    const line = text.slice(at, isLast ? next : next - 1);
    const member = usualEntry(line) ?? anyEntry(line, isEntry);
    if (member === undefined || (!isLast && text[next - 1] !== ",")) return undefined;
    const [source, entry] = member;
    if (entries.size > 0 && source <= last) return undefined;
    entries.set(source, entry);
    digest.add(line.slice(indentation.length));
    last = source;
    at = next + 1;
  }
  const head = `${text.slice(0, begin)}  "entries": {}\n}\n`;
  const parsed = jsonIn(head);
  return parsed === undefined ? undefined : { head, parsed, entries, digest: digest.hex() };
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
