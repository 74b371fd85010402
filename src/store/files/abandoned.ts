import { join } from "node:path";
import { z } from "zod";
import { fromEntries } from "../../model/json.ts";
import type { Json } from "../../model/json.ts";
import type { Parties, Party } from "../../model/mapping.ts";
import { AbandonedList } from "../abandoned-list.ts";
import type { Abandoned } from "../abandoned-list.ts";
import type { Disk } from "./disk.ts";
import { writeJsonFile } from "./json-file.ts";
import { checkShape, parseJsonText, readJsonTextIfThere, refuseRepeatedKeys } from "./json-text.ts";
import { nodeDisk } from "./node-disk.ts";
import { partySchema, refuseForeign } from "./party.ts";
import { removeSynced } from "./remove.ts";
import { formats, upgrade } from "../upgrade/index.ts";

interface AbandonedFile {
  readonly format: number;
  readonly source: Party;
  readonly target: Party;
  /** By kind, then by source URN. */
  readonly objects: Readonly<Record<string, Readonly<Record<string, Omit<Abandoned, "kind" | "source">>>>>;
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
    z.record(z.string(), z.looseObject({ name: z.string(), step: z.string(), at: z.string() })),
  ),
});

/** Nothing is abandoned where there is no file. */
export async function readAbandoned(
  folder: string,
  parties: Parties,
  disk: Disk = nodeDisk,
): Promise<AbandonedList> {
  const path = join(folder, fileName);
  const source = await readJsonTextIfThere(disk, path);
  if (source === undefined) return new AbandonedList();
  const parsed = parseJsonText(source);
  refuseRepeatedKeys(source);
  const { format } = checkShape(source, parsed, version, "bad-shape");
  const found = checkShape(source, upgrade(parsed, "abandoned", format, path), file, "bad-shape");
  refuseForeign(path, { source: found.source, target: found.target }, parties);
  return new AbandonedList(
    Object.entries(found.objects).flatMap(([kind, entries]) =>
      Object.entries(entries).map(([urn, entry]) => ({ ...entry, kind, source: urn })),
    ),
  );
}

/** To write it, hold the lock. Without an entry there is no file. */
export async function writeAbandoned(
  folder: string,
  owner: { readonly tool: string; readonly parties: Parties },
  objects: AbandonedList,
  disk: Disk = nodeDisk,
): Promise<void> {
  const path = join(folder, fileName);
  if (objects.size === 0) {
    await removeSynced(disk, path);
    return;
  }
  const kinds = new Map<string, [string, Json][]>();
  for (const { kind, source, ...entry } of objects) {
    const entries = kinds.get(kind) ?? [];
    entries.push([source, { ...entry }]);
    kinds.set(kind, entries);
  }
  const content = {
    format: formats.abandoned,
    tool: owner.tool,
    ...owner.parties,
    objects: fromEntries([...kinds].map(([kind, entries]): [string, Json] => [kind, fromEntries(entries)])),
  };
  await writeJsonFile(path, content, disk);
}
