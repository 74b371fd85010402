import { dirname } from "node:path";
import { z } from "zod";
import type { Parties } from "../../../model/mapping.ts";
import type { RowPrint } from "../../../model/row-print.ts";
import { mergedPrints } from "../../merged-prints.ts";
import type { KnownRows, SortedPrints } from "../../rows.ts";
import { StoreError } from "../../store-error.ts";
import { formats, refuseNewer } from "../../upgrade/index.ts";
import type { StoreHooks } from "../../hooks.ts";
import { writeAtomic } from "../atomic-file.ts";
import type { Disk, DiskFileSync } from "../disk.ts";
import { makeFolder } from "../folder.ts";
import { ioError } from "../io-error.ts";
import { partiesSchema, refuseForeign } from "../party.ts";
import { isLine, lineOf, SortedLines, width } from "./sorted-lines.ts";

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
    if (!header.success) throw damaged(path, "its first line is not what ferry writes there");
    const length = Buffer.byteLength(line);
    if (!hasOwnLines(file, length))
      throw damaged(
        path,
        "its lines are not as ferry wrote them: it was cut, or git or an editor has given them other ends, or put others in",
      );
    return { header: header.data, length };
  } finally {
    file.close();
  }
}

/**
 * The file is searched by position: where lines were spelt anew, or others stand among them, none is where it is looked for. What is
 * known would count as unknown then, and what people have set would be overwritten. It shows in the first line, or in the last one; and
 * a file that was cut ends within a line.
 */
function hasOwnLines(file: DiskFileSync, offset: number): boolean {
  const count = (file.size() - offset) / width;
  if (!Number.isInteger(count)) return false;
  const buffer = Buffer.alloc(width);
  return (count === 0 ? [] : [0, count - 1]).every((line) => {
    const read = file.read(buffer, 0, width, offset + line * width);
    return isLine(buffer.toString("latin1", 0, read));
  });
}

function damaged(path: string, why: string): StoreError {
  return new StoreError(
    "bad-shape",
    path,
    `${path} is damaged: ${why}`,
    "Bring it back as ferry wrote it. Where that is nowhere, remove it: rows are compared as on first contact then.",
  );
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

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
  await writeAtomic(path, linesOf(first, mergedPrints(kept, changes)), {
    disk,
    reached: (point) => hooks?.reached(`rows:${point}`),
  });
}

function* linesOf(first: string, rows: Iterable<RowPrint>): Generator<string, void, undefined> {
  yield first;
  for (const row of rows) yield lineOf(row);
}
