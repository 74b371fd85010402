import { expect, test } from "vitest";
import type { PlannedRow } from "../../../src/engine/records/line.ts";
import { Marks } from "../../../src/engine/records/marks.ts";

const rows = (...lines: number[]): readonly PlannedRow[] => lines.map((line) => ({ line }) as PlannedRow);

test("a mark goes on when a batch and all before it have come to their end, whatever lines lie between", () => {
  const marks = new Marks(3);
  marks.begin(rows(3, 5));
  marks.begin(rows(9, 40, 41));
  for (const line of [41, 9]) marks.final({ line });
  expect(marks.line).toBe(3);
  marks.final({ line: 5 });
  marks.final({ line: 3 });
  expect(marks.line).toBe(6);
  marks.final({ line: 40 });
  expect(marks.line).toBe(42);
});

test("a row comes to its end once, and one that is in no batch says nothing", () => {
  const marks = new Marks(0);
  marks.begin(rows(0, 2));
  for (const line of [0, 0, 1, 7, undefined]) marks.final(line === undefined ? {} : { line });
  expect(marks.line).toBe(0);
  marks.final({ line: 2 });
  expect(marks.line).toBe(3);
  marks.final({ line: 2 });
  expect(marks.line).toBe(3);
});

test("what was left is come back to, whatever has come to its end behind it", () => {
  const marks = new Marks(0);
  marks.leave({ line: 1 });
  marks.begin(rows(0, 2));
  for (const line of [0, 2]) marks.final({ line });
  expect(marks.line).toBe(1);
});
