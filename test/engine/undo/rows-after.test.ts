import { expect, test } from "vitest";
import { isUntidy, tidied, unknown } from "../../../src/engine/undo/rows-after.ts";
import type { MappingEntry } from "../../../src/model/mapping.ts";

const row: MappingEntry = { name: "One", target: "urn:one", origin: "created" };

test("a key that is known by the one that it had is known by the source's from then on", () => {
  const keys = { source: "old", old: "fresh", other: "same" };
  expect(isUntidy({ ...row, keys })).toBe(true);
  expect(tidied({ ...row, keys })).toEqual({ ...row, keys: { source: "fresh", other: "same" } });
  expect(isUntidy(tidied({ ...row, keys }))).toBe(false);
});

test("rows with keys of the source alone, without any, or of nothing are in order", () => {
  expect(isUntidy({ ...row, keys: { source: "key", other: "toString" } })).toBe(false);
  expect(isUntidy(row)).toBe(false);
  expect(isUntidy(undefined)).toBe(false);
});

test("what is not known any more is the prints, and nothing else", () => {
  const prints = { sourceFingerprint: "a", ownFingerprint: "b", targetFingerprint: "c" };
  expect(unknown({ ...row, ...prints, keys: { source: "key" }, run: "run" })).toEqual({
    ...row,
    keys: { source: "key" },
    run: "run",
  });
});
