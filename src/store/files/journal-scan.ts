import type { JournalRecord } from "../../model/journal.ts";
import type { Parties } from "../../model/mapping.ts";
import { checkHeader } from "./journal-header.ts";
import { decodeLine, holdsWholeLine } from "./journal-line.ts";
import { checkRecord } from "./journal-schema.ts";
import type { Line } from "./lines.ts";
import { StoreError } from "../store-error.ts";

/** The first bad line. */
interface Damage {
  readonly number: number;
  readonly offset: number;
  /** A block of it was never written. */
  readonly zeros: boolean;
  /** It begins with a line that is right but for its line feed. */
  readonly wholeLine: boolean;
}

/**
 * Reads the lines of a journal in order and tells a torn tail from damage.
 *
 * Lines that were written together (a group) are durable together: after a power loss the last group may be
 * there in part, with the file ending early or with zeros in place of blocks that were never written. Nothing
 * of it was acknowledged, so it is cut from its first bad line on. Any other bad line was durable once, and
 * what it said is lost: going on could create an object twice, so the run stops.
 */
export class JournalScan {
  readonly #path: string;
  readonly #parties: Parties | undefined;
  #damage: Damage | undefined;
  /** Offset of the first line after the header; 0 while there was none. */
  #recordsFrom = 0;

  constructor(path: string, parties?: Parties) {
    this.#path = path;
    this.#parties = parties;
  }

  get recordsFrom(): number {
    return this.#recordsFrom;
  }

  /** The record on the line; undefined for the header, a record of an unknown type and a torn line. */
  feed(line: Line): JournalRecord | undefined {
    const json = this.pass(line);
    if (json === undefined) return undefined;
    const checked = checkRecord(parse(json));
    if ("problem" in checked) throw this.#damaged(line.number, checked.problem);
    return "record" in checked ? checked.record : undefined;
  }

  /**
   * As `feed`, without a look into the record: its JSON, or undefined where there is none. Checksums and groups are
   * checked, for whoever needs the file's extent and has no use for its content.
   */
  pass(line: Line): Buffer | undefined {
    const decoded = line.ended ? decodeLine(line.bytes) : undefined;
    if (this.#damage !== undefined) {
      const restOfTornGroup = this.#damage.zeros && decoded?.opensGroup !== true;
      if (restOfTornGroup) return undefined;
      throw this.#damaged(this.#damage.number, "its checksum is wrong, and it is not the last line");
    }
    if (decoded === undefined) {
      if (this.#recordsFrom === 0) throw this.#damaged(line.number, "it is not the header of a journal");
      this.#damage = damageOf(line);
      return undefined;
    }
    if (this.#recordsFrom > 0) return decoded.json;
    if (!checkHeader(parse(decoded.json), this.#path, this.#parties)) {
      throw this.#damaged(line.number, "it is not the header of a journal");
    }
    this.#recordsFrom = line.offset + line.bytes.length + 1;
    return undefined;
  }

  /** Where a torn tail begins; undefined when there is none. */
  finish(): number | undefined {
    if (this.#recordsFrom === 0) throw this.#damaged(1, "the file is empty, without the header of a journal");
    const damage = this.#damage;
    if (damage === undefined) return undefined;
    if (damage.wholeLine)
      throw this.#damaged(damage.number, "its line feed is missing, and another line follows");
    return damage.offset;
  }

  #damaged(line: number, why: string): StoreError {
    return new StoreError(
      "journal-damaged",
      this.#path,
      `${this.#path} is damaged at line ${line}: ${why}`,
      "Restore the journal from a backup. Without one, move it away, run `ferry diff`, and look at the target for " +
        "objects of the last run that the mapping does not know before you apply again.",
    );
  }
}

function damageOf({ bytes, number, offset }: Line): Damage {
  // JSON text holds no zero bytes: two of them are a block that was never written (one may be a flipped bit).
  const zeros = bytes.includes("\0\0");
  return { number, offset, zeros, wholeLine: !zeros && holdsWholeLine(bytes) };
}

function parse(json: Buffer): unknown {
  try {
    return JSON.parse(json.toString("utf8"));
  } catch {
    return undefined; // a right checksum over wrong JSON: no record, and reported as such
  }
}
