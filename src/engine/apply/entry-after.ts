import type { StepAnswer } from "../../kinds/kind.ts";
import type { IntentItem } from "../../model/journal.ts";
import type { MappingEntry } from "../../model/mapping.ts";
import type { Task } from "./task.ts";
import { currentStep } from "./task.ts";
import { pairedOrigin } from "../facets/standing.ts";

export interface StepDone {
  readonly task: Task;
  readonly intent: IntentItem;
  readonly answer: Extract<StepAnswer, { state: "done" }>;
  readonly before: MappingEntry | undefined;
  readonly run: string;
}

export type EntryAfter = (done: StepDone) => MappingEntry | null;

/** The object's row in the mapping once a step is done; null when the object is gone. */
export function entryAfter(options: StepDone): MappingEntry | null {
  const { task, intent, answer, before, run } = options;
  const next = task.steps[task.at + 1]?.name;
  const unfinished = next === undefined ? {} : { unfinished: next };
  const prints = {
    ...(intent.sourceFingerprint === undefined ? {} : { sourceFingerprint: intent.sourceFingerprint }),
    ...(intent.fingerprint === undefined ? {} : { targetFingerprint: intent.fingerprint }),
  };
  switch (currentStep(task).name) {
    case "create": {
      return {
        name: intent.name,
        target: answer.target ?? "",
        origin: "created",
        ...prints,
        ...keysOf(undefined, answer.keys),
        ...unfinished,
        run,
      };
    }
    case "patch":
    case "assign":
      return {
        name: intent.name,
        target: before?.target ?? intent.target ?? "",
        origin: before?.origin ?? pairedOrigin(task.kind, task.change.action === "adopt"),
        ...prints,
        ...keysOf({ ...before?.keys, ...task.change.work?.keys }, answer.keys),
        ...unfinished,
        run,
      };
    case "publish": {
      if (before === undefined) return null;
      const { unfinished: _done, ...rest } = before;
      return { ...rest, ...unfinished, run };
    }
    case "delete":
      return null;
  }
}

export function keysOf(
  before: Readonly<Record<string, string>> | undefined,
  fresh: Readonly<Record<string, string>> | undefined,
): { readonly keys?: Readonly<Record<string, string>> } {
  const keys = { ...before, ...fresh };
  return Object.keys(keys).length === 0 ? {} : { keys };
}
