import type { Emulator, EmulatorOptions } from "../../../src/emulator/index.ts";
import type { JsonObject } from "../../../src/emulator/json.ts";

/** A record by the emulator's own books, whatever its URN or id. */
export interface Entry {
  /** What everybody sees; undefined for what nobody has published yet. */
  readonly shown: JsonObject | undefined;
  /** What somebody has entered and not published. */
  readonly draft?: JsonObject;
  readonly state: string;
  /** It is there and does not count any more: the end of what cannot be deleted. */
  readonly isGone?: true;
}

/** Records by their keys, by table; a key with several records is one that is there twice. */
export type RowBooks = Readonly<Record<string, ReadonlyMap<string, readonly Entry[]>>>;

/** Rows that a run under test moves, and whose books they are judged by. */
export interface RowsEstate {
  /** The plan's section. */
  readonly records: object;
  readonly emulator?: EmulatorOptions;
  /** By the clock of the run under test each look at rows takes more than a second. */
  readonly leaps?: true;
  /** Rows that only the target has go. */
  readonly removes?: true;
  /** Of the source: as the target is to have them. */
  books(emulator: Emulator, tenant: "dev" | "prod"): RowBooks;
  /** Persons decide on what waits for them; whether anything did. */
  decide?(emulator: Emulator): boolean;
  /** What nobody can tell is published by a person, and given up by the tool; gives what `ferry resolve` is to be told. */
  publish?(emulator: Emulator): readonly string[];
  /** A colleague changes a row of each table at the target; how many. */
  touch(emulator: Emulator): number;
}
