import type { JournalRecord } from "../../model/journal.ts";
import { parseJson } from "../../model/json-text.ts";
import type { Parties } from "../../model/mapping.ts";
import type { JournalHeader, ReadHeader } from "./journal-header.ts";
import { readHeader } from "./journal-header.ts";
import type { DecodedLine } from "./journal-line.ts";
import { decodeLine, holdsWholeLine, looksLikeGroup, looksWhole } from "./journal-line.ts";
import { checkRecord } from "./journal-schema.ts";
import type { Line } from "./lines.ts";
import { StoreError } from "../store-error.ts";
import { formats } from "../upgrade/index.ts";

const carriageReturn = 0x0d;
/** Bytes that a disk writes whole or not at all; those of larger blocks are multiples of it. */
const smallestBlock = 512;
const byteOrderMark = Buffer.from("\uFEFF");

/**
 * Reads the lines of a journal in order and tells a torn tail from damage.
 *
 * Lines that were written together (a group) are durable together: after a power loss the last group may be
 * there in part, with the file ending early or with zeros in place of blocks that were never written. Nothing
 * of it was acknowledged, so it is cut from its first bad line on. Any other line that is bad, or does not follow
 * the one before it, was durable once or was put there by somebody, and what a journal says is lost or doubled:
 * going on could create an object twice, so the run stops.
 *
 * Line ends and a byte order mark that came with git or an editor take nothing away, so they are read over. That
 * lines were taken off the end cannot be told from a journal that was never longer.
 */
export class JournalScan {
  readonly #path: string;
  readonly #parties: Parties | undefined;
  #read: ReadHeader | undefined;
  /** Of the last line that was right. */
  #checksum = 0;
  #isRespelt = false;
  /** The first bad line, while it may be a torn write; if more lines follow it, zeros tore it. */
  #torn: { readonly number: number; readonly offset: number } | undefined;

  constructor(path: string, parties?: Parties) {
    this.#path = path;
    this.#parties = parties;
  }

  /** Undefined until the first line was read. */
  get header(): JournalHeader | undefined {
    return this.#read?.header;
  }

  get checksum(): number {
    return this.#checksum;
  }

  /** It is of an earlier version or was spelt anew by others: nothing is added before it is written again. */
  get isOutdated(): boolean {
    return this.#isRespelt || (this.#read !== undefined && this.#read.version < formats.journal);
  }

  /** The record on the line; undefined for the header, a record of an unknown type and a torn line. */
  feed(line: Line): JournalRecord | undefined {
    const decoded = this.pass(line);
    if (decoded === undefined) return undefined;
    const checked = checkRecord(parse(decoded.json));
    if ("problem" in checked) throw this.#damaged(line.number, checked.problem);
    return "record" in checked ? checked.record : undefined;
  }

  /**
   * As `feed`, without a look into the record; undefined where there is none. Checksums and groups are checked, for
   * whoever needs the file's lines and has no use for their content.
   */
  pass(line: Line): DecodedLine | undefined {
    const bytes = this.#plain(line);
    this.#refuseMarker(bytes, line.number);
    if (this.#torn !== undefined) {
      if (!looksLikeGroup(bytes)) return undefined;
      throw this.#damaged(this.#torn.number, "a part of it is zeros, and later lines were written behind it");
    }
    const decoded = line.ended ? decodeLine(bytes, this.#previous) : undefined;
    if (this.#read === undefined) {
      this.#read = decoded && readHeader(parse(decoded.json), this.#path, this.#parties);
      if (this.#read === undefined) throw this.#damaged(line.number, "it is not the header of a journal");
    } else if (decoded === undefined) {
      this.#refuseUnlessTorn(line, bytes);
      this.#torn = { number: line.number, offset: line.offset };
      return undefined;
    }
    this.#checksum = decoded?.checksum ?? 0;
    return line.number === 1 ? undefined : decoded;
  }

  /** Where a torn tail begins; undefined when there is none. */
  finish(): number | undefined {
    if (this.#read === undefined)
      throw this.#damaged(1, "the file is empty, without the header of a journal");
    return this.#torn?.offset;
  }

  /** Only lines that are joined to the one before them begin with its checksum. */
  get #previous(): number {
    return this.#read?.version === 1 ? 0 : this.#checksum;
  }

  /** Neither a byte order mark nor a carriage return is a part of JSON as the journal writes it. */
  #plain({ bytes, number }: Line): Buffer {
    const marked = number === 1 && bytes.subarray(0, byteOrderMark.length).equals(byteOrderMark);
    const returned = bytes.at(-1) === carriageReturn;
    if (!marked && !returned) return bytes;
    this.#isRespelt = true;
    return bytes.subarray(marked ? byteOrderMark.length : 0, returned ? -1 : undefined);
  }

  /** A torn write lacks something: the end of its line, or blocks in place of which there are zeros. */
  #refuseUnlessTorn({ number, ended, offset }: Line, bytes: Buffer): void {
    // JSON text holds no zero bytes: two of them are a block that was never written (one may be a flipped bit).
    if (bytes.includes("\0\0")) return;
    // What was durable before left a single byte of its last block, and that block was not written again.
    if (bytes[0] === 0 && (offset + 1) % smallestBlock === 0) return;
    if (holdsWholeLine(bytes, this.#previous))
      throw this.#damaged(number, "its line feed is missing, and another line follows");
    const lacksItsEnd = !ended && (decodeLine(bytes, this.#previous) !== undefined || !looksWhole(bytes));
    if (lacksItsEnd) return;
    throw this.#damaged(
      number,
      this.#read?.version === 1
        ? "its checksum is wrong"
        : "its checksum is wrong, or it does not follow the line before it: " +
            "it was changed, or lines were cut out, repeated, moved or put in",
    );
  }

  /** Git leaves these lines; a journal has none that looks like one. */
  #refuseMarker(bytes: Buffer, number: number): void {
    if (!/^(?:<{7} |={7}$|>{7} |\|{7} )/u.test(bytes.toString("latin1", 0, 8))) return;
    throw new StoreError(
      "merge-conflict",
      this.#path,
      `${this.#path} holds an unsettled merge (git conflict markers) at line ${number}`,
      "Take one side's journal whole, that of the machine that ran last: the lines of two runs do not make one. " +
        "Where both ran, look at the target for objects that the mapping does not know before you apply again.",
    );
  }

  #damaged(line: number, why: string): StoreError {
    return new StoreError(
      "journal-damaged",
      this.#path,
      `${this.#path} is damaged at line ${line}: ${why}`,
      "Restore the journal from a backup. Without one, move it away, run `ferry diff PLAN`, and look at the target for " +
        "objects of the last run that the mapping does not know before you apply again.",
    );
  }
}

function parse(json: Buffer): unknown {
  try {
    return parseJson(json.toString("utf8"));
  } catch {
    return undefined; // a right checksum over wrong JSON: no record, and reported as such
  }
}
