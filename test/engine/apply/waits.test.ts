import * as fc from "fast-check";
import { expect, test } from "vitest";
import { newTask, TaskMap } from "../../../src/engine/apply/task.ts";
import { Waits } from "../../../src/engine/apply/waits.ts";
import { terms } from "../../../src/kinds/terms.ts";
import { runs } from "../../properties/runs.ts";

const ids = ["a", "b", "c", "d", "e", "f", "g", "h"];
const none = { kind: "terms", reason: "", fields: [], diagnostics: [], dependsOn: [] } as const;

test("tasks are free when all that they wait for is done, however they wait for each other", () => {
  const waiting = fc.uniqueArray(
    fc.record({ id: fc.constantFrom(...ids), on: fc.subarray([...ids, "nobody"]) }),
    {
      selector: ({ id }) => id,
    },
  );
  fc.assert(
    fc.property(waiting, (all) => {
      const tasks = new TaskMap();
      for (const { id, on } of all)
        tasks.set(id, newTask({ ...none, id, action: "create" }, terms, "main", [], on));
      const waits = new Waits(tasks);
      const open = new Map(all.map(({ id, on }) => [id, new Set(on.filter((other) => tasks.has(other)))]));
      const isRight = (): void => {
        for (const task of tasks.values()) expect(waits.isFree(task)).toBe(open.get(task.id)?.size === 0);
      };
      isRight();
      for (const task of tasks.values()) {
        const users = all.filter(({ on }) => on.includes(task.id)).map(({ id }) => id);
        expect(waits.usersOf(task).map(({ id }) => id)).toEqual(users);
        for (const user of waits.usersOf(task)) {
          waits.oneDone(user);
          open.get(user.id)?.delete(task.id);
          isRight();
        }
      }
    }),
    runs(200),
  );
});

test("deletes come last, but for those that something waits for, with what these wait for", () => {
  const tasks = new TaskMap();
  const task = (id: string, action: "create" | "delete", on: readonly string[]): unknown =>
    tasks.set(id, newTask({ ...none, id, action }, terms, "main", [], on));
  task("new", "create", ["old"]);
  task("old", "delete", ["inside"]);
  task("inside", "delete", ["deeper"]);
  task("deeper", "delete", []);
  task("around", "delete", ["old"]);
  task("other", "delete", []);
  const waits = new Waits(tasks);
  const last = [...tasks.values()].filter((one) => waits.comesLast(one)).map(({ id }) => id);
  expect(last).toEqual(["around", "other"]);
});
