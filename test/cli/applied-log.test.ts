import { expect, test } from "vitest";
import { AppliedLog } from "../../src/cli/applied-log.ts";

const event = (name: string, state: string, reason?: string): Parameters<AppliedLog["line"]>[0] => ({
  type: "applied",
  kind: "rules",
  name,
  source: `urn:${name}`,
  step: "create",
  state,
  ...(reason === undefined ? {} : { reason }),
});

test("one lost answer is told once, with how many it is about", () => {
  const log = new AppliedLog();
  const lines = ["A", "B", "C"].map((name) => log.line(event(name, "in doubt", "reset")));
  expect(lines).toEqual(['rules "A" create in doubt: reset', undefined, undefined]);
  expect(log.line(event("D", "in doubt", "timeout"))).toBe('rules "D" create in doubt: timeout');
  expect(log.rest()).toEqual(["... and 2 more rules in doubt, for the same reason"]);
  expect(log.rest()).toEqual([]);
  expect(log.line(event("E", "in doubt", "reset"))).toBe('rules "E" create in doubt: reset');
});

test("everything else is told of each", () => {
  const log = new AppliedLog();
  expect(["A", "B"].map((name) => log.line(event(name, "sent again", "a draft may be left")))).toEqual([
    'rules "A" create sent again: a draft may be left',
    'rules "B" create sent again: a draft may be left',
  ]);
  expect(["A", "B"].map((name) => log.line(event(name, "done")))).toEqual([
    'rules "A" create done',
    'rules "B" create done',
  ]);
  expect(log.rest()).toEqual([]);
});
