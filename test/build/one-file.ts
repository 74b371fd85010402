import { readFileSync, writeFileSync } from "node:fs";
import { rolldown } from "rolldown";
import type { RolldownOutput } from "rolldown";

/** A module and all that it imports, libraries too, as one file that Node runs. */
export async function oneFile(input: string, file: string): Promise<RolldownOutput["output"]> {
  const bundle = await rolldown({
    input,
    platform: "node",
    external: [/^node:/],
    treeshake: true,
    onLog(level, log) {
      // A warning of the bundler is a mistake of ours, or a library that will not run from one file.
      if (level === "warn") throw new Error(`${log.code ?? "warning"}: ${log.message}`);
    },
  });
  const { output } = await bundle.write({
    file,
    format: "esm",
    codeSplitting: false,
    // Stack traces stay readable: lines and names are as they were written, and only comments go.
    comments: { legal: true, jsdoc: false, annotation: false },
    minify: false,
  });
  await bundle.close();
  writeFileSync(file, inAscii(readFileSync(file, "utf8")));
  return output;
}

/**
 * One letter beyond ASCII, and each start of the command decodes the whole file, and holds it with two bytes a letter: a
 * tenth of what a short command takes. In strings, templates, patterns and comments an escape says the same.
 */
export function inAscii(code: string): string {
  // In the first an escape would be six letters, and behind a backslash it would be none.
  const unfit = /String\.raw`[^`]*[\u0080-\uffff][^`]*`|\\[\u0080-\uffff]/.exec(code)?.[0];
  if (unfit !== undefined)
    throw new Error(`letters beyond ASCII where no escape can stand for them: ${unfit}`);
  return code.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
