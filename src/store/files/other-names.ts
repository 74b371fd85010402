import { dirname, join } from "node:path";
import { display } from "../../model/display.ts";
import type { EntryRecord, IntentRecord, JournalRecord } from "../../model/journal.ts";
import { effectOf } from "../../model/journal.ts";
import type { OtherRow } from "../store.ts";
import { errno, isMissing, StoreError } from "../store-error.ts";
import type { Disk } from "./disk.ts";
import { ioError } from "./io-error.ts";
import { readJournal } from "./journal.ts";
import { MappingFile } from "./mapping-file.ts";
import type { MappingOptions } from "./mapping-store.ts";

type Options = Pick<MappingOptions, "tool" | "parties"> & { readonly disk: Disk };

/**
 * A name is a label that a person may change, and what is known of a pair of environments stands under their names: under new ones
 * nothing is known, and all would be made a second time. `kinds`: of which nothing is known here.
 */
export async function refuseOtherNames(
  folder: string,
  kinds: readonly string[],
  options: Options,
): Promise<void> {
  const root = dirname(folder);
  for (const name of await namesIn(options.disk, root)) {
    const other = join(root, name);
    if (other === folder || name.startsWith(".")) continue;
    const { held, unreadable } = await heldIn(other, kinds, options);
    if (held.length === 0 && unreadable === undefined) continue;
    const isSure = unreadable === undefined || held.length > 0;
    const why = isSure
      ? "holds that of the same two environments under other names"
      : `may hold that of the same two environments under other names, which cannot be read (${unreadable.message})`;
    throw new StoreError(
      "foreign-state",
      folder,
      `${display(folder)} holds no mapping of ${(isSure ? held : kinds).join(", ")}, and ${display(other)} ${why}: ` +
        "nothing would be known of what was moved, and policy.adopt: never would have all of it made once more",
      isSure
        ? `Give the environments the names in the plan that they have there; or take ${display(folder)} away, where there is one, and rename that folder so; or take that folder away, where it is of no use any more.`
        : `${unreadable.suggestion} Or take ${display(other)} away, where it is of no use any more.`,
    );
  }
}

/** What is of other environments, or cannot be read, is passed over: what is there is met by its name. */
export async function* otherRows(
  folder: string,
  kinds: readonly string[],
  { tool, parties, disk }: Options,
): AsyncGenerator<OtherRow, void, undefined> {
  const root = dirname(folder);
  for (const name of await namesIn(disk, root)) {
    const other = join(root, name);
    if (other === folder || name.startsWith(".") || (await namesIn(disk, other)).length === 0) continue;
    for (const kind of kinds) {
      try {
        const file = await MappingFile.open(join(other, `${kind}.json`), kind, { tool, parties, disk });
        for (const [source, { target }] of await file.entries())
          yield { folder: other, kind, source, target };
      } catch (error) {
        if (!(error instanceof StoreError)) throw error;
      }
    }
  }
}

/** None where it is no folder. */
async function namesIn(disk: Disk, path: string): Promise<readonly string[]> {
  try {
    return [...(await disk.readdir(path))].sort();
  } catch (error) {
    if (isMissing(error) || errno(error) === "ENOTDIR") return [];
    throw ioError(error, path, "read");
  }
}

interface Held {
  /** Kinds of which something was made. */
  readonly held: readonly string[];
  readonly unreadable?: StoreError;
}

/**
 * What is of other environments is not ours; what cannot be read may be. A run that was killed before it wrote its mapping has what it
 * made in the journal alone.
 */
async function heldIn(
  folder: string,
  kinds: readonly string[],
  { tool, parties, disk }: Options,
): Promise<Held> {
  const held = new Set<string>();
  const looks = [
    ...kinds.map((kind) => async (): Promise<void> => {
      const file = await MappingFile.open(join(folder, `${kind}.json`), kind, { tool, parties, disk });
      if (file.size > 0) held.add(kind);
    }),
    async (): Promise<void> => {
      for await (const record of readJournal(join(folder, "journal.ndjson"), { parties, disk }))
        if (isMade(record) && kinds.includes(record.kind)) held.add(record.kind);
    },
  ];
  let unreadable: StoreError | undefined;
  for (const look of (await namesIn(disk, folder)).length === 0 ? [] : looks) {
    try {
      await look();
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      if (error.code === "foreign-state") return { held: [] };
      unreadable ??= error;
    }
  }
  return unreadable === undefined ? { held: [...held] } : { held: [...held], unreadable };
}

/** Or may be. */
function isMade(record: JournalRecord): record is EntryRecord | IntentRecord {
  if (record.type === "entry") return record.entry !== null;
  return record.type === "intent" && effectOf(record) === "creates";
}
