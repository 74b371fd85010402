import type { z } from "zod";
import { displayJson } from "../../model/display.ts";
import { jsonPieces } from "../../model/json-pieces.ts";
import { parseJson } from "../../model/json-text.ts";
import { writeAtomic } from "./atomic-file.ts";
import type { Disk } from "./disk.ts";
import type { JsonText } from "./json-text.ts";
import {
  checkShape,
  parseJsonText,
  readJsonText,
  readJsonTextIfThere,
  refuseRepeatedKeys,
} from "./json-text.ts";
import { nodeDisk } from "./node-disk.ts";

/**
 * Reads a JSON file that must have a shape. The schema checks and does not change: the value comes back as it
 * was parsed, with every field that nobody has named.
 */
export async function readJsonFile<T>(path: string, schema: z.ZodType<T>, disk: Disk = nodeDisk): Promise<T> {
  const source = await readJsonText(disk, path);
  return read(source, schema);
}

/** The same; undefined where there is no such file. */
export async function readJsonFileIfThere<T>(
  path: string,
  schema: z.ZodType<T>,
  disk: Disk,
): Promise<T | undefined> {
  const source = await readJsonTextIfThere(disk, path);
  return source && read(source, schema);
}

/** Of a name that stands twice nobody could say which value was meant. */
function read<T>(source: JsonText, schema: z.ZodType<T>): T {
  const value = parseJsonText(source, parseJson);
  refuseRepeatedKeys(source);
  return checkShape(source, value, schema, "bad-shape");
}

/** Such files are committed and reviewed: what nobody would see in them is escaped, which is the same value. */
export async function writeJsonFile(path: string, value: object, disk: Disk = nodeDisk): Promise<void> {
  await writeAtomic(path, visible(jsonPieces(value)), { disk });
}

function* visible(pieces: Iterable<string>): Generator<string> {
  for (const piece of pieces) yield displayJson(piece);
}
