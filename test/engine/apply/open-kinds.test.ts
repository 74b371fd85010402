import { expect, test } from "vitest";
import { OpenKinds } from "../../../src/engine/apply/open-kinds.ts";
import type { Task } from "../../../src/engine/apply/task.ts";

const task = (id: string, pass: Task["pass"] = "main", kind = "terms"): Task =>
  ({ id: pass === "main" ? id : `${id}#2`, change: { id }, kind: { name: kind }, pass }) as Task;

test("an object that takes two tasks is one object, done with when both have ended", () => {
  const tasks = [task("a"), task("a", "second"), task("b"), task("c", "main", "rules")];
  const open = new OpenKinds(tasks);
  expect(open.objects).toEqual({ done: 0, total: 3, inFlight: 0 });
  const seen = tasks.map((one) => [open.ended(one), open.objects.done]);
  expect(seen).toEqual([
    [false, 0],
    [false, 1],
    [true, 2],
    [true, 3],
  ]);
});

test("an object is in flight from its first request until it is done with, however many are sent for it", () => {
  const tasks = [task("a"), task("a", "second"), task("b")];
  const open = new OpenKinds(tasks);
  const [first, second, other] = tasks as [Task, Task, Task];
  open.begun(first);
  open.begun(first);
  open.begun(other);
  expect(open.objects).toEqual({ done: 0, total: 2, inFlight: 2 });
  open.ended(first);
  expect(open.objects).toEqual({ done: 0, total: 2, inFlight: 2 });
  open.ended(second);
  expect(open.objects).toEqual({ done: 1, total: 2, inFlight: 1 });
});
