import { z } from "zod";
import type { Parties } from "../../model/mapping.ts";
import { encodeLine } from "./journal-line.ts";
import { partiesSchema, refuseForeign } from "./party.ts";
import { formats, refuseNewer } from "../upgrade/index.ts";

/**
 * The first line of a journal: `{ type: "header", format, tool, parties }`. It is there from the file's first
 * instant on (the file is created by a rename), so a journal without one is damaged, not new.
 */
export interface JournalHeader {
  readonly type: "header";
  readonly format: number;
  /** Name and version of the tool that began the file. */
  readonly tool: string;
  readonly parties: Parties;
}

const schema: z.ZodType<JournalHeader> = z.looseObject({
  type: z.literal("header"),
  format: z.number().int().min(1),
  tool: z.string(),
  parties: partiesSchema,
});

export function headerLine(tool: string, parties: Parties): string {
  const { source, target } = parties;
  const header = {
    type: "header",
    format: formats.journal,
    tool,
    parties: { source: partyFields(source), target: partyFields(target) },
  };
  return encodeLine(JSON.stringify(header), true);
}

function partyFields({ name, baseUrl, tenant }: Parties["source"]): Parties["source"] {
  return { name, baseUrl, tenant };
}

/** False when the value is no header; a header of a newer format or of other environments is refused. */
export function checkHeader(value: unknown, path: string, expected: Parties | undefined): boolean {
  const format = typeof value === "object" && value !== null && "format" in value ? value.format : undefined;
  if (typeof format === "number") refuseNewer("journal", format, path); // first: its other fields may have changed
  const header = schema.safeParse(value);
  if (!header.success) return false;
  if (expected !== undefined) refuseForeign(path, header.data.parties, expected);
  return true;
}
