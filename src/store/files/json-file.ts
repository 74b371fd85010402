import type { z } from "zod";
import { parseJson } from "../../model/json-text.ts";
import { writeAtomic } from "./atomic-file.ts";
import type { Disk } from "./disk.ts";
import { checkShape, parseJsonText, readJsonText } from "./json-text.ts";
import { nodeDisk } from "./node-disk.ts";

/**
 * Reads a JSON file that must have a shape. The schema checks and does not change: the value comes back as it
 * was parsed, with every field that nobody has named.
 */
export async function readJsonFile<T>(path: string, schema: z.ZodType<T>, disk: Disk = nodeDisk): Promise<T> {
  const source = await readJsonText(disk, path);
  return checkShape(source, parseJsonText(source, parseJson), schema, "bad-shape");
}

/** Two spaces of indentation, a line feed at the end. */
export function formatJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** The same, piece by piece: a list in a field of an object may be long, and is never in memory as one text. */
export function* jsonPieces(value: object): Generator<string> {
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  if (Array.isArray(value) || fields.length === 0) {
    yield formatJson(value);
    return;
  }
  let before = "{\n";
  for (const [name, field] of fields) {
    yield `${before}  ${JSON.stringify(name)}: `;
    before = ",\n";
    if (Array.isArray(field) && field.length > 0) yield* itemsOf(field);
    else yield indented(field, "  ");
  }
  yield "\n}\n";
}

function* itemsOf(list: readonly unknown[]): Generator<string> {
  let before = "[\n    ";
  for (const item of list) {
    yield before + indented(item, "    ");
    before = ",\n    ";
  }
  yield "\n  ]";
}

/** Line feeds stand between values only: those in texts are escaped. */
function indented(value: unknown, by: string): string {
  return ((JSON.stringify(value, null, 2) as string | undefined) ?? "null").replaceAll("\n", `\n${by}`);
}

export async function writeJsonFile(path: string, value: object, disk: Disk = nodeDisk): Promise<void> {
  await writeAtomic(path, jsonPieces(value), { disk });
}
