import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { z } from "zod";

/** In place of a number: what comes after the last release. */
export const unreleased = "unreleased";

const figure = z.strictObject({
  key: z.string(),
  value: z.number(),
  unit: z.enum(["x", "%", "ms", "s", "MB"]),
  /** Taken from what the version itself published, and not measured by this bench. */
  published: z.literal(true).optional(),
});

const point = z.strictObject({
  objects: z.int().positive(),
  wallSeconds: z.number().positive(),
  cpuSeconds: z.number().positive(),
  peakMebibytes: z.number().positive(),
  requests: z.int().positive(),
});

const schema = z.strictObject({
  version: z.union([z.literal(unreleased), z.string().regex(/^\d+\.\d+\.\d+(-[\w.]+)?$/)]),
  /** The day, and what it was measured on. */
  measured: z.iso.date(),
  on: z.string(),
  figures: z.array(figure),
  curves: z.array(point),
  /** Rows of a reference-data table, and records of a master-data entity. */
  rows: z.array(point).optional(),
  records: z.array(point).optional(),
});

/** The figures of one version, as they are kept beside this file. */
export type Figures = z.infer<typeof schema>;
export type Point = z.infer<typeof point>;

const kept = fileURLToPath(new URL(".", import.meta.url));

export function parseFigures(text: string): Figures {
  return schema.parse(JSON.parse(text));
}

export function keepFigures(figures: Figures, folder = kept): string {
  const file = `${folder}${figures.version}.json`;
  writeFileSync(file, `${JSON.stringify(schema.parse(figures), null, 2)}\n`);
  return file;
}

export function readFigures(folder = kept): readonly Figures[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .map((name) => parseFigures(readFileSync(`${folder}${name}`, "utf8")))
    .sort((one, other) => compareVersions(one.version, other.version));
}

/** The figures of the last release before this version. */
export function lastBefore(version: string, all: readonly Figures[]): Figures | undefined {
  return all.findLast((figures) => compareVersions(figures.version, version) < 0);
}

/** What is not released yet is later than everything. */
function compareVersions(one: string, other: string): number {
  if (one === other) return 0;
  if (one === unreleased || other === unreleased) return one === unreleased ? 1 : -1;
  return one.localeCompare(other, "en", { numeric: true });
}
