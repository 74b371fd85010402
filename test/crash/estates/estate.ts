import type { Emulator, Tenant } from "../../../src/emulator/index.ts";
import type { Pairing } from "../../../src/emulator/scenarios/index.ts";
import type { Queries } from "../../support/meaning/catalog.ts";
import type { RowsEstate } from "../rows/estate.ts";

/** What two environments hold before the run that is killed. */
export interface Estate {
  readonly name: string;
  readonly pairing: Pairing;
  /** Under `pairing.queries`. */
  readonly queries?: Queries;
  /** Other kinds than a plan selects by itself. */
  readonly select?: { readonly kinds: readonly string[]; readonly entityTypes?: readonly string[] };
  /** Rows, in place of configuration: judged by books of their own. */
  readonly rows?: RowsEstate;
  /** More flags of the command under test. */
  readonly flags: readonly string[];
  /** `kind label` of what cannot be moved. */
  readonly except: readonly string[];
  /** Things that are equal on purpose: content does not tell them apart, the mapping does. */
  readonly twins: readonly string[];
  /** Exit code of a run that did all it can. */
  readonly done: number;
  prepare(emulator: Emulator): void;
  /** A run that did all it can may wait for a person. */
  readonly waits?: number;
  /** Given, a first run is made in peace, then this changes the source: the second run is under test. */
  readonly change?: (source: Tenant, emulator: Emulator) => void;
  /** The second run is made in peace as well, and its rollback is under test. */
  readonly back?: true;
}

/** Whether a run that was left in peace may end like this. */
export function isEnd({ done, waits }: Estate, code: number | null): boolean {
  return code === done || (waits !== undefined && code === waits);
}
