import { chmodSync, existsSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { explainIo, makeFolders } from "../store/index.ts";
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

/** Writes a file that a person asked for, with the folders on its way; `anew` leaves one that is there alone. */
export function writeFile(
  path: string,
  text: string,
  options: { readonly shown: string; readonly anew?: boolean; readonly permissions?: number },
): void {
  try {
    makeFolders(dirname(path));
    writeFileSync(path, text, {
      flag: options.anew === true ? "wx" : "w",
      ...(options.permissions === undefined ? {} : { mode: options.permissions }),
    });
    // One that was there already keeps its permissions otherwise.
    if (options.permissions !== undefined) chmodSync(path, options.permissions);
  } catch (error) {
    const system = explainIo(error, options.shown, "write");
    if (system?.code === "disk-full") throw system;
    const said = error instanceof Error ? error.message : String(error);
    const why = system?.message.replace(`cannot write ${options.shown}: `, "") ?? said;
    throw new UsageError(
      `${options.shown} cannot be written: ${why}`,
      "Name a file in a folder that you may write to.",
    );
  }
}
