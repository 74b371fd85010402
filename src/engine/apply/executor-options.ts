import type { MappingTable } from "../../model/mapping-table.ts";
import type { WriteClient } from "../../service/index.ts";
import type { Report } from "../progress.ts";
import type { Settler } from "../settle/settler.ts";
import type { Doubt } from "../settle/subtraction.ts";
import type { Births } from "./births.ts";
import type { Built, Unbuilt } from "./built.ts";
import type { Stood } from "./contradictions.ts";
import type { EntryAfter } from "./entry-after.ts";
import type { Recorder } from "./recorder.ts";
import type { Task, Tasks } from "./task.ts";

export interface ExecutorOptions {
  readonly tasks: Tasks;
  readonly client: WriteClient;
  /** What a task's step sends for its object. */
  readonly build: (task: Task) => Built | Unbuilt;
  readonly births?: Pick<Births, "isAwaited" | "find">;
  /** The object's row in the mapping once a step is done. */
  readonly entryAfter: EntryAfter;
  readonly mapping: MappingTable;
  readonly stood: Stood;
  readonly recorder: Recorder;
  readonly concurrency: number;
  readonly report: Report;
  readonly now: () => number;
  /** Its sleep, between the questions about what was accepted. */
  readonly settler: Pick<Settler, "sleep">;
  /** Aborted: nothing new is sent, what is in flight may finish. */
  readonly stop: AbortSignal;
  /** No task of the kind is left. */
  readonly kindDone?: ((kind: string) => void) | undefined;
}

/** A doubt of this run, with the task that waits for it. */
export interface OpenDoubt {
  readonly doubt: Doubt;
  readonly task: Task;
  readonly built: Built;
}
