import { registerHooks } from "node:module";
import { mutants } from "./index.ts";
import { mutated } from "./mutant.ts";

/**
 * Given to a process with `--import`: the modules that are loaded after it have the fault that FERRY_MUTANT names.
 */
const name = process.env["FERRY_MUTANT"];
const mutant = mutants.find((one) => one.name === name);
if (name !== undefined && mutant === undefined) throw new Error(`there is no mutant ${name}`);

if (mutant !== undefined) {
  const url = new URL(`../../../${mutant.file}`, import.meta.url).href;
  registerHooks({
    load(asked, context, next) {
      const loaded = next(asked, context);
      if (asked !== url) return loaded;
      const source =
        typeof loaded.source === "string"
          ? loaded.source
          : Buffer.from(loaded.source as Uint8Array).toString("utf8");
      return { ...loaded, source: mutated(source, mutant) };
    },
  });
}
