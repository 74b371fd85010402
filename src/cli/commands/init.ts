import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { explainIo } from "../../store/index.ts";
import type { Io } from "../io.ts";
import { planTemplate } from "../plan-template.ts";
import { UsageError } from "../usage-error.ts";

/** Writes a commented plan; never over a file that is there. */
export function runInit(io: Io, file: string): number {
  const path = resolve(io.cwd, file);
  if (!/\.ya?ml$/.test(path))
    throw new UsageError(
      `${file}: a plan is a .yaml file`,
      `Did you mean ${file.replace(/\.\w+$/, "")}.yaml?`,
    );
  if (existsSync(path))
    throw new UsageError(`${file} is there already and is left as it is`, "Name another file.");
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, planTemplate, { flag: "wx" });
  } catch (error) {
    const system = explainIo(error, file, "write");
    if (system?.code === "disk-full") throw system;
    const why = error instanceof Error ? error.message : String(error);
    throw new UsageError(
      `${file} cannot be written: ${why}`,
      "Name a file in a folder that you may write to.",
    );
  }
  const shown = relative(io.cwd, path);
  io.stdout.write(
    `${shown} is written. Fill in both environments, set the four variables it names, then:\n  ferry doctor ${shown}\n`,
  );
  return 0;
}
