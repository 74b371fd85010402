import { describe, expect, test } from "vitest";
import { fellTogether } from "../../../src/engine/apply/isolate.ts";
import type { Task } from "../../../src/engine/apply/task.ts";
import type { StepAnswer } from "../../../src/kinds/kind.ts";

const refused: StepAnswer = { state: "refused", reason: "no such type" };
const failed: StepAnswer = { state: "unknown", reason: "BATCH_ROLLED_BACK", failed: true };
const silent: StepAnswer = { state: "unknown", reason: "the answer of the batch has no result for it" };
const done: StepAnswer = { state: "done", target: "urn:data:prod:catalog:entity:1" };

function sent(...answers: readonly StepAnswer[]): readonly { task: Task; answer: StepAnswer }[] {
  return answers.map((answer, number) => ({ task: { number } as unknown as Task, answer }));
}

describe("a request that takes all or nothing", () => {
  test("is surely undone as a whole where one of it is: that one is to blame, the others are sent again", () => {
    const [one, two, three] = sent(failed, refused, failed);
    expect(fellTogether([one, two, three].flatMap((item) => item ?? []))).toEqual({
      guilty: [{ task: two?.task, reason: "no such type" }],
      pieces: [[one?.task, three?.task]],
    });
  });

  test("is asked in halves where each of it is refused in the same way", () => {
    const all = sent(refused, refused, refused);
    const [one, two, three] = all.map(({ task }) => task);
    expect(fellTogether(all)).toEqual({ guilty: [], pieces: [[one, two], [three]] });
  });

  test.each([
    ["nothing is surely undone", [failed, failed]],
    ["one is said to be done", [refused, done, failed]],
    ["nothing is said of one", [refused, silent]],
    ["there is but one", [refused]],
  ])("says nothing of the others where %s", (_why, answers) => {
    expect(fellTogether(sent(...answers))).toBeUndefined();
  });
});
