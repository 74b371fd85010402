import { expect, test } from "vitest";
import type { Task } from "./schedule.ts";
import { schedule } from "./schedule.ts";

const at = (place: string, ...after: number[]): Task => ({ place, after });

test("nothing takes no round", () => {
  expect(schedule([], 8)).toBe(0);
});

test("what waits for nothing goes at once, as far as there are places", () => {
  const tasks = Array.from({ length: 17 }, () => at("prod"));
  expect(schedule(tasks, 8)).toBe(3);
  expect(schedule(tasks, 17)).toBe(1);
});

test("a chain takes a round for each, however many places there are", () => {
  expect(schedule([at("dev"), at("dev", 0), at("dev", 1), at("dev", 2)], 8)).toBe(4);
});

test("each environment has places of its own", () => {
  const tasks = [at("dev"), at("dev"), at("prod"), at("prod")];
  expect(schedule(tasks, 2)).toBe(1);
  expect(
    schedule(
      tasks.map(({ after }) => ({ place: "prod", after })),
      2,
    ),
  ).toBe(2);
});

test("what a long chain hangs on goes first", () => {
  // Six that nobody waits for, before a chain of three in the order of the list.
  const idle = Array.from({ length: 6 }, () => at("prod"));
  const tasks = [...idle, at("prod"), at("prod", 6), at("prod", 7)];
  expect(schedule(tasks, 3)).toBe(3);
});

test("a task may wait for one that stands behind it", () => {
  expect(schedule([at("prod", 1), at("prod")], 8)).toBe(2);
});

test("a circle is a mistake", () => {
  expect(() => schedule([at("prod", 1), at("prod", 0)], 8)).toThrow("circle");
});
