import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import type { Invariant } from "./judge.ts";
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

export function keep(found: Case): string {
  mkdirSync(folder, { recursive: true });
  const name = `${found.invariant}-${found.seed}.json`;
  writeFileSync(new URL(name, folder), `${JSON.stringify(found, undefined, 1)}\n`);
  return name;
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
