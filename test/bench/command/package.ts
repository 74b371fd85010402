import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { unreleased } from "../figures/file.ts";
import { spawned } from "./process.ts";

/** The command that is measured: this clone's, or that of another one (an earlier version), as it would be installed. */
export interface Package {
  readonly folder: string;
  /** Its number, or `unreleased` where its change log has entries without one. */
  readonly version: string;
  /** What Node gets: the flags that the launcher's first line gives, and the launcher. */
  readonly argv: readonly string[];
  /** Variables that the first line sets. */
  readonly env: Readonly<Record<string, string>>;
  /** The same from its sources, whose files a profile can tell apart. */
  readonly sources: readonly string[];
}

const own = fileURLToPath(new URL("../../../", import.meta.url));

/** Builds the package of this clone; another clone has to be built already, with what it needs to be built. */
export async function packageOf(of: string | undefined): Promise<Package> {
  const folder = of === undefined ? own : resolve(of);
  if (of === undefined) await spawned("npm", ["run", "--silent", "build"], { cwd: folder });
  const launcher = join(folder, "dist/ferry.js");
  if (!existsSync(launcher)) throw new Error(`${folder} is not built: npm ci && npm run build there`);
  const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { version: string };
  const source = join(folder, "src/ferry.js");
  return {
    folder,
    version: /^## Unreleased/m.test(readFileSync(join(folder, "CHANGELOG.md"), "utf8"))
      ? unreleased
      : version,
    argv: [...flagsOf(launcher), launcher],
    env: variablesOf(launcher),
    sources: [...flagsOf(source), source],
  };
}

function flagsOf(launcher: string): readonly string[] {
  return wordsOf(launcher).filter((word) => /^--./.test(word));
}

function variablesOf(launcher: string): Readonly<Record<string, string>> {
  const set = wordsOf(launcher).filter((word) => /^[A-Z_]+=/.test(word));
  return Object.fromEntries(
    set.map((word): [string, string] => {
      const [name = "", value = ""] = word.split("=");
      return [name, value];
    }),
  );
}

/** `#!/usr/bin/env -S NAME=value node --flag --`. */
function wordsOf(launcher: string): readonly string[] {
  const [line = ""] = readFileSync(launcher, "utf8").split("\n", 1);
  return line.split(" ");
}
