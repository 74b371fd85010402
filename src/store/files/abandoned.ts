import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";
import { fromEntries } from "../../model/json.ts";
import type { Json } from "../../model/json.ts";
import type { Parties, Party } from "../../model/mapping.ts";
import { syncFolder } from "./folder.ts";
import { writeJsonFile } from "./json-file.ts";
import { checkShape, parseJsonText, readJsonText } from "./json-text.ts";
import { partySchema, refuseForeign } from "./party.ts";
import { isMissing, StoreError } from "../store-error.ts";
import { formats, upgrade } from "../upgrade/index.ts";

/** An operation in doubt that a person decided to leave as it is. */
export interface Abandoned {
  readonly kind: string;
  readonly name: string;
  /** The step that was in doubt. */
  readonly step: string;
  /** When the person decided; ISO 8601. */
  readonly at: string;
}

interface AbandonedFile {
  readonly format: number;
  readonly source: Party;
  readonly target: Party;
  readonly objects: Readonly<Record<string, Abandoned>>;
}

/** No kind has a name like this: the file stands among theirs, to be committed and reviewed with them. */
const fileName = "_abandoned.json";

const version = z.looseObject({ format: z.number().int().min(1) });
const file: z.ZodType<AbandonedFile> = z.looseObject({
  format: z.number(),
  source: partySchema,
  target: partySchema,
  objects: z.record(
    z.string(),
    z.looseObject({ kind: z.string(), name: z.string(), step: z.string(), at: z.string() }),
  ),
});

/** By source URN; nothing is abandoned where there is no file. */
export async function readAbandoned(
  folder: string,
  parties: Parties,
): Promise<ReadonlyMap<string, Abandoned>> {
  const path = join(folder, fileName);
  try {
    const source = await readJsonText(path);
    const parsed = parseJsonText(source);
    const { format } = checkShape(source, parsed, version, "bad-shape");
    const found = checkShape(source, upgrade(parsed, "abandoned", format, path), file, "bad-shape");
    refuseForeign(path, { source: found.source, target: found.target }, parties);
    return new Map(Object.entries(found.objects));
  } catch (error) {
    if (isMissing(error) || (error instanceof StoreError && error.code === "not-found")) return new Map();
    throw error;
  }
}

/** To write it, hold the lock. Without an entry there is no file. */
export async function writeAbandoned(
  folder: string,
  owner: { readonly tool: string; readonly parties: Parties },
  objects: ReadonlyMap<string, Abandoned>,
): Promise<void> {
  const path = join(folder, fileName);
  if (objects.size === 0) {
    await rm(path, { force: true });
    await syncFolder(dirname(path));
    return;
  }
  const sorted = [...objects].sort(([left], [right]) => (left < right ? -1 : 1));
  await writeJsonFile(path, {
    format: formats.abandoned,
    tool: owner.tool,
    ...owner.parties,
    objects: fromEntries(sorted.map(([source, entry]): [string, Json] => [source, { ...entry }])),
  });
}
