import type { z } from "zod";
import { EngineError } from "../engine/progress.ts";
import type { Migration } from "./migration.ts";

/** What was kept of the last diff, for a person who is to `what`: nothing has to be asked of anybody. */
export async function lastDiff<T>(migration: Migration, schema: z.ZodType<T>, what: string): Promise<T> {
  const { name } = migration.plan;
  const parsed = schema.safeParse(await migration.store.work.lastDiff());
  if (parsed.success) return parsed.data;
  throw new EngineError(
    "selection",
    `there is no diff of ${name} to ${what}`,
    `Make one: ferry diff ${name}`,
  );
}
