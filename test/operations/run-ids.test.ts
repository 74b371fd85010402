import { expect, test } from "vitest";
import { newRunId } from "../../src/operations/run.ts";

const noon = Date.UTC(2026, 10, 21, 12);

test("the name of a run comes behind those before it, whatever the clock says", () => {
  const first = newRunId(noon);
  expect(first).toMatch(/^2026-11-21T12-00-00-000Z-[0-9a-f]{6}$/);
  expect(newRunId(noon - 3_600_000, [first])).toMatch(/^2026-11-21T12-00-00-001Z-/);
  expect(newRunId(noon, [first, newRunId(noon - 1)])).toMatch(/^2026-11-21T12-00-00-001Z-/);
  expect(newRunId(noon + 5, [first])).toMatch(/^2026-11-21T12-00-00-005Z-/);
  expect(newRunId(noon, ["run-1", "2026"])).toMatch(/^2026-11-21T12-00-00-000Z-/);
});
