import type { Stats } from "node:fs";
import { stat } from "node:fs/promises";
import { isMissing } from "../store-error.ts";

/** What the system knows of a file; undefined when there is none. */
export async function statOrNothing(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
