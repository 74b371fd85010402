import { readFileSync } from "node:fs";

/** The version in package.json, which lies above the sources, and above the one file that is built of them. */
export function toolVersion(): string {
  const text = readManifest("../../package.json") ?? readManifest("../package.json") ?? "{}";
  const manifest: unknown = JSON.parse(text);
  // By hand: a schema library would cost `--version` more than everything else together.
  if (typeof manifest === "object" && manifest !== null && "version" in manifest)
    return String(manifest.version);
  throw new Error("package.json names no version");
}

export function toolName(): string {
  return `urn-ferry ${toolVersion()}`;
}

function readManifest(path: string): string | undefined {
  try {
    return readFileSync(new URL(path, import.meta.url), "utf8");
  } catch {
    return undefined; // Where the other place is right, there is none here.
  }
}
