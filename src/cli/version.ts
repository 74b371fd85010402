import { readFileSync } from "node:fs";

/** The version in package.json, which lies one folder above both the sources and what is built of them. */
export function toolVersion(): string {
  const text = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  const manifest: unknown = JSON.parse(text);
  // By hand: a schema library would cost `--version` more than everything else together.
  if (typeof manifest === "object" && manifest !== null && "version" in manifest)
    return String(manifest.version);
  throw new Error("package.json names no version");
}

export function toolName(): string {
  return `urn-ferry ${toolVersion()}`;
}
