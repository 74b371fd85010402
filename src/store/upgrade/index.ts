import { StoreError } from "../store-error.ts";
import { abandonedFrom1 } from "./abandoned-1.ts";
import { journalFrom1 } from "./journal-1.ts";

/**
 * Versions of what is on disk. A file carries its format; an older one is upgraded in memory when it is read
 * (and is written in the new format at the next change), a newer one is refused.
 *
 * A new version raises the number here and adds one file, `<file>-<from>.ts`, with the step from the version
 * before it; the steps run one after the other. Of the journal the step sees the header only.
 */
export const formats = { mapping: 1, journal: 2, snapshot: 1, abandoned: 2, rows: 1, decided: 1 } as const;
export type Format = keyof typeof formats;

type Step = (file: unknown) => unknown;
const steps: Readonly<Record<Format, readonly Step[]>> = {
  mapping: [],
  journal: [journalFrom1],
  snapshot: [],
  abandoned: [abandonedFrom1],
  rows: [],
  decided: [],
};

export function upgrade(file: unknown, format: Format, version: number, path: string): unknown {
  refuseNewer(format, version, path);
  return steps[format].slice(version - 1).reduce((content, step) => step(content), file);
}

export function refuseNewer(format: Format, version: number, path: string): void {
  const known = formats[format];
  if (version <= known) return;
  throw new StoreError(
    "newer-format",
    path,
    `${path} was written by a newer version of ferry: its format is ${version}, this one knows up to ${known}`,
    "Update ferry; the file was left alone.",
  );
}
