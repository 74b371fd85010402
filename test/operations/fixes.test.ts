import { describe, expect, test } from "vitest";
import { afterDiff, fixesFor } from "../../src/operations/fixes.ts";
import type { Action, AppliedChange } from "../../src/model/change.ts";

const change = (action: Action, causes: readonly string[] = []): AppliedChange => ({
  id: "x",
  action,
  kind: "rules",
  reason: "",
  fields: [],
  dependsOn: [],
  diagnostics: causes.map((key) => ({
    severity: "error",
    code: "unresolved-reference",
    summary: "",
    cause: { key, summary: key, suggestion: `mend ${key}` },
  })),
});
const times = (count: number, action: Action, causes: readonly string[] = []): readonly AppliedChange[] =>
  Array.from({ length: count }, () => change(action, causes));

test("what mends the most comes first, each thing once, and no more than three", () => {
  const changes = [
    ...times(1, "blocked", ["a", "d"]),
    ...times(5, "blocked", ["b", "b"]),
    ...times(4, "blocked", ["c"]),
    ...times(2, "blocked", ["d"]),
    ...times(9, "manual", ["e"]),
  ];
  expect(fixesFor(changes)).toEqual(["mend b", "mend c", "mend d"]);
});

describe("after a diff", () => {
  const next = (changes: readonly AppliedChange[]) => afterDiff(changes, "prod", "ferry apply prod");

  test("with changes comes apply", () => {
    expect(next(times(3, "create"))).toEqual(["ferry apply prod"]);
    expect(next([...times(50, "create"), ...times(2, "blocked", ["a"])])).toEqual(["ferry apply prod"]);
  });

  test("with nothing to do comes nothing", () => {
    expect(next(times(3, "unchanged"))).toEqual([]);
    expect(next(times(3, "manual"))).toEqual([]);
  });

  test.each([0, 1, 5])("with 200 blocked and %i to make comes the plan, and no apply", (writes) => {
    expect(next([...times(writes, "create"), ...times(200, "blocked", ["a"])])).toEqual([
      "mend a",
      "ferry diff prod",
    ]);
  });

  test("with many of both, what mends comes first and apply is not kept back", () => {
    expect(next([...times(100, "create"), ...times(80, "blocked", ["a"])])).toEqual([
      "mend a",
      "ferry diff prod",
      "ferry apply prod",
    ]);
  });
});
