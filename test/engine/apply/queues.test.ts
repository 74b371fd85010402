import { describe, expect, test } from "vitest";
import { ReadyQueues } from "../../../src/engine/apply/queues.ts";
import type { Task } from "../../../src/engine/apply/task.ts";
import { rules } from "../../../src/kinds/rules.ts";
import { terms } from "../../../src/kinds/terms.ts";
import type { MovedKind, Step } from "../../../src/kinds/kind.ts";
import type { Action } from "../../../src/model/change.ts";

const create: Step = {
  name: "create",
  effect: "creates",
  atMost: 3,
  atomic: false,
  settle: "by-listing",
  send: async () => [],
};
const publish: Step = { ...create, name: "publish", effect: "releases", atMost: 1 };
const remove: Step = { ...create, name: "delete", effect: "removes", atMost: 2 };

/** By number, all that a test has made. */
const made: Task[] = [];
const byNumber = { at: (number: number) => made[number] };

function task(id: string, kind: MovedKind = terms, more: Partial<Task> & { action?: Action } = {}): Task {
  const { action = "create", ...rest } = more;
  const one: Task = {
    id,
    change: { id, action, kind: kind.name, reason: "", fields: [], diagnostics: [], dependsOn: [] },
    kind,
    pass: "main",
    steps: [create, publish],
    waits: new Set(),
    number: made.length,
    at: 0,
    patched: undefined,
    attempts: 0,
    outcome: undefined,
    isReleased: false,
    absent: undefined,
    reason: undefined,
    ended: () => undefined,
    ...rest,
  };
  made.push(one);
  return one;
}

function ids(batch: readonly Task[] | undefined): string | undefined {
  return batch?.map(({ id }) => id).join(" ");
}

/** Takes batches until there is none. */
function drain(queues: ReadyQueues, idle: boolean): readonly string[] {
  const taken: string[] = [];
  for (let batch = queues.next(idle); batch !== undefined; batch = queues.next(idle))
    taken.push(ids(batch) ?? "");
  return taken;
}

/** Every so often one is taken while others still come. */
function inTurns(count: number, every: number): readonly string[] {
  const queues = new ReadyQueues(byNumber);
  const taken: (string | undefined)[] = [];
  for (let number = 0; number < count; number += 1) {
    queues.add(task(String(number)));
    if (number % every === 0) taken.push(ids(queues.next(true)));
  }
  return [...taken.filter((batch) => batch !== undefined), ...drain(queues, true)];
}

function filled(...tasks: readonly Task[]): ReadyQueues {
  const queues = new ReadyQueues(byNumber);
  for (const entry of tasks) queues.add(entry);
  return queues;
}

describe("batches", () => {
  test("lose none, repeat none and keep the order while some are taken and others come", () => {
    for (const every of [1, 2, 3, 7, 100]) {
      const order = inTurns(200, every).flatMap((batch) => batch.split(" "));
      expect(order).toEqual(Array.from({ length: 200 }, (_, number) => String(number)));
    }
  });

  test("none when nothing is ready", () => {
    const queues = new ReadyQueues(byNumber);
    expect(queues.isEmpty()).toBe(true);
    expect(queues.next(false)).toBeUndefined();
    expect(queues.next(true)).toBeUndefined();
  });

  test("hold at most what a request may carry, in the order in which things became ready", () => {
    const queues = filled(...["a", "b", "c", "d", "e", "f", "g"].map((id) => task(id)));
    expect(drain(queues, false)).toEqual(["a b c", "d e f", "g"]);
    expect(queues.isEmpty()).toBe(true);
  });

  test("a full one goes at once, though others of its kind are still to come", () => {
    const queues = filled(task("a"), task("b"), task("c"));
    queues.expect(task("later"));
    expect(drain(queues, false)).toEqual(["a b c"]);
  });

  test("a partial one waits while something could join it and something is under way", () => {
    const queues = filled(task("a"), task("b"));
    const later = task("later");
    queues.expect(later);
    expect(queues.next(false)).toBeUndefined();
    expect(queues.isEmpty()).toBe(false);
    queues.unexpect(later);
    queues.add(later);
    expect(drain(queues, false)).toEqual(["a b later"]);
  });

  test("a partial one goes when what could have joined it never will", () => {
    const queues = filled(task("a"));
    const never = task("never");
    queues.expect(never);
    expect(queues.next(false)).toBeUndefined();
    queues.unexpect(never);
    expect(ids(queues.next(false))).toBe("a");
  });

  test("a partial one goes when nothing is under way: nothing could become ready without it", () => {
    const queues = filled(task("a"));
    queues.expect(task("needs a"));
    expect(queues.next(false)).toBeUndefined();
    expect(ids(queues.next(true))).toBe("a");
  });

  test("full ones come before partial ones of other queues when nothing is under way", () => {
    const queues = filled(task("rule", rules), task("a"), task("b"), task("c"));
    queues.expect(task("rule to come", rules));
    queues.expect(task("term to come"));
    expect(ids(queues.next(true))).toBe("a b c");
    expect(ids(queues.next(true))).toBe("rule");
  });

  test("what waits for another queue does not hold this one back", () => {
    const queues = filled(task("a"));
    queues.expect(task("rule to come", rules));
    queues.expect(task("publish to come", terms, { at: 1 }));
    queues.expect(task("delete to come", terms, { action: "delete", steps: [remove] }));
    queues.expect(task("second pass to come", terms, { pass: "second" }));
    expect(drain(queues, false)).toEqual(["a"]);
  });

  test("never mix kinds, steps, passes, or deletes with anything", () => {
    const queues = filled(
      task("term"),
      task("rule", rules),
      task("published", terms, { at: 1 }),
      task("patched later", terms, { pass: "second" }),
      task("deleted", terms, { action: "delete", steps: [remove] }),
      task("term 2"),
      task("published 2", terms, { at: 1 }),
      task("deleted 2", terms, { action: "delete", steps: [remove] }),
    );
    expect(new Set(drain(queues, false))).toEqual(
      new Set(["term term 2", "rule", "published", "published 2", "patched later", "deleted deleted 2"]),
    );
  });

  test("a task joins the queue of the step that it has come to", () => {
    const moving = task("a");
    const queues = filled(moving);
    expect(ids(queues.next(false))).toBe("a");
    moving.at = 1;
    queues.add(moving);
    queues.add(task("b"));
    expect(new Set(drain(queues, false))).toEqual(new Set(["a", "b"]));
  });

  test("pieces of a batch that was cut go first and as they are", () => {
    const queues = filled(task("a"), task("b"), task("c"));
    queues.addPiece([task("p")]);
    queues.addPiece([task("q"), task("r")]);
    queues.addPiece([]);
    queues.expect(task("later"));
    expect(drain(queues, false)).toEqual(["p", "q r", "a b c"]);
  });
});
