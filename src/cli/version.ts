import { readFileSync } from "node:fs";
import { z } from "zod/mini";

const manifest = z.object({ version: z.string() });

/** The version in package.json, which lies one folder above both the sources and what is built of them. */
export function toolVersion(): string {
  const text = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  return manifest.parse(JSON.parse(text)).version;
}

export function toolName(): string {
  return `urn-ferry ${toolVersion()}`;
}
