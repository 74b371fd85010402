import { expect, test } from "vitest";
import { tasksOf } from "../../../src/engine/apply/task-table.ts";
import { newTask, TaskMap } from "../../../src/engine/apply/task.ts";
import { registry } from "../../../src/kinds/index.ts";
import { monitors } from "../../../src/kinds/monitors.ts";
import type { Action, Change, Work } from "../../../src/model/change.ts";

function change(
  kind: string,
  id: string,
  action: Action,
  work?: Work,
  dependsOn: readonly string[] = [],
): Change {
  const one = { id, action, kind, reason: "", fields: [], diagnostics: [], dependsOn };
  return { ...one, source: { urn: id, name: id }, ...(work === undefined ? {} : { work }) };
}

const all = [
  change("monitors", "new", "create", { deferred: ["/related"], deferredOn: ["patched"] }, ["begun"]),
  change("monitors", "same", "unchanged"),
  change("monitors", "patched", "update", { patch: { name: "x" } }),
  change("monitors", "taken", "adopt"),
  change("dashboards", "begun", "create", { unfinished: "publish" }),
  change("monitors", "gone", "delete"),
];

test("what is written has a task, and what is filled in later a second one", () => {
  const tasks = tasksOf(all, registry, true);
  const told = [...tasks.values()].map(({ id, number, pass, steps, waits }) =>
    [id, number, pass, steps.map(({ name }) => name).join(" "), [...waits].join(" ")].join(", "),
  );
  expect(told).toEqual([
    "new, 0, main, create, begun",
    "new#2, 1, second, patch publish, new patched",
    "patched, 2, main, patch publish, ",
    "begun, 3, main, publish, ",
    "gone, 4, main, delete, ",
  ]);
  expect(tasks.size).toBe(5);
  expect([tasks.get("gone")?.change.id, tasks.at(1)?.id, tasks.has("same")]).toEqual([
    "gone",
    "new#2",
    false,
  ]);
  expect([tasks.get("same"), tasks.at(5)]).toEqual([undefined, undefined]);
  expect(tasksOf(all, registry, false).has("gone")).toBe(false);
});

test("whoever asks for a task is told how it stands by now", () => {
  const tasks = tasksOf(all, registry, true);
  const one = tasks.get("new");
  const same = (): unknown => {
    const { at, outcome, reason, attempts, isReleased, patched } = tasks.at(0) ?? {};
    return { at, outcome, reason, attempts, isReleased, patched };
  };
  if (one === undefined) throw new Error("it has a task");
  const none = { outcome: undefined, reason: undefined, patched: undefined };
  expect(same()).toEqual({ ...none, at: 0, attempts: 0, isReleased: false });
  one.at += 1;
  one.attempts += 1;
  one.isReleased = true;
  one.patched = { expected: { name: "x" }, patch: {}, print: undefined, entry: undefined };
  expect(same()).toMatchObject({
    at: 1,
    attempts: 1,
    isReleased: true,
    patched: { expected: { name: "x" } },
  });
  one.outcome = "failed";
  one.reason = "no";
  one.ended();
  expect(same()).toEqual({
    at: 1,
    outcome: "failed",
    reason: "no",
    attempts: 1,
    isReleased: true,
    patched: undefined,
  });
  expect(tasks.at(1)?.outcome).toBeUndefined();
});

test("one that is put in the place of another keeps its number", () => {
  const tasks = new TaskMap();
  for (const id of ["a", "b", "a"])
    tasks.set(id, newTask(change("monitors", id, "create"), monitors, "main", [], []));
  expect([...tasks.values()].map(({ number }) => number)).toEqual([0, 1]);
  expect(tasks.at(0)).toBe(tasks.get("a"));
});
