import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Emulator, LogEntry } from "../../src/emulator/index.ts";
import type { ApplyPlanOptions } from "../../src/operations/apply.ts";
import { applyPlan } from "../../src/operations/apply.ts";
import type { AppliedChange } from "../../src/model/change.ts";
import type { Result } from "../../src/model/result.ts";
import type { PlanChanges, World } from "../support/world.ts";

/** A whole run that a person agreed to. */
export async function run(
  world: World,
  changes?: PlanChanges,
  options: Partial<ApplyPlanOptions> = {},
): Promise<Result> {
  const migration = world.migration(changes);
  try {
    return await applyPlan(migration, { confirm: async () => true, ...options });
  } finally {
    await migration.close();
  }
}

/** What a run that cannot be done says; fails the test when it can. */
export async function refusal(work: Promise<unknown>): Promise<Error> {
  try {
    await work;
  } catch (error) {
    if (error instanceof Error) return error;
    throw error;
  }
  throw new Error("it was not refused");
}

/** Requests that can change something: all but GET, the token, and the filter, which is a question in a body. */
export function writes(emulator: Emulator, tenant: string): readonly LogEntry[] {
  return emulator.log.entries.filter(
    (entry) =>
      entry.tenant === tenant &&
      entry.method !== "GET" &&
      !isToken(entry) &&
      !/\/(?:catalog-items\/filter|dq-evaluation\/bulk)$/.test(entry.path),
  );
}

export function isToken(entry: LogEntry): boolean {
  return entry.path.includes("/openid-connect/token");
}

/** `action kind name`, sorted: what became of everything that is not unchanged. */
export function outline(changes: readonly AppliedChange[]): readonly string[] {
  return changes
    .map(({ action, kind, source, target }) => `${action} ${kind} ${source?.name ?? target?.name ?? ""}`)
    .sort();
}

export function only(changes: readonly AppliedChange[], action: string): readonly AppliedChange[] {
  return changes.filter((change) => change.action === action);
}

/** Every file below a folder with its content, but for the locks, which hold nothing. */
export function filesBelow(folder: string): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" }).sort()) {
    const path = join(folder, name);
    const isLock = name.endsWith("lock") || name.split("/").includes(".locks");
    if (isLock || !statSync(path).isFile()) continue;
    files.set(name, readFileSync(path, "utf8"));
  }
  return files;
}

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;

/** Every UUID in a text. */
export function uuidsIn(text: string): ReadonlySet<string> {
  return new Set((text.match(uuid) ?? []).map((found) => found.toLowerCase()));
}
