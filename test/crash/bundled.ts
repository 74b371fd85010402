import { copyFileSync, mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import type { TestProject } from "vitest/node";

const at = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const folder = at("node_modules/ferry-crash");

/**
 * The command as one file, as people have it, and the one that ends itself likewise: thousands of processes start where all of
 * the tests run, and half of the time of most of them went into finding modules. Each run of the tests makes them anew.
 */
export default async function setup({ config }: TestProject): Promise<void> {
  if (config.env["TESTS"] !== "all") return;
  mkdirSync(folder, { recursive: true });
  await Promise.all([bundled("src/main.ts", "main.js"), bundled("test/crash/child.ts", "child.js")]);
  copyFileSync(at("src/ferry.js"), `${folder}/ferry.js`);
  process.env["FERRY_CRASH_BUNDLE"] = folder;
}

async function bundled(input: string, name: string): Promise<void> {
  const bundle = await rolldown({
    input: at(input),
    platform: "node",
    external: [/^node:/],
    treeshake: true,
  });
  await bundle.write({ file: `${folder}/${name}`, format: "esm", codeSplitting: false, minify: false });
  await bundle.close();
}
