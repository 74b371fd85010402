import { fileURLToPath } from "node:url";

/**
 * Where `ferry` and what else starts as a process of its own is as one file, as people have it (`bundled.ts`); the sources
 * themselves where nobody has made that. A start takes less than half of the time so.
 */
export const bundleFolder: string | undefined = process.env["FERRY_TEST_BUNDLE"];

/** The command line as people start it. */
export const launcher: string =
  bundleFolder === undefined
    ? fileURLToPath(new URL("../../src/ferry.js", import.meta.url))
    : `${bundleFolder}/ferry.js`;
