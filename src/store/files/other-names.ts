import { dirname, join } from "node:path";
import { display } from "../../model/display.ts";
import type { EntryRecord, IntentRecord, JournalRecord } from "../../model/journal.ts";
import { effectOf } from "../../model/journal.ts";
import type { OtherRow } from "../store.ts";
import { errno, isMissing, StoreError } from "../store-error.ts";
import type { Disk } from "./disk.ts";
import { ioError } from "./io-error.ts";
import { readJournal } from "./journal.ts";
import { readLines } from "./lines.ts";
import { MappingFile } from "./mapping-file.ts";
import type { MappingOptions } from "./mapping-store.ts";
import { partySchema, sameParty } from "./party.ts";

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
  for await (const other of foldersBeside(folder, options)) {
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
  for await (const other of foldersBeside(folder, { parties, disk })) {
    const parts = [
      ...kinds.map(
        (kind) =>
          async function* (): AsyncGenerator<OtherRow, void, undefined> {
            const file = await MappingFile.open(join(other, `${kind}.json`), kind, { tool, parties, disk });
            for (const [source, { target }] of await file.entries())
              yield { folder: other, kind, source, target };
          },
      ),
      async function* (): AsyncGenerator<OtherRow, void, undefined> {
        for await (const row of journalRows(join(other, "journal.ndjson"), { parties, disk }))
          if (kinds.includes(row.kind)) yield { folder: other, ...row };
      },
    ];
    for (const part of parts) {
      try {
        yield* part();
      } catch (error) {
        if (!(error instanceof StoreError)) throw error;
      }
    }
  }
}

/**
 * A folder in which rows of a table are known, of the same two environments under other names. What is known of rows does not say of
 * which they are: a log of them does, or the journal or a mapping beside it. Where nothing does it is none.
 */
export async function folderOfRows(
  folder: string,
  table: string,
  { parties, disk }: Pick<Options, "parties" | "disk">,
): Promise<string | undefined> {
  for await (const other of foldersBeside(folder, { parties, disk })) {
    const rows = join(other, "rows");
    const logs = (await namesIn(disk, rows)).filter((name) => name.startsWith(`${table}.`));
    if (logs.length === 0) continue;
    const files = (await namesIn(disk, other)).map((name) => join(other, name));
    const journals = [...logs.map((name) => join(rows, name)), ...files].filter((path) =>
      path.endsWith(".ndjson"),
    );
    for (const path of journals) if (await isJournalOf(path, { parties, disk })) return other;
    if (await isMappingOf(files, { parties, disk })) return other;
  }
  return undefined;
}

/** Its head says so, whatever comes after that. */
async function isJournalOf(path: string, options: Pick<Options, "parties" | "disk">): Promise<boolean> {
  try {
    for await (const record of readJournal(path, options)) return record.type !== undefined;
    return false;
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return false;
  }
}

/** What a run that was killed has not put into its mapping yet. */
async function* journalRows(
  path: string,
  options: Pick<Options, "parties" | "disk">,
): AsyncGenerator<Omit<OtherRow, "folder">, void, undefined> {
  const kinds = new Map<string, string>();
  for await (const record of readJournal(path, options)) {
    if (record.type === "intent") kinds.set(record.op, record.kind);
    if (record.type === "entry")
      yield { kind: record.kind, source: record.source, target: record.entry?.target };
    if (record.type !== "outcome") continue;
    const kind = kinds.get(record.op) ?? "";
    for (const item of record.items)
      if (item.result === "done") yield { kind, source: item.source, target: item.entry?.target };
  }
}

/** Of which nothing tells that they are of other environments. */
async function* foldersBeside(
  folder: string,
  { parties, disk }: Pick<Options, "parties" | "disk">,
): AsyncGenerator<string, void, undefined> {
  const root = dirname(folder);
  for (const name of await namesIn(disk, root)) {
    const other = join(root, name);
    if (other === folder || name.startsWith(".")) continue;
    const files = (await namesIn(disk, other)).map((file) => join(other, file));
    if (files.length > 0 && !(await isOfOthers(files, { parties, disk }))) yield other;
  }
}

const partyLine = /^\s*"(source|target)":\s*(\{.*\}),?\s*$/;

/**
 * By what stands above the entries of any mapping in it: a million of these are not read to know that, and a merge that nobody has
 * settled is a matter of entries and serials.
 */
async function isOfOthers(
  files: readonly string[],
  options: Pick<Options, "parties" | "disk">,
): Promise<boolean> {
  for await (const isSame of partiesIn(files, options)) if (!isSame) return true;
  return false;
}

/** Where another one was of others, nobody asks. */
async function isMappingOf(
  files: readonly string[],
  options: Pick<Options, "parties" | "disk">,
): Promise<boolean> {
  for await (const isSame of partiesIn(files, options)) return isSame;
  return false;
}

/** Whether each that is named is the one of the plan. */
async function* partiesIn(
  files: readonly string[],
  { parties, disk }: Pick<Options, "parties" | "disk">,
): AsyncGenerator<boolean, void, undefined> {
  for (const path of files.filter((file) => file.endsWith(".json"))) {
    try {
      for await (const line of headOf(disk, path)) {
        const [, side, text = ""] = partyLine.exec(line) ?? [];
        if (side !== "source" && side !== "target") continue;
        const { data } = partySchema.safeParse(JSON.parse(text));
        if (data !== undefined) yield sameParty(data, parties[side]);
      }
    } catch {
      // What it is of another file tells, or whoever reads it.
    }
  }
}

/** Of a file of any size. */
async function* headOf(disk: Disk, path: string): AsyncGenerator<string, void, undefined> {
  for await (const { lines } of readLines(disk, path)) {
    for (const { bytes } of lines) {
      const line = bytes.toString("utf8");
      if (line.trimStart().startsWith('"entries"')) return;
      yield line;
    }
    return;
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
  for (const look of looks) {
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
