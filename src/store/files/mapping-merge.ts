import type { Parties } from "../../model/mapping.ts";
import type { Entries, Merged, MergeConflict } from "../../model/mapping-merge.ts";
import { mergeEntries } from "../../model/mapping-merge.ts";
import { formats } from "../upgrade/index.ts";
import { StoreError } from "../store-error.ts";
import { writeAtomic } from "./atomic-file.ts";
import type { Disk } from "./disk.ts";
import type { MappingContent } from "./mapping-format.ts";
import { formatEntries, formatMapping } from "./mapping-format.ts";
import { readMapping } from "./mapping-read.ts";
import { nodeDisk } from "./node-disk.ts";
import { statOrNothing } from "./stat.ts";

export interface MergeFiles {
  readonly ours: string;
  readonly theirs: string;
  /** What both began with; git gives an empty file where there is none. */
  readonly base?: string | undefined;
  /** Where the merged mapping goes; nothing is written without it. */
  readonly out?: string | undefined;
}

export interface MergedFiles extends Merged {
  readonly kind: string;
}

/**
 * Merges two versions of a mapping file. Where they conflict, what is written holds both rows between git's marks: the
 * store refuses such a file until a person has decided, so that nothing is lost by committing it too soon.
 */
export async function mergeMappingFiles(
  files: MergeFiles,
  owner: { readonly tool: string; readonly parties: Parties },
  disk: Disk = nodeDisk,
): Promise<MergedFiles> {
  const read = (path: string): Promise<MappingContent> => readMapping(disk, path, undefined, owner.parties);
  const [ours, theirs] = [await read(files.ours), await read(files.theirs)];
  const base =
    files.base === undefined || (await statOrNothing(disk, files.base))?.size === 0
      ? undefined
      : await read(files.base);
  for (const [path, other] of [
    [files.theirs, theirs],
    [files.base ?? "", base],
  ] as const)
    if (other !== undefined && other.kind !== ours.kind) throw otherKind(path, other.kind, ours.kind);
  const none: Entries = new Map();
  const merged = mergeEntries(base?.entries ?? none, ours.entries, theirs.entries);
  if (files.out !== undefined) await write(files.out, { ours, theirs, merged, owner }, disk);
  return { ...merged, kind: ours.kind };
}

function otherKind(path: string, found: string, expected: string): StoreError {
  return new StoreError(
    "mapping-damaged",
    path,
    `${path} holds the mapping of ${found}, not of ${expected}`,
    "Name two versions of one file.",
  );
}

async function write(
  path: string,
  {
    ours,
    theirs,
    merged,
    owner,
  }: {
    readonly ours: MappingContent;
    readonly theirs: MappingContent;
    readonly merged: Merged;
    readonly owner: { readonly tool: string; readonly parties: Parties };
  },
  disk: Disk,
): Promise<void> {
  const highest = Math.max(ours.serial, theirs.serial);
  const isThere = [ours, theirs].some(
    (side) => side.serial === highest && textOf(side.entries) === textOf(merged.entries),
  );
  const content: MappingContent = {
    format: formats.mapping,
    tool: owner.tool,
    kind: ours.kind,
    serial: isThere && merged.conflicts.length === 0 ? highest : highest + 1,
    parties: owner.parties,
    entries: merged.entries,
  };
  await writeAtomic(path, withConflicts(content, merged.conflicts), { disk });
}

function textOf(entries: Entries): string {
  return [...formatEntries(entries)].join("\n");
}

/**
 * The file as it is always written, and before its rows both sides of each conflict: whichever a person takes, and be it
 * none, no comma is missing and none is left over, as long as one row stands behind them or the last has two sides.
 */
function* withConflicts(content: MappingContent, conflicts: readonly MergeConflict[]): Generator<string> {
  if (conflicts.length === 0) return yield* formatMapping(content);
  const [head = ""] = [...formatMapping({ ...content, entries: new Map() })].join("").split("{}\n}\n");
  yield `${head}{\n`;
  const rows = [...formatEntries(content.entries)];
  const isWhole = ({ ours, theirs }: MergeConflict): boolean => ours !== undefined && theirs !== undefined;
  const ordered = [...conflicts.filter((one) => !isWhole(one)), ...conflicts.filter(isWhole)];
  for (const [at, { ours, theirs }] of ordered.entries()) {
    const comma = rows.length === 0 && at === ordered.length - 1 ? "" : ",";
    const line = (side: typeof ours): string =>
      side === undefined
        ? ""
        : [...formatEntries(new Map([[side.source, side.entry]]))]
            .map((text) => `    ${text}${comma}\n`)
            .join("");
    yield `<<<<<<< ours\n${line(ours)}=======\n${line(theirs)}>>>>>>> theirs\n`;
  }
  for (const [at, row] of rows.entries()) yield `    ${row}${at === rows.length - 1 ? "" : ","}\n`;
  yield "  }\n}\n";
}
