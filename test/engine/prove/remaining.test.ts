import { expect, test } from "vitest";
import { movedMeanwhile, remaining, wasLeft } from "../../../src/engine/prove/remaining.ts";
import type { Action, AppliedChange, Outcome } from "../../../src/model/change.ts";

const change = (action: Action, outcome?: Outcome): AppliedChange =>
  ({ id: action, action, ...(outcome === undefined ? {} : { outcome }) }) as AppliedChange;

const actions = [
  "create",
  "update",
  "replace",
  "adopt",
  "delete",
  "unchanged",
  "drift",
  "conflict",
  "blocked",
  "manual",
] as const;

test("what a run does not accept is what it would bring, and what somebody has changed while it ran", () => {
  const all = actions.map((action) => change(action));
  expect(remaining(all).map(({ action }) => action)).toEqual(["create", "update", "replace", "adopt"]);
  expect(movedMeanwhile(all).map(({ action }) => action)).toEqual(["drift", "conflict"]);
});

test("what it has said to be not done nobody expects", () => {
  for (const outcome of ["failed", "blocked", "begun", "not-started", "withheld", "in-doubt"] as const)
    expect(wasLeft(change("update", outcome))).toBe(true);
  expect(wasLeft(change("update", "done"))).toBe(false);
  expect(actions.filter((action) => wasLeft(change(action)))).toEqual([
    "drift",
    "conflict",
    "blocked",
    "manual",
  ]);
});
