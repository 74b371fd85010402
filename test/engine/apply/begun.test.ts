import { expect, test } from "vitest";
import { begunOf, isBegun } from "../../../src/engine/apply/begun.ts";
import type { Task } from "../../../src/engine/apply/task.ts";
import type { Change } from "../../../src/model/change.ts";
import { MappingTable } from "../../../src/model/mapping-table.ts";

const source = { urn: "urn:source", name: "Board" };

function task(parts: Partial<Omit<Task, "change">> & { readonly change?: Partial<Change> }): Task {
  const change = { action: "create", source, ...parts.change };
  const steps = [{ name: "create" }, { name: "publish" }];
  return { at: 0, kind: { name: "dashboards" }, steps, ...parts, change } as Task;
}

function mapping(): MappingTable {
  const table = new MappingTable();
  table.set("dashboards", source.urn, { name: "Board", target: "urn:target", origin: "created" });
  return table;
}

test("begun is what has a step behind it, in this run or in the one that it goes on with", () => {
  expect(isBegun(task({}))).toBe(false);
  expect(isBegun(task({ at: 1 }))).toBe(true);
  expect(isBegun(task({ change: { work: { unfinished: "publish" } } }))).toBe(true);
  // An update that was left is brought to its end before anything is compared.
  expect(isBegun(task({ change: { action: "update", work: { unfinished: "publish" } } }))).toBe(false);
});

test("an object is begun as well whose references are still to be filled in", () => {
  const main = task({ outcome: "done", at: 2 });
  const second = task({ outcome: "not-started", steps: [{ name: "patch" }] as unknown as Task["steps"] });
  expect(begunOf([main, second], mapping())).toMatchObject({
    reason: expect.stringContaining("(urn:target); its patch is still to be done"),
    fields: { left: "patch", target: { urn: "urn:target", name: "Board" } },
  });
  expect(begunOf([task({ outcome: "not-started" })], mapping())).toBeUndefined();
  expect(begunOf([main, task({ outcome: "failed" })], mapping())).toBeUndefined();
});

test("what is replaced keeps the URN of the object whose place it takes", () => {
  const change = { action: "replace", target: { urn: "urn:old", name: "Board" } } as const;
  const begun = begunOf([task({ change, outcome: "begun", at: 1 })], mapping());
  expect(begun?.fields).toEqual({ left: "publish" });
  expect(begun?.reason).toContain("urn:target");
});
