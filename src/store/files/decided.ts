import { join } from "node:path";
import { z } from "zod";
import { fromEntries } from "../../model/json.ts";
import type { Json } from "../../model/json.ts";
import type { Parties, Party } from "../../model/mapping.ts";
import type { Decided } from "../decided-list.ts";
import { choices, DecidedList } from "../decided-list.ts";
import { formats, refuseNewer } from "../upgrade/index.ts";
import type { Disk } from "./disk.ts";
import { writeJsonFile } from "./json-file.ts";
import { checkShape, parseJsonText, readJsonTextIfThere, refuseRepeatedKeys } from "./json-text.ts";
import { partySchema, refuseForeign } from "./party.ts";
import { removeSynced } from "./remove.ts";

/** No kind has a name like this: the file stands among theirs, to be committed and reviewed with them. */
const fileName = "_decided.json";

interface DecidedFile {
  readonly source: Party;
  readonly target: Party;
  /** By kind, then by source URN. */
  readonly objects: Readonly<Record<string, Readonly<Record<string, Omit<Decided, "kind" | "source">>>>>;
}

const version = z.looseObject({ format: z.number().int().min(1) });
const file: z.ZodType<DecidedFile> = z.looseObject({
  source: partySchema,
  target: partySchema,
  objects: z.record(
    z.string(),
    z.record(
      z.string(),
      z.looseObject({
        name: z.string(),
        choice: z.enum(choices),
        sourcePrint: z.string(),
        targetPrint: z.string(),
        row: z.string().optional(),
        by: z.string(),
        at: z.string(),
      }),
    ),
  ),
});

/** Nothing is decided where there is no file. */
export async function readDecided(disk: Disk, folder: string, parties: Parties): Promise<DecidedList> {
  const path = join(folder, fileName);
  const source = await readJsonTextIfThere(disk, path);
  if (source === undefined) return new DecidedList();
  const parsed = parseJsonText(source);
  refuseRepeatedKeys(source);
  refuseNewer("decided", checkShape(source, parsed, version, "bad-shape").format, path);
  const found = checkShape(source, parsed, file, "bad-shape");
  refuseForeign(path, { source: found.source, target: found.target }, parties);
  return new DecidedList(
    Object.entries(found.objects).flatMap(([kind, entries]) =>
      Object.entries(entries).map(([urn, entry]) => ({ ...entry, kind, source: urn })),
    ),
  );
}

/** To write it, hold the lock. Without an entry there is no file. */
export async function writeDecided(
  disk: Disk,
  folder: string,
  owner: { readonly tool: string; readonly parties: Parties },
  list: DecidedList,
): Promise<void> {
  const path = join(folder, fileName);
  if (list.size === 0) {
    await removeSynced(disk, path);
    return;
  }
  const kinds = new Map<string, [string, Json][]>();
  for (const { kind, source, row, ...entry } of list) {
    const entries = kinds.get(kind) ?? [];
    entries.push([source, { ...entry, ...(row === undefined ? {} : { row }) }]);
    kinds.set(kind, entries);
  }
  const content = {
    format: formats.decided,
    tool: owner.tool,
    ...owner.parties,
    objects: fromEntries([...kinds].map(([kind, entries]): [string, Json] => [kind, fromEntries(entries)])),
  };
  await writeJsonFile(path, content, disk);
}
