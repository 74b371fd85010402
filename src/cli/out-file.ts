import { accessSync, constants, statSync } from "node:fs";
import { dirname, isAbsolute, relative, resolve, sep } from "node:path";
import type { Io } from "./io.ts";
import { UsageError } from "./usage-error.ts";

/**
 * The path of a file to be written, checked before any request: a folder that is not there is more often a slip than
 * a wish. The plan's own working folder is made by the command itself.
 */
export function outFile(io: Io, file: string, own?: string): string {
  const path = resolve(io.cwd, file);
  const folder = dirname(path);
  if (kindOf(path) === "folder")
    throw new UsageError(
      `${file} is a folder, not a file to write`,
      `Name a file in it: ${file}/<name>.json`,
    );
  if (kindOf(folder) === "folder") {
    if (isWritable(folder) && (kindOf(path) === "nothing" || isWritable(path))) return path;
    throw new UsageError(`${file} cannot be written: permission denied`, "Name another place.");
  }
  if (own !== undefined && isWithin(folder, own)) return path;
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
