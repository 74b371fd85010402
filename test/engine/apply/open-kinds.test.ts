import { expect, test } from "vitest";
import { OpenKinds } from "../../../src/engine/apply/open-kinds.ts";
import type { Task } from "../../../src/engine/apply/task.ts";

const task = (id: string, pass: Task["pass"] = "main", kind = "terms"): Task =>
  ({ id: pass === "main" ? id : `${id}#2`, change: { id }, kind: { name: kind }, pass }) as Task;

test("an object that takes two tasks is one object, done with when both have ended", () => {
  const tasks = [task("a"), task("a", "second"), task("b"), task("c", "main", "rules")];
  const open = new OpenKinds(tasks);
  expect(open.objects).toEqual({ done: 0, total: 3 });
  const seen = tasks.map((one) => [open.ended(one), open.objects.done]);
  expect(seen).toEqual([
    [false, 0],
    [false, 1],
    [true, 2],
    [true, 3],
  ]);
});
