import { expect, test } from "vitest";
import { schedulesStart } from "../../../src/kinds/checks/schedules-start.ts";
import type { Change } from "../../../src/model/change.ts";
import { change, view } from "./support.ts";

const starting = (name: string): Change => ({
  ...change("monitors", name, "create"),
  diagnostics: [{ severity: "warning", code: "schedule-starts", summary: "" }],
});

const said = (...changes: readonly Change[]): readonly string[] =>
  schedulesStart.run(view({ changes })).diagnostics.map(({ summary }) => summary);

test("monitors that start at once are counted, and the first five named", () => {
  expect(said(change("monitors", "a", "create"))).toEqual([]);
  expect(said(starting("a"), change("rules", "b", "create"))).toEqual([
    '1 monitor starts running at the target at once, by schedule: "a"',
  ]);
  expect(said(...["a", "b", "c", "d", "e", "f", "g"].map(starting))).toEqual([
    '7 monitors start running at the target at once, by schedule: "a", "b", "c", "d", "e" and 2 more',
  ]);
});
