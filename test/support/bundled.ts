import { copyFileSync, mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { TestProject } from "vitest/node";
import { oneFile } from "../build/one-file.ts";

const at = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
/** Laid out as the package is. */
const whole = at("node_modules/ferry-tests");
const folder = `${whole}/dist`;

/**
 * The command as one file, as people have it, and the one that ends itself likewise: thousands of processes start where all of
 * the tests run, and half of the time of most of them went into finding modules. Each run of the tests makes them anew.
 */
export default async function setup({ config }: TestProject): Promise<void> {
  if (config.coverage.enabled) return;
  mkdirSync(folder, { recursive: true });
  await Promise.all([
    oneFile(at("src/main.ts"), `${folder}/main.js`),
    oneFile(at("test/crash/child.ts"), `${folder}/child.js`),
  ]);
  copyFileSync(at("src/ferry.js"), `${folder}/ferry.js`);
  copyFileSync(at("package.json"), `${whole}/package.json`);
  process.env["FERRY_TEST_BUNDLE"] = folder;
}
