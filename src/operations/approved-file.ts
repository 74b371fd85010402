import { z } from "zod";
import type { Diff } from "../engine/diff/index.ts";
import { digest, stableText } from "../model/canonical.ts";
import type { Change } from "../model/change.ts";
import { display } from "../model/display.ts";
import type { Json } from "../model/json.ts";
import { packed } from "../model/packed/change-list.ts";
import type { Plan } from "../model/plan.ts";
import type { Disk } from "../store/index.ts";
import { readJsonFile, StoreError, writeJsonFile } from "../store/index.ts";
import { sumOf } from "./approved-sum.ts";
import { unseenOf } from "./approved-unseen.ts";
import type { Migration } from "./migration.ts";
import { selectedTables } from "./records/tables.ts";

/**
 * A diff on disk. It is bound to what it was made from: the snapshot, the target as it was read, the mapping, the
 * plan and the tool; `apply --diff` does exactly what it lists or refuses.
 */
export interface DiffFile {
  readonly format: 1;
  readonly tool: string;
  readonly plan: string;
  /** Digests: of the plan without secrets, of the snapshot, of the target as read, of the mapping. */
  readonly bound: {
    readonly plan: string;
    readonly snapshot: string;
    readonly target: string;
    readonly mapping: string;
    /** Of what is whose twin; absent where there is nothing to do. */
    readonly pairs?: string | undefined;
  };
  readonly changes: readonly Change[];
  /** The flags that narrowed what the plan selects, where there were any. */
  readonly narrowed?: string;
  /** Ids of changes by which parts go, and nobody could look who refers to them. */
  readonly unseen?: readonly string[];
  /** Of all of it, as it was written; absent in what an earlier version wrote. */
  readonly sum?: string;
}

/** The format of these files. */
const known = 1;

const schema: z.ZodType<DiffFile> = z.looseObject({
  format: z.literal(known),
  tool: z.string(),
  plan: z.string(),
  bound: z.looseObject({
    plan: z.string(),
    snapshot: z.string(),
    target: z.string(),
    mapping: z.string(),
    pairs: z.string().optional(),
  }),
  changes: z.array(z.looseObject({ id: z.string(), action: z.string(), kind: z.string() })),
  narrowed: z.string().optional(),
  unseen: z.array(z.string()).optional(),
  sum: z.string().optional(),
}) as unknown as z.ZodType<DiffFile>;

export async function writeDiffFile(disk: Disk, path: string, file: DiffFile): Promise<void> {
  await writeJsonFile(path, { ...file, sum: sumOf(file) }, disk);
}

/** Nobody mends a diff by hand: what would be applied then is not what was approved. */
export async function readDiffFile(disk: Disk, path: string): Promise<DiffFile> {
  try {
    return await readJsonFile(path, schema, disk);
  } catch (error) {
    const isBroken =
      error instanceof StoreError && ["bad-json", "bad-shape", "merge-conflict"].includes(error.code);
    if (!isBroken) throw error;
    if (error.code === "bad-shape") await refuseNewer(disk, path);
    if (error.code === "bad-shape" && (await isForeign(disk, path)))
      throw new StoreError(
        error.code,
        path,
        `${display(error.path)} is not a diff made by \`ferry diff PLAN --out FILE\``,
        "Name the file that was written by it, and approved.",
        error,
      );
    throw new StoreError(
      error.code,
      path,
      error.message,
      `Restore it as it was approved, or ${lower(anew)}`,
      error,
    );
  }
}

/** What a newer version has written cannot be restored so that this one reads it. */
async function refuseNewer(disk: Disk, path: string): Promise<void> {
  const versioned = z.looseObject({
    format: z.int().min(known + 1),
    tool: z.string(),
    bound: z.looseObject({}),
  });
  const newer = await readJsonFile(path, versioned, disk).catch(() => undefined);
  if (newer === undefined) return;
  throw new StoreError(
    "newer-format",
    path,
    `${display(path)} was written by a newer version of ferry: its format is ${newer.format}, this one knows up to ${known}`,
    `Update ferry. Or: ${lower(anew)}`,
  );
}

/** Nothing in it says that it ever was a diff: a report, a package.json, an empty object. */
async function isForeign(disk: Disk, path: string): Promise<boolean> {
  const nothing = z.looseObject({ tool: z.undefined().optional(), bound: z.undefined().optional() });
  try {
    await readJsonFile(path, nothing, disk);
    return true;
  } catch {
    return false;
  }
}

export const anew = "Make a new diff with `ferry diff PLAN --out FILE`, have it approved, and apply that.";

function lower(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

export interface Bound {
  readonly snapshot: string;
  readonly target: string;
  readonly mapping: string;
  readonly pairs?: string | undefined;
}

export function diffFileOf(migration: Migration, diff: Diff, bound: Bound): DiffFile {
  return {
    format: known,
    tool: migration.tool,
    plan: migration.plan.name,
    bound: { plan: planDigest(migration), ...bound },
    changes: packed(diff.changes.values().filter(({ action }) => action !== "unchanged")),
    ...(migration.narrowed === "" ? {} : { narrowed: migration.narrowed }),
    ...unseenOf(diff),
  };
}

/** Of what a person approved; names a run that applies it. */
export function diffDigest(file: DiffFile): string {
  return digest(stableText(file as unknown as Json));
}

/** A plan without tables has the digest that it always had. */
function tablesOf(records: Plan["records"]): { readonly records?: Json } {
  const isAny =
    records.remove || Object.values(records).some((part) => Array.isArray(part) && part.length > 0);
  return isAny ? { records: records as unknown as Json } : {};
}

/** Neither has one without flows another. What is started at the target is approved with the rest. */
function flowsOf({ before, after }: NonNullable<Plan["flows"]>): { readonly flows?: Json } {
  return before.length + after.length === 0 ? {} : { flows: { before, after } as unknown as Json };
}

/** Of everything in the plan that decides what is done; secrets and limits are left out. */
export function planDigest({ plan, registry }: Pick<Migration, "plan" | "registry">): string {
  const { select, pairing, policy, records, flows = { before: [], after: [] } } = plan;
  // Who has no rows on a master-data server may name another one.
  const hasServer = selectedTables({ plan, registry }).some(({ kind }) => kind.service !== undefined);
  const party = ({ name, baseUrl, realm, masterData }: typeof plan.source): Json => ({
    name,
    baseUrl,
    realm,
    ...(hasServer && masterData !== undefined ? { masterData: masterData.baseUrl } : {}),
  });
  const content = {
    source: party(plan.source),
    target: party(plan.target),
    select,
    pairing,
    policy,
    ...tablesOf(records),
    ...flowsOf(flows),
  };
  return digest(stableText(content as unknown as Json));
}
