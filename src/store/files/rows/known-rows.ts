import { dirname } from "node:path";
import { z } from "zod";
import type { Parties } from "../../../model/mapping.ts";
import type { RowPrint } from "../../../model/row-print.ts";
import type { KnownRows, SortedPrints } from "../../rows.ts";
import { forgotten } from "../../../model/row-print.ts";
import { StoreError } from "../../store-error.ts";
import { formats, refuseNewer } from "../../upgrade/index.ts";
import type { StoreHooks } from "../../hooks.ts";
import { writeAtomic } from "../atomic-file.ts";
import type { Disk } from "../disk.ts";
import { makeFolder } from "../folder.ts";
import { ioError } from "../io-error.ts";
import { partiesSchema, refuseForeign } from "../party.ts";
import { lineOf, SortedLines } from "./sorted-lines.ts";

const headerSchema = z.looseObject({ format: z.int().min(1), sense: z.string(), parties: partiesSchema });
/** The header is one line; more of a file than this has none. */
const longestHeader = 1 << 16;

/** Two prints a row: a header in a line of JSON, then lines of one width in the order of their keys. */
export function readKnownRows(disk: Disk, path: string, parties: Parties): KnownRows | undefined {
  if (!disk.existsSync(path)) return undefined;
  try {
    const { header, length } = headerOf(disk, path);
    refuseNewer("rows", header.format, path);
    refuseForeign(path, header.parties, parties);
    return Object.assign(new SortedLines(disk, path, length), { sense: header.sense });
  } catch (error) {
    throw ioError(error, path, "read");
  }
}

function headerOf(disk: Disk, path: string): { header: z.output<typeof headerSchema>; length: number } {
  const file = disk.openSync(path, "r");
  try {
    const buffer = Buffer.alloc(Math.min(longestHeader, file.size()));
    const text = buffer.toString("utf8", 0, file.read(buffer, 0, buffer.length, 0));
    const line = text.slice(0, text.indexOf("\n") + 1);
    const header = headerSchema.safeParse(parsed(line));
    if (header.success) return { header: header.data, length: Buffer.byteLength(line) };
  } finally {
    file.close();
  }
  throw new StoreError(
    "bad-shape",
    path,
    `${path} is damaged: its first line is not what ferry writes there`,
    "Remove it: rows are compared as on first contact then.",
  );
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** What changed takes its place among what stays; both come in order. */
export async function writeKnownRows(
  disk: Disk,
  path: string,
  before: KnownRows | undefined,
  changes: SortedPrints,
  header: { readonly tool: string; readonly parties: Parties; readonly sense: string },
  hooks?: StoreHooks,
): Promise<void> {
  const kept = before?.sense === header.sense ? before : [];
  const first = `${JSON.stringify({ format: formats.rows, ...header })}\n`;
  await makeFolder(disk, dirname(path));
  await writeAtomic(path, linesOf(first, merged(kept, changes)), {
    disk,
    reached: (point) => hooks?.reached(`rows:${point}`),
  });
}

function* merged(
  before: Iterable<RowPrint>,
  changes: Iterable<RowPrint>,
): Generator<RowPrint, void, undefined> {
  const old = before[Symbol.iterator]();
  let head = old.next();
  let last: RowPrint | undefined;
  for (const change of changes) {
    // Of several words about a row the last one counts.
    if (last !== undefined && last.key !== change.key && last.source !== forgotten) yield last;
    for (; head.done !== true && head.value.key < change.key; head = old.next()) yield head.value;
    if (head.done !== true && head.value.key === change.key) head = old.next();
    last = change;
  }
  if (last !== undefined && last.source !== forgotten) yield last;
  for (; head.done !== true; head = old.next()) yield head.value;
}

function* linesOf(first: string, rows: Iterable<RowPrint>): Generator<string, void, undefined> {
  yield first;
  for (const row of rows) yield lineOf(row);
}
