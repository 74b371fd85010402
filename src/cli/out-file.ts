import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute, relative, resolve, sep } from "node:path";
import { readText } from "../plan/read-text.ts";
import type { Places } from "../store/index.ts";
import type { Io } from "./io.ts";
import { UsageError } from "./usage-error.ts";

/** What a command works with, and what no result may take the place of. */
export interface Kept {
  /** The plan's file. */
  readonly plan: string;
  readonly envFile: string | undefined;
  readonly places: Places;
}

/**
 * The path of a file to be written, checked before any request: a folder that is not there is more often a slip than
 * a wish. The plan's own working folder is made by the command itself.
 */
export function outFile(io: Io, file: string, kept: Kept, how: { readonly isMapping?: true } = {}): string {
  // Elsewhere it stands for standard output: whoever says it wants no file of that name.
  if (file === "-")
    throw new UsageError(
      "- stands for no file: what is printed is the result of the command itself",
      "Name a file, and read that; one that is called so is ./-",
    );
  const path = resolve(io.cwd, file);
  const folder = dirname(path);
  const { places } = kept;
  refuseKept(io, file, kept, how.isMapping === true);
  if (kindOf(path) === "folder")
    throw new UsageError(
      `${file} is a folder, not a file to write`,
      `Name a file in it: ${file}/<name>.json`,
    );
  if (kindOf(folder) === "folder") {
    if (isWritable(folder) && (kindOf(path) === "nothing" || isWritable(path))) return path;
    throw new UsageError(`${file} cannot be written: permission denied`, "Name another place.");
  }
  if (isWithin(folder, places.work)) return path;
  const missing = highestMissing(folder);
  // As it was written: from the root, or from here.
  const told = (place: string): string => (isAbsolute(file) ? place : relative(io.cwd, place) || place);
  const shown = told(missing);
  if (kindOf(missing) === "other")
    throw new UsageError(`${file} cannot be written: ${shown} is not a folder`, "Name another place.");
  throw new UsageError(
    `${file} cannot be written: the folder ${shown} does not exist`,
    `Correct the path, or make the folder: mkdir -p ${quoted(told(folder))}`,
  );
}

/** A name that was meant otherwise, or completed by the shell: the plan would be gone, or what is known of all that was moved. */
function refuseKept(io: Io, file: string, { plan, envFile, places }: Kept, isMapping: boolean): void {
  const path = real(resolve(io.cwd, file));
  const mapping = real(places.mapping);
  const within = isWithin(dirname(path), mapping);
  const what =
    path === real(plan)
      ? "is the plan itself"
      : envFile !== undefined && path === real(resolve(io.cwd, envFile))
        ? "holds the variables of --env-file"
        : within && !(isMapping && path.endsWith(".json"))
          ? "lies where the mapping and the journal of this plan are kept"
          : isOfOtherEnvironments(path, mapping)
            ? "lies where the mapping and the journal of other environments are kept"
            : isYaml(path)
              ? "is a YAML file, as plans are, and no result is one"
              : isJsonPlan(path)
                ? "is a plan"
                : undefined;
  if (what === undefined) return;
  throw new UsageError(`${file} ${what}: it would be written over`, "Nothing was done. Name another file.");
}

/** Folders of mappings lie beside each other, one for each pair of environments (`dev--prod`). */
function isOfOtherEnvironments(path: string, mapping: string): boolean {
  const [folder = "", ...rest] = relative(dirname(mapping), path).split(sep);
  return rest.length > 0 && folder.includes("--") && folder !== basename(mapping);
}

function isYaml(path: string): boolean {
  return /\.ya?ml$/i.test(path) && kindOf(path) !== "nothing";
}

/**
 * A plan may be JSON as well, as most results are: it is told by its environments, and by its version, which is a number. What
 * --json prints has both environments too, and the version of ferry.
 */
function isJsonPlan(path: string): boolean {
  if (!/\.json$/i.test(path) || kindOf(path) !== "other") return false;
  const read = readText(path);
  if ("why" in read) return false;
  try {
    const { version, source, target } = JSON.parse(read.text) as Record<string, unknown>;
    return typeof version === "number" && isSection(source) && isSection(target);
  } catch {
    return false; // Something else, or nothing that could be a plan as it stands.
  }
}

function isSection(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}

/** Of what is not there yet, its folder's. */
function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const above = dirname(path);
    return above === path ? path : resolve(real(above), relative(above, path));
  }
}

/** The first part of the path that is no folder: that is where the slip is. */
function highestMissing(folder: string): string {
  const above = dirname(folder);
  return above === folder || kindOf(above) === "folder" ? folder : highestMissing(above);
}

function kindOf(path: string): "folder" | "other" | "nothing" {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined) return "nothing";
    return found.isDirectory() ? "folder" : "other";
  } catch {
    return "nothing"; // A part of the path is a file.
  }
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function isWithin(folder: string, own: string): boolean {
  return folder === own || folder.startsWith(own + sep);
}

/** As a shell takes it. */
function quoted(path: string): string {
  return /^[\w./@%+=:,-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
