import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Invariant } from "./breach.ts";
import type { Story } from "./story.ts";

/** A story that failed, made small. */
export interface Case {
  readonly invariant: Invariant;
  readonly what: string;
  readonly seed: number;
  /** It passes, and must go on to: until it does, it waits here for the mend. */
  readonly mended: boolean;
  readonly told: readonly string[];
  readonly story: Story;
}

const folder = new URL("kept/", import.meta.url);

export function keep(found: Case, into: string): string {
  mkdirSync(into, { recursive: true });
  const path = join(into, `${found.invariant}-${found.seed}.json`);
  writeFileSync(path, `${JSON.stringify(found, undefined, 1)}\n`);
  return path;
}

export function kept(): readonly { readonly name: string; readonly found: Case }[] {
  mkdirSync(folder, { recursive: true });
  return readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .sort()
    .map((name) => ({ name, found: read(new URL(name, folder)) }));
}

export function read(path: URL | string): Case {
  return JSON.parse(readFileSync(path, "utf8")) as Case;
}
