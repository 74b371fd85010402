import { closeSync, existsSync, openSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { explainIo, makeFolders, StoreError, writeAtomic } from "../store/index.ts";
import { planNameProblem } from "../plan/plan-name.ts";
import { UsageError } from "./usage-error.ts";

/** A plan that a person is about to name: YAML, by its ending. */
export function requirePlanName(file: string): void {
  if (/\.ya?ml$/.test(file)) {
    const { summary, suggestion } = planNameProblem(file) ?? {};
    if (summary === undefined) return;
    throw new UsageError(`${file}: ${summary}`, suggestion);
  }
  throw new UsageError(`${file}: a plan is a .yaml file`, `Did you mean ${file.replace(/\.\w+$/, "")}.yaml?`);
}

export function refuseExisting(path: string, shown: string): void {
  if (existsSync(path))
    throw new UsageError(`${shown} is there already and is left as it is`, "Name another file.");
}

/**
 * Writes a file that a person asked for, with the folders on its way; `anew` leaves one that is there alone. All of it or
 * nothing: a part would be in the way of the next attempt, which takes what is there for a file of somebody else.
 */
export async function writeFile(
  path: string,
  text: string,
  options: { readonly shown: string; readonly anew?: boolean; readonly permissions?: number },
): Promise<void> {
  const { shown, permissions } = options;
  try {
    makeFolders(dirname(path));
    if (options.anew === true) writeNew(path, text);
    else await writeAtomic(path, text, permissions === undefined ? {} : { permissions });
  } catch (error) {
    throw unwritable(error, shown);
  }
}

function writeNew(path: string, text: string): void {
  const file = openSync(path, "wx");
  try {
    writeFileSync(file, text);
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
}

function unwritable(error: unknown, shown: string): Error {
  if (error instanceof StoreError && error.code === "not-synced") return error;
  const cause = error instanceof StoreError ? (error.cause ?? error) : error;
  const system = explainIo(cause, shown, "write");
  if (system?.code === "disk-full") return system;
  const said = error instanceof Error ? error.message : String(error);
  const why = system?.message.replace(`cannot write ${shown}: `, "") ?? said;
  return new UsageError(
    `${shown} cannot be written: ${why}`,
    "Name a file in a folder that you may write to.",
  );
}
