import { test } from "vitest";

/**
 * Whether everything is tried, as `npm run test:all` and the gate do; `npm test` tries what stands for it. README.md
 * says which suites that concerns.
 */
export const isWhole: boolean = process.env["TESTS"] === "all";

/** All rows, or those that stand for the rest. */
export function allOr<T>(all: readonly T[], standsForOthers: (row: T, index: number) => boolean): T[] {
  return isWhole ? [...all] : all.filter(standsForOthers);
}

/** A test of a narrow case beside a wide one, which stands for it in `npm test`. */
export const inWhole: ReturnType<typeof test.runIf> = test.runIf(isWhole);
