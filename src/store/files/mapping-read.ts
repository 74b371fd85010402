import { z } from "zod";
import type { MappingEntry, Parties, Party } from "../../model/mapping.ts";
import { wrongValue } from "../../model/wrong-value.ts";
import { refuseSharedTargets } from "./mapping-check.ts";
import type { MappingContent } from "./mapping-format.ts";
import { formatMapping, packEntries } from "./mapping-format.ts";
import type { MappingLines } from "./mapping-lines.ts";
import { mappingLines } from "./mapping-lines.ts";
import type { Disk } from "./disk.ts";
import { ioError } from "./io-error.ts";
import type { JsonText } from "./json-text.ts";
import { checkShape, parseJsonText, readJsonText, refuseRepeatedKeys, shapeError } from "./json-text.ts";
import { readLines } from "./lines.ts";
import { partySchema, refuseForeign } from "./party.ts";
import { StoreError } from "../store-error.ts";
import { upgrade } from "../upgrade/index.ts";

interface MappingFile {
  readonly format: number;
  readonly tool: string;
  readonly kind: string;
  readonly serial: number;
  readonly source: Party;
  readonly target: Party;
  readonly entries: Readonly<Record<string, unknown>>;
}

const version = z.looseObject({ format: z.number().int().min(1) });
const file: z.ZodType<MappingFile> = z.looseObject({
  format: z.number(),
  tool: z.string(),
  kind: z.string(),
  serial: z.number().int().min(0),
  source: partySchema,
  target: partySchema,
  entries: z.record(z.string(), z.unknown()),
});
const entry = z.looseObject({
  name: z.string(),
  target: z.string(),
  origin: z.enum(["created", "adopted", "explicit", "paired"]),
  sourceFingerprint: z.string().optional(),
  ownFingerprint: z.string().optional(),
  targetFingerprint: z.string().optional(),
  keys: z.record(z.string(), z.string()).optional(),
  left: z.array(z.string()).optional(),
  kept: z.record(z.string(), z.string()).optional(),
  former: z.looseObject({ target: z.string(), keys: z.record(z.string(), z.string()).optional() }).optional(),
  unfinished: z.string().optional(),
  drifted: z.string().optional(),
  over: z.string().optional(),
  run: z.string().optional(),
});

/** Reads the mapping of a kind, or of whichever kind it says, and refuses what would map wrongly. */
export async function readMapping(
  disk: Disk,
  path: string,
  wanted: string | undefined,
  expected: Parties,
): Promise<MappingContent> {
  const written = await linesIn(disk, path);
  if (written !== undefined) {
    const { head, parsed, entries, digest } = written;
    const content = { ...headOf({ path, text: head }, parsed, wanted, expected).head, entries, digest };
    // What would be written the same says nothing that was not read; only another hand says a thing twice.
    if (isAsWritten(head, content)) {
      refuseSharedTargets(path, content.kind, entries);
      return content;
    }
  }
  const source = await readJsonText(disk, path);
  const value = orByRow(() => parseJsonText(source));
  const found = headOf(source, value, wanted, expected);
  const entries = packEntries(checkedEntries(source, found.entries)).sorted();
  orByRow(() => refuseRepeatedKeys(source));
  refuseSharedTargets(path, found.head.kind, entries);
  return { ...found.head, entries };
}

/** Undefined where it is not just as it was written. */
async function linesIn(disk: Disk, path: string): Promise<MappingLines | undefined> {
  try {
    return await mappingLines(readLines(disk, path), isEntry);
  } catch (error) {
    throw ioError(error, path, "read");
  }
}

/** What a file says of itself, and its entries as they stand there. */
function headOf(
  source: JsonText,
  value: unknown,
  wanted: string | undefined,
  expected: Parties,
): { readonly head: Omit<MappingContent, "entries">; readonly entries: MappingFile["entries"] } {
  const { path } = source;
  const { format } = checkShape(source, value, version, "mapping-damaged");
  // Versions come before anything else: in a newer one, other fields may have changed.
  const found = checkShape(source, upgrade(value, "mapping", format, path), file, "mapping-damaged");
  const parties = { source: found.source, target: found.target };
  refuseForeign(path, parties, expected);
  const { kind, tool, serial, entries } = found;
  if (wanted !== undefined && kind !== wanted) {
    throw shapeError(source, ["kind"], `it holds the mapping of ${JSON.stringify(kind)}`, "mapping-damaged");
  }
  return { head: { format, tool, kind, serial, parties }, entries };
}

/**
 * What is no JSON, or says a thing twice, is mostly what git made of two branches, with marks or, under `merge=union`,
 * without any: then a command brings their rows together, and nobody has to by hand.
 */
function orByRow<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    const { code, path, message, suggestion, cause } = error;
    const merge =
      "Where git has merged two branches: take the file of each as it was before, and run " +
      "`ferry mappings PLAN merge OURS THEIRS --base BASE --out FILE`.";
    throw new StoreError(code, path, message, `${suggestion} ${merge}`, cause);
  }
}

function isEntry(value: unknown): value is MappingEntry {
  return entry.safeParse(value).success;
}

/** Of all but the entries, each of which was compared as it was read. */
function isAsWritten(head: string, content: MappingContent): boolean {
  return [...formatMapping({ ...content, entries: new Map() })].join("") === head;
}

/** One by one: as a record, zod would pass over an entry named `__proto__`. */
function checkedEntries(
  source: JsonText,
  entries: Readonly<Record<string, unknown>>,
): Map<string, MappingEntry> {
  const checked = new Map<string, MappingEntry>();
  for (const [urn, value] of Object.entries(entries)) {
    const result = entry.safeParse(value, { error: wrongValue });
    if (!result.success) {
      const issue = result.error.issues[0];
      const path = ["entries", urn, ...(issue?.path ?? []).map(String)];
      throw shapeError(source, path, issue?.message ?? "unexpected content", "mapping-damaged");
    }
    checked.set(urn, value as MappingEntry);
  }
  return checked;
}
