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
    comments: { legal: true },
    minify: false,
  });
  await bundle.close();
  return output;
}
