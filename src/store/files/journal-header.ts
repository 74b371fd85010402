import { randomBytes } from "node:crypto";
import { z } from "zod";
import type { Parties } from "../../model/mapping.ts";
import { partiesSchema, refuseForeign } from "./party.ts";
import { formats, refuseNewer, upgrade } from "../upgrade/index.ts";

/**
 * The first line of a journal: `{ type: "header", format, tool, parties, lineage }`. It is there from the file's
 * first instant on (the file is created by a rename), so a journal without one is damaged, not new.
 */
export interface JournalHeader {
  readonly type: "header";
  readonly format: number;
  /** Name and version of the tool that began the file. */
  readonly tool: string;
  readonly parties: Parties;
  /**
   * Drawn by lot for each file. The chain of checksums begins with it, so that a line of another journal, even of
   * this one before its restart, fits nowhere in this file. Empty only in memory, for a file of version 1.
   */
  readonly lineage: string;
}

export interface ReadHeader {
  /** As this version writes it. */
  readonly header: JournalHeader;
  /** As the file has it: the lines of version 1 are no chain. */
  readonly version: number;
}

const versioned = z.looseObject({ type: z.literal("header"), format: z.number().int().min(1) });
const schema: z.ZodType<JournalHeader> = z.looseObject({
  type: z.literal("header"),
  format: z.number(),
  tool: z.string(),
  parties: partiesSchema,
  lineage: z.string(),
});

export function newHeader(tool: string, { source, target }: Parties): JournalHeader {
  const parties = { source: partyFields(source), target: partyFields(target) };
  return { type: "header", format: formats.journal, tool, parties, lineage: newLineage() };
}

/** The header of another file with the same records. */
export function renewed(header: JournalHeader): JournalHeader {
  return { ...header, lineage: newLineage() };
}

function newLineage(): string {
  return randomBytes(8).toString("hex");
}

function partyFields({ name, baseUrl, tenant }: Parties["source"]): Parties["source"] {
  return { name, baseUrl, tenant };
}

/** Undefined when the value is no header; a header of a newer format or of other environments is refused. */
export function readHeader(
  value: unknown,
  path: string,
  expected: Parties | undefined,
): ReadHeader | undefined {
  const format = typeof value === "object" && value !== null && "format" in value ? value.format : undefined;
  if (typeof format === "number") refuseNewer("journal", format, path); // first: its other fields may have changed
  const begun = versioned.safeParse(value);
  if (!begun.success) return undefined;
  const version = begun.data.format;
  const header = upgrade(value, "journal", version, path);
  if (!schema.safeParse(header).success) return undefined;
  const found = header as JournalHeader;
  if (expected !== undefined) refuseForeign(path, found.parties, expected);
  return { header: found, version };
}
